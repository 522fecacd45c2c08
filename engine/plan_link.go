package engine

import (
	"slices"

	"github.com/casys-ai/pml/nodes"
)

// mark finds the ports that somebody waits for, and makes the blocks whose progress decides them count it.
func (c *compiler) mark(b *block) {
	for _, i := range b.special {
		n := b.src.Nodes[i]
		for _, a := range n.After {
			c.markAfter(b, i, n, a)
		}
	}
	b.inside(c.mark)
}

// inside visits the blocks of b's control nodes.
func (b *block) inside(visit func(*block)) {
	for _, k := range b.kids {
		for _, inner := range [...]*block{k.first, k.second} {
			if inner != nil {
				visit(inner)
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
	if b.portOf == nil {
		b.portOf = minusOnes(len(b.src.Nodes))
	}
	if b.portOf[i] < 0 {
		b.portOf[i] = b.events
		b.events += 3
	}
	if b.kid(i) < 0 || p == nodes.PortDone || p == nodes.PortSent && b.info[i].flags&isAsync != 0 {
		return
	}
	k := b.kids[b.kid(i)]
	k.first.follow(p)
	k.second.follow(p)
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

// edge says that an event of a block brings a node, or a result numbered after the nodes, forward.
type edge struct{ event, target int32 }

// link builds the rows of successors and the initial counters. What follows from the plain inputs comes straight from
// ins, all other edges from extra.
func (c *compiler) link(b *block) {
	n := int32(len(b.src.Nodes))
	pend := make([]int32, n)
	b.fires = make([]int32, b.events+1)
	b.tells = make([]bool, b.slots)
	extra := c.extra(b)
	for i := range n {
		pend[i] = b.countIns(i)
	}
	b.outerResults()
	for _, e := range extra {
		b.fires[e.event]++
		if e.event < b.slots {
			b.tells[e.event] = true
		}
		if e.target < n {
			pend[e.target]++
		}
	}
	for i := range n {
		b.linkNode(i, pend[i])
	}
	b.fill(extra)
	slices.SortStableFunc(b.outer, func(x, y outer) int { return int(x.target) - int(y.target) })
	b.inside(c.link)
}

// countIns counts the edges that the inputs of node i make, and returns how many of them the node counts down from the
// start.
func (b *block) countIns(i int32) (pend int32) {
	if b.info[i].kind == nodes.KindAwait || b.info[i].kind == nodes.KindLoop {
		return 0
	}
	swept := b.isSwept(i)
	for _, s := range b.inputsOf(i) {
		switch {
		case s < 0 && !swept:
			b.awaitFar(s, i)
		case s < 0:
		case swept:
			b.fires[s]++
		default:
			b.fires[s]++
			b.tells[s] = true
			pend++
		}
	}
	return pend
}

// isSwept reports whether node i is an expr that waits for its inputs alone, and whose values are all that others wait
// for.
func (b *block) isSwept(i int32) bool {
	if b.info[i].kind != nodes.KindExpr || b.info[i].gate != nodes.GateNone || b.port(i) >= 0 {
		return false
	}
	_, special := slices.BinarySearch(b.special, i)
	return !special
}

func (b *block) inputsOf(i int32) []source { return b.ins[b.info[i].in:b.info[i+1].in] }

// awaitFar makes a target wait for a value from further out.
func (b *block) awaitFar(s source, target int32) {
	r := b.far[^s]
	b.outer = append(b.outer, outer{target: target, up: r.up, event: r.slot, node: outerValue})
}

func (b *block) outerResults() {
	for k, s := range b.results {
		if s < 0 {
			b.awaitFar(s, int32(len(b.info)-1+k))
		}
	}
}

// fill puts all edges into rows, from the last target to the first, so that within a row they ascend.
func (b *block) fill(extra []edge) {
	sum := int32(0)
	for e := range b.fires {
		sum += b.fires[e]
		b.fires[e] = sum
	}
	b.succ = make([]int32, sum)
	put := func(event, target int32) {
		b.fires[event]--
		b.succ[b.fires[event]] = target
	}
	n, last := int32(len(b.info)-1), len(extra)-1
	for ; last >= 0 && extra[last].target >= n; last-- {
		put(extra[last].event, extra[last].target)
	}
	for i := n - 1; i >= 0; i-- {
		for ; last >= 0 && extra[last].target == i; last-- {
			put(extra[last].event, i)
		}
		if k := b.info[i].kind; k == nodes.KindAwait || k == nodes.KindLoop {
			continue
		}
		for _, s := range b.inputsOf(i) {
			if s >= 0 {
				b.fires[s]--
				b.succ[b.fires[s]] = i
			}
		}
	}
}

// linkNode completes the flags of node i, which waits for pend edges in its own frame, and puts it into the list of
// those that are swept, or count.
func (b *block) linkNode(i, pend int32) {
	in := &b.info[i]
	switch {
	case b.isSwept(i):
		b.sweeps = true
		return
	case in.gate != nodes.GateNone:
		pend++
	case pend == 0:
		b.starts = append(b.starts, i)
	}
	b.counters = append(b.counters, counter{i, pend})
	counts := b.track&(1<<nodes.PortWrites) != 0 && in.flags&hasWrites != 0 ||
		b.track&(1<<nodes.PortSent) != 0 && in.flags&hasTasks != 0
	if counts || b.port(i) >= 0 {
		in.flags |= hasPorts
	}
	if in.flags&hasTasks != 0 && (in.flags&(isAsync|hasPorts) != 0 || b.under) {
		in.flags |= tellSent
	}
}

// extra lists the edges that are no plain inputs, by ascending target: order edges, the inputs that await and loop
// nodes wait for, and results. Those on frames further out go to b.outer.
func (c *compiler) extra(b *block) []edge {
	var list []edge
	for _, i := range b.special {
		n := b.src.Nodes[i]
		for k, s := range b.inputsOf(i) {
			if !c.waitsFor(b, n, k) {
				continue
			}
			if s >= 0 {
				list = append(list, edge{int32(s), i})
			} else {
				b.awaitFar(s, i)
			}
		}
		for _, a := range n.After {
			list = c.afterEdge(b, i, a, list)
		}
	}
	for k, s := range b.results {
		if s >= 0 {
			list = append(list, edge{int32(s), int32(len(b.src.Nodes) + k)})
		}
	}
	return list
}

// waitsFor reports whether input k holds a special node back without being a plain input: a loop starts before its
// carried variables are there, an await node before its promises are settled.
func (c *compiler) waitsFor(b *block, n *nodes.Node, k int) bool {
	switch n.Kind {
	case nodes.KindLoop:
		return n.Loop.Each && k == 0
	case nodes.KindAwait:
		r := n.In[k]
		return r.Node < 0 || c.around(b, r.Up).info[r.Node].flags&isAsync == 0
	}
	return false
}

func (c *compiler) afterEdge(b *block, i int32, a nodes.After, list []edge) []edge {
	to := c.around(b, a.Up)
	o := outer{target: i, up: int32(a.Up), node: int32(a.Node), port: a.Port}
	switch {
	case a.Prev && !to.waitsPrev(a.Port), !a.Prev && !to.info[a.Node].waits(a.Port):
		return list
	case a.Prev:
		o.node, o.event = outerPrev, to.prev+int32(a.Port)
	default:
		o.event = to.port(int32(a.Node)) + int32(a.Port)
	}
	if a.Up == 0 {
		return append(list, edge{o.event, i})
	}
	b.outer = append(b.outer, o)
	return list
}
