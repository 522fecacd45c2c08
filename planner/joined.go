package planner

import "github.com/casys-ai/pml/nodes/ast"

// unfinished reports whether the statements may leave a promise running behind them: whether something that makes one is
// not awaited where it stands, or by the Promise.all around it.
func (l *lifter) unfinished(list []ast.Stmt) bool {
	j := &joins{l: l, joined: map[ast.Node]bool{}}
	for _, s := range list {
		ast.Walk(s, j.join)
	}
	for _, s := range list {
		ast.Walk(s, j.check)
	}
	return j.loose
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
