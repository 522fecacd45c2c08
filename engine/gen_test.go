package engine

import (
	"fmt"
	"math/rand/v2"

	"github.com/casys-ai/pml/nodes"
)

// generator makes random programs in which everything that decides the outcome is decided by the program: at most one
// item of a map, and one input of an `all`, can fail; what runs at the same time does not conflict.
type generator struct {
	r       *rand.Rand
	left    int // nodes still to make
	target  map[*nodes.Node]*nodes.Node
	maps    map[*nodes.Node][]*nodes.Node // the maps around a task
	mayFail map[*nodes.Node]bool
	byID    map[int]*nodes.Node
	faulty  int // a task fails once in so many times; 0 never
}

// place is where the generator is.
type place struct {
	up      *place
	b       *nodes.Block
	vals    []nodes.Ref // numbers, seen from b
	promise []nodes.Ref
	steady  []nodes.Ref // promises that never fail
	targets []*nodes.Node
	program bool // a return may end the program
	maps    []*nodes.Node
	async   bool // what is left running may touch what others touch: not in a try, whose handler cannot wait for it
	depth   int
}

func generate(seed uint64, faulty int) (*nodes.Graph, *generator) {
	g := &generator{r: rand.New(rand.NewPCG(seed, 7)), left: 4 + int(seed%40), faulty: faulty}
	g.target = map[*nodes.Node]*nodes.Node{}
	g.maps = map[*nodes.Node][]*nodes.Node{}
	g.mayFail = map[*nodes.Node]bool{}
	root := &nodes.Block{Params: []string{"args"}}
	p := &place{b: root, program: true, async: true}
	p.vals = append(p.vals, nodes.Param(0))
	for g.left > 0 {
		g.node(p)
	}
	ret := g.exit(p, nodes.ExitReturn, nil, 1)
	ret.In = nil
	for range 3 {
		ret.In = append(ret.In, g.val(p))
	}
	id := 0
	g.byID = map[int]*nodes.Node{}
	root.Walk(func(n *nodes.Node) { id++; n.ID, g.byID[id] = id, n })
	for n, t := range g.target {
		if t == nil {
			continue
		}
		if n.Kind == nodes.KindExit {
			n.Exit.Target = t.ID
		} else {
			n.Code.Target = t.ID
		}
	}
	root.Walk(func(n *nodes.Node) {
		if m := g.maps[n]; len(m) > 0 && n.Call != nil && n.Call.Scopes[0] == "mine" {
			n.Call.Scopes[0] = fmt.Sprintf("n%d", m[len(m)-1].ID)
		}
	})
	addOrder(g.r, root, nil)
	return &nodes.Graph{Root: root, Count: id}, g
}

func (g *generator) chance(of int) bool { return g.r.IntN(of) == 0 }

// val picks a number that is in sight.
func (g *generator) val(p *place) nodes.Ref {
	up := 0
	for p.up != nil && (len(p.vals) == 0 || g.chance(3)) {
		p, up = p.up, up+1
	}
	r := p.vals[len(p.vals)-1-g.r.IntN(min(len(p.vals), 5))]
	r.Up = up
	return r
}

func (g *generator) add(p *place, n *nodes.Node, outs int) []nodes.Ref {
	refs := make([]nodes.Ref, outs)
	for i := range outs {
		n.Outs = append(n.Outs, fmt.Sprint("o", i))
		refs[i] = nodes.Ref{Node: len(p.b.Nodes), Out: i}
	}
	p.b.Nodes = append(p.b.Nodes, n)
	g.maps[n] = p.maps
	g.left--
	return refs
}

func (g *generator) gate() nodes.Gate { return nodes.Gate(g.r.IntN(6) / 4 * (1 + g.r.IntN(2))) }

func (g *generator) node(p *place) {
	k := g.r.IntN(20)
	if p.depth > 4 {
		k = g.r.IntN(10)
	}
	switch {
	case k < 3:
		n := &nodes.Node{Kind: nodes.KindExpr, In: []nodes.Ref{g.val(p), g.val(p)}, Gate: g.gate()}
		g.mayFail[n] = g.faulty > 0 && g.chance(3)
		p.vals = append(p.vals, g.add(p, n, 1)...)
	case k < 8:
		g.call(p)
	case k < 9:
		g.script(p)
	case k < 10:
		g.await(p)
	case k < 13:
		g.branch(p)
	case k < 14:
		g.scope(p)
	case k < 16:
		g.loop(p)
	case k < 18:
		g.mapNode(p)
	default:
		g.try(p)
	}
}

