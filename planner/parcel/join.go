package parcel

import "github.com/casys-ai/pml/nodes"

// reason is why the calls of a part wait for their leader.
const reason = "sent together"

// Join gives the graph as the engine runs it: leaders read what their parts need, behind their own inputs, and the other
// calls wait until it was sent. g itself is not changed.
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
	leader := *p.Leader
	leader.In = append(leader.In[:len(leader.In):len(leader.In)], p.inputs...)
	leader.After = append(leader.After[:len(leader.After):len(leader.After)], p.afters...)
	if p.safe {
		leader.Gate = nodes.GateSafe
	}
	changed[p.Leader] = &leader
	for _, n := range p.Calls[1:] {
		member := *n
		member.After = append(member.After[:len(member.After):len(member.After)],
			nodes.After{Node: p.items[0], Port: nodes.PortSent, Reason: reason})
		changed[n] = &member
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
