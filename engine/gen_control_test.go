package engine

import (
	"math/rand/v2"

	"github.com/casys-ai/pml/nodes"
)

func (g *generator) branch(p *place) {
	n := &nodes.Node{Kind: nodes.KindBranch, In: []nodes.Ref{g.val(p)}, Gate: g.gate(), Branch: &nodes.Branch{}}
	outs := g.r.IntN(3)
	arms := [2]*place{g.inner(p, nil), g.inner(p, nil)}
	if g.chance(2) {
		g.leave(arms[g.r.IntN(2)])
	}
	for _, a := range arms {
		g.results(a, outs)
	}
	n.Branch.Then, n.Branch.Else = arms[0].b, arms[1].b
	p.vals = append(p.vals, g.add(p, n, outs)...)
}

// leave adds an exit to any target in sight.
func (g *generator) leave(p *place) {
	k := g.r.IntN(len(p.targets) + 2)
	switch {
	case k < len(p.targets):
		t := p.targets[k]
		mode := nodes.ExitReturn
		if t.Kind == nodes.KindLoop {
			mode = [...]nodes.ExitMode{nodes.ExitBreak, nodes.ExitContinue}[g.r.IntN(2)]
		} else if t.Kind == nodes.KindScope && g.chance(2) {
			mode = nodes.ExitBreak
		}
		g.exit(p, mode, t, 3)
	case k == len(p.targets) && p.program:
		g.exit(p, nodes.ExitReturn, nil, 1)
	case p.free():
		g.exit(p, nodes.ExitThrow, nil, 1)
	}
}

func (g *generator) scope(p *place) {
	n := &nodes.Node{Kind: nodes.KindScope, Gate: g.gate(), Scope: &nodes.Scope{}}
	n.Async = p.async && g.chance(3)
	outs := 1 + g.r.IntN(2)
	body := g.inner(p, func(q *place) {
		q.targets = append(append([]*nodes.Node{}, q.targets...), n)
		if n.Async {
			q.targets, q.program = []*nodes.Node{n}, false
		}
	})
	g.results(body, outs)
	n.Scope.Body = body.b
	refs := g.add(p, n, outs)
	if n.Async {
		p.promise = append(p.promise, refs[0])
	} else {
		p.vals = append(p.vals, refs...)
	}
}

func (g *generator) array(p *place) nodes.Ref {
	n := &nodes.Node{Kind: nodes.KindExpr, Label: "array", In: []nodes.Ref{g.val(p)}}
	return g.add(p, n, 1)[0]
}

func (g *generator) mapNode(p *place) {
	n := &nodes.Node{Kind: nodes.KindMap, Gate: g.gate(), Map: &nodes.Map{Settled: g.chance(3)}}
	n.In = []nodes.Ref{g.array(p)}
	body := g.inner(p, func(q *place) {
		q.targets, q.program = []*nodes.Node{n}, false
		q.maps = append(append([]*nodes.Node{}, p.maps...), n)
		q.vals = q.vals[1:]
	}, "item", "index")
	g.results(body, 1)
	n.Map.Body = body.b
	p.vals = append(p.vals, g.add(p, n, 1)...)
}

func (g *generator) loop(p *place) {
	n := &nodes.Node{Kind: nodes.KindLoop, Gate: g.gate(), Loop: &nodes.Loop{Each: g.chance(2)}}
	carried := 1 + g.r.IntN(2)
	params := []string{"counter", "x", "y"}[:1+carried]
	zero := g.add(p, &nodes.Node{Kind: nodes.KindExpr, Label: "zero"}, 1)[0]
	if n.Loop.Each {
		n.In = []nodes.Ref{g.array(p)}
		params = append([]string{"elem", "index"}, params[1:]...)
	} else {
		n.In = []nodes.Ref{zero}
	}
	for range carried {
		n.In = append(n.In, g.val(p))
	}
	body := g.inner(p, func(q *place) {
		q.targets = append(append([]*nodes.Node{}, q.targets...), n)
		if !n.Loop.Each {
			g.counter(q, n)
		}
	}, params...)
	if g.chance(2) {
		g.branch(body)
	}
	outs := carried
	if !n.Loop.Each {
		body.b.Results = []nodes.Ref{{Node: 0}}
		outs++
	}
	g.results(body, carried)
	n.Loop.Body = body.b
	p.vals = append(p.vals, g.add(p, n, outs)...)
	// A continue must not stop an endless loop's counter.
	body.b.Walk(func(e *nodes.Node) {
		if t := g.target[e]; t == n && !n.Loop.Each && e.Kind == nodes.KindExit && e.Exit.Mode == nodes.ExitContinue {
			e.Exit.Mode = nodes.ExitBreak
		}
	})
}

