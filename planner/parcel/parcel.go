// Package parcel finds what of a graph can be sent away as a whole, and writes it as bytes.
//
// A part is calls of one block whose tools all run in the cloud and are allowed beforehand, with the pure code between
// them, and loops, maps and branches that hold only such. It changes nothing about the graph: every call stays a node of its
// own, with its place in program order, its gate, its path. What is sent is done ahead: the first call of a part, its leader,
// sends all of it, the others find what they came to when their turn comes; where a control node comes first, the first of
// the calls that the engine starts. So a call may be in a part only if the engine would start it in any case:
//
//   - it needs no value from outside of the part that is made after the leader;
//
//   - what it takes from here is handed on as it stands, so that no more leaves this machine than the program says;
//
//   - nothing between the leader and it can skip it;
//
//   - if it waits for everything earlier to succeed (GateSafe), all that stands between is in the part;
//
//   - of a control node, nothing is sent that the program may turn out not to hand on: within one, calls take what the part
//     gives, and of a list that is known here what each of its rounds hands on.
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
	// Leader is what comes first: the call that sends it, or a control node, of which any call of the part may be the first.
	// Calls are all its calls, also those in control nodes, in program order.
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

	controls map[int]*control // of an index, what of the control node goes along
	lists    map[int]int      // of an index, the value that is its list
	literals []int            // code without inputs that control nodes read, as indexes in block
	depth    map[*nodes.Node]int
}

// Depth is how many blocks deeper than the part a call stands.
func (p *Part) Depth(call *nodes.Node) int { return p.depth[call] }

// Find finds the parts of a graph that save requests.
func Find(g *nodes.Graph) []*Part {
	var parts []*Part
	taken := map[*nodes.Node]bool{} // control nodes that are in a part
	visit(g.Root, taken, func(b *nodes.Block) {
		for _, p := range inBlock(b) {
			parts = append(parts, p)
			for i := range p.controls {
				taken[b.Nodes[i]] = true
			}
		}
	})
	return parts
}

// visit calls f for a block and all below it, but for what is taken.
func visit(b *nodes.Block, taken map[*nodes.Node]bool, f func(*nodes.Block)) {
	f(b)
	for _, n := range b.Nodes {
		if taken[n] {
			continue
		}
		for _, inner := range n.Blocks() {
			visit(inner, taken, f)
		}
	}
}

// inBlock finds the parts of one block.
func inBlock(b *nodes.Block) []*Part {
	var parts []*Part
	for _, group := range groups(b) {
		for len(group) > 0 {
			p, rest := grow(b, group)
			if len(p.Calls) > 1 || p.repeats() {
				parts = append(parts, p)
			}
			group = rest
		}
	}
	return parts
}

// repeats reports whether the one call of a part is made any number of times.
func (p *Part) repeats() bool {
	return p.Leader != nil && (p.Leader.Kind == nodes.KindLoop || p.Leader.Kind == nodes.KindMap)
}

// sendable reports whether a node is a call that may be sent ahead.
func sendable(n *nodes.Node) bool {
	return n.Kind == nodes.KindCall && n.Call.Route == nodes.Server && n.Call.Permission == nodes.Allow
}

// sends reports whether a node is a call that may be sent ahead, or holds only such.
func sends(n *nodes.Node) bool {
	calls := callsIn(n)
	return len(calls) > 0 && !slices.ContainsFunc(calls, func(c *nodes.Node) bool { return !sendable(c) }) && n.Kind != nodes.KindTry
}

