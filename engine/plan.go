package engine

import (
	"github.com/casys-ai/pml/nodes"
)

// block is a nodes.Block prepared for execution: flat arrays, built once, shared by all its frames and never changed.
//
// What can happen in a frame is numbered. Event e < slots says that slot e has its value; then come three events for
// each node with a port that someone awaits, and three for the ports of earlier iterations. fires and succ say, in
// compressed rows, which local nodes (or results, numbered after the nodes) an event brings forward.
type block struct {
	owner  *nodes.Node
	src    *nodes.Block
	parent *block
	at     int32 // the owner's index in parent
	under  bool  // some block around it belongs to an Async node

	info     []info // one a node, and a sentinel
	ins      []ref  // the refs of all nodes; those of node i begin at info[i].in
	results  []ref
	slots    int32
	events   int32
	prev     int32 // the first of the three events of earlier iterations; -1 if nobody waits for one
	fires    []int32
	succ     []int32
	template []cell
	starts   []int32 // nodes without local dependencies
	outer    []outer // dependencies on the frames around

	safeGates   []int32 // nodes with GateSafe, and control nodes, ascending
	passedGates []int32 // nodes with GatePassed, and control nodes, ascending
	exits       []int32 // nodes that may complete with an exit
	skips       int32   // how many of them may thereby skip what comes after this frame
	targeted    bool    // an exit inside hands its values to the owner in place of the results
	breaks      bool    // an exit inside is a break of the loop that owns this block

	kids  []kid // the blocks of each control node
	track uint8 // ports whose progress its frames must count, as bits
	count [3]int32
}

// kid holds the blocks that a control node owns; saved belongs to a try.
type kid struct {
	first, second *block
	saved         [][]version
}

// version is a nodes.Version with its ref resolved.
type version struct {
	from int32
	ref  ref
}

// info is what the engine knows about a node, in the order in which it needs it.
type info struct {
	node  *nodes.Node
	slot  int32 // its first output
	in    int32 // its first In in block.ins
	kid   int32 // its number among the control and await nodes of the block
	port  int32 // the first of its three port events; -1 if nobody waits for one
	kind  nodes.Kind
	gate  nodes.Gate
	flags flags
}

// flags are the static properties of a node.
type flags uint8

const (
	isAsync   flags = 1 << iota // Node.Async
	hasWrites                   // it, or something in it, has an effect
	hasTasks                    // it, or something in it, is run by a worker
	mayExit                     // it may complete with an exit
	maySkip                     // it may complete with an exit that skips what comes after the frame
	hasPorts                    // somebody wants to know about its ports
	tellSent                    // somebody wants to know when its request has left
)

// ref is a nodes.Ref whose output has become a slot.
type ref struct{ up, slot int32 }

// outer is a dependency of a node (or result) on an event of a frame further out.
type outer struct {
	target int32
	up     int32
	event  int32
	node   int32 // the node whose port it is; -1 for a value, -2 for earlier iterations
	port   nodes.Port
}

const (
	outerValue = -1
	outerPrev  = -2
)

// cell is the state of one node in one frame.
type cell struct {
	pend  int32 // what it still waits for
	state nodeState
	flags cellFlags
}

// nodeState is where a node is in its life.
//
//	           all there              its request left
//	waiting ─────────────▶ running ───────────────────▶ sent
//	   │                    │   │                       │  │
//	   │ torn down          │   └──────────┬────────────┘  │
//	   ▼                    │ torn down    │ ended         │
//	dropped ◀───────────────┴──────────────┼───────────────┘
//	                                       ├─ normally ──▶ done
//	                                       └─ otherwise ─▶ abrupt ── torn down ──▶ dropped
type nodeState uint8

const (
	waiting nodeState = iota
	running
	sent
	done
	abrupt
	dropped
)

// cellFlags say what others may conclude from a node.
type cellFlags uint8

const (
	counted cellFlags = 1 << iota // its place in program order is behind us: later nodes are safe from it
	passed                        // it does not exit
)

// compile prepares a graph. It never panics: a graph that makes no sense is an error.
func compile(g *nodes.Graph) (*block, error) {
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

// layout numbers the slots of src and of the blocks inside, and gathers what is known bottom-up.
func (c *compiler) layout(src *nodes.Block, owner *nodes.Node, parent *block, at int32) *block {
	b := &block{owner: owner, src: src, parent: parent, at: at, prev: -1}
	if src == nil {
		b.src = &nodes.Block{}
	}
	b.under = parent != nil && (parent.under || owner.Async)
	b.info = make([]info, 0, len(b.src.Nodes)+1)
	b.slots = int32(len(b.src.Params))
	ins := int32(0)
	for i, n := range b.src.Nodes {
		if !c.checkNode(n) {
			return b
		}
		b.info = append(b.info, info{node: n, slot: b.slots, in: ins, kid: -1, port: -1, kind: n.Kind, gate: n.Gate})
		b.slots += int32(len(n.Outs))
		ins += int32(len(n.In))
		c.layoutNode(b, int32(i))
	}
	b.info = append(b.info, info{slot: b.slots, in: ins})
	b.events = b.slots
	return b
}

func (c *compiler) layoutNode(b *block, i int32) {
	in := &b.info[i]
	n := in.node
	if n.Async {
		in.flags |= isAsync
	}
	switch {
	case isLeafTask(n.Kind):
		in.flags |= hasTasks
		if n.Effect() == nodes.Write {
			in.flags |= hasWrites
		}
	case n.Kind == nodes.KindAwait:
		in.kid = int32(len(b.kids))
		b.kids = append(b.kids, kid{})
	case isControl(n.Kind):
		in.kid = int32(len(b.kids))
		b.kids = append(b.kids, kid{})
		c.layoutKids(b, i)
	}
	if c.err != nil {
		return
	}
	in = &b.info[i]
	c.noteExits(b, i)
	if in.flags&hasWrites != 0 {
		b.count[nodes.PortWrites]++
	}
	if in.flags&hasTasks != 0 {
		b.count[nodes.PortSent]++
	}
}

func (c *compiler) layoutKids(b *block, i int32) {
	n, k := b.info[i].node, b.info[i].kid
	for j, src := range n.Blocks() {
		inner := c.layout(src, n, b, i)
		if c.err != nil {
			return
		}
		if j == 0 {
			b.kids[k].first = inner
		} else {
			b.kids[k].second = inner
		}
		for p, f := range [...]flags{nodes.PortWrites: hasWrites, nodes.PortSent: hasTasks} {
			if inner.count[p] > 0 {
				b.info[i].flags |= f
			}
		}
	}
}

// isLeafTask says that a worker runs nodes of this kind.
func isLeafTask(k nodes.Kind) bool {
	return k == nodes.KindCall || k == nodes.KindScript || k == nodes.KindHost
}

func isControl(k nodes.Kind) bool {
	return k >= nodes.KindBranch && k <= nodes.KindTry
}
