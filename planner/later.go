package planner

import (
	"math"
	"slices"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// What the program starts and does not wait for runs beside what follows it. It is lifted only if neither changes what the
// other sees (ARCHITECTURE.md, rule 4).

// meanwhile is what runs between the making of a promise and the end of the wait for it.
type meanwhile struct {
	// known says that nodes are all of it; else it is all that follows.
	known bool
	nodes []ast.Node
}

// waits is what runs beside a promise that is waited for where it is made, while nodes are evaluated. A failure of
// another one ends the wait early: where the program may go on then, all that follows runs beside it.
func (l *lifter) waits(mode nodes.AwaitMode, beside ...ast.Node) meanwhile {
	return meanwhile{mode == nodes.AwaitAllSettled || mode == nodes.AwaitAll && l.tryDepth+l.apart == 0, beside}
}

// concurrent refuses a function that runs beside the rest of the program and shares what changes with it.
func (l *lifter) concurrent(b *block, fn *ast.Func, at ast.Node, w meanwhile) {
	fe := &ast.FunctionExpr{Pos: at.Position(), Func: fn}
	if vars := l.changed(b, fe); len(vars) > 0 {
		refuse(at, "%s is changed by code that runs at the same time as other code", vars[0].Name)
	}
	l.seesNoChange(b, fe, at, w)
}

// seesNoChange refuses code that reads what changes meanwhile.
func (l *lifter) seesNoChange(b *block, fe ast.Node, at ast.Node, w meanwhile) {
	assigned, regions := l.an.effects(w.nodes...)
	for _, s := range l.reads(fe) {
		x, ok := b.lookup(s)
		if !ok {
			continue
		}
		if x.kind == isValue && (w.known && assigned[s] || !w.known && l.after(s, l.an.lastAssign[s], at)) {
			refuse(at, "%s, which changes, is read by code that runs at the same time as other code", s.Name)
		}
		if w.known && l.an.reaches(s, regions) || !w.known && l.after(s, l.an.lastChange(l.an.symbols[s]), at) {
			refuse(at, "%s, which is changed in place, is read by code that runs at the same time as other code", s.Name)
		}
	}
}

// joined is what runs beside the promise that s holds, of the statements that follow its declaration: up to the one that
// surely waits for it.
func (l *lifter) joined(s *ast.Symbol) meanwhile {
	if l.tryDepth+l.apart > 0 {
		return meanwhile{} // what fails before may be outlived
	}
	var beside []ast.Node
	for _, stmt := range l.following {
		beside = append(beside, stmt)
		if awaitsSurely(stmt, s) {
			return meanwhile{known: true, nodes: beside}
		}
		if leaves(stmt) {
			break
		}
	}
	return meanwhile{}
}

// awaitsSurely reports whether the promise that s holds is awaited whenever stmt ends.
func awaitsSurely(stmt ast.Stmt, s *ast.Symbol) bool {
	switch stmt.(type) {
	case *ast.VarDecl, *ast.ExprStmt, *ast.Return:
	default:
		return false
	}
	found := false
	var visit func(ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FunctionExpr, *ast.ClassExpr:
			return false
		case *ast.Conditional:
			ast.Walk(n.Test, visit)
			return false
		case *ast.Logical:
			ast.Walk(n.X, visit)
			return false
		case *ast.Assign:
			return len(n.Op) < 3 // a &&= b may not get to b
		case *ast.Call:
			return n.Chain == ast.NoChain
		case *ast.Await:
			found = found || waitsFor(n.X, s)
		}
		return !found
	}
	ast.Walk(stmt, visit)
	return found
}

// waitsFor reports whether the wait for e is one for the promise that s holds.
func waitsFor(e ast.Expr, s *ast.Symbol) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Sym == s
	case *ast.Call:
		if m := promiseMethod(e); (m == "all" || m == "allSettled") && len(e.Args) == 1 {
			if list, ok := e.Args[0].(*ast.Array); ok {
				return slices.ContainsFunc(list.Elems, func(x ast.Expr) bool { return x != nil && waitsFor(x, s) })
			}
			return waitsFor(e.Args[0], s)
		}
	}
	return false
}

