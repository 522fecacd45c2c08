package planner

import (
	"fmt"
	"strings"

	"github.com/casys-ai/pml/nodes/ast"
)

// parting takes records apart.
type parting struct {
	v     *unpacker
	found map[*ast.Symbol]*compound
	r     ast.Rewrite
	// this is the record whose method is being copied.
	this *compound
}

func (v *unpacker) takeApart(found map[*ast.Symbol]*compound, order []*ast.Symbol) {
	t := &parting{v: v, found: found}
	for _, s := range order {
		if r := found[s]; r != nil {
			for _, p := range r.parts {
				t.name(r, p)
			}
		}
	}
	t.r = v.tracking(&ast.Rewrite{Expr: t.expr, Target: t.target, Each: t.each})
	v.l.body = t.r.Stmts(v.l.body)
}

// name makes the variable of a part.
func (t *parting) name(r *compound, p *part) {
	kind, name := ast.SymConst, r.sym.Name+"."+p.name
	if p.assigned {
		kind = ast.SymLet
	}
	if r.array != nil {
		name = fmt.Sprintf("%s[%s]", r.sym.Name, p.name)
	}
	plain := strings.Map(func(c rune) rune {
		if c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return '_'
	}, p.name)
	p.sym = t.v.symbol(name, r.sym.Unique+"_"+plain, kind, p.pos)
}

// of is the record that e names, and the part of it that n means; nil if it means none.
func (t *parting) of(n ast.Node) (*compound, *part) {
	switch n := n.(type) {
	case *ast.Member:
		if _, ok := n.Object.(*ast.This); ok && t.this != nil {
			return t.this, t.this.byName[memberName(n)]
		}
		if r := t.record(n.Object); r != nil {
			return r, r.byName[n.Name]
		}
	case *ast.Index:
		r := t.record(n.Object)
		if r == nil {
			return nil, nil
		}
		switch k := n.Index.(type) {
		case *ast.String:
			return r, r.byName[k.Value]
		case *ast.Number:
			return r, r.byName[fmt.Sprint(k.Value)]
		}
		return r, nil
	}
	return nil, nil
}

func (t *parting) record(e ast.Expr) *compound {
	if id, ok := e.(*ast.Ident); ok {
		return t.found[id.Sym]
	}
	return nil
}

func (t *parting) target(p ast.Pattern) (ast.Pattern, bool) {
	if _, x := t.of(p); x != nil {
		return &ast.Ident{Pos: p.Position(), Sym: x.sym}, true
	}
	return nil, false
}

func (t *parting) expr(e ast.Expr) (ast.Expr, bool) {
	switch n := e.(type) {
	case *ast.Member, *ast.Index:
		r, p := t.of(n)
		if m, ok := n.(*ast.Member); ok && p == nil && r != nil && r.array != nil && m.Name == "length" {
			return &ast.Number{Pos: m.Pos, Value: float64(len(r.parts))}, true
		}
		if p != nil {
			return t.read(e.Position(), p), true
		}
	case *ast.Call:
		return t.call(n)
	case *ast.Binary:
		if r := t.record(n.X); r != nil { // instanceof
			return &ast.Bool{Pos: n.Pos, Value: true}, true
		}
	}
	return nil, false
}

func (t *parting) read(pos ast.Pos, p *part) ast.Expr {
	id := &ast.Ident{Pos: pos, Sym: p.sym}
	if p.getter {
		return &ast.Call{Pos: pos, Callee: id}
	}
	return id
}

// call copies the calls that name all parts of a record, and those of a part that is surely there.
func (t *parting) call(n *ast.Call) (ast.Expr, bool) {
	if r, p := t.of(n.Callee); p != nil && p.fn != nil && !p.assigned && !p.getter && n.Chain == ast.ChainStart {
		_ = r
		return t.v.call(t.r, &ast.Call{Pos: n.Pos, Callee: n.Callee, Args: n.Args}), true
	}
	if r := t.record(listedBy(n)); r != nil {
		return t.list(r, n), true
	}
	if m, r := t.eachPart(n); r != nil {
		switch m.Name {
		case "forEach":
			return &ast.Unary{Pos: n.Pos, Op: "void", X: t.mapped(r, n)}, true
		case "map":
			return t.mapped(r, n), true
		}
		return t.reduced(r, n, m.Name), true
	}
	if x, ok := n.Callee.(*ast.Index); ok {
		if r := t.record(x.Object); r != nil {
			return t.dispatch(r, n, x), true
		}
	}
	return nil, false
}

