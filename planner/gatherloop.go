package planner

import (
	"slices"

	"github.com/casys-ai/pml/nodes/ast"
)

// gatherLoops turns
//
//	const ps = []; for (const x of xs) ps.push(start(x)); … await Promise.all(ps)
//
// into const ps = [...xs].map((x) => start(x)), where ps is used for nothing else: the same promises in the same order.
func (l *lifter) gatherLoops(list []ast.Stmt) []ast.Stmt {
	for i := 0; i < len(list); i++ {
		ps, ok := emptyList(list[i])
		if !ok || l.an.uses[ps] != 3 {
			continue
		}
		for j := i + 1; j < len(list); j++ {
			made := l.gathered(list[j], ps)
			if made == nil {
				continue
			}
			l.an.uses[ps] = 2
			out := slices.Clone(list)
			out[j] = made
			list = slices.Delete(out, i, i+1)
			break
		}
	}
	return list
}

// emptyList recognises const ps = [].
func emptyList(s ast.Stmt) (*ast.Symbol, bool) {
	decl, ok := s.(*ast.VarDecl)
	if !ok || decl.Kind != ast.DeclConst || len(decl.Decls) != 1 {
		return nil, false
	}
	id, isIdent := decl.Decls[0].Target.(*ast.Ident)
	arr, isArray := decl.Decls[0].Init.(*ast.Array)
	if !isIdent || !isArray || len(arr.Elems) > 0 {
		return nil, false
	}
	return id.Sym, true
}

// gathered is the declaration that the loop comes down to; nil if it is no loop of that kind.
func (l *lifter) gathered(s ast.Stmt, ps *ast.Symbol) ast.Stmt {
	loop, ok := s.(*ast.ForOf)
	if !ok || loop.Await || l.impure(loop.Right) {
		return nil
	}
	decl, ok := loop.Left.(*ast.VarDecl)
	if !ok || decl.Kind == ast.DeclVar {
		return nil
	}
	call := pushed(loop.Body, ps)
	if call == nil || !l.isPromise(call.Args[0]) {
		return nil
	}
	pos := loop.Pos
	items := &ast.Array{Pos: pos, Elems: []ast.Expr{&ast.Spread{Pos: pos, X: loop.Right}}}
	if r := l.an.exprs[loop.Right]; r != nil {
		l.an.exprs[items] = listOf(l.an.iterate(r))
	}
	start := &ast.FunctionExpr{Pos: pos, Func: &ast.Func{Arrow: true, ExprBody: true,
		Params: []ast.Param{{Target: decl.Decls[0].Target}},
		Body:   []ast.Stmt{&ast.Return{Pos: call.Args[0].Position(), X: call.Args[0]}}}}
	all := &ast.Call{Pos: pos, Args: []ast.Expr{start}, Callee: &ast.Member{Pos: pos, Object: items, Name: "map", NamePos: pos}}
	id := &ast.Ident{Pos: pos, Sym: ps}
	return constant(pos, id, all)
}

// pushed is the call in a loop's body that is nothing but ps.push(x).
func pushed(body ast.Stmt, ps *ast.Symbol) *ast.Call {
	if b, ok := body.(*ast.Block); ok && len(b.Body) == 1 {
		body = b.Body[0]
	}
	s, ok := body.(*ast.ExprStmt)
	if !ok {
		return nil
	}
	call, ok := s.X.(*ast.Call)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	m, ok := call.Callee.(*ast.Member)
	if !ok || m.Name != "push" {
		return nil
	}
	if id, ok := m.Object.(*ast.Ident); !ok || id.Sym != ps {
		return nil
	}
	return call
}