// reads lists what n names of the variables outside of it, in the local functions that it names, too.
func (l *lifter) reads(n ast.Node) []*ast.Symbol {
	seen := map[*ast.Symbol]bool{}
	var out []*ast.Symbol
	var visit func(ast.Node)
	visit = func(n ast.Node) {
		for _, s := range ast.FreeSymbols(n) {
			if seen[s] {
				continue
			}
			seen[s] = true
			out = append(out, s)
			if fn := l.an.functions[s]; fn != nil {
				visit(&ast.FunctionExpr{Func: fn})
			}
		}
	}
	visit(n)
	return out
}

// keeps refuses to hand what e yields to something that runs beside the rest of the program, if that changes it.
func (l *lifter) keeps(e ast.Expr, at ast.Node, w meanwhile) {
	if w.known {
		if _, regions := l.an.effects(w.nodes...); l.an.leads(l.an.exprs[e], regions) {
			refuse(e, "what is passed here is changed in place while it is in use")
		}
		return
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		id = &ast.Ident{Sym: &ast.Symbol{}}
	}
	if l.after(id.Sym, l.an.lastChange(l.an.exprs[e]), at) {
		refuse(e, "what is passed here is changed in place while it is in use")
	}
}

// after reports whether a change of s at the offset change may come after at has been reached.
func (l *lifter) after(s *ast.Symbol, change int, at ast.Node) bool {
	if change == 0 {
		return false
	}
	if k := len(l.inlining); k > 0 && !l.declaredIn(s, l.inlining[k-1]) {
		return true
	}
	if change > at.Position().Offset {
		return true
	}
	for _, loop := range l.loops {
		if s.Decl.Offset < loop.start && change >= loop.start {
			return true
		}
	}
	return false
}

// findAssignments notes how far down the program each variable is assigned; what a function assigns, it may assign at any
// time.
func (a *analysis) findAssignments(body []ast.Stmt) {
	for _, s := range body {
		ast.Walk(s, func(n ast.Node) bool {
			for _, s := range assignedBy(n) {
				a.lastAssign[s] = max(a.lastAssign[s], n.Position().Offset)
			}
			switch n := n.(type) {
			case *ast.FunctionExpr:
				a.assignedInside(n)
			case *ast.FunctionDecl:
				a.assignedInside(n)
			}
			return true
		})
	}
}

// assignedInside notes what a function assigns of the variables outside of it.
func (a *analysis) assignedInside(fn ast.Node) {
	assigned := ast.Assigned(fn)
	if len(assigned) == 0 {
		return
	}
	free := set(ast.FreeSymbols(fn)...)
	for _, s := range assigned {
		if free[s] {
			a.lastAssign[s] = math.MaxInt
		}
	}
}

// startsSafely refuses a function that is not async, may throw before it has made its promise, and writes: where it
// throws, what is started after it must not be.
func (l *lifter) startsSafely(fn *ast.Func, at ast.Node) {
	if fn.Async {
		return
	}
	if len(fn.Body) == 1 {
		if ret, ok := fn.Body[0].(*ast.Return); ok {
			if call, ok := ret.X.(*ast.Call); ok && len(call.Args) <= 1 && (len(call.Args) == 0 || !canThrow(call.Args[0])) {
				return
			}
		}
	}
	g := &gatherer{l: l, code: &nodes.Code{}}
	for _, s := range fn.Body {
		g.traits(s)
	}
	if l.strongest(g.code) == nodes.Write {
		refuse(at, "a function that is not async, writes, and may throw before it does")
	}
}

// concurrentMap is concurrent, for a callback.
func (l *lifter) concurrentMap(b *block, m *mapping, w meanwhile) {
	fe := &ast.FunctionExpr{Pos: m.call.Pos, Func: m.fn}
	if vars := l.changed(b, fe); len(vars) > 0 {
		refuse(m.call, "%s is changed by callbacks that run at the same time", vars[0].Name)
	}
	_, regions := l.an.effects(fe)
	if l.an.leads(l.an.exprs[m.list], regions) {
		refuse(m.call, "the callbacks change the objects that they are called with")
	}
	l.seesNoChange(b, fe, m.call, w)
	l.keeps(m.list, m.call, w)
}