// listedBy is the argument of Object.keys, values or entries.
func listedBy(n *ast.Call) ast.Expr {
	m, ok := n.Callee.(*ast.Member)
	if !ok || globalName(m.Object) != "Object" || len(n.Args) != 1 || n.Chain != ast.NoChain {
		return nil
	}
	if m.Name == "keys" || m.Name == "values" || m.Name == "entries" {
		return n.Args[0]
	}
	return nil
}

func (t *parting) list(r *compound, n *ast.Call) ast.Expr {
	out := &ast.Array{Pos: n.Pos}
	for _, p := range r.parts {
		key, val := &ast.String{Pos: n.Pos, Value: p.name}, &ast.Ident{Pos: n.Pos, Sym: p.sym}
		switch n.Callee.(*ast.Member).Name {
		case "keys":
			out.Elems = append(out.Elems, key)
		case "values":
			out.Elems = append(out.Elems, val)
		default:
			out.Elems = append(out.Elems, &ast.Array{Pos: n.Pos, Elems: []ast.Expr{key, val}})
		}
	}
	return out
}

// eachPart recognises o.map(f) and its like.
func (t *parting) eachPart(n *ast.Call) (*ast.Member, *compound) {
	m, ok := n.Callee.(*ast.Member)
	if !ok {
		return nil, nil
	}
	r := t.record(m.Object)
	if _, ok := callbacks[m.Name]; r == nil || r.array == nil || !ok {
		return nil, nil
	}
	return m, r
}

// mapped calls a copy of the callback for each element.
func (t *parting) mapped(r *compound, n *ast.Call) ast.Expr {
	out := &ast.Array{Pos: n.Pos}
	fe := t.r.Of(n.Args[0]).(*ast.FunctionExpr)
	for i := range r.parts {
		out.Elems = append(out.Elems, &ast.Call{Pos: n.Pos, Callee: t.callback(fe, r, i, 0)})
	}
	return out
}

// reduced calls a copy of the callback for each element with what the copy before gave.
func (t *parting) reduced(r *compound, n *ast.Call, method string) ast.Expr {
	fe, out := t.r.Of(n.Args[0]).(*ast.FunctionExpr), t.r.Of(n.Args[1])
	for i := range r.parts {
		if method == "reduceRight" {
			i = len(r.parts) - 1 - i
		}
		out = &ast.Call{Pos: n.Pos, Callee: t.callback(fe, r, i, 1), Args: []ast.Expr{out}}
	}
	return out
}

// callback copies a callback for the i-th element; its parameters from first on are known.
func (t *parting) callback(fe *ast.FunctionExpr, r *compound, i, first int) ast.Expr {
	c := t.v.renaming(fe).Of(fe).(*ast.FunctionExpr)
	params := c.Params
	c.Params, c.ExprBody = params[:min(first, len(params))], false
	var list []ast.Stmt
	for k := first; k < len(params); k++ {
		var given ast.Expr = &ast.Ident{Pos: fe.Pos, Sym: r.parts[i].sym}
		if k > first {
			given = &ast.Number{Pos: fe.Pos, Value: float64(i)}
		}
		list = append(list, constant(params[k].Target.Position(), params[k].Target, given))
	}
	c.Body = append(list, c.Body...)
	return c
}

func (t *parting) each(s ast.Stmt) ([]ast.Stmt, bool) {
	switch s := s.(type) {
	case *ast.VarDecl:
		if id, _ := t.v.constantOf(s); id != nil && t.found[id.Sym] != nil {
			return t.parts(t.found[id.Sym]), true
		}
		if len(s.Decls) == 1 && t.record(s.Decls[0].Init) != nil {
			return t.destructured(s, t.record(s.Decls[0].Init)), true
		}
	case *ast.ForOf:
		if r := t.record(s.Right); r != nil {
			return t.unrolled(s, r), true
		}
	}
	return nil, false
}

