package planner

import "github.com/casys-ai/pml/nodes/ast"

// group says how many statements at the head of list must stay together: from one that declares something that cannot
// travel on an edge (a Map, a class, a closure with state) to the last one that mentions it. holds is the last variable
// of that kind that counts.
func (l *lifter) group(list []ast.Stmt) (n int, holds *ast.Symbol) {
	end := 0
	for i := 0; i <= end && i < len(list); i++ {
		for _, s := range topLevel(list[i]) {
			if !l.cannotTravel(s) {
				continue
			}
			last := l.an.lastUse[s]
			for j := len(list) - 1; j > max(end, i); j-- {
				if list[j].Position().Offset <= last && l.mentions(list[j], s) {
					end, holds = j, s
					break
				}
			}
		}
	}
	return end + 1, holds
}

func (l *lifter) cannotTravel(s *ast.Symbol) bool {
	if l.an.functions[s] != nil || l.aliases[s] != nil || l.remade[s] != nil {
		return false
	}
	what := l.an.exotic(s)
	return what != "" && what != aPromise
}

// mentions reports whether s is named in stmt, or in a local function that stmt names.
func (l *lifter) mentions(stmt ast.Stmt, s *ast.Symbol) bool {
	seen := map[*ast.Func]bool{}
	found := false
	var visit func(ast.Node) bool
	visit = func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			found = found || id.Sym == s
			if fn := l.an.functions[id.Sym]; fn != nil && !seen[fn] && id.Sym != s {
				seen[fn] = true
				for _, x := range fn.Body {
					ast.Walk(x, visit)
				}
			}
		}
		return !found
	}
	ast.Walk(stmt, visit)
	return found
}
