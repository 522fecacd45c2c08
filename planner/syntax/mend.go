package syntax

import (
	"strconv"

	"github.com/casys-ai/pml/nodes/ast"
)

// mend rewrites valid syntax that goja refuses into the same in other words; body stays as it is. Patterns are wrapped
// in an array, below which goja takes every default (see refused), so that everything in them is evaluated at the time
// and in the order of the original:
//
//	const { a: [b = 1] = [] } = x          →  const [{ a: [b = 1] = [] }] = [x]
//	(n, { a: [b = 1] = [] } = x, c) => …   →  (n, ...[{ a: [b = 1] = [] } = x, c]) => …
//	for (const { a: [b = 1] = [] } of x) … →  for (const t of x) { const [{ a: [b = 1] = [] }] = [t]; … }
//	catch ({ a: [b = 1] = [] }) { … }      →  catch (t) { let [{ a: [b = 1] = [] }] = [t]; … }
//	set x({ a: [b = 1] = [] }) { … }       →  set x(t) { var [{ a: [b = 1] = [] }] = [t]; … }
//	(f = async () => await x) => …         →  (f = async () => { return await x; }) => …
//	class { get = 1 }                      →  class { ["get"] = 1 }
//	#x in y && z                           →  (#x in y) && z
//
// What a program could still notice: a function's length counts only the parameters before the first wrapped one, and
// an iterator that was put in place of Array.prototype's own sees the wrapping arrays.
func mend(body []ast.Stmt) []ast.Stmt {
	if !needsMending(body) {
		return body
	}
	m := mender{taken: map[string]bool{}}
	body = ast.Rewrite{Expr: privateInParens}.Stmts(body)
	ast.WalkAll(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			m.taken[id.Sym.Unique] = true
		}
		return true
	})
	ast.WalkAll(body, func(n ast.Node) bool { m.node(n); return true })
	return body
}

// needsMending reports that mend would change something, or might.
func needsMending(body []ast.Stmt) bool {
	found := false
	ast.WalkAll(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ArrayPattern, *ast.ObjectPattern:
			found = found || refused(n.(ast.Pattern), true)
		case *ast.FunctionDecl:
			found = found || len(conciseInParams(n.Func)) > 0
		case *ast.FunctionExpr:
			found = found || len(conciseInParams(n.Func)) > 0
		case *ast.ClassDecl:
			found = found || len(oddFields(n.ClassBody)) > 0
		case *ast.ClassExpr:
			found = found || len(oddFields(n.ClassBody)) > 0
		case *ast.PrivateIn:
			found = true
		}
		return !found
	})
	return found
}

// refused reports that goja does not parse p where names are declared. A pattern with a default, and all inside it, it
// reads as an assignment first (eager); turning that into a declaration, it forgets that elements may have defaults.
// Below an array pattern that was not read that way it turns nothing, so there it takes everything.
func refused(p ast.Pattern, eager bool) bool {
	switch p := p.(type) {
	case *ast.ArrayPattern:
		for _, e := range p.Elems {
			if (eager && e.Default != nil) || ((eager || e.Rest) && refused(e.Target, eager)) {
				return true
			}
		}
	case *ast.ObjectPattern:
		for _, prop := range p.Props {
			if refused(prop.Target, eager || prop.Default != nil) {
				return true
			}
		}
	}
	return false
}

// mender changes a tree in place.
type mender struct{ taken map[string]bool }

func (m *mender) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.VarDecl:
		for i := range n.Decls {
			if d := &n.Decls[i]; d.Init != nil && refused(d.Target, false) {
				d.Target, d.Init = wrapped(d.Target, nil), listOf(d.Init)
			}
		}
	case *ast.ForOf:
		m.loop(n.Left, &n.Body)
	case *ast.ForIn:
		m.loop(n.Left, &n.Body)
	case *ast.Try:
		if n.Param != nil && refused(n.Param, false) {
			param := n.Param
			n.Param = m.temporary(param.Position())
			n.Handler.Body = append([]ast.Stmt{bind(ast.DeclLet, param, nil, n.Param)}, n.Handler.Body...)
		}
	case *ast.FunctionDecl:
		mendParams(n.Func)
	case *ast.FunctionExpr:
		mendParams(n.Func)
	case *ast.Object:
		m.setters(n.Props)
	case *ast.ClassDecl:
		m.class(n.ClassBody)
	case *ast.ClassExpr:
		m.class(n.ClassBody)
	}
}

// loop moves what a loop declares into its body.
func (m *mender) loop(left ast.Stmt, body *ast.Stmt) {
	decl, ok := left.(*ast.VarDecl)
	if !ok || !refused(decl.Decls[0].Target, false) {
		return
	}
	target, kind := decl.Decls[0].Target, decl.Kind
	item := m.temporary(target.Position())
	decl.Kind, decl.Decls[0].Target = ast.DeclConst, item
	*body = &ast.Block{Pos: (*body).Position(), Body: []ast.Stmt{bind(kind, target, nil, item), *body}}
}

