package planner

import (
	"slices"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// rich are the objects that are no plain data and that lifted code can hand on all the same.
var rich = set("a Map", "a Set", "a Date", holdsItself)

// holdsItself is a region whose objects may lead back to themselves: JSON has no words for them.
const holdsItself = "an object that holds itself"

// hasRich reports whether the program makes any.
func (a *analysis) hasRich() bool {
	for _, r := range a.exprs {
		if rich[r.find().exotic] {
			return true
		}
	}
	return false
}

// clone is a copy, down to the last object.
type clone struct{ to, from *region }

// joinClones says of copies that may hold Map, Set or Date objects that they share them: so nobody takes them for data.
func (a *analysis) joinClones() {
	for again := len(a.clones) > 0 && a.hasRich(); again; {
		again = false
		for _, c := range a.clones {
			if c.to.find() != c.from.find() && a.holdsRich(c.from) {
				unify(c.to, c.from)
				again = true
			}
		}
	}
}

// holdsRich reports whether a Map, Set or Date can be reached from r.
func (a *analysis) holdsRich(r *region) bool {
	if r == nil || a.settled && r.find().exotic == "" && !a.scanner.of(r).exotic {
		return false
	}
	a.marks++
	found := false
	reaches(r, a.marks, func(r *region) bool {
		found = rich[r.exotic]
		return found
	})
	return found
}

// refuseRich refuses to hand e to what takes plain data only.
func (l *lifter) refuseRich(e ast.Expr) {
	if l.an.holdsRich(l.an.exprs[e]) {
		refuse(e, "a Map, Set, Date or an object that may hold itself is used where only data can go")
	}
}

// plainThrows refuses code that may throw out of itself what is no data: exceptions are carried as data.
func (l *lifter) plainThrows(n ast.Node) {
	if !l.an.throws {
		return
	}
	ast.Walk(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Throw:
			l.refuseRich(n.X)
			if what := l.an.exoticExpr(n.X); what != "" && !l.endsProgram() {
				refuse(n, "what it throws may hold %s, which cannot leave the code that made it", what)
			}
		case *ast.Try:
			if n.Handler != nil {
				l.plainThrows(n.Handler)
				if n.Finally != nil {
					l.plainThrows(n.Finally)
				}
				return false
			}
		}
		return true
	})
}

// endsProgram reports whether what is thrown here is caught by nobody.
func (l *lifter) endsProgram() bool { return l.tryDepth == 0 && l.returnTarget() == l.targets[0] }

// mayCircle reports whether r may lead to an object that leads back to itself.
func (a *analysis) mayCircle(r *region) bool {
	if r == nil || !a.circular {
		return false
	}
	a.marks++
	return reaches(r, a.marks, func(r *region) bool { return r.circular })
}

// circularCode reports whether a piece takes or hands on what may lead back to itself.
func (l *lifter) circularCode(c *nodes.Code) bool {
	may := func(s *ast.Symbol) bool { return l.an.mayCircle(l.an.symbols[s]) }
	return slices.ContainsFunc(c.Params, may) || slices.ContainsFunc(c.Vars, may) ||
		c.Result != nil && l.an.mayCircle(l.an.exprs[c.Result])
}

// richCode reports whether a piece hands on a Map, Set or Date; plainCode refuses to make a script of one that takes or
// hands on any.
func (l *lifter) richCode(vars []*ast.Symbol, result ast.Expr) bool {
	for _, s := range vars {
		if l.an.holdsRich(l.an.symbols[s]) {
			return true
		}
	}
	return result != nil && l.an.holdsRich(l.an.exprs[result])
}

func (l *lifter) plainCode(c *nodes.Code, why refusal) {
	if l.richCode(c.Params, nil) || l.richCode(c.Vars, c.Result) {
		panic(why)
	}
}
