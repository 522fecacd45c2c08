package engine

import "github.com/casys-ai/pml/nodes"

// checkNode refuses what would make the engine panic. Whether a graph makes sense is nodes.Check's business.
func (c *compiler) checkNode(n *nodes.Node) bool {
	switch {
	case n == nil:
		c.fail(nil, "a node is missing")
	case n.Kind < nodes.KindCall || n.Kind > nodes.KindExit:
		c.fail(n, "unknown kind %d", n.Kind)
	case !hasDetails(n):
		c.fail(n, "a %s without its details", n.Kind)
	case n.Async && !isLeafTask(n.Kind) && n.Kind != nodes.KindMap && n.Kind != nodes.KindScope:
		c.fail(n, "a %s cannot be Async", n.Kind)
	default:
		c.checkShape(n)
	}
	return c.err == nil
}

func hasDetails(n *nodes.Node) bool {
	switch n.Kind {
	case nodes.KindCall:
		return n.Call != nil
	case nodes.KindScript:
		return n.Code != nil
	case nodes.KindBranch:
		return n.Branch != nil
	case nodes.KindMap:
		return n.Map != nil && n.Map.Body != nil
	case nodes.KindLoop:
		return n.Loop != nil && n.Loop.Body != nil
	case nodes.KindScope:
		return n.Scope != nil && n.Scope.Body != nil
	case nodes.KindTry:
		return n.Try != nil && n.Try.Body != nil && n.Try.Handler != nil
	case nodes.KindExit:
		return n.Exit != nil
	}
	return true
}

// checkShape compares the numbers of inputs, outputs, params and results.
func (c *compiler) checkShape(n *nodes.Node) {
	want := func(what string, got, n_ int) {
		if got != n_ {
			c.fail(n, "%d %s, want %d", got, what, n_)
		}
	}
	hands := func(what string, b *nodes.Block, n_ int) {
		if len(b.Results) != 0 || !b.Leaves() {
			want(what, len(b.Results), n_)
		}
	}
	atLeast := func(what string, got, n_ int) {
		if got < n_ {
			c.fail(n, "%d %s, want at least %d", got, what, n_)
		}
	}
	switch n.Kind {
	case nodes.KindBranch:
		atLeast("inputs", len(n.In), 1)
		for _, b := range n.Blocks() {
			if b != nil {
				hands("results", b, len(n.Outs))
			} else {
				want("outputs", len(n.Outs), 0)
			}
		}
	case nodes.KindMap:
		atLeast("inputs", len(n.In), 1)
		atLeast("params", len(n.Map.Body.Params), 2)
	case nodes.KindLoop:
		fixed, carried := loopShape(n)
		atLeast("inputs", carried, 0)
		want("params", len(n.Loop.Body.Params), fixed+carried)
		hands("results", n.Loop.Body, carried)
		atLeast("carried variables", carried, len(n.Outs))
	case nodes.KindScope:
		hands("results", n.Scope.Body, len(n.Outs))
	case nodes.KindTry:
		hands("results", n.Try.Body, len(n.Outs))
		hands("results of the handler", n.Try.Handler, len(n.Outs))
		atLeast("saved variables", len(n.Try.Saved), len(n.Try.Handler.Params)-1)
		for _, versions := range n.Try.Saved {
			atLeast("versions", len(versions), 1)
		}
	case nodes.KindAwait:
		atLeast("inputs", len(n.In), awaitInputs(n.Await))
	case nodes.KindExit:
		if n.Exit.Mode == nodes.ExitThrow {
			atLeast("inputs", len(n.In), 1)
		}
	}
}

// loopShape gives how many params come before the carried variables, and how many of those there are.
func loopShape(n *nodes.Node) (fixed, carried int) {
	if n.Loop.Each {
		return 2, len(n.In) - 1
	}
	return 0, len(n.In)
}

func awaitInputs(m nodes.AwaitMode) int {
	if m == nodes.AwaitOne {
		return 1
	}
	return 0
}
