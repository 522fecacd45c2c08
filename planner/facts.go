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
	depth := 0 // of called functions: what stands in them says nothing about where n ends
	var visit func(ast.Node) bool
	visit = func(n ast.Node) bool {
		if depth == 0 {
			f.end = max(f.end, n.Position().Offset)
		}
		if fe, ok := n.(*ast.FunctionExpr); ok && a.copied[fe.Func] {
			depth++
			for _, s := range fe.Body {
				ast.Walk(s, visit)
			}
			depth--
			return false
		}
		if a.changes[n] != nil {
			f.changes = append(f.changes, n)
		}
		if id, ok := n.(*ast.Ident); ok {
			if fn := a.functions[id.Sym]; fn != nil && !called[fn] {
				if called == nil {
					called = map[*ast.Func]bool{}
				}
				called[fn] = true
				depth++
				for _, s := range fn.Body {
					ast.Walk(s, visit)
				}
				depth--
			}
		}
		f.assigned = append(f.assigned, assignedBy(n)...)
		return true
	}
	ast.Walk(n, visit)
	return f
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
