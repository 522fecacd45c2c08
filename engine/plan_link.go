package engine

import (
	"github.com/casys-ai/pml/nodes"
)

// mark finds the ports that somebody waits for, and makes the blocks whose progress decides them count it.
func (c *compiler) mark(b *block) {
	for i := range b.src.Nodes {
		n := b.info[i].node
		for _, a := range n.After {
			c.markAfter(b, int32(i), n, a)
		}
		if b.info[i].kid >= 0 {
			k := b.kids[b.info[i].kid]
			for _, inner := range [...]*block{k.first, k.second} {
				if inner != nil {
					c.mark(inner)
				}
			}
		}
	}
}

func (c *compiler) markAfter(b *block, i int32, n *nodes.Node, a nodes.After) {
	to := c.around(b, a.Up)
	if a.Port > nodes.PortSent {
		c.fail(n, "unknown port %d", a.Port)
		return
	}
	switch {
	case to == nil:
		c.fail(n, "order edge %d blocks outwards", a.Up)
	case a.Prev && (to.owner == nil || to.owner.Kind != nodes.KindLoop):
		c.fail(n, "order edge on earlier iterations outside of a loop")
	case a.Prev:
		if to.waitsPrev(a.Port) {
			to.awaitPrev(a.Port)
		}
	case a.Node < 0 || a.Node >= len(to.src.Nodes) || a.Node >= int(limitIn(b, to, i)):
		c.fail(n, "order edge on node %d", a.Node)
	case to.info[a.Node].waits(a.Port):
		to.awaitPort(int32(a.Node), a.Port)
	}
}

// limitIn is the index in the block to, around b or b itself, that node i of b stands at: what it refers to is earlier.
func limitIn(b, to *block, i int32) int32 {
	for b != to {
		i, b = b.at, b.parent
	}
	return i
}

func (c *compiler) around(b *block, up int) *block {
	if up < 0 {
		return nil
	}
	for ; up > 0 && b != nil; up-- {
		b = b.parent
	}
	return b
}

// waits reports whether the port is not reached from the start.
func (in *info) waits(p nodes.Port) bool {
	switch p {
	case nodes.PortWrites:
		return in.flags&hasWrites != 0
	case nodes.PortSent:
		return in.flags&hasTasks != 0
	}
	return true
}

func (b *block) waitsPrev(p nodes.Port) bool { return p == nodes.PortDone || b.count[p] > 0 }

func (b *block) awaitPort(i int32, p nodes.Port) {
	in := &b.info[i]
	if in.port < 0 {
		in.port = b.events
		b.events += 3
	}
	if in.kid < 0 || p == nodes.PortDone || p == nodes.PortSent && in.flags&isAsync != 0 {
		return
	}
	k := b.kids[in.kid]
	k.first.follow(p)
	if k.second != nil {
		k.second.follow(p)
	}
}

func (b *block) awaitPrev(p nodes.Port) {
	if b.prev < 0 {
		b.prev = b.events
		b.events += 3
	}
	b.follow(p)
}

// follow makes the frames of b, and of the blocks inside, count their progress towards p.
func (b *block) follow(p nodes.Port) {
	if b == nil || p == nodes.PortDone || b.track&(1<<p) != 0 {
		return
	}
	b.track |= 1 << p
	for _, k := range b.kids {
		k.first.follow(p)
		k.second.follow(p)
	}
}

// link builds the rows of successors, the initial cells and the lists of gates.
func (c *compiler) link(b *block) {
	n := int32(len(b.src.Nodes))
	b.template = make([]cell, n)
	b.fires = make([]int32, b.events+1)
	b.ins = make([]ref, 0, b.info[n].in)
	c.edges(b, func(event, target int32) {
		b.fires[event+1]++
		if target < n {
			b.template[target].pend++
		}
	})
	for e := int32(0); e < b.events; e++ {
		b.fires[e+1] += b.fires[e]
	}
	b.succ = make([]int32, b.fires[b.events])
	at := append([]int32(nil), b.fires...)
	b.outer, b.ins, b.results = nil, b.ins[:0], nil
	c.edges(b, func(event, target int32) {
		b.succ[at[event]] = target
		at[event]++
	})
	for i := int32(0); i < n && c.err == nil; i++ {
		c.linkNode(b, i)
	}
}

