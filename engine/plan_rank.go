package engine

import "github.com/casys-ai/pml/nodes"

// rank finds for every node the longest path from its start to the end of the program: of the reads that wait for a place
// the one with the longest goes first. What calls took before says how long it is; what is not known counts as equally
// long. Blocks without tasks need no ranks.
func (b *block) rank(g *nodes.Graph, estimate Estimate) {
	if b.count[nodes.PortSent] > 0 {
		k := newClock(g, estimate)
		b.measure(k)
		b.extend(k, 0)
	}
}

// weight is how long node i itself takes.
func (b *block) weight(i int32, c *clock) int32 {
	k := b.kid(i)
	switch {
	case isLeafTask(b.info[i].kind):
		return c.weight(b.src.Nodes[i])
	case k < 0:
		return 0
	}
	return max(b.kids[k].first.size(), b.kids[k].second.size())
}

// size is the length of a block that may be missing.
func (b *block) size() int32 {
	if b == nil {
		return 0
	}
	return b.length
}

// measure finds the ranks within b, from the last node to the first, and returns what the blocks inside wait for
// further out, as seen from the block around b. A gate is an edge from every node before it.
func (b *block) measure(k *clock) (beyond []ranked) {
	b.ranks = make([]int32, len(b.info)-1)
	longest := make([]int32, b.events) // after each event
	safe, passed := int32(0), int32(0)
	for i := int32(len(b.ranks)) - 1; i >= 0; i-- {
		inner := b.measureKids(i, k)
		rest := max(safe, b.after(i, longest))
		if b.info[i].flags&mayExit != 0 {
			rest = max(rest, passed)
		}
		r := rest + b.weight(i, k)
		b.ranks[i], b.length = r, max(b.length, r)
		switch b.info[i].gate {
		case nodes.GateSafe:
			safe = max(safe, r)
		case nodes.GatePassed:
			passed = max(passed, r)
		}
		for _, o := range inner {
			if o.up == 0 {
				longest[o.event] = max(longest[o.event], r)
			} else {
				beyond = append(beyond, ranked{o.up - 1, o.event})
			}
		}
	}
	for _, o := range b.outer {
		beyond = append(beyond, ranked{o.up - 1, o.event})
	}
	for _, r := range b.far { // swept nodes wait for these, too
		beyond = append(beyond, ranked{r.up - 1, r.slot})
	}
	return beyond
}

// ranked is an event, up levels outwards, that something further in waits for.
type ranked struct{ up, event int32 }

func (b *block) measureKids(i int32, c *clock) (beyond []ranked) {
	k := b.kid(i)
	if k < 0 || !isControl(b.info[i].kind) {
		return nil
	}
	for _, inner := range [...]*block{b.kids[k].first, b.kids[k].second} {
		if inner != nil {
			beyond = append(beyond, inner.measure(c)...)
		}
	}
	return beyond
}

// after is the longest path from the end of node i on, apart from gates.
func (b *block) after(i int32, longest []int32) (rest int32) {
	one := func(e int32) {
		rest = max(rest, longest[e])
		for _, t := range b.succ[b.fires[e]:b.fires[e+1]] {
			if int(t) < len(b.ranks) {
				rest = max(rest, b.ranks[t])
			}
		}
	}
	for e := b.info[i].slot; e < b.info[i+1].slot; e++ {
		one(e)
	}
	if port := b.port(i); port >= 0 {
		for e := port; e < port+3; e++ {
			one(e)
		}
	}
	return rest
}

// extend adds what comes after the owner of b.
func (b *block) extend(c *clock, tail int32) {
	for i := range b.ranks {
		b.ranks[i] += tail
		k := b.kid(int32(i))
		if k < 0 {
			continue
		}
		rest := b.ranks[i] - b.weight(int32(i), c)
		for _, inner := range [...]*block{b.kids[k].first, b.kids[k].second} {
			if inner != nil {
				inner.extend(c, rest)
			}
		}
	}
}
