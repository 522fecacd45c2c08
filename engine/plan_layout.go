package engine

import (
	"math"

	"github.com/casys-ai/pml/nodes"
)

// compile prepares a graph in four passes. The first alone reads the nodes one by one; the others work on the arrays
// that it makes, and on the few nodes that have something special.
func compile(g *nodes.Graph, estimate Estimate) (*block, error) {
	if g == nil || g.Root == nil {
		return nil, invalid(nil, "it has no body")
	}
	c := &compiler{}
	root := c.layout(g.Root, nil, nil, 0)
	if c.err == nil {
		c.mark(root)
	}
	if c.err == nil {
		c.link(root)
		root.rank(g, estimate)
	}
	return root, c.err
}

// compiler carries the first error from pass to pass.
type compiler struct {
	err error
}

func (c *compiler) fail(n *nodes.Node, format string, a ...any) {
	if c.err == nil {
		c.err = invalid(n, format, a...)
	}
}

// layout numbers the slots of src and of the blocks inside, finds the inputs, and gathers what is known bottom-up.
func (c *compiler) layout(src *nodes.Block, owner *nodes.Node, parent *block, at int32) *block {
	b := &block{owner: owner, src: src, parent: parent, at: at, prev: -1}
	if src == nil {
		b.src = &nodes.Block{}
	}
	if len(b.src.Nodes) > mostSteps {
		c.fail(owner, "%d nodes in a block", len(b.src.Nodes))
		return b
	}
	b.under = parent != nil && (parent.under || owner.Async)
	b.info = make([]info, 0, len(b.src.Nodes)+1)
	b.slots = int32(len(b.src.Params))
	for i, n := range b.src.Nodes {
		if !c.checkNode(n) || !c.layoutNode(b, int32(i), n) {
			return b
		}
	}
	b.info = append(b.info, info{slot: b.slots, in: int32(len(b.ins))})
	b.events = b.slots
	for _, r := range b.src.Results {
		s, _ := c.resolve(b, owner, r, int32(len(b.src.Nodes)), false)
		b.results = append(b.results, s)
	}
	return b
}

func (c *compiler) layoutNode(b *block, i int32, n *nodes.Node) bool {
	b.info = append(b.info, info{slot: b.slots, in: int32(len(b.ins)), id: int32(n.ID), kind: n.Kind, gate: n.Gate})
	b.inputs(c, i, n)
	if int64(b.slots)+int64(len(n.Outs)) > mostSteps || len(b.ins) > math.MaxInt32 {
		c.fail(n, "too many values in a block")
	}
	b.slots += int32(len(n.Outs))
	in := &b.info[i]
	if n.Async {
		in.flags |= isAsync
	}
	if len(n.After) > 0 || n.Kind == nodes.KindAwait || n.Kind == nodes.KindLoop {
		b.special = append(b.special, i)
	}
	switch {
	case isLeafTask(n.Kind):
		in.flags |= hasTasks
		if n.Effect() == nodes.Write {
			in.flags |= hasWrites
		}
		b.noteTool(i, n)
	case n.Kind == nodes.KindAwait:
		b.addKid(i)
	case isControl(n.Kind):
		c.layoutKids(b, i, n)
	}
	if c.err == nil {
		c.noteExits(b, i, n)
		b.noteNode(i)
	}
	return c.err == nil
}

// inputs finds what node i reads.
func (b *block) inputs(c *compiler, i int32, n *nodes.Node) {
	if have := len(b.ins); have+len(n.In) > cap(b.ins) { // make room for the rest, if it is like what we have seen
		rest := (have/int(i+1) + 1) * (len(b.src.Nodes) - int(i))
		b.ins = append(make([]source, 0, have+len(n.In)+rest), b.ins...)
	}
	for _, r := range n.In {
		s, _ := c.resolve(b, n, r, i, n.Kind == nodes.KindAwait)
		b.ins = append(b.ins, s)
	}
}

// noteNode puts node i into the lists and sums of b.
func (b *block) noteNode(i int32) {
	in := &b.info[i]
	control := isControl(in.kind)
	if in.gate == nodes.GateSafe || control {
		b.safeGates = append(b.safeGates, i)
	}
	if in.gate == nodes.GatePassed || control {
		b.passedGates = append(b.passedGates, i)
	}
	if in.flags&hasWrites != 0 {
		b.count[nodes.PortWrites]++
	}
	if in.flags&hasTasks != 0 {
		b.count[nodes.PortSent]++
	}
}

