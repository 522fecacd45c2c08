package planner

import "github.com/casys-ai/pml/nodes/ast"

// facts is what running a piece of the program changes, in the functions that it calls too.
type facts struct {
	// assigned are the variables that it assigns.
	assigned []*ast.Symbol
	// changes are the places in it that change an object.
	changes []ast.Node
	// end is the offset of the last thing in it.
	end int
}

// of gathers the facts about n, once.
func (a *analysis) of(n ast.Node) *facts {
	f := a.facts[n]
	if f == nil {
		f = a.gather(n)
		a.facts[n] = f
	}
	return f
}

func (a *analysis) gather(n ast.Node) *facts {
	f := &facts{}
	var called map[*ast.Func]bool
	a.walkFacts(n, f, func(fn *ast.Func) { called = a.callFacts(fn, f, called) })
	return f
}

// walkFacts adds what stands in n to f, and hands on the functions that n names. Where n ends, copies of functions say
// nothing about: what stands in them stands elsewhere.
func (a *analysis) walkFacts(n ast.Node, f *facts, named func(*ast.Func)) {
	depth := 0
	var visit func(ast.Node) bool
	visit = func(n ast.Node) bool {
		if depth == 0 {
			f.end = max(f.end, n.Position().Offset)
		}
		if fe, ok := n.(*ast.FunctionExpr); ok && a.copied[fe.Func] {
			depth++
			ast.WalkAll(fe.Body, visit)
			depth--
			return false
		}
		if a.changes[n] != nil {
			f.changes = append(f.changes, n)
		}
		if id, ok := n.(*ast.Ident); ok {
			if fn := a.functions[id.Sym]; fn != nil {
				named(fn)
			}
			return true
		}
		f.assigned = append(f.assigned, assignedBy(n)...)
		return true
	}
	ast.Walk(n, visit)
}

// bodyFacts are the facts about the body of a function that has a name.
type bodyFacts struct {
	facts
	names []*ast.Func
}

// callFacts adds what a call of fn changes, in the functions that it names, too.
func (a *analysis) callFacts(fn *ast.Func, f *facts, called map[*ast.Func]bool) map[*ast.Func]bool {
	if a.bodies == nil {
		a.findBodies()
	}
	if !a.acting[fn] || called[fn] {
		return called
	}
	if called == nil {
		called = map[*ast.Func]bool{}
	}
	called[fn] = true
	body := a.bodies[fn]
	f.assigned, f.changes = append(f.assigned, body.assigned...), append(f.changes, body.changes...)
	for _, fn := range body.names {
		called = a.callFacts(fn, f, called)
	}
	return called
}

// findBodies gathers the facts about all functions that have names, and which of them change anything.
func (a *analysis) findBodies() {
	a.bodies = make(map[*ast.Func]*bodyFacts, len(a.functions))
	namedBy := map[*ast.Func][]*ast.Func{}
	var acting []*ast.Func
	for _, fn := range a.functions {
		body := &bodyFacts{}
		for _, s := range fn.Body {
			a.walkFacts(s, &body.facts, func(f *ast.Func) {
				body.names = append(body.names, f)
				namedBy[f] = append(namedBy[f], fn)
			})
		}
		if len(body.assigned)+len(body.changes) > 0 {
			acting = append(acting, fn)
		}
		a.bodies[fn] = body
	}
	a.acting = spread(acting, namedBy)
}

// spread is what from leads to.
func spread(from []*ast.Func, to map[*ast.Func][]*ast.Func) map[*ast.Func]bool {
	all := map[*ast.Func]bool{}
	for len(from) > 0 {
		fn := from[len(from)-1]
		from = from[:len(from)-1]
		if !all[fn] {
			all[fn] = true
			from = append(from, to[fn]...)
		}
	}
	return all
}

// assignedBy lists the variables that n itself assigns. The declaration of a var counts: it may stand in a loop.
func assignedBy(n ast.Node) []*ast.Symbol {
	switch n := n.(type) {
	case *ast.Assign:
		return ast.PatternSymbols(n.Target)
	case *ast.Update:
		if id, ok := n.X.(*ast.Ident); ok {
			return []*ast.Symbol{id.Sym}
		}
	case *ast.ForOf:
		return loopTarget(n.Left)
	case *ast.ForIn:
		return loopTarget(n.Left)
	case *ast.VarDecl:
		var out []*ast.Symbol
		for _, d := range n.Decls {
			if n.Kind == ast.DeclVar {
				out = append(out, ast.PatternSymbols(d.Target)...)
			}
		}
		return out
	}
	return nil
}

// loopTarget lists the variables declared outside of a loop that its head assigns.
func loopTarget(left ast.Stmt) []*ast.Symbol {
	if s, ok := left.(*ast.ExprStmt); ok {
		if as, ok := s.X.(*ast.Assign); ok {
			return ast.PatternSymbols(as.Target)
		}
	}
	return nil
}

// effects is what running the nodes changes: the variables they assign and the regions they change.
func (a *analysis) effects(ns ...ast.Node) (assigned map[*ast.Symbol]bool, regions map[*region]bool) {
	for _, n := range ns {
		f := a.of(n)
		for _, s := range f.assigned {
			if assigned == nil {
				assigned = map[*ast.Symbol]bool{}
			}
			assigned[s] = true
		}
		for _, c := range f.changes {
			if regions == nil {
				regions = map[*region]bool{}
			}
			regions[a.changes[c].find()] = true
		}
	}
	return assigned, regions
}

// lastOffset is where the last thing in the nodes stands.
func (a *analysis) lastOffset(ns ...ast.Node) int {
	end := 0
	for _, n := range ns {
		end = max(end, a.of(n).end)
	}
	return end
}
