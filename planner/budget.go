package planner

import "github.com/casys-ai/pml/nodes/ast"

// A program may be such that its graph is far larger than it is itself: functions that call each other twice, hundreds of
// helpers that each piece brings along, hundreds of names for one object. What lifting may take is counted, in nodes of the
// syntax tree that stand in pieces and in values that go in and out of them, and bounded by the size of the program: planning
// stays linear, and a graph a function of its program. No fixture comes near the bound.
const (
	leastBudget   = 10_000
	budgetForNode = 4
)

// spend counts n more, and refuses to go on when all is spent: one statement after the other is given up, until the program
// is one script.
func (l *lifter) spend(n int, at ast.Node) {
	l.spent += n
	if l.spent > leastBudget+budgetForNode*l.an.size {
		refuse(at, "taking the program apart would make it many times as large")
	}
}
