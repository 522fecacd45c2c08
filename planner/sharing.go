package planner

import (
	"math"

	"github.com/casys-ai/pml/nodes/ast"
)

// live reports whether s may be read after the place end of the program.
func (l *lifter) live(s *ast.Symbol, end int) bool {
	if l.an.uses[s] == 0 || l.placeless[s] {
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
	inside, known := l.inside[fn]
	if !known {
		inside = set(ast.Declared(&ast.FunctionExpr{Func: fn})...)
		l.inside[fn] = inside
	}
	return inside[s]
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
	a.eachNamed(func(_ *ast.Func, free []*ast.Symbol) {
		for _, s := range free {
			a.lastUse[s] = math.MaxInt
		}
	})
}

// eachNamed visits the functions whose text says nothing about when they run, those bound to names and copies, each with
// what it reads.
func (a *analysis) eachNamed(visit func(fn *ast.Func, free []*ast.Symbol)) {
	if a.reads == nil {
		a.reads = make(map[*ast.Func][]*ast.Symbol, len(a.functions)+len(a.copied))
		for _, fn := range a.functions {
			a.reads[fn] = ast.FreeSymbols(&ast.FunctionExpr{Func: fn})
		}
		for fn := range a.copied {
			a.reads[fn] = ast.FreeSymbols(&ast.FunctionExpr{Func: fn})
		}
	}
	for fn, free := range a.reads {
		visit(fn, free)
	}
}
