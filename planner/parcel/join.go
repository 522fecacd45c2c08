package parcel

import "github.com/casys-ai/pml/nodes"

// reason is why the calls of a part wait for their leader.
const reason = "sent together"

// Join gives the graph as the engine runs it: calls that may send their part read what it needs, behind their own inputs, and
// the others wait until it was sent. g itself is not changed.
func Join(g *nodes.Graph, parts []*Part) *nodes.Graph {
	changed := map[*nodes.Node]*nodes.Node{}
	for _, p := range parts {
		p.join(changed)
	}
	out := *g
	out.Root = copyBlock(g.Root, changed)
	return &out
}

func (p *Part) join(changed map[*nodes.Node]*nodes.Node) {
	for _, n := range p.Calls {
		call := *n
		if p.Sends(n) {
			p.equip(&call, p.depth[n])
		} else {
			call.After = append(call.After[:len(call.After):len(call.After)],
				nodes.After{Up: p.depth[n], Node: p.items[0], Port: nodes.PortSent, Reason: reason})
		}
		changed[n] = &call
	}
}

// Sends reports whether a call may be the one that sends the part: its leader, or any where a control node leads.
func (p *Part) Sends(n *nodes.Node) bool { return n == p.Leader || p.Leader.Kind != nodes.KindCall }

// equip lets a call, so many blocks deep, read and wait for all that the part needs.
func (p *Part) equip(call *nodes.Node, depth int) {
	call.In = call.In[:len(call.In):len(call.In)]
	for _, r := range p.inputs {
		r.Up += depth
		call.In = append(call.In, r)
	}
	call.After = call.After[:len(call.After):len(call.After)]
	for _, a := range p.afters {
		a.Up += depth
		call.After = append(call.After, a)
	}
	if p.safe {
		call.Gate = nodes.GateSafe
	}
}

// copyBlock copies a block where something in it is changed.
func copyBlock(b *nodes.Block, changed map[*nodes.Node]*nodes.Node) *nodes.Block {
	out := *b
	out.Nodes = make([]*nodes.Node, len(b.Nodes))
	for i, n := range b.Nodes {
		if c := changed[n]; c != nil {
			n = c
		}
		out.Nodes[i] = copyNode(n, changed)
	}
	return &out
}

func copyNode(n *nodes.Node, changed map[*nodes.Node]*nodes.Node) *nodes.Node {
	if len(n.Blocks()) == 0 {
		return n
	}
	out := *n
	switch n.Kind {
	case nodes.KindBranch:
		out.Branch = &nodes.Branch{Then: copyBlock(n.Branch.Then, changed), Else: copyBlock(n.Branch.Else, changed)}
	case nodes.KindMap:
		m := *n.Map
		m.Body = copyBlock(m.Body, changed)
		out.Map = &m
	case nodes.KindLoop:
		l := *n.Loop
		l.Body = copyBlock(l.Body, changed)
		out.Loop = &l
	case nodes.KindScope:
		out.Scope = &nodes.Scope{Body: copyBlock(n.Scope.Body, changed)}
	case nodes.KindTry:
		t := *n.Try
		t.Body, t.Handler = copyBlock(t.Body, changed), copyBlock(t.Handler, changed)
		out.Try = &t
	}
	return &out
}
