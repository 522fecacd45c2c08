package nodes

import "fmt"

// Edge says that one node of a block waits for another, and why. It is derived from In, After and Gate for people to
// read; what a node inside a control node waits for is shown as an edge to the control node.
type Edge struct {
	// From and To are indexes in Block.Nodes; From < To.
	From, To int
	// Reason is "data content", "order write→read filesystem (line 4 → 6)", "control if line 3" ….
	Reason string
	// Inner is the id of the node inside To that waits; 0 if it is To itself.
	Inner int
}

// Edges lists a block's edges: data and order edges as they are, and of the gates' edges those that do not follow from
// others. They are sorted by To, then From.
func (b *Block) Edges() []Edge {
	g := &edgeMaker{b: b, before: make([]bits, len(b.Nodes)), seen: map[Edge]bool{}}
	for i, n := range b.Nodes {
		g.before[i] = newBits(len(b.Nodes))
		g.collect(i, n, 0)
		g.gate(i, n)
	}
	return g.edges
}

type edgeMaker struct {
	b      *Block
	edges  []Edge
	before []bits
	seen   map[Edge]bool
}

func (g *edgeMaker) add(from, to int, reason string, inner int) {
	e := Edge{from, to, reason, inner}
	if from < 0 || from >= to || g.seen[e] {
		return
	}
	g.seen[e] = true
	g.edges = append(g.edges, e)
	g.before[to].set(from)
	g.before[to].or(g.before[from])
}

// collect adds the data and order edges of n, which stands depth blocks below node i of the block (0: it is node i).
func (g *edgeMaker) collect(i int, n *Node, depth int) {
	inner := 0
	if depth > 0 {
		inner = n.ID
	}
	refs := n.In
	if n.Kind == KindTry {
		for _, versions := range n.Try.Saved {
			for _, v := range versions {
				if v.Ref.Up > 0 {
					refs = append(refs[:len(refs):len(refs)], Ref{v.Ref.Up - 1, v.Ref.Node, v.Ref.Out})
				}
			}
		}
	}
	g.refs(i, refs, depth, inner)
	for _, a := range n.After {
		if a.Up == depth && !a.Prev {
			g.add(a.Node, i, a.Reason, inner)
		}
	}
	for _, blk := range n.Blocks() {
		for _, m := range blk.Nodes {
			g.collect(i, m, depth+1)
		}
		g.refs(i, blk.Results, depth+1, inner)
	}
}

func (g *edgeMaker) refs(i int, refs []Ref, depth, inner int) {
	for _, r := range refs {
		if r.Up == depth && r.Node >= 0 {
			g.add(r.Node, i, "data "+g.b.Nodes[r.Node].output(r.Out), inner)
		}
	}
}

func (n *Node) output(i int) string {
	if i < len(n.Outs) && n.Outs[i] != "" {
		return n.Outs[i]
	}
	return fmt.Sprintf("n%d", n.ID)
}

// gate adds what node i waits for because of its gate, or the strictest gate inside it.
func (g *edgeMaker) gate(i int, n *Node) {
	gate, inner := strictest(n)
	for j := i - 1; j >= 0 && gate != GateNone; j-- {
		m := g.b.Nodes[j]
		if g.before[i].has(j) {
			continue
		}
		switch {
		case MayExit(m):
			g.add(j, i, fmt.Sprintf("control %s line %d", m.Kind, m.Pos.Line), inner)
		case gate == GateSafe && !m.Async && canFail(m):
			g.add(j, i, fmt.Sprintf("order line %d may fail", m.Pos.Line), inner)
		}
	}
}

func strictest(n *Node) (Gate, int) {
	gate, inner := n.Gate, 0
	for _, b := range n.Blocks() {
		for _, m := range b.Nodes {
			if x, _ := strictest(m); x > gate {
				gate, inner = x, m.ID
			}
		}
	}
	return gate, inner
}

func canFail(n *Node) bool { return n.Kind != KindExit }

// MayExit reports whether n holds a return, break, continue or throw that leaves it.
func MayExit(n *Node) bool { return mayExit(n, map[int]bool{}, false) }

func mayExit(n *Node, inside map[int]bool, caught bool) bool {
	switch n.Kind {
	case KindExit:
		if n.Exit.Mode == ExitThrow {
			return !caught
		}
		return !inside[n.Exit.Target]
	case KindScript:
		return n.Code.Returns && !inside[n.Code.Target]
	case KindTry:
		return anyExit(n.Try.Body, inside, true) || anyExit(n.Try.Handler, inside, caught)
	case KindLoop, KindScope, KindMap:
		inside[n.ID] = true
		defer delete(inside, n.ID)
	}
	for _, b := range n.Blocks() {
		if anyExit(b, inside, caught) {
			return true
		}
	}
	return false
}

func anyExit(b *Block, inside map[int]bool, caught bool) bool {
	for _, m := range b.Nodes {
		if mayExit(m, inside, caught) {
			return true
		}
	}
	return false
}

// bits is a set of small ints.
type bits []uint64

func newBits(n int) bits { return make(bits, (n+63)/64) }

func (s bits) set(i int)      { s[i/64] |= 1 << (i % 64) }
func (s bits) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }
func (s bits) or(t bits) {
	for i := range t {
		s[i] |= t[i]
	}
}