func (b *block) noteTool(i int32, n *nodes.Node) {
	if n.Kind != nodes.KindCall {
		return
	}
	if b.tools == nil {
		b.tools = make([]nodes.ToolID, len(b.src.Nodes))
	}
	b.tools[i] = n.Call.Tool
}

// addKid makes room for the blocks of node i.
func (b *block) addKid(i int32) *kid {
	if b.kidOf == nil {
		b.kidOf = minusOnes(len(b.src.Nodes))
	}
	b.kidOf[i] = int32(len(b.kids))
	b.kids = append(b.kids, kid{})
	return &b.kids[b.kidOf[i]]
}

func minusOnes(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = -1
	}
	return list
}

// kid is the number of node i in b.kids, or -1.
func (b *block) kid(i int32) int32 {
	if b.kidOf == nil {
		return -1
	}
	return b.kidOf[i]
}

// port is the first of the three port events of node i, or -1.
func (b *block) port(i int32) int32 {
	if b.portOf == nil {
		return -1
	}
	return b.portOf[i]
}

func (c *compiler) layoutKids(b *block, i int32, n *nodes.Node) {
	k := b.addKid(i)
	for j, src := range n.Blocks() {
		inner := c.layout(src, n, b, i)
		if c.err != nil {
			return
		}
		if j == 0 {
			k.first = inner
		} else {
			k.second = inner
		}
		for p, f := range [...]flags{nodes.PortWrites: hasWrites, nodes.PortSent: hasTasks} {
			if inner.count[p] > 0 {
				b.info[i].flags |= f
			}
		}
	}
	if n.Kind == nodes.KindTry {
		c.layoutSaved(k, n)
	}
}

func (c *compiler) layoutSaved(k *kid, n *nodes.Node) {
	k.saved = make([][]version, len(n.Try.Saved))
	for v, versions := range n.Try.Saved {
		for _, x := range versions {
			s, _ := c.resolve(k.first, n, x.Ref, int32(len(k.first.src.Nodes)), false)
			k.saved[v] = append(k.saved[v], version{int32(x.From), s})
		}
	}
}

// resolve finds the source that r, read by n at index limit of b, names, and whether it holds a promise.
func (c *compiler) resolve(b *block, n *nodes.Node, r nodes.Ref, limit int32, promises bool) (source, bool) {
	to := c.around(b, r.Up)
	if to == nil {
		c.fail(n, "ref %d blocks outwards", r.Up)
		return 0, false
	}
	if r.Node == -1 && r.Out >= 0 && r.Out < len(to.src.Params) {
		return b.source(r.Up, int32(r.Out)), false
	}
	if r.Node < 0 || r.Node >= int(limitIn(b, to, limit)) || r.Out < 0 || r.Out >= int(to.outs(int32(r.Node))) {
		c.fail(n, "ref to output %d of node %d, %d blocks outwards", r.Out, r.Node, r.Up)
		return 0, false
	}
	in := &to.info[r.Node]
	promise := in.flags&isAsync != 0
	if promise && !promises {
		c.fail(n, "it reads the promise of node %d", in.id)
	}
	return b.source(r.Up, in.slot+int32(r.Out)), promise
}

// source is a slot of the block up levels outwards, seen from b.
func (b *block) source(up int, slot int32) source {
	if up == 0 {
		return source(slot)
	}
	b.far = append(b.far, ref{int32(up), slot})
	return ^source(len(b.far) - 1)
}

// outs is how many outputs node i has.
func (b *block) outs(i int32) int32 { return b.info[i+1].slot - b.info[i].slot }

// around is the block up levels outwards, or nil.
func (c *compiler) around(b *block, up int) *block {
	if up < 0 {
		return nil
	}
	for ; up > 0 && b != nil; up-- {
		b = b.parent
	}
	return b
}

// limitIn is the index in the block to, around b or b itself, that node i of b stands at: what it refers to is earlier.
func limitIn(b, to *block, i int32) int32 {
	for b != to {
		i, b = b.at, b.parent
	}
	return i
}

// isLeafTask says that a worker runs nodes of this kind.
func isLeafTask(k nodes.Kind) bool {
	return k == nodes.KindCall || k == nodes.KindScript || k == nodes.KindHost
}

func isControl(k nodes.Kind) bool {
	return k >= nodes.KindBranch && k <= nodes.KindTry
}
