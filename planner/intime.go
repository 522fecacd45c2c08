package planner

import (
	"slices"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// What a function changes that is called in a try is known step by step, too, where its statements stand in the block of
// the try itself. So a variable that statements may leave half changed is looked at again once they are lifted.

// inTime reports whether the handler of a try with the body x sees what s is when x fails: every node of x that changes s
// either succeeds, or has not changed it.
func (l *lifter) inTime(x *block, s *ast.Symbol) bool {
	for _, n := range x.Nodes {
		if !l.undone(x, n, s) {
			return false
		}
	}
	return true
}

// undone reports whether n, a node of b, has not changed s if it fails.
func (l *lifter) undone(b *block, n *nodes.Node, s *ast.Symbol) bool {
	switch n.Kind {
	case nodes.KindExpr, nodes.KindScript:
		return !slices.Contains(n.Code.Vars, s) || l.changesLast(n.Code, s)
	case nodes.KindLoop, nodes.KindMap:
		return !mayFail(n) || !slices.ContainsFunc(b.inside(n), func(k *block) bool { return k.changes(s) })
	case nodes.KindTry:
		kids := b.inside(n)
		return len(kids) == 2 && (!kids[0].changes(s) || !slices.ContainsFunc(kids[1].Nodes, mayFail)) && l.lastThing(kids[1], s)
	}
	return !slices.ContainsFunc(b.inside(n), func(k *block) bool { return !l.lastThing(k, s) })
}

// lastThing reports whether nothing in b can fail once s has been changed there.
func (l *lifter) lastThing(b *block, s *ast.Symbol) bool {
	if !b.changes(s) {
		return true
	}
	for i, n := range b.Nodes {
		if !l.undone(b, n, s) || i >= b.firstChange(s) && mayFail(n) {
			return false
		}
	}
	return true
}

// mayFail reports whether a node may end in an exception.
func mayFail(n *nodes.Node) bool {
	switch n.Kind {
	case nodes.KindExpr:
		return len(n.Code.Body) > 0 || n.Code.Result != nil && canThrow(n.Code.Result)
	case nodes.KindExit:
		return n.Exit.Mode == nodes.ExitThrow
	case nodes.KindTry:
		return slices.ContainsFunc(n.Try.Handler.Nodes, mayFail)
	case nodes.KindBranch, nodes.KindLoop, nodes.KindScope:
		return slices.ContainsFunc(n.Blocks(), func(b *nodes.Block) bool { return slices.ContainsFunc(b.Nodes, mayFail) })
	}
	return true
}

// changesLast reports whether code that changes s does it as the last thing of all.
func (l *lifter) changesLast(c *nodes.Code, s *ast.Symbol) bool {
	body := slices.DeleteFunc(slices.Clone(c.Body), declaresFunction)
	if c.Result != nil && l.touchesSymbol(s, c.Result) {
		return len(body) == 0 && l.changesOnce(c.Result, s)
	}
	return l.tailBlock(body, s) && (c.Result == nil || !canThrow(c.Result))
}

// declaresFunction recognises const f = () => …, which does nothing yet.
func declaresFunction(s ast.Stmt) bool {
	decl, ok := s.(*ast.VarDecl)
	return ok && !slices.ContainsFunc(decl.Decls, func(d ast.Declarator) bool {
		_, function := d.Init.(*ast.FunctionExpr)
		return !function
	})
}

// inside are the blocks of n, as they were made.
func (b *block) inside(n *nodes.Node) []*block {
	var out []*block
	for _, x := range n.Blocks() {
		for _, k := range b.kids {
			if k.Block == x {
				out = append(out, k)
			}
		}
	}
	return out
}

// changes reports whether s gets a new version in b.
func (b *block) changes(s *ast.Symbol) bool { return b.firstChange(s) >= 0 }

// firstChange is the number of nodes of b when s first got a new version; -1 if it never did.
func (b *block) firstChange(s *ast.Symbol) int {
	for _, x := range b.binds {
		if x.s == s {
			return x.at
		}
	}
	return -1
}
