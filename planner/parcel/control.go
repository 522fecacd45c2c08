package parcel

import (
	"slices"

	"github.com/casys-ai/pml/nodes"
)

// extent is how much of a control node goes along.
type extent int

const (
	extentWhole  extent = iota // all of its code
	extentToLast               // what stands behind the last call of its block stays here
	extentCalls                // what calls need; the rest stays here
)

// control is a loop, a map, a branch or a scope of a part, with all that it takes to execute it elsewhere. Where one of its
// calls writes, whatever could fail before it goes along.
type control struct {
	part *Part
	top  *nodes.Node
	// keep are the nodes of its blocks that go along; outs, of those with blocks, which outputs, ascending.
	keep map[*nodes.Node]bool
	outs map[*nodes.Node][]int
	// outer are the values from outside that it reads, as seen from the part's block.
	outer []nodes.Ref
	// rows is how its list is made here; nil if it is the part's own.
	rows   *rows
	extent extent

	exits []leaving
	seen  map[slot]bool
	bad   bool
}

// level is a block with the way outwards; the owner of the part's block is nil.
type level struct {
	block *nodes.Block
	owner *nodes.Node
	outer *level
}

// slot is a value: an output of a node, or a param if node is -1.
type slot struct {
	block     *nodes.Block
	node, out int
}

// leaving is an exit where it stands.
type leaving struct {
	at   *level
	exit *nodes.Node
}

// newControl makes a control node of the part's block ready, which gives some outputs; nil if it cannot be sent.
func newControl(p *Part, n *nodes.Node, outs ...int) *control {
	for _, e := range extentsOf(n) {
		c := &control{part: p, top: n, keep: map[*nodes.Node]bool{}, outs: map[*nodes.Node][]int{}, seen: map[slot]bool{}, extent: e}
		if c.prepare(outs) {
			return c
		}
	}
	return nil
}

// extentsOf are the ways to send a control node without doing more than it would; none if it cannot be sent.
func extentsOf(n *nodes.Node) []extent {
	writes := false
	for _, b := range n.Blocks() {
		never := false
		b.Walk(func(x *nodes.Node) {
			never = never || x.Kind == nodes.KindScript || x.Kind == nodes.KindHost && x.Effect() != nodes.Pure
			writes = writes || x.Kind == nodes.KindCall && x.Gate == nodes.GateSafe
		})
		if never {
			return nil
		}
	}
	switch {
	case !writes:
		return []extent{extentWhole, extentCalls}
	case n.Kind == nodes.KindLoop: // the next iteration must not write if this one fails
		return []extent{extentWhole}
	}
	return []extent{extentWhole, extentToLast}
}

// callsIn are the calls of a node's blocks; of a call, itself.
func callsIn(n *nodes.Node) (calls []*nodes.Node) {
	if n.Kind == nodes.KindCall {
		return []*nodes.Node{n}
	}
	for _, b := range n.Blocks() {
		b.Walk(func(x *nodes.Node) {
			if x.Kind == nodes.KindCall {
				calls = append(calls, x)
			}
		})
	}
	return calls
}

// prepare finds out what goes along. false: some of that must not, or cannot.
func (c *control) prepare(outs []int) bool {
	root := &level{block: c.part.block}
	c.findRows(root)
	c.findExits(root, c.top)
	c.keepControl(root, c.top)
	c.visit(root, c.top)
	if c.extent == extentWhole {
		c.allOuts(root, c.top)
	}
	for _, k := range outs {
		c.value(root, c.top, k)
	}
	for _, r := range c.outer {
		if !c.part.inside(r) && !c.part.literal(r) && !(c.rows != nil && r == c.top.In[0]) {
			return false
		}
	}
	return !c.bad && (c.rows == nil || c.rows.pass(c)) && c.ordered(root, c.top)
}

// ordered reports whether what goes along waits for nothing that stays here.
func (c *control) ordered(l *level, n *nodes.Node) bool {
	for _, in := range inner(l, n) {
		for _, x := range in.block.Nodes {
			if !c.keep[x] {
				continue
			}
			for _, a := range x.After {
				at := in
				for up := a.Up; up > 0 && at.owner != nil; up-- {
					at = at.outer
				}
				if at.owner != nil && !a.Prev && !c.keep[at.block.Nodes[a.Node]] {
					return false
				}
			}
			if !c.ordered(in, x) {
				return false
			}
		}
	}
	return true
}

// inner gives the levels of a node's blocks.
func inner(l *level, n *nodes.Node) (list []*level) {
	for _, b := range n.Blocks() {
		list = append(list, &level{b, n, l})
	}
	return list
}

func (c *control) findExits(l *level, n *nodes.Node) {
	for _, in := range inner(l, n) {
		for _, x := range in.block.Nodes {
			if x.Kind == nodes.KindExit {
				c.exits = append(c.exits, leaving{in, x})
			}
			c.findExits(in, x)
		}
	}
}