// counter begins the body of an endless loop: it breaks after some iterations.
func (g *generator) counter(q *place, n *nodes.Node) {
	plus := g.add(q, &nodes.Node{Kind: nodes.KindExpr, Label: "inc", In: []nodes.Ref{nodes.Param(0)}}, 1)[0]
	enough := g.add(q, &nodes.Node{Kind: nodes.KindExpr, Label: "enough", In: []nodes.Ref{plus}}, 1)[0]
	b := &nodes.Node{Kind: nodes.KindBranch, In: []nodes.Ref{enough}, Branch: &nodes.Branch{Else: &nodes.Block{}}}
	arm := &place{up: q, b: &nodes.Block{}}
	g.exit(arm, nodes.ExitBreak, n, 3)
	b.Branch.Then = arm.b
	g.add(q, b, 0)
}

func (g *generator) try(p *place) {
	n := &nodes.Node{Kind: nodes.KindTry, Gate: g.gate(), Try: &nodes.Try{}}
	outs := 1 + g.r.IntN(2)
	body := g.inner(p, func(q *place) { q.async = false })
	before := nodes.Version{Ref: g.val(p)}
	before.Ref.Up++
	saved := []nodes.Version{before}
	for _, v := range body.vals {
		if v.Node >= 0 && g.chance(2) && v.Node >= saved[len(saved)-1].From {
			saved = append(saved, nodes.Version{From: v.Node + 1, Ref: v})
		}
	}
	n.Try.Saved = [][]nodes.Version{saved}
	g.results(body, outs)
	handler := g.inner(p, nil, "e", "saved")
	if g.chance(4) {
		rethrow := g.exit(handler, nodes.ExitThrow, nil, 1)
		rethrow.In[0] = nodes.Param(0)
	}
	g.results(handler, outs)
	n.Try.Body, n.Try.Handler = body.b, handler.b
	p.vals = append(p.vals, g.add(p, n, outs)...)
}

// level is a block around a node, and where in it.
type level struct {
	b     *nodes.Block
	i     int
	owner *nodes.Node
}

// addOrder adds the order edges that conflicts demand.
func addOrder(r *rand.Rand, b *nodes.Block, around []level) {
	var owner *nodes.Node
	if len(around) > 0 {
		owner = around[0].b.Nodes[around[0].i]
	}
	for i, n := range b.Nodes {
		here := append([]level{{b, i, owner}}, around...)
		if n.Kind == nodes.KindCall {
			orderCall(r, n, here)
		}
		for _, inner := range n.Blocks() {
			addOrder(r, inner, here)
		}
	}
}

func orderCall(r *rand.Rand, n *nodes.Node, around []level) {
	for up, l := range around {
		for j := range l.i {
			if mustWait(r, n, l.b.Nodes[j]) {
				n.After = append(n.After, nodes.After{Up: up, Node: j, Port: portFor(r, n)})
			}
		}
		if l.owner != nil && l.owner.Kind == nodes.KindLoop && mustWait(r, n, l.owner) {
			n.After = append(n.After, nodes.After{Up: up, Node: -1, Prev: true, Port: portFor(r, n)})
		}
	}
}

// mustWait reports whether n needs an edge to wait for earlier; a write has its gate for what is not left running.
func mustWait(r *rand.Rand, n, earlier *nodes.Node) bool {
	conflict, async := conflicts(n, earlier)
	return conflict && (async || n.Call.Effect == nodes.Read || r.IntN(2) == 0)
}

// portFor is what a later call must wait for: for a read the writes, for a write everything.
func portFor(r *rand.Rand, n *nodes.Node) nodes.Port {
	if n.Call.Effect == nodes.Read && r.IntN(3) > 0 {
		return nodes.PortWrites
	}
	return nodes.PortDone
}

// conflicts reports whether something in earlier conflicts with the call n, and whether some of it is left running.
func conflicts(n, earlier *nodes.Node) (conflict, async bool) {
	visit := func(e *nodes.Node) {
		async = async || e.Async || e.Kind == nodes.KindMap && !e.Map.Settled
		if e.Kind == nodes.KindCall && e.Call.Scopes[0] == n.Call.Scopes[0] {
			conflict = conflict || e.Call.Effect == nodes.Write || n.Call.Effect == nodes.Write
		}
	}
	visit(earlier)
	for _, b := range earlier.Blocks() {
		b.Walk(visit)
	}
	return conflict, async
}
