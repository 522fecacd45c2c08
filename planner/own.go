package planner

import (
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// A value that one node alone will ever look at may be changed in place by it; any other is copied first. That keeps
// `out.push(x)` in a loop from copying out each time.
type ownership struct {
	l      *lifter
	blocks map[*nodes.Block]*place
	// uses counts those of params and of outputs but the first, which stand in their places.
	uses map[source]int
	held map[int]int
	// exits says which blocks hold an exit.
	exits map[*nodes.Block]bool
	// judging guards against going round a loop.
	judging map[source]bool
}

// source is a value: output out of node idx of a block, or its param.
type source struct {
	block    *nodes.Block
	idx, out int
}

// many stands for any number of uses.
const many = 2

// own is the pass: it sets Code.Owned.
func own(l *lifter, root *nodes.Block) {
	o := &ownership{l: l, blocks: map[*nodes.Block]*place{}, uses: map[source]int{}, exits: map[*nodes.Block]bool{}}
	o.count(&place{block: root})
	for _, p := range o.blocks {
		for i, n := range p.block.Nodes {
			if n.Kind == nodes.KindExpr && len(n.Code.Vars) > 0 {
				o.node(p, i, n)
			}
		}
	}
}

func (p *place) source(r nodes.Ref) source {
	for range r.Up {
		p = p.outer
	}
	return source{p.block, r.Node, r.Out}
}

// count adds up the uses of every value; what only one of two arms can use counts once. It returns those of values from
// outside of p's block; those of its own are all known then.
func (o *ownership) count(p *place) map[source]int {
	o.blocks[p.block] = p
	p.uses = make([]int, len(p.block.Nodes))
	var uses map[source]int
	add := func(r nodes.Ref) {
		if r.Up == 0 && r.Node >= 0 && r.Out == 0 {
			p.uses[r.Node]++
			return
		}
		if uses == nil {
			uses = map[source]int{}
		}
		uses[p.source(r)]++
	}
	for i, n := range p.block.Nodes {
		for _, r := range n.In {
			add(r)
		}
		var arms []map[source]int
		for _, b := range n.Blocks() {
			arms = append(arms, o.count(&place{block: b, outer: p, at: i, owner: n}))
		}
		uses = o.combine(uses, n, arms)
	}
	for _, r := range p.block.Results {
		add(r)
	}
	for s, k := range uses {
		if s.block != p.block {
			continue
		}
		if s.idx >= 0 && s.out == 0 {
			p.uses[s.idx] += k
		} else {
			o.uses[s] = k
		}
		delete(uses, s)
	}
	return uses
}

// used is how often the value is.
func (o *ownership) used(s source) int {
	if s.idx >= 0 && s.out == 0 {
		return o.blocks[s.block].uses[s.idx]
	}
	return o.uses[s]
}

// combine adds the uses in the blocks of n to those around.
func (o *ownership) combine(uses map[source]int, n *nodes.Node, arms []map[source]int) map[source]int {
	if len(arms) == 0 {
		return uses
	}
	inner := map[source]int{}
	for _, arm := range arms {
		for s, k := range arm {
			switch {
			case n.Kind == nodes.KindBranch:
				inner[s] = max(inner[s], k)
			case n.Kind == nodes.KindLoop || n.Kind == nodes.KindMap:
				inner[s] += many
			default:
				inner[s] += k
			}
		}
	}
	if n.Kind == nodes.KindTry {
		for s := range inner {
			inner[s] = many
		}
	}
	if uses == nil {
		return inner
	}
	for s, k := range inner {
		uses[s] += k
	}
	return uses
}

func (o *ownership) node(p *place, i int, n *nodes.Node) {
	for k, s := range n.Code.Params {
		if k >= len(n.In) || !o.unique(s) || !o.atomic(n.Code, s) {
			continue
		}
		o.judging = map[source]bool{}
		n.Code.Owned[k] = o.exclusive(p.source(n.In[k]))
	}
}

// atomic reports whether the piece changes s as the last thing it does: if it fails, it has not changed s, and can be
// handed to a script instead.
func (o *ownership) atomic(c *nodes.Code, s *ast.Symbol) bool {
	if c.Result != nil && o.l.touchesSymbol(s, c.Result) {
		return len(c.Body) == 0 && o.l.changesOnce(c.Result, s)
	}
	return o.l.tailBlock(c.Body, s)
}

// unique reports whether no other variable can reach an object that s can reach and that is changed somewhere. Only the
// object itself may be changed: what it holds may be shared with an older version of it.
func (o *ownership) unique(s *ast.Symbol) bool {
	r := o.l.an.symbols[s]
	if r == nil || !r.find().changed {
		return false
	}
	scanner := &o.l.an.scanner
	own := scanner.bit(r.find())
	return scanner.of(r).changed.atMost(own) && o.holders()[own] == 1
}

// holders counts, by the bit of every region that is changed, the variables that can reach it.
func (o *ownership) holders() map[int]int {
	if o.held != nil {
		return o.held
	}
	o.held = map[int]int{}
	a := o.l.an
	for _, r := range a.symbols {
		r = r.find()
		below := a.scanner.of(r).changed
		if r.changed {
			below = below.with(a.scanner.bit(r))
		}
		below.each(func(i int) { o.held[i]++ })
	}
	return o.held
}

// exclusive reports whether the value is used once, and so is everything it may come from.
func (o *ownership) exclusive(s source) bool {
	if o.judging[s] {
		return true
	}
	o.judging[s] = true
	if o.used(s) != 1 {
		return false
	}
	p := o.blocks[s.block]
	if s.idx < 0 {
		return o.exclusiveParam(p, s.out)
	}
	n := s.block.Nodes[s.idx]
	switch n.Kind {
	case nodes.KindExpr:
		return true
	case nodes.KindBranch:
		return o.result(n.Branch.Then, s.out) && o.result(n.Branch.Else, s.out)
	case nodes.KindLoop:
		first := 0
		if n.Loop.Each {
			first = 1
		}
		return o.exclusive(p.source(n.In[first+s.out])) && o.result(n.Loop.Body, s.out)
	}
	return false
}

// result judges a block's result; a block with exits of its own is left alone.
func (o *ownership) result(b *nodes.Block, i int) bool {
	return !o.leaves(b) && i < len(b.Results) && o.exclusive(o.blocks[b].source(b.Results[i]))
}

// leaves reports whether an exit stands in b, however deep.
func (o *ownership) leaves(b *nodes.Block) bool {
	known, ok := o.exits[b]
	if ok {
		return known
	}
	for _, n := range b.Nodes {
		known = known || n.Kind == nodes.KindExit
		for _, inner := range n.Blocks() {
			known = o.leaves(inner) || known
		}
	}
	o.exits[b] = known
	return known
}

// exclusiveParam judges a loop's carried variable.
func (o *ownership) exclusiveParam(p *place, i int) bool {
	n := p.owner
	if n == nil || n.Kind != nodes.KindLoop {
		return false
	}
	params, in := 0, 0
	if n.Loop.Each {
		params, in = 2, 1
	}
	if i < params {
		return false
	}
	return o.exclusive(p.outer.source(n.In[in+i-params])) && o.result(p.block, i-params)
}