func (c *compiler) linkNode(b *block, i int32) {
	in := &b.info[i]
	control := isControl(in.kind)
	if in.gate == nodes.GateSafe || control {
		b.safeGates = append(b.safeGates, i)
	}
	if in.gate == nodes.GatePassed || control {
		b.passedGates = append(b.passedGates, i)
	}
	if b.template[i].pend == 0 && in.gate == nodes.GateNone {
		b.starts = append(b.starts, i)
	}
	if in.gate != nodes.GateNone {
		b.template[i].pend++
	}
	counts := b.track&(1<<nodes.PortWrites) != 0 && in.flags&hasWrites != 0 ||
		b.track&(1<<nodes.PortSent) != 0 && in.flags&hasTasks != 0
	if in.port >= 0 || counts {
		in.flags |= hasPorts
	}
	if in.flags&hasTasks != 0 && (in.flags&(isAsync|hasPorts) != 0 || b.under) {
		in.flags |= tellSent
	}
	if in.kind == nodes.KindTry {
		c.linkSaved(b, in)
	}
	if in.kid >= 0 && control {
		for _, inner := range [...]*block{b.kids[in.kid].first, b.kids[in.kid].second} {
			if inner != nil {
				c.link(inner)
			}
		}
	}
}

func (c *compiler) linkSaved(b *block, in *info) {
	k := &b.kids[in.kid]
	k.saved = make([][]version, len(in.node.Try.Saved))
	for v, versions := range in.node.Try.Saved {
		for _, x := range versions {
			slot, _ := c.resolve(k.first, in.node, x.Ref, int32(len(k.first.src.Nodes)), false)
			k.saved[v] = append(k.saved[v], version{int32(x.From), slot})
		}
	}
}

// edges visits every dependency of b's nodes and results on an event of its own frame; those on frames further out go
// to b.outer, and all refs to b.ins and b.results.
func (c *compiler) edges(b *block, visit func(event, target int32)) {
	for i, n := range b.src.Nodes {
		for k, r := range n.In {
			c.inEdge(b, n, int32(i), k, r, visit)
		}
		for _, a := range n.After {
			c.afterEdge(b, int32(i), a, visit)
		}
	}
	for k, r := range b.src.Results {
		slot, _ := c.resolve(b, b.owner, r, int32(len(b.src.Nodes)), false)
		b.results = append(b.results, slot)
		c.edge(b, slot, int32(len(b.src.Nodes)+k), visit)
	}
}

func (c *compiler) inEdge(b *block, n *nodes.Node, i int32, k int, r nodes.Ref, visit func(event, target int32)) {
	slot, promise := c.resolve(b, n, r, i, n.Kind == nodes.KindAwait)
	b.ins = append(b.ins, slot)
	late := n.Kind == nodes.KindLoop && !(n.Loop.Each && k == 0)
	if !promise && !late {
		c.edge(b, slot, i, visit)
	}
}

func (c *compiler) edge(b *block, r ref, target int32, visit func(event, target int32)) {
	switch {
	case c.err != nil:
	case r.up == 0:
		visit(r.slot, target)
	default:
		b.outer = append(b.outer, outer{target: target, up: r.up, event: r.slot, node: outerValue})
	}
}

func (c *compiler) afterEdge(b *block, i int32, a nodes.After, visit func(event, target int32)) {
	to := c.around(b, a.Up)
	o := outer{target: i, up: int32(a.Up), node: int32(a.Node), port: a.Port}
	switch {
	case a.Prev && !to.waitsPrev(a.Port), !a.Prev && !to.info[a.Node].waits(a.Port):
		return
	case a.Prev:
		o.node, o.event = outerPrev, to.prev+int32(a.Port)
	default:
		o.event = to.info[a.Node].port + int32(a.Port)
	}
	if a.Up == 0 {
		visit(o.event, i)
		return
	}
	b.outer = append(b.outer, o)
}

// resolve finds the slot that r, read by n at index limit of b, names, and whether it holds a promise.
func (c *compiler) resolve(b *block, n *nodes.Node, r nodes.Ref, limit int32, promises bool) (ref, bool) {
	to := c.around(b, r.Up)
	if to == nil {
		c.fail(n, "ref %d blocks outwards", r.Up)
		return ref{}, false
	}
	if r.Node == -1 && r.Out >= 0 && r.Out < len(to.src.Params) {
		return ref{int32(r.Up), int32(r.Out)}, false
	}
	if r.Node < 0 || r.Node >= int(limitIn(b, to, limit)) || r.Out < 0 || r.Out >= len(to.src.Nodes[r.Node].Outs) {
		c.fail(n, "ref to output %d of node %d, %d blocks outwards", r.Out, r.Node, r.Up)
		return ref{}, false
	}
	if to.src.Nodes[r.Node].Async && !promises {
		c.fail(n, "it reads the promise of node %d", to.src.Nodes[r.Node].ID)
	}
	return ref{int32(r.Up), to.info[r.Node].slot + int32(r.Out)}, to.src.Nodes[r.Node].Async
}
