package planner

import (
	"math"

	"github.com/casys-ai/pml/nodes/ast"
)

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
	a.eachNamed(func(fn *ast.Func) {
		for _, s := range ast.FreeSymbols(&ast.FunctionExpr{Func: fn}) {
			a.lastUse[s] = math.MaxInt
		}
	})
}

// eachNamed visits the functions whose text says nothing about when they run: those bound to names, and copies.
func (a *analysis) eachNamed(visit func(*ast.Func)) {
	for _, fn := range a.functions {
		visit(fn)
	}
	for fn := range a.copied {
		visit(fn)
	}
}
