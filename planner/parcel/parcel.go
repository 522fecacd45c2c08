// Package parcel finds what of a graph can be sent away as a whole, and writes it as bytes.
//
// A part is calls of one block whose tools all run in the cloud and are allowed beforehand, with the pure code between
// them. It changes nothing about the graph: every call stays a node of its own, with its place in program order, its gate,
// its path. What is sent is done ahead: the first call of a part, its leader, sends all of it, the others find what they came
// to when their turn comes. So a call may be in a part only if the engine would start it in any case:
//
//   - it needs no value from outside of the part that is made after the leader;
//
//   - what it takes from here is handed on as it stands, so that no more leaves this machine than the program says;
//
//   - nothing between the leader and it can skip it;
//
//   - if it waits for everything earlier to succeed (GateSafe), all that stands between is in the part.
//
//     graph ── Find ──▶ parts ── Join ──▶ the graph with leaders that wait for all that their parts need
//     └── Encode ──▶ bytes ── Decode ──▶ a graph of its own, executed elsewhere
package parcel

import (
	"slices"

	"github.com/casys-ai/pml/nodes"
)

// Part is one part of a graph.
type Part struct {
	// Leader is the call that sends it, Calls are all its calls, the leader first, in program order.
	Leader *nodes.Node
	Calls  []*nodes.Node
	// Values go along with it.
	Values []Value

	block  *nodes.Block
	items  []int       // the nodes of the part as indexes in block, ascending; the first is the leader
	inputs []nodes.Ref // what it needs from outside, as seen from block
	args   map[int]*argument
	afters []nodes.After
	safe   bool
}

// Find finds the parts of a graph that save a request: those with two calls or more.
func Find(g *nodes.Graph) []*Part {
	var parts []*Part
	visit(g.Root, func(b *nodes.Block) { parts = append(parts, inBlock(b)...) })
	return parts
}

// visit calls f for a block and all below it.
func visit(b *nodes.Block, f func(*nodes.Block)) {
	f(b)
	for _, n := range b.Nodes {
		for _, inner := range n.Blocks() {
			visit(inner, f)
		}
	}
}

// inBlock finds the parts of one block.
func inBlock(b *nodes.Block) []*Part {
	var parts []*Part
	for _, group := range groups(b) {
		for len(group) > 0 {
			p, rest := grow(b, group)
			if len(p.Calls) > 1 {
				parts = append(parts, p)
			}
			group = rest
		}
	}
	return parts
}

// sendable reports whether a node is a call that may be sent ahead.
func sendable(n *nodes.Node) bool {
	return n.Kind == nodes.KindCall && n.Call.Route == nodes.Server && n.Call.Permission == nodes.Allow
}

// grow makes the largest part that begins with the first call of a group. rest are the calls that are left.
func grow(b *nodes.Block, group []int) (p *Part, rest []int) {
	p = &Part{Leader: b.Nodes[group[0]], block: b}
	for _, i := range group {
		switch n := b.Nodes[i]; {
		case p.add(i):
		case sendable(n):
			rest = append(rest, i)
		}
	}
	p.prune()
	for len(rest) > 0 && !sendable(b.Nodes[rest[0]]) {
		rest = rest[1:]
	}
	if len(rest) > 0 { // the code between what is left goes with it
		for _, i := range group {
			if i > rest[0] && !sendable(b.Nodes[i]) && !slices.Contains(p.items, i) {
				rest = append(rest, i)
			}
		}
		slices.Sort(rest)
	}
	return p, rest
}

// add puts node i into the part if it may be there.
func (p *Part) add(i int) bool {
	n := p.block.Nodes[i]
	if len(p.items) == 0 {
		p.items = append(p.items, i)
		p.take(n)
		return true
	}
	if !p.reachable(i) || !p.provided(n) || !p.passable(n) || n.Kind == nodes.KindCall && n.Gate == nodes.GateSafe && !p.gapless(i) {
		return false
	}
	p.items = append(p.items, i)
	p.take(n)
	return true
}

