package planner

import (
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// impure reports whether n waits, calls tools, or observes or changes the program's surroundings; also through the local
// functions that it mentions.
func (l *lifter) impure(n ast.Node) bool {
	known, ok := l.impurity[n]
	if !ok {
		known = l.findImpure(n)
		l.impurity[n] = known
	}
	return known
}

// impureFunc is impure for a function's parameters and body.
func (l *lifter) impureFunc(fn *ast.Func) bool {
	known, ok := l.impureFuncs[fn]
	if !ok {
		known = fn.Async || l.findImpure(&ast.FunctionExpr{Func: fn})
		l.impureFuncs[fn] = known
	}
	return known
}

func (l *lifter) findImpure(n ast.Node) bool {
	found := false
	ast.Walk(n, func(n ast.Node) bool {
		found = found || l.impureItself(n)
		if fn := l.function(n); fn != nil {
			found = found || fn.Async || l.impureBody(fn)
		}
		return !found
	})
	return found
}

// function is the local function that n is the name of.
func (l *lifter) function(n ast.Node) *ast.Func {
	if id, ok := n.(*ast.Ident); ok {
		return l.an.functions[id.Sym]
	}
	return nil
}

func (l *lifter) impureItself(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Await, *ast.Import:
		return true
	case *ast.ForOf:
		return n.Await
	case *ast.Call:
		if _, ok := l.calls[n]; ok {
			return true
		}
	case *ast.Ident:
		if isMCP(n) || l.aliases[n.Sym] != nil {
			return true
		}
	}
	return observes(n)
}

// impureBody is impure for the body of a function that has a name. It is found out for all of them at once: what is said
// of one goes on to those that name it.
func (l *lifter) impureBody(fn *ast.Func) bool {
	if l.impureBodies != nil {
		return l.impureBodies[fn]
	}
	namedBy := map[*ast.Func][]*ast.Func{}
	var todo []*ast.Func
	for _, fn := range l.an.functions {
		impure := false
		ast.WalkAll(fn.Body, func(n ast.Node) bool {
			impure = impure || l.impureItself(n)
			if f := l.function(n); f != nil {
				impure = impure || f.Async
				namedBy[f] = append(namedBy[f], fn)
			}
			return !impure
		})
		if impure {
			todo = append(todo, fn)
		}
	}
	l.impureBodies = spread(todo, namedBy)
	return l.impureBodies[fn]
}

func isMCP(id *ast.Ident) bool { return id.Sym.Kind == ast.SymUnbound && id.Sym.Name == "mcp" }

// observes reports whether n itself reads the clock or randomness, writes to the console or starts a timer.
func observes(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Call:
		if _, ok := hostCall(n); ok {
			return true
		}
		if m, ok := n.Callee.(*ast.Member); ok {
			switch globalName(m.Object) + "." + m.Name {
			case "performance.now", "crypto.randomUUID", "crypto.getRandomValues":
				return true
			}
		}
		return globalName(n.Callee) == "Date"
	case *ast.New:
		return globalName(n.Callee) == "Date" && len(n.Args) == 0
	case *ast.Ident:
		switch globalName(n) {
		case "setTimeout", "setInterval", "setImmediate", "queueMicrotask", "console":
			return true
		}
	}
	return false
}

// hostCall recognises the calls that become host nodes.
func hostCall(e *ast.Call) (nodes.HostOp, bool) {
	if id, ok := e.Callee.(*ast.Ident); ok && id.Sym == turn {
		return nodes.HostTurn, true
	}
	m, ok := e.Callee.(*ast.Member)
	if !ok || e.Chain != ast.NoChain {
		return "", false
	}
	switch globalName(m.Object) + "." + m.Name {
	case "Date.now":
		return nodes.HostNow, len(e.Args) == 0
	case "Math.random":
		return nodes.HostRandom, len(e.Args) == 0
	case "console.log", "console.info", "console.warn", "console.error", "console.debug":
		for _, x := range e.Args {
			if _, spread := x.(*ast.Spread); spread {
				return "", false
			}
		}
		return nodes.HostOp(m.Name), true
	}
	return "", false
}

// leaves reports whether a return, or a break or continue for something outside, stands in s.
func leaves(s ast.Stmt) bool { return leavesIn(s, 0, 0, nil) || returns(s) }

// jumps reports whether a break or continue for something outside stands in s.
func jumps(s ast.Stmt) bool { return leavesIn(s, 0, 0, nil) }

// leavesIn: loops and switches count what a plain break and continue would find inside.
func leavesIn(s ast.Stmt, breaks, continues int, labels []string) bool {
	any := func(list []ast.Stmt, br, co int) bool {
		for _, x := range list {
			if leavesIn(x, br, co, labels) {
				return true
			}
		}
		return false
	}
	switch s := s.(type) {
	case nil:
		return false
	case *ast.Break:
		return s.Label == "" && breaks == 0 || s.Label != "" && !has(labels, s.Label)
	case *ast.Continue:
		return s.Label == "" && continues == 0 || s.Label != "" && !has(labels, s.Label)
	case *ast.Block:
		return any(s.Body, breaks, continues)
	case *ast.If:
		return leavesIn(s.Then, breaks, continues, labels) || s.Else != nil && leavesIn(s.Else, breaks, continues, labels)
	case *ast.For:
		return leavesIn(s.Body, breaks+1, continues+1, labels)
	case *ast.ForIn:
		return leavesIn(s.Body, breaks+1, continues+1, labels)
	case *ast.ForOf:
		return leavesIn(s.Body, breaks+1, continues+1, labels)
	case *ast.While:
		return leavesIn(s.Body, breaks+1, continues+1, labels)
	case *ast.DoWhile:
		return leavesIn(s.Body, breaks+1, continues+1, labels)
	case *ast.Labeled:
		return leavesIn(s.Body, breaks, continues, append(labels[:len(labels):len(labels)], s.Label))
	case *ast.Switch:
		for _, c := range s.Cases {
			if any(c.Body, breaks+1, continues) {
				return true
			}
		}
	case *ast.Try:
		lists := [][]ast.Stmt{s.Body.Body}
		if s.Handler != nil {
			lists = append(lists, s.Handler.Body)
		}
		if s.Finally != nil {
			lists = append(lists, s.Finally.Body)
		}
		for _, list := range lists {
			if any(list, breaks, continues) {
				return true
			}
		}
	}
	return false
}

func has(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