// parts declares the parts of a record.
func (t *parting) parts(r *compound) []ast.Stmt {
	if r.class != nil {
		return t.made(r)
	}
	var late, list []ast.Stmt
	for _, p := range r.parts {
		init := ast.Expr(&ast.Undefined{Pos: p.pos})
		switch {
		case p.init == nil:
			late = append(late, t.declare(p, init))
			continue
		case p.method || p.getter:
			init = t.method(r, p)
		default:
			init = t.r.Of(p.init)
		}
		list = append(list, t.declare(p, init))
	}
	return append(late, list...)
}

func (t *parting) declare(p *part, init ast.Expr) ast.Stmt {
	decl := constant(p.pos, &ast.Ident{Pos: p.pos, Sym: p.sym}, init)
	if p.assigned {
		decl.Kind = ast.DeclLet
	}
	return decl
}

// method copies a method with the parts in the place of what it says of this.
func (t *parting) method(r *compound, p *part) ast.Expr {
	outer := t.this
	t.this = r
	fn := t.r.Func(p.fn)
	t.this = outer
	fe := &ast.FunctionExpr{Pos: p.init.Position(), Func: fn}
	ast.Walk(fe, func(n ast.Node) bool {
		if x, ok := n.(*ast.FunctionExpr); ok && (x == fe || x.Arrow) {
			x.UsesThis = false
		}
		return true
	})
	return fe
}

// destructured declares what const { a, b } = o does, one by one.
func (t *parting) destructured(s *ast.VarDecl, r *compound) []ast.Stmt {
	var list []ast.Stmt
	add := func(target ast.Pattern, p *part) {
		list = append(list, &ast.VarDecl{Pos: s.Pos, Kind: s.Kind,
			Decls: []ast.Declarator{{Pos: s.Pos, Target: t.r.Pattern(target), Init: t.read(s.Pos, p)}}})
	}
	switch d := s.Decls[0].Target.(type) {
	case *ast.ObjectPattern:
		for _, x := range d.Props {
			add(x.Target, r.byName[x.Key.(*ast.String).Value])
		}
	case *ast.ArrayPattern:
		for i, x := range d.Elems {
			if x.Target != nil {
				add(x.Target, r.parts[i])
			}
		}
	}
	return list
}

// unrolled writes a loop's body once for each element:
//
//	each: { next1: { const x = first; … } next2: { const x = second; … } }
func (t *parting) unrolled(s *ast.ForOf, r *compound) []ast.Stmt {
	t.v.count++
	all := fmt.Sprintf("each%d_%d", t.v.round, t.v.count)
	breaks := false
	outer := &ast.Block{Pos: s.Pos}
	for i, p := range r.parts {
		one, continued := fmt.Sprintf("%s_%d", all, i), false
		body := leaver{instead: func(way ast.Stmt) []ast.Stmt {
			switch way := way.(type) {
			case *ast.Break:
				if way.Label == "" {
					breaks = true
					return []ast.Stmt{&ast.Break{Pos: way.Pos, Label: all}}
				}
			case *ast.Continue:
				if way.Label == "" {
					continued = true
					return []ast.Stmt{&ast.Break{Pos: way.Pos, Label: one}}
				}
			}
			return nil
		}}.stmt(s.Body)
		decl := *s.Left.(*ast.VarDecl)
		decl.Decls = []ast.Declarator{{Pos: decl.Pos, Target: decl.Decls[0].Target, Init: &ast.Null{Pos: decl.Pos}}}
		list := []ast.Stmt{&decl}
		if block, ok := body.(*ast.Block); ok {
			list = append(list, block.Body...)
		} else {
			list = append(list, body)
		}
		var copied ast.Stmt = &ast.Block{Pos: s.Body.Position(), Body: t.r.Stmts(list)}
		copied = t.v.renaming(copied).Stmt(copied)
		copied.(*ast.Block).Body[0].(*ast.VarDecl).Decls[0].Init = &ast.Ident{Pos: decl.Pos, Sym: p.sym}
		if continued {
			copied = &ast.Labeled{Pos: s.Pos, Label: one, Body: copied}
		}
		outer.Body = append(outer.Body, copied)
	}
	if breaks {
		return []ast.Stmt{&ast.Labeled{Pos: s.Pos, Label: all, Body: outer}}
	}
	return outer.Body
}