// setters moves the parameter of setters, which cannot be a rest parameter, into their body.
func (m *mender) setters(props []ast.Property) {
	for i := range props {
		fn, ok := props[i].Value.(*ast.FunctionExpr)
		if props[i].Kind != ast.PropSet || !ok || !refused(fn.Params[0].Target, false) {
			continue
		}
		p := &fn.Params[0]
		value := m.temporary(p.Target.Position())
		fn.Body = append([]ast.Stmt{bind(ast.DeclVar, p.Target, p.Default, value)}, fn.Body...)
		*p = ast.Param{Target: value}
	}
}

func (m *mender) class(c *ast.ClassBody) {
	for _, field := range oddFields(c) {
		field.Computed = true
	}
	m.setters(c.Members)
}

// oddFields returns the class fields whose name goja takes for the beginning of a method.
func oddFields(c *ast.ClassBody) []*ast.Property {
	var out []*ast.Property
	for i := range c.Members {
		p := &c.Members[i]
		key, ok := p.Key.(*ast.String)
		if !ok || p.Kind != ast.PropField || p.Computed || p.Private || p.Value == nil {
			continue
		}
		if key.Value == "get" || key.Value == "set" || key.Value == "async" {
			out = append(out, p)
		}
	}
	return out
}

// mendParams makes one rest parameter of all that begin with the first that is refused.
func mendParams(fn *ast.Func) {
	for _, arrow := range conciseInParams(fn) {
		arrow.ExprBody = false
	}
	for i, p := range fn.Params {
		if p.Rest || !refused(p.Target, readAsList(fn) && p.Default != nil) {
			continue
		}
		rest := &ast.ArrayPattern{Pos: p.Target.Position()}
		for _, q := range fn.Params[i:] {
			rest.Elems = append(rest.Elems, ast.PatternElem(q))
		}
		fn.Params = append(fn.Params[:i:i], ast.Param{Target: rest, Rest: true})
		return
	}
}

// readAsList reports that goja reads the parameters as expressions in parentheses first.
func readAsList(fn *ast.Func) bool {
	return fn.Arrow && len(fn.Params) > 1 && !fn.Params[len(fn.Params)-1].Rest
}

// conciseInParams returns the async arrows without braces that stand in fn's parameters: goja takes their await for
// one of the parameters' own.
func conciseInParams(fn *ast.Func) []*ast.Func {
	var out []*ast.Func
	collect := func(n ast.Node) bool {
		if f, ok := n.(*ast.FunctionExpr); ok && f.Async && f.ExprBody {
			out = append(out, f.Func)
		}
		return true
	}
	for _, p := range fn.Params {
		ast.Walk(p.Target, collect)
		if p.Default != nil {
			ast.Walk(p.Default, collect)
		}
	}
	return out
}

// privateInParens puts #x in y, whose end goja misses, into parentheses: that is how a sequence of one is printed.
func privateInParens(e ast.Expr) (ast.Expr, bool) {
	in, ok := e.(*ast.PrivateIn)
	if !ok {
		return nil, false
	}
	x := ast.Rewrite{Expr: privateInParens}.Of(in.X)
	return &ast.Sequence{Pos: in.Pos, Exprs: []ast.Expr{&ast.PrivateIn{Pos: in.Pos, Name: in.Name, X: x}}}, true
}

// bind is the declaration kind [target = def] = [value].
func bind(kind ast.DeclKind, target ast.Pattern, def ast.Expr, value ast.Node) ast.Stmt {
	pos := target.Position()
	return &ast.VarDecl{Pos: pos, Kind: kind, Decls: []ast.Declarator{
		{Pos: pos, Target: wrapped(target, def), Init: listOf(value.(ast.Expr))}}}
}

func wrapped(target ast.Pattern, def ast.Expr) ast.Pattern {
	return &ast.ArrayPattern{Pos: target.Position(), Elems: []ast.PatternElem{{Target: target, Default: def}}}
}

func listOf(x ast.Expr) ast.Expr { return &ast.Array{Pos: x.Position(), Elems: []ast.Expr{x}} }

// temporary makes a name that the program does not have.
func (m *mender) temporary(pos ast.Pos) *ast.Ident {
	for n := 1; ; n++ {
		name := "bound$" + strconv.Itoa(n)
		if !m.taken[name] {
			m.taken[name] = true
			return &ast.Ident{Pos: pos, Sym: &ast.Symbol{Name: name, Unique: name, Kind: ast.SymConst, Decl: pos}}
		}
	}
}
