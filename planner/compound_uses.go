package planner

import "github.com/casys-ai/pml/nodes/ast"

// call checks the calls that name all parts of a record together.
func (c *recordCheck) call(n *ast.Call) {
	if r := c.of(listedBy(n)); r != nil && r.object != nil {
		r.fine++
		r.listed = true
		for _, p := range r.parts {
			r.bad = r.bad || p.self
		}
		return
	}
	switch callee := n.Callee.(type) {
	case *ast.Member:
		r := c.of(callee.Object)
		if r != nil && r.array != nil && n.Chain == ast.NoChain && eachByOne(callee.Name, n) {
			r.fine++
		}
	case *ast.Index:
		if r := c.of(callee.Object); r != nil && r.object != nil && c.dispatches(r, n, callee) {
			r.fine++
			r.listed = true
		}
	}
}

// callbacks are the methods of arrays whose calls can be written out: how many arguments they must have, and which
// parameter of the callback is the element. The next one is its number.
var callbacks = map[string]struct{ args, element int }{"map": {1, 0}, "forEach": {1, 0}, "reduce": {2, 1}, "reduceRight": {2, 1}}

// eachByOne reports whether the callback is written out and looks at the element and its number alone.
func eachByOne(method string, n *ast.Call) bool {
	m, ok := callbacks[method]
	if !ok || len(n.Args) != m.args {
		return false
	}
	fe, ok := n.Args[0].(*ast.FunctionExpr)
	if !ok || fe.Generator || fe.UsesThis || fe.UsesArguments || len(fe.Params) > m.element+2 || fe.Name != nil {
		return false
	}
	for _, p := range fe.Params {
		if p.Default != nil || p.Rest {
			return false
		}
		for _, s := range ast.PatternSymbols(p.Target) {
			for _, assigned := range ast.Assigned(fe) {
				if s == assigned {
					return false
				}
			}
		}
	}
	return true
}

// unrolls reports whether a loop over a record can be written out.
func (c *recordCheck) unrolls(r *compound, n *ast.ForOf) bool {
	decl, ok := n.Left.(*ast.VarDecl)
	if r.array == nil || n.Await || !ok || decl.Kind == ast.DeclVar || c.v.labeled[n] {
		return false
	}
	fine := true
	ast.Walk(n.Body, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.VarDecl:
			fine = fine && x.Kind != ast.DeclVar
		case *ast.FunctionExpr, *ast.FunctionDecl:
			return false
		}
		return fine
	})
	return fine
}

// dispatches reports whether o[key](…) can become a choice between the calls of o's functions.
func (c *recordCheck) dispatches(r *compound, n *ast.Call, callee *ast.Index) bool {
	if callee.Chain != ast.NoChain || n.Chain == ast.ChainContinue || len(r.parts) > mostChoices || !repeatable(callee.Index) {
		return false
	}
	for _, p := range r.parts {
		if p.fn == nil {
			return false
		}
	}
	return true
}

// mostChoices bounds a choice.
const mostChoices = 8

// repeatable reports whether evaluating e several times, with nothing between, is as good as once.
func repeatable(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.String, *ast.Number:
		return true
	case *ast.Member:
		return e.Chain == ast.NoChain && !e.Private && repeatable(e.Object)
	case *ast.Index:
		return e.Chain == ast.NoChain && repeatable(e.Object) && repeatable(e.Index)
	}
	return false
}

// dispatch is o[key](…) as
//
//	`${key}` === "a" ? a(…) : `${key}` === "b" ? b(…) : ({ a: undefined, b: undefined })[key](…)
func (t *parting) dispatch(r *compound, n *ast.Call, callee *ast.Index) ast.Expr {
	other := &ast.Call{Pos: n.Pos, Chain: n.Chain,
		Callee: &ast.Index{Pos: callee.Pos, Object: t.shape(r, callee.Pos), Index: callee.Index}, Args: n.Args}
	var out ast.Expr = t.v.call(t.r, other)
	for i := len(r.parts) - 1; i >= 0; i-- {
		p := r.parts[i]
		key := &ast.Template{Pos: callee.Pos, Quasis: []string{"", ""}, Exprs: []ast.Expr{t.r.Of(callee.Index)}}
		test := &ast.Binary{Pos: callee.Pos, Op: "===", X: key, Y: &ast.String{Pos: callee.Pos, Value: p.name}}
		call := &ast.Call{Pos: n.Pos, Callee: &ast.Ident{Pos: callee.Pos, Sym: p.sym}, Args: n.Args}
		one := t.v.renaming(call)
		out = &ast.Conditional{Pos: n.Pos, Test: test, Then: one.Of(t.v.call(t.r, call)), Else: out}
	}
	return out
}

// isMissing recognises the last choice of dispatch, which throws but for the names that every object has.
func isMissing(e *ast.Call) bool {
	callee, ok := e.Callee.(*ast.Index)
	if !ok {
		return false
	}
	o, ok := callee.Object.(*ast.Object)
	if !ok || len(o.Props) == 0 {
		return false
	}
	for i := range o.Props {
		if _, ok := o.Props[i].Value.(*ast.Undefined); !ok {
			return false
		}
	}
	return true
}

// shape is an object with the names of a record, without its functions.
func (t *parting) shape(r *compound, pos ast.Pos) ast.Expr {
	o := &ast.Object{Pos: pos}
	for _, p := range r.parts {
		o.Props = append(o.Props, ast.Property{Pos: pos, Key: &ast.String{Pos: pos, Value: p.name}, Value: &ast.Undefined{Pos: pos}})
	}
	return o
}