// take notes what a node of the part needs from outside.
func (p *Part) take(n *nodes.Node) {
	for _, r := range n.In {
		if !p.inside(r.Up, r.Node) && !slices.Contains(p.inputs, r) {
			p.inputs = append(p.inputs, r)
		}
	}
	for _, a := range n.After {
		if !a.Prev && p.inside(a.Up, a.Node) || slices.ContainsFunc(p.afters, func(x nodes.After) bool {
			x.Reason, a.Reason = "", ""
			return x == a
		}) {
			continue
		}
		p.afters = append(p.afters, a)
	}
	p.safe = p.safe || n.Kind == nodes.KindCall && n.Gate == nodes.GateSafe
}

func (p *Part) inside(up, node int) bool { return up == 0 && slices.Contains(p.items, node) }

// provided reports whether all that a node waits for is in the part or stands before its leader.
func (p *Part) provided(n *nodes.Node) bool {
	leader := p.items[0]
	for _, r := range n.In {
		outside := !p.inside(r.Up, r.Node)
		if r.Up == 0 && r.Node >= leader && outside {
			return false
		}
	}
	for _, a := range n.After {
		if !a.Prev && a.Up == 0 && a.Node >= leader && !p.inside(0, a.Node) {
			return false
		}
	}
	return true
}

// passable reports whether a node hands what is known here on as it stands: a call in its argument, code not at all.
func (p *Part) passable(n *nodes.Node) bool {
	if n.Kind != nodes.KindCall {
		return !slices.ContainsFunc(n.In, func(r nodes.Ref) bool { return !p.inside(r.Up, r.Node) })
	}
	scratch := *p // nothing goes along yet
	scratch.inputs = append(slices.Clone(p.inputs), n.In...)
	_, ok := scratch.pass(n)
	return ok
}

// reachable reports whether nothing between the leader and node i can skip it.
func (p *Part) reachable(i int) bool {
	return !slices.ContainsFunc(p.block.Nodes[p.items[0]:i], mayLeave)
}

// gapless reports whether all that stands between the leader and node i is in the part.
func (p *Part) gapless(i int) bool { return len(p.items) == i-p.items[0] }

// prune drops code that no call of the part needs, and lists its calls.
func (p *Part) prune() {
	needed := map[int]bool{}
	for _, i := range slices.Backward(p.items) {
		n := p.block.Nodes[i]
		if n.Kind != nodes.KindCall && !needed[i] {
			continue
		}
		needed[i] = true
		for _, r := range n.In {
			if r.Up == 0 {
				needed[r.Node] = true
			}
		}
	}
	kept := slices.DeleteFunc(p.items, func(i int) bool { return !needed[i] })
	p.items, p.inputs, p.afters, p.args = nil, nil, nil, map[int]*argument{}
	for _, i := range kept {
		n := p.block.Nodes[i]
		p.items = append(p.items, i)
		p.take(n)
		if n.Kind == nodes.KindCall {
			p.Calls = append(p.Calls, n)
			p.args[i], _ = p.pass(n)
		}
	}
}

// mayLeave reports whether a node may end in a way that skips what stands behind it in its block.
func mayLeave(n *nodes.Node) bool {
	if n.Kind == nodes.KindScript && n.Code.Returns || n.Kind == nodes.KindExit {
		return true
	}
	inner := map[int]bool{n.ID: true}
	leaves := false
	for _, b := range n.Blocks() {
		b.Walk(func(x *nodes.Node) {
			inner[x.ID] = true
			switch {
			case x.Kind == nodes.KindExit:
				leaves = leaves || x.Exit.Mode == nodes.ExitThrow || !inner[x.Exit.Target]
			case x.Kind == nodes.KindScript && x.Code.Returns:
				leaves = leaves || !inner[x.Code.Target]
			}
		})
	}
	return leaves
}