// visit keeps what is done whoever needs it: the calls, what leaves, and the nodes around both; and all else as far as the
// extent says.
func (c *control) visit(l *level, n *nodes.Node) (acts bool) {
	for _, in := range inner(l, n) {
		last := len(in.block.Nodes)
		if c.extent == extentToLast && n == c.top {
			last = lastActing(in.block)
		}
		for i, x := range in.block.Nodes {
			all := c.extent != extentCalls && i < last
			switch {
			case x.Kind == nodes.KindExit:
				acts = true
				c.keepExit(in, x)
			case len(x.Blocks()) > 0:
				if c.visit(in, x) || all {
					acts = true
					c.keepControl(in, x)
				}
			case x.Kind == nodes.KindCall || all && x.Kind != nodes.KindHost: // what it logs is logged here
				acts = true
				c.keepLeaf(in, x)
			}
		}
	}
	return acts
}

// lastActing is the index of the last node of a block that calls or leaves.
func lastActing(b *nodes.Block) int {
	for i, n := range slices.Backward(b.Nodes) {
		if len(callsIn(n)) > 0 || mayLeave(n) {
			return i
		}
	}
	return 0
}

// allOuts keeps every output of the nodes with blocks inside of n: code that fails may read them.
func (c *control) allOuts(l *level, n *nodes.Node) {
	for _, in := range inner(l, n) {
		for _, x := range in.block.Nodes {
			if len(x.Blocks()) > 0 {
				for k := range x.Outs {
					c.value(in, x, k)
				}
				c.allOuts(in, x)
			}
		}
	}
}

func (c *control) keepLeaf(l *level, n *nodes.Node) {
	if c.keep[n] || c.rows.makes(l, n) {
		return
	}
	c.keep[n] = true
	switch {
	case n.Kind == nodes.KindCall && sendable(n):
		if c.rows.holds(l) {
			c.rows.calls = append(c.rows.calls, n) // what of its arguments is known here becomes a column
			return
		}
	case !carries(n):
		c.bad = true
	}
	c.needAll(l, n.In)
}

func (c *control) keepExit(l *level, n *nodes.Node) {
	c.keep[n] = true
	switch target := c.target(l, n); {
	case n.Exit.Mode == nodes.ExitThrow:
		c.needAll(l, n.In)
	case target == nil && (n.Exit.Mode != nodes.ExitReturn || len(n.In) == 0):
		c.bad = true // it leaves a loop around the part
	case target == nil:
		c.needAll(l, n.In[:min(1, len(n.In))])
	case target.Kind != nodes.KindLoop:
		c.needAll(l, n.In)
	}
	c.rows.forbid(c)
}

// target is the node inside of the part that catches an exit; nil for none.
func (c *control) target(l *level, n *nodes.Node) *nodes.Node {
	for ; l.owner != nil; l = l.outer {
		if n.Exit.Mode != nodes.ExitThrow && l.owner.ID == n.Exit.Target {
			return l.owner
		}
	}
	return nil
}

// keepControl keeps a node with blocks: what decides about them.
func (c *control) keepControl(l *level, n *nodes.Node) {
	if c.keep[n] {
		return
	}
	c.keep[n] = true
	switch {
	case n.Async || n.Kind == nodes.KindTry:
		c.bad = true
	case n.Kind == nodes.KindBranch, n.Kind == nodes.KindMap, n.Kind == nodes.KindLoop && n.Loop.Each:
		c.need(l, n.In[0])
	}
}

func (c *control) needAll(l *level, refs []nodes.Ref) {
	for _, r := range refs {
		c.need(l, r)
	}
}

// need keeps what a value is made of.
func (c *control) need(l *level, r nodes.Ref) {
	for up := r.Up; ; up, l = up-1, l.outer {
		if l.owner == nil {
			c.outer = append(c.outer, nodes.Ref{Up: up, Node: r.Node, Out: r.Out})
			return
		}
		if up == 0 {
			break
		}
	}
	if c.rows.known(l, r) {
		c.bad = true // only what is handed on as it stands is sent
		return
	}
	if r.Node >= 0 {
		c.value(l, l.block.Nodes[r.Node], r.Out)
		return
	}
	k := r.Out
	if l.owner.Kind == nodes.KindLoop {
		if !l.owner.Loop.Each {
			c.value(l.outer, l.owner, k)
			return
		} else if k >= eachParams {
			c.value(l.outer, l.owner, k-eachParams)
			return
		}
	}
	if len(l.owner.In) == 0 {
		c.bad = true
		return
	}
	c.need(l.outer, l.owner.In[0])
}

// eachParams is how many params the body of a loop over a list has before those that are carried.
const eachParams = 2

// value keeps what output k of a node is made of.
func (c *control) value(l *level, n *nodes.Node, k int) {
	if len(n.Blocks()) == 0 {
		c.keepLeaf(l, n)
		return
	}
	s := slot{l.block, n.ID, k}
	if c.seen[s] {
		return
	}
	c.seen[s] = true
	c.outs[n] = append(c.outs[n], k)
	slices.Sort(c.outs[n])
	c.keepControl(l, n)
	for _, in := range inner(l, n) {
		if k < len(in.block.Results) {
			c.need(in, in.block.Results[k])
		}
	}
	if n.Kind == nodes.KindLoop {
		c.need(l, n.In[carriedAt(n)+k])
	}
	for _, x := range c.exits {
		if c.target(x.at, x.exit) == n && k < len(x.exit.In) {
			c.need(x.at, x.exit.In[k])
		}
	}
}

// carriedAt is where the carried values of a loop begin among what it reads.
func carriedAt(n *nodes.Node) int {
	if n.Loop.Each {
		return 1
	}
	return 0
}
