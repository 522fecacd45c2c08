package planner

import "github.com/casys-ai/pml/nodes/ast"

// unfinished reports whether the statements may leave a promise running behind them: whether something that makes one is
// not awaited where it stands, or by the Promise.all around it.
func (l *lifter) unfinished(list []ast.Stmt) bool {
	j := &joins{l: l, joined: map[ast.Node]bool{}}
	for i, s := range list {
		j.kept(s, list[i+1:])
		ast.Walk(s, j.join)
	}
	for _, s := range list {
		ast.Walk(s, j.check)
	}
	return j.loose
}

// outlived refuses statements that may end while code in them goes on: the slower ones of a race, and those beside one that
// fails where the program goes on behind the failure. Such code must not change, nor see, what others do.
func (l *lifter) outlived(b *block, list []ast.Stmt) {
	for _, s := range list {
		ast.Walk(s, func(n ast.Node) bool {
			call, ok := n.(*ast.Call)
			if !ok {
				return true
			}
			switch promiseMethod(call) {
			case "all":
				if l.tryDepth+l.apart == 0 {
					return true
				}
			case "race", "any":
			default:
				return true
			}
			if vars := l.changed(b, call); len(vars) > 0 {
				refuse(call, "%s may be changed after the wait has ended", vars[0].Name)
			}
			l.seesNoChange(b, call, call, meanwhile{})
			return true
		})
	}
}

// kept joins the promise that s keeps in a constant, if one of the statements that follow surely awaits it.
func (j *joins) kept(s ast.Stmt, following []ast.Stmt) {
	decl, ok := s.(*ast.VarDecl)
	if !ok || decl.Kind != ast.DeclConst {
		return
	}
	for _, d := range decl.Decls {
		id, ok := d.Target.(*ast.Ident)
		if !ok || d.Init == nil {
			continue
		}
		for _, x := range following {
			if awaitsSurely(x, id.Sym) {
				j.joined[d.Init] = true
				break
			}
			if leaves(x) {
				break
			}
		}
	}
}

// handed joins the functions that a joined call hands to fn, if that only calls them, and waits for what they return.
func (j *joins) handed(fn *ast.Func, n *ast.Call) {
	for i, x := range n.Args {
		if _, ok := x.(*ast.FunctionExpr); !ok || i >= len(fn.Params) || fn.Params[i].Rest {
			continue
		}
		if id, ok := fn.Params[i].Target.(*ast.Ident); ok && j.l.waitsForAll(fn, id.Sym) {
			j.joined[x] = true
		}
	}
}

// waitsForAll reports whether fn does nothing with its parameter s but call it and wait for what it returns.
func (l *lifter) waitsForAll(fn *ast.Func, s *ast.Symbol) bool {
	j := &joins{l: l, joined: map[ast.Node]bool{}}
	for _, x := range fn.Body {
		ast.Walk(x, j.join)
	}
	uses, waits := 0, 0
	ast.WalkAll(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if n.Sym == s {
				uses++
			}
		case *ast.Call:
			if id, ok := n.Callee.(*ast.Ident); ok && id.Sym == s && j.joined[n] {
				waits++
			}
		}
		return true
	})
	return uses == waits
}

type joins struct {
	l      *lifter
	joined map[ast.Node]bool
	loose  bool
}

// join marks what is awaited. Outer nodes are visited before inner ones.
func (j *joins) join(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Await:
		j.joined[n.X] = true
	case *ast.ForOf:
		if n.Await {
			j.joined[n.Right] = true
		}
	case *ast.Return:
		// What a function returns is its caller's to await; the call is checked.
		if n.X != nil {
			j.joined[n.X] = true
		}
	case *ast.Conditional:
		j.pass(n, n.Then, n.Else)
	case *ast.Logical:
		j.pass(n, n.X, n.Y)
	case *ast.Call:
		if j.joined[n] {
			j.call(n)
		}
	}
	return true
}

func (j *joins) pass(from ast.Node, to ...ast.Expr) {
	for _, x := range to {
		if j.joined[from] {
			j.joined[x] = true
		}
	}
}

// call passes an await on to what a joined call waits for in turn.
func (j *joins) call(n *ast.Call) {
	if fn := j.l.knownFunction(n.Callee); fn != nil {
		j.joined[n.Callee] = true // (async () => { … })()
		j.handed(fn, n)
	}
	m, ok := n.Callee.(*ast.Member)
	if !ok {
		return
	}
	switch {
	case globalName(m.Object) == "Promise" && len(n.Args) == 1:
		if list, ok := n.Args[0].(*ast.Array); ok {
			for _, x := range list.Elems {
				if sp, ok := x.(*ast.Spread); ok {
					x = sp.X
				}
				if x != nil {
					j.joined[x] = true
				}
			}
		}
		j.joined[n.Args[0]] = true
	case m.Name == "map" || m.Name == "then" || m.Name == "catch" || m.Name == "finally":
		if m.Name != "map" {
			j.joined[m.Object] = true
		}
		for _, x := range n.Args {
			j.joined[x] = true
		}
	}
}

// check looks for a maker of promises that is not joined.
func (j *joins) check(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Call:
		if j.joined[n] {
			return true
		}
		_, tool := j.l.calls[n]
		j.loose = j.loose || tool || promiseMethod(n) != "" || rootedInMCP(n.Callee)
		if fn := j.l.knownFunction(n.Callee); fn != nil {
			j.loose = j.loose || fn.Async || j.l.returnsPromise(fn)
		}
	case *ast.FunctionExpr:
		if !j.joined[n] && (n.Async || j.l.returnsPromise(n.Func)) && !j.l.named(n.Func) {
			j.loose = true
		}
	case *ast.New:
		j.loose = j.loose || globalName(n.Callee) == "Promise" && !j.joined[n]
	}
	return !j.loose
}

func (l *lifter) knownFunction(e ast.Expr) *ast.Func {
	switch e := e.(type) {
	case *ast.FunctionExpr:
		return e.Func
	case *ast.Ident:
		return l.an.functions[e.Sym]
	}
	return nil
}

// named reports whether fn is bound to a name for good: its calls are checked where they stand.
func (l *lifter) named(fn *ast.Func) bool {
	for _, f := range l.an.functions {
		if f == fn {
			return true
		}
	}
	return false
}

// rootedInMCP reports whether e is mcp, or a property of it however computed.
func rootedInMCP(e ast.Expr) bool {
	for {
		if id, ok := e.(*ast.Ident); ok {
			return isMCP(id)
		}
		o, ok := object(e)
		if !ok {
			return false
		}
		e = o
	}
}
