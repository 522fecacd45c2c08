package planner

import (
	"math"

	"github.com/casys-ai/pml/nodes/ast"
)

// soleHolder refuses a piece that changes an object which more than one living variable can reach: on edges values are
// copies, and the change would be seen through one name only (ARCHITECTURE.md, rule 7).
func (l *lifter) soleHolder(b *block, all []ast.Node, inside map[*ast.Symbol]bool) {
	_, regions := l.an.effects(all...)
	for r := range l.private(all) {
		delete(regions, r)
	}
	if len(regions) == 0 {
		return
	}
	end := l.an.lastOffset(all...)
	for r := range regions {
		var holder *ast.Symbol
		one := map[*region]bool{r: true}
		for x := b; x != nil; x = x.parent {
			for s, bound := range x.env {
				if s == holder || bound.kind == isPromise || inside[s] || !l.an.reaches(s, one) || !l.live(s, end) {
					continue
				}
				if now, _ := b.lookup(s); now.v == bound.v && holder != nil {
					first, second := ordered(holder, s)
					refuse(all[0], "%s and %s share an object that is changed here", first.Name, second.Name)
				}
				holder = s
			}
		}
		l.throughHolder(all, r, holder)
	}
}

// throughHolder refuses to change an object of r through one variable and hand it on as another.
func (l *lifter) throughHolder(all []ast.Node, r *region, holder *ast.Symbol) {
	if holder == nil {
		return
	}
	local := map[*ast.Symbol]bool{holder: true}
	for _, s := range ast.Declared(all...) {
		local[s] = true
	}
	for n, root := range l.changeRoots(all) {
		if l.an.changes[n].find() == r && root != nil && !local[root] && l.an.functions[root] == nil {
			refuse(n, "%s is changed through %s", holder.Name, root.Name)
		}
	}
}

func ordered(a, b *ast.Symbol) (*ast.Symbol, *ast.Symbol) {
	list := []*ast.Symbol{a, b}
	sortSymbols(list)
	return list[0], list[1]
}

// live reports whether s may be read after the place end of the program.
func (l *lifter) live(s *ast.Symbol, end int) bool {
	if l.an.uses[s] == 0 {
		return true // a name of the planner's own, dropped at the end of its statement
	}
	if k := len(l.inlining); k > 0 && !l.declaredIn(s, l.inlining[k-1]) {
		return true
	}
	last := l.an.lastUse[s]
	if last > end {
		return true
	}
	for _, loop := range l.loops {
		if s.Decl.Offset < loop.start && last >= loop.start {
			return true
		}
	}
	return false
}

func (l *lifter) declaredIn(s *ast.Symbol, fn *ast.Func) bool {
	for _, d := range ast.Declared(&ast.FunctionExpr{Func: fn}) {
		if d == s {
			return true
		}
	}
	return false
}

// findLastUses notes how far down the program each variable is mentioned; what a named function mentions is mentioned
// wherever that function is called.
func (a *analysis) findLastUses(body []ast.Stmt) {
	for _, s := range body {
		ast.Walk(s, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				a.lastUse[id.Sym] = max(a.lastUse[id.Sym], id.Pos.Offset)
			}
			return true
		})
	}
	for _, fn := range a.functions {
		for _, s := range ast.FreeSymbols(&ast.FunctionExpr{Func: fn}) {
			a.lastUse[s] = math.MaxInt
		}
	}
}
