package engine

import (
	"slices"

	"github.com/casys-ai/pml/nodes"
)

// exit is one way to leave: its mode, and for all but throw the id of the node that catches it.
type exit struct {
	mode   nodes.ExitMode
	target int
}

// escapes lists the explicit exits by which n itself may complete.
func escapes(n *nodes.Node) []exit {
	if n.Async {
		return nil
	}
	switch n.Kind {
	case nodes.KindExit:
		if n.Exit.Mode == nodes.ExitThrow {
			return []exit{{mode: nodes.ExitThrow}}
		}
		return []exit{{n.Exit.Mode, n.Exit.Target}}
	case nodes.KindScript:
		if n.Code.Returns {
			return []exit{{nodes.ExitReturn, n.Code.Target}}
		}
	case nodes.KindTry:
		body := slices.DeleteFunc(blockEscapes(n.Try.Body), func(e exit) bool { return e.mode == nodes.ExitThrow })
		return merge(body, blockEscapes(n.Try.Handler))
	}
	var all []exit
	for _, b := range n.Blocks() {
		all = merge(all, blockEscapes(b))
	}
	return slices.DeleteFunc(all, func(e exit) bool { return catches(n, e) })
}

func blockEscapes(b *nodes.Block) []exit {
	var all []exit
	if b == nil {
		return nil
	}
	for _, n := range b.Nodes {
		all = merge(all, escapes(n))
	}
	return all
}

func merge(a, b []exit) []exit {
	for _, e := range b {
		if !slices.Contains(a, e) {
			a = append(a, e)
		}
	}
	return a
}

// catches reports whether e ends at n, the owner of the block it comes from.
func catches(n *nodes.Node, e exit) bool {
	if n == nil {
		return e.mode == nodes.ExitReturn && e.target == 0
	}
	if e.mode == nodes.ExitThrow || e.target != n.ID {
		return false
	}
	switch n.Kind {
	case nodes.KindLoop:
		return e.mode != nodes.ExitReturn
	case nodes.KindMap:
		return e.mode == nodes.ExitReturn
	case nodes.KindScope:
		return e.mode != nodes.ExitContinue
	}
	return false
}

// noteExits records what the exits of node i mean for the block it stands in.
func (c *compiler) noteExits(b *block, i int32, n *nodes.Node) {
	if n.Kind != nodes.KindExit && n.Kind != nodes.KindScript && !isControl(n.Kind) {
		return
	}
	all := escapes(n)
	if len(all) == 0 {
		return
	}
	b.info[i].flags |= mayExit
	b.exits = append(b.exits, i)
	for _, e := range all {
		if b.skippedBy(e) {
			b.info[i].flags |= maySkip
		}
		if b.owner != nil && catches(b.owner, e) {
			b.breaks = b.breaks || e.mode == nodes.ExitBreak
			b.targeted = b.targeted || b.owner.Kind != nodes.KindLoop || e.mode == nodes.ExitContinue
		}
	}
	if b.info[i].flags&maySkip != 0 {
		b.skips++
	}
}

// skippedBy reports whether e, taken in a frame of b, skips what comes after that frame: the owner's successors, or a
// loop's later iterations.
func (b *block) skippedBy(e exit) bool {
	if b.owner == nil {
		return true
	}
	switch b.owner.Kind {
	case nodes.KindTry:
		return e.mode != nodes.ExitThrow || b.isHandler()
	case nodes.KindLoop:
		return e != exit{nodes.ExitContinue, b.owner.ID}
	}
	return !catches(b.owner, e)
}

func (b *block) isHandler() bool {
	return b.owner.Kind == nodes.KindTry && b.src == b.owner.Try.Handler
}
