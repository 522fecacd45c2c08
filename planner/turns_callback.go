package planner

import (
	"slices"

	"github.com/casys-ai/pml/nodes/ast"
)

// turns rewrites one callback.
type turns struct {
	p   *turnTaker
	pos ast.Pos
	// vars are the variables outside of the callback that it changes.
	vars []*ast.Symbol
	log  *ast.Ident
	// spots are what stands for the changes behind, over entry.
	spots []ast.Stmt
	entry *ast.Ident
	// used says that the program looks at what the callback returns.
	used bool
	// wrong says that a change was found that cannot be made behind.
	wrong bool
}

func (t *turns) name(hint string) *ast.Ident {
	id := &ast.Ident{Pos: t.pos, Sym: t.p.l.temp(hint)}
	t.p.l.placeless[id.Sym] = true
	return id
}

// callback is fn with notes in place of changes; nil if it changes nothing outside, or cannot be rewritten.
func (t *turns) callback(fn *ast.FunctionExpr) ast.Expr {
	t.vars = t.changed(fn)
	if len(t.vars) == 0 || t.p.hidden(fn, t.vars) || t.p.restsOn(fn.Func) {
		return nil
	}
	t.log, t.entry = t.name("log"), t.name("entry")
	body := t.list(fn.Body)
	if t.wrong {
		return nil
	}
	body = t.returning(body)
	body = append([]ast.Stmt{constant(t.pos, t.log, &ast.Array{Pos: t.pos})}, body...)
	body = append(body, t.result(t.pos, nil))
	c := *fn.Func
	c.Body, c.ExprBody = body, false
	out := &ast.FunctionExpr{Pos: fn.Pos, Func: &c}
	for _, s := range ast.FreeSymbols(out) {
		if slices.Contains(t.vars, s) {
			return nil // it is also looked at
		}
	}
	return out
}

// changed lists the variables outside of fn that it assigns, or whose objects it changes by their names.
func (t *turns) changed(fn *ast.FunctionExpr) []*ast.Symbol {
	free := set(ast.FreeSymbols(fn)...)
	var out []*ast.Symbol
	add := func(e ast.Node) {
		if id, ok := e.(*ast.Ident); ok && free[id.Sym] && id.Sym.Kind != ast.SymUnbound && !slices.Contains(out, id.Sym) {
			out = append(out, id.Sym)
		}
	}
	target := func(n ast.Node) {
		add(n)
		switch n := n.(type) {
		case *ast.Member:
			add(n.Object)
		case *ast.Index:
			add(n.Object)
		}
	}
	ast.WalkAll(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Assign:
			target(n.Target)
		case *ast.Update:
			target(n.X)
		case *ast.Call:
			if m, ok := n.Callee.(*ast.Member); ok && changing[m.Name] {
				add(m.Object)
			}
		}
		return true
	})
	return out
}

func (t *turns) mentions(n ast.Node) bool {
	return slices.ContainsFunc(ast.FreeSymbols(n), func(s *ast.Symbol) bool { return slices.Contains(t.vars, s) })
}

// list rewrites statements of the callback.
func (t *turns) list(list []ast.Stmt) []ast.Stmt {
	var out []ast.Stmt
	for i, s := range list {
		if ret, ok := s.(*ast.Return); ok && ret.X != nil && t.mentions(ret.X) && i == len(list)-1 {
			s = &ast.ExprStmt{Pos: ret.Pos, X: ret.X} // async (x) => out.push(await f(x))
			t.wrong = t.wrong || t.used
		}
		if e, ok := s.(*ast.ExprStmt); ok && t.mentions(e.X) {
			out = append(out, t.note(s)...)
		} else if c, ok := s.(*ast.If); ok && t.mentions(c.Test) {
			out = append(out, t.note(s)...)
		} else {
			out = append(out, eachList(s, t.list))
		}
	}
	return out
}