func (g *generator) call(p *place) {
	n := &nodes.Node{Kind: nodes.KindCall, In: []nodes.Ref{g.val(p)}, Call: &nodes.Call{Tool: "s:t"}}
	n.Call.Scopes = []string{fmt.Sprint("g", g.r.IntN(3))}
	if n.Call.Effect = nodes.Read; g.chance(2) {
		n.Call.Effect = nodes.Write
	}
	if len(p.maps) > 0 && (n.Call.Effect == nodes.Write || !p.async || g.chance(2)) {
		n.Call.Scopes[0] = "mine"
	}
	if n.Gate = nodes.GatePassed; n.Call.Effect == nodes.Write || g.chance(5) {
		n.Gate = nodes.GateSafe
	}
	g.mayFail[n] = g.faulty > 0 && g.chance(2)
	n.Async = p.async && g.chance(4)
	refs := g.add(p, n, 1)
	switch {
	case !n.Async:
		p.vals = append(p.vals, refs...)
	case g.mayFail[n]:
		p.promise = append(p.promise, refs...)
	default:
		p.promise = append(p.promise, refs...)
		p.steady = append(p.steady, refs...)
	}
}

// script makes a script that touches nothing shared, and may return.
func (g *generator) script(p *place) {
	n := &nodes.Node{Kind: nodes.KindScript, In: []nodes.Ref{g.val(p)}, Gate: nodes.GateSafe, Code: &nodes.Code{}}
	if t, ok := g.returnTarget(p); ok && g.chance(2) {
		n.Code.Returns = true
		g.target[n] = t
	}
	g.mayFail[n] = g.faulty > 0 && g.chance(3)
	p.vals = append(p.vals, g.add(p, n, 1)...)
}

func (g *generator) returnTarget(p *place) (*nodes.Node, bool) {
	for _, t := range p.targets {
		if t.Kind != nodes.KindLoop && g.chance(2) {
			return t, true
		}
	}
	return nil, p.program
}

// await joins promises in sight.
func (g *generator) await(p *place) {
	n := &nodes.Node{Kind: nodes.KindAwait, Gate: g.gate(), Await: nodes.AwaitOne}
	var all, steady []nodes.Ref
	up := 0
	for q := p; q != nil; q, up = q.up, up+1 {
		for _, r := range q.promise {
			if len(q.maps) != len(p.maps) && !p.free() {
				break // several items could fail
			}
			all = append(all, nodes.Ref{Up: up, Node: r.Node, Out: r.Out})
		}
		for _, r := range q.steady {
			steady = append(steady, nodes.Ref{Up: up, Node: r.Node, Out: r.Out})
		}
	}
	pick := func(from []nodes.Ref) {
		if len(from) > 0 {
			n.In = append(n.In, from[g.r.IntN(len(from))])
		}
	}
	pick(all)
	switch g.r.IntN(3) {
	case 1:
		n.Await = nodes.AwaitAll
		for range g.r.IntN(3) {
			pick(steady)
		}
		n.In = append(n.In, g.val(p))
	case 2:
		n.Await = nodes.AwaitAllSettled
		for range g.r.IntN(3) {
			pick(all)
		}
		n.In = append(n.In, g.val(p))
	}
	if len(n.In) == 0 {
		n.In = append(n.In, g.val(p))
	}
	p.vals = append(p.vals, g.add(p, n, 1)...)
}

// free says that several items of each map around may fail.
func (p *place) free() bool {
	for _, m := range p.maps {
		if !m.Map.Settled {
			return false
		}
	}
	return true
}

// inner makes a block inside p with some nodes in it.
func (g *generator) inner(p *place, change func(*place), params ...string) *place {
	q := &place{up: p, b: &nodes.Block{Params: params}, targets: p.targets, program: p.program, maps: p.maps}
	q.depth, q.async = p.depth+1, p.async
	for i := range params {
		q.vals = append(q.vals, nodes.Param(i))
	}
	if change != nil {
		change(q)
	}
	for range g.r.IntN(4) {
		if g.left > 0 {
			g.node(q)
		}
	}
	return q
}

func (g *generator) results(p *place, n int) {
	for range n {
		p.b.Results = append(p.b.Results, g.val(p))
	}
}

// exit makes an exit node to target; nil is the program.
func (g *generator) exit(p *place, mode nodes.ExitMode, target *nodes.Node, vals int) *nodes.Node {
	n := &nodes.Node{Kind: nodes.KindExit, Gate: g.gate(), Exit: &nodes.Exit{Mode: mode}}
	for range vals {
		n.In = append(n.In, g.val(p))
	}
	g.target[n] = target
	g.add(p, n, 0)
	return n
}
