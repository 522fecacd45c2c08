package planner

import "github.com/casys-ai/pml/nodes/ast"

// What match and exec return is an array with more to it: index, input, groups. Where a program looks only at the
// strings, the planner hands on a plain array instead, which can travel.

// findPlainMatches finds const m = text.match(re) where m is only tested and indexed.
func (a *analysis) findPlainMatches(body []ast.Stmt) {
	a.plainMatches = map[*ast.Call]bool{}
	strings := map[*ast.Symbol]int{}
	for _, s := range body {
		ast.Walk(s, func(n ast.Node) bool { countPlainUses(n, strings); return true })
	}
	for _, s := range body {
		ast.Walk(s, func(n ast.Node) bool {
			decl, ok := n.(*ast.VarDecl)
			if !ok {
				return true
			}
			for _, d := range decl.Decls {
				call := matchCall(d.Init)
				if call == nil {
					continue
				}
				switch t := d.Target.(type) {
				case *ast.Ident:
					a.plainMatches[call] = a.assigned[t.Sym] == 0 && strings[t.Sym] == a.uses[t.Sym]-1
				case *ast.ArrayPattern:
					a.plainMatches[call] = true
				}
			}
			return true
		})
	}
}

// matchCall is e if it is text.match(re) or re.exec(text), perhaps with a default: … ?? [], … || [].
func matchCall(e ast.Expr) *ast.Call {
	switch e := e.(type) {
	case *ast.Call:
		if m, ok := e.Callee.(*ast.Member); ok && (m.Name == "match" || m.Name == "exec") && len(e.Args) == 1 {
			return e
		}
	case *ast.Logical:
		if e.Op != "&&" {
			return matchCall(e.X)
		}
	}
	return nil
}

// countPlainUses counts the mentions that look at no more than an array's elements and length.
func countPlainUses(n ast.Node, uses map[*ast.Symbol]int) {
	count := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok {
			uses[id.Sym]++
		}
	}
	switch n := n.(type) {
	case *ast.Index:
		if _, ok := n.Index.(*ast.Number); ok {
			count(n.Object)
		}
	case *ast.Member:
		if n.Name == "length" {
			count(n.Object)
		}
	case *ast.Unary:
		if n.Op == "!" {
			count(n.X)
		}
	case *ast.If:
		count(n.Test)
	case *ast.Conditional:
		count(n.Test)
	case *ast.Logical:
		if n.Op == "&&" {
			count(n.X)
		}
	case *ast.Binary:
		if isNullish(n.X) || isNullish(n.Y) {
			count(n.X)
			count(n.Y)
		}
	}
}

func isNullish(e ast.Expr) bool {
	switch e.(type) {
	case *ast.Null, *ast.Undefined:
		return true
	}
	return false
}

// plainMatch rewrites the initialiser of such a constant so that it yields a plain array, or null as before.
func (l *lifter) plainMatch(d *ast.Declarator) {
	call := matchCall(d.Init)
	if call == nil || !l.an.plainMatches[call] || l.plained[d] {
		return
	}
	l.plained[d] = true
	m := &ast.Ident{Pos: call.Pos, Sym: l.temp("match")}
	plain := &ast.Conditional{Pos: call.Pos, Test: m, Else: &ast.Null{Pos: call.Pos},
		Then: &ast.Array{Pos: call.Pos, Elems: []ast.Expr{&ast.Spread{Pos: call.Pos, X: m}}}}
	fn := &ast.FunctionExpr{Pos: call.Pos, Func: &ast.Func{Arrow: true, ExprBody: true,
		Params: []ast.Param{{Target: m}}, Body: []ast.Stmt{&ast.Return{Pos: call.Pos, X: plain}}}}
	wrapped := &ast.Call{Pos: call.Pos, Callee: fn, Args: []ast.Expr{call}}
	l.an.exprs[wrapped] = l.an.exprs[call]
	init := ast.Substitute(d.Init, func(e ast.Expr) (ast.Expr, bool) {
		if e == ast.Expr(call) {
			return wrapped, true
		}
		return nil, false
	})
	if r := l.an.exprs[d.Init]; r != nil {
		l.an.exprs[init] = r
	}
	if r := l.an.changes[call]; r != nil {
		l.an.changes[wrapped] = r
	}
	d.Init = init
}