// returning makes every return one of the log and the value.
func (t *turns) returning(list []ast.Stmt) []ast.Stmt {
	return leaver{returns: true, breaks: 1, continues: 1, instead: func(way ast.Stmt) []ast.Stmt {
		if ret, ok := way.(*ast.Return); ok {
			return []ast.Stmt{t.result(ret.Pos, ret.X)}
		}
		return nil
	}}.list(list)
}

func (t *turns) result(pos ast.Pos, x ast.Expr) ast.Stmt {
	if x == nil {
		x = &ast.Undefined{Pos: pos}
	}
	if !literal(x) {
		x = &ast.Await{Pos: pos, X: x}
	}
	return &ast.Return{Pos: pos, X: record(pos, "log", t.use(t.log), "value", x)}
}

// record is { name: value, … }.
func record(pos ast.Pos, list ...any) *ast.Object {
	o := &ast.Object{Pos: pos}
	for i := 0; i < len(list); i += 2 {
		o.Props = append(o.Props, ast.Property{Key: &ast.String{Pos: pos, Value: list[i].(string)}, Value: list[i+1].(ast.Expr)})
	}
	return o
}

func (t *turns) use(id *ast.Ident) *ast.Ident { return &ast.Ident{Pos: t.pos, Sym: id.Sym} }

// field is of.name.
func (t *turns) field(of *ast.Ident, name string) ast.Expr {
	return &ast.Member{Pos: t.pos, Object: t.use(of), Name: name, NamePos: t.pos}
}

func (t *turns) arrow(x ast.Expr, params ...*ast.Ident) ast.Expr {
	fn := &ast.Func{Arrow: true, ExprBody: true, Body: []ast.Stmt{&ast.Return{Pos: t.pos, X: x}}}
	for _, p := range params {
		fn.Params = append(fn.Params, ast.Param{Target: p})
	}
	return &ast.FunctionExpr{Pos: t.pos, Func: fn}
}

func (t *turns) method(object ast.Expr, name string, args ...ast.Expr) ast.Expr {
	return &ast.Call{Pos: t.pos, Args: args, Callee: &ast.Member{Pos: t.pos, Object: object, Name: name, NamePos: t.pos}}
}

// values is what the callbacks returned: done.map((d) => d.value).
func (t *turns) values(done *ast.Ident) ast.Expr {
	d := t.name("d")
	return t.method(t.use(done), "map", t.arrow(t.field(d, "value"), d))
}

// changes makes the changes that were noted, in the order of their turns.
func (t *turns) changes(done *ast.Ident) ast.Stmt {
	all, d, e, a, b := t.name("all"), t.name("d"), t.name("e"), t.name("a"), t.name("b")
	each := func(item *ast.Ident, of ast.Expr, body ...ast.Stmt) ast.Stmt {
		return &ast.ForOf{Pos: t.pos, Left: constant(t.pos, item, nil), Right: of, Body: &ast.Block{Pos: t.pos, Body: body}}
	}
	earlier := &ast.Binary{Pos: t.pos, Op: "-", X: t.field(a, "turn"), Y: t.field(b, "turn")}
	var body []ast.Stmt
	for i, s := range t.spots {
		number := &ast.Number{Pos: t.pos, Value: float64(i)}
		body = append(body, &ast.If{Pos: s.Position(), Test: equals(t.field(t.entry, "spot"), number), Then: s})
	}
	return &ast.Block{Pos: t.pos, Body: []ast.Stmt{
		constant(t.pos, all, &ast.Array{Pos: t.pos}),
		each(d, t.use(done), each(e, t.field(d, "log"), &ast.ExprStmt{Pos: t.pos, X: t.method(t.use(all), "push", t.use(e))})),
		&ast.ExprStmt{Pos: t.pos, X: t.method(t.use(all), "sort", t.arrow(earlier, a, b))},
		each(t.entry, t.use(all), body...),
	}}
}