// grow makes the largest part that begins with the first call of a group. rest are the calls that are left.
func grow(b *nodes.Block, group []int) (p *Part, rest []int) {
	p = &Part{block: b, controls: map[int]*control{}}
	for _, i := range group {
		switch n := b.Nodes[i]; {
		case p.add(i):
		case sends(n) && i > group[0]:
			rest = append(rest, i)
		}
	}
	p.prune()
	if len(rest) > 0 { // the code between what is left goes with it
		for _, i := range group {
			if i > rest[0] && !sends(b.Nodes[i]) && !slices.Contains(p.items, i) {
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
	switch first := len(p.items) == 0; {
	case first && !sends(n) || !p.passable(i):
		return false
	case !first && (!p.reachable(i) || !p.provided(i) || mustFollow(n) && !p.gapless(i) || !p.supply(p.reads(i))):
		delete(p.controls, i)
		return false
	}
	p.items = append(p.items, i)
	p.take(i)
	return true
}

// mustFollow reports whether everything before a node must have succeeded before one of its calls may be made.
func mustFollow(n *nodes.Node) bool {
	return slices.ContainsFunc(callsIn(n), func(c *nodes.Node) bool { return c.Gate == nodes.GateSafe })
}

// take notes what a node of the part needs from outside.
func (p *Part) take(i int) {
	n := p.block.Nodes[i]
	for _, r := range p.reads(i) {
		if !p.inside(r) && !slices.Contains(p.inputs, r) {
			p.inputs = append(p.inputs, r)
		}
	}
	for _, a := range aftersOf(n) {
		if p.inside(nodes.Ref{Up: a.Up, Node: a.Node}) && !a.Prev || slices.ContainsFunc(p.afters, func(x nodes.After) bool {
			x.Reason, a.Reason = "", ""
			return x == a
		}) {
			continue
		}
		p.afters = append(p.afters, a)
	}
	p.safe = p.safe || mustFollow(n)
}

// reads are the values that item i reads, as seen from the part's block; literals go along as they are.
func (p *Part) reads(i int) []nodes.Ref {
	c := p.controls[i]
	if c == nil {
		return p.block.Nodes[i].In
	}
	var refs []nodes.Ref
	for _, r := range c.outer {
		if p.inside(r) || !p.literal(r) {
			refs = append(refs, r)
		} else if !slices.Contains(p.literals, r.Node) {
			p.literals = append(p.literals, r.Node)
		}
	}
	if c.rows != nil {
		refs = append(refs, c.rows.inputs()...)
	}
	return refs
}

// supply lets the control nodes of the part give what an item reads. false: they cannot.
func (p *Part) supply(refs []nodes.Ref) bool {
	for _, r := range refs {
		c := p.controls[r.Node]
		if r.Up != 0 || c == nil || slices.Contains(c.outs[c.top], r.Out) {
			continue
		}
		if c = newControl(p, c.top, append(c.outs[c.top], r.Out)...); c == nil {
			return false
		}
		p.controls[r.Node] = c
	}
	return true
}

// inside reports whether an item of the part gives a value.
func (p *Part) inside(r nodes.Ref) bool { return r.Up == 0 && slices.Contains(p.items, r.Node) }

// literal reports whether a value is made by code of the part's block that reads nothing: it is part of the program.
func (p *Part) literal(r nodes.Ref) bool {
	if r.Up != 0 || r.Node < 0 {
		return false
	}
	n := p.block.Nodes[r.Node]
	return n.Kind == nodes.KindExpr && len(n.In) == 0 && !n.Code.Rich
}

// provided reports whether all that item i waits for is in the part or stands before its leader.
func (p *Part) provided(i int) bool {
	leader := p.items[0]
	for _, r := range p.reads(i) {
		if r.Up == 0 && r.Node >= leader && !p.inside(r) {
			return false
		}
	}
	for _, a := range aftersOf(p.block.Nodes[i]) {
		if !a.Prev && a.Up == 0 && a.Node >= leader && !p.inside(nodes.Ref{Node: a.Node}) {
			return false
		}
	}
	return true
}

// passable reports whether a node hands what is known here on as it stands: a call in its argument, code not at all.
func (p *Part) passable(i int) bool {
	n := p.block.Nodes[i]
	switch {
	case n.Kind == nodes.KindCall:
		_, ok := pass(n, p.inside, func(*nodes.Code, []nodes.Ref) int { return 0 })
		return ok
	case len(n.Blocks()) == 0:
		return !slices.ContainsFunc(n.In, func(r nodes.Ref) bool { return !p.inside(r) })
	}
	c := newControl(p, n)
	if c != nil {
		p.controls[i] = c
	}
	return c != nil
}

// reachable reports whether nothing between the leader and node i can skip it.
func (p *Part) reachable(i int) bool {
	return !slices.ContainsFunc(p.block.Nodes[p.items[0]:i], mayLeave)
}

// gapless reports whether all that stands between the leader and node i, and could fail, is in the part.
func (p *Part) gapless(i int) bool {
	for _, c := range p.controls {
		if c.extent != extentWhole {
			return false
		}
	}
	for j := p.items[0]; j < i; j++ {
		if !slices.Contains(p.items, j) && !p.literal(nodes.Ref{Node: j}) {
			return false
		}
	}
	return true
}

// prune drops code that no call of the part needs, and lists its calls.
func (p *Part) prune() {
	needed := map[int]bool{}
	for _, i := range slices.Backward(p.items) {
		if !sends(p.block.Nodes[i]) && !needed[i] {
			continue
		}
		needed[i] = true
		for _, r := range p.reads(i) {
			if r.Up == 0 {
				needed[r.Node] = true
			}
		}
	}
	kept := slices.DeleteFunc(p.items, func(i int) bool { return !needed[i] })
	p.items, p.inputs, p.afters, p.literals, p.safe = nil, nil, nil, nil, false
	p.args, p.lists, p.depth = map[int]*argument{}, map[int]int{}, map[*nodes.Node]int{}
	for _, i := range kept {
		p.items = append(p.items, i)
		p.take(i)
	}
	slices.Sort(p.literals)
	if len(kept) > 0 {
		p.Leader = p.block.Nodes[kept[0]]
	}
	for _, i := range kept {
		p.fill(i)
	}
}

// fill makes what of item i is known here ready to go along, and lists its calls.
func (p *Part) fill(i int) {
	n := p.block.Nodes[i]
	p.list(n, 0)
	if n.Kind == nodes.KindCall {
		p.args[i], _ = pass(n, p.inside, func(c *nodes.Code, in []nodes.Ref) int {
			v := Value{Code: c}
			for _, r := range in {
				v.In = append(v.In, p.input(r))
			}
			p.Values = append(p.Values, v)
			return len(p.Values) - 1
		})
	}
	if c := p.controls[i]; c != nil && c.rows != nil {
		p.Values = append(p.Values, c.rows.value(n, p.input))
		p.lists[i] = len(p.Values) - 1
	}
}

func (p *Part) input(r nodes.Ref) int { return slices.Index(p.inputs, r) }

// list lists the calls of a node that stands so deep in the part.
func (p *Part) list(n *nodes.Node, depth int) {
	if n.Kind == nodes.KindCall {
		p.Calls = append(p.Calls, n)
		p.depth[n] = depth
	}
	for _, b := range n.Blocks() {
		for _, x := range b.Nodes {
			p.list(x, depth+1)
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
