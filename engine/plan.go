package engine

import (
	"sync"

	"github.com/casys-ai/pml/nodes"
)

// Program is a graph made ready to run. Any number of runs may share it, also at once.
type Program struct {
	root    *block
	grounds sync.Pool // of *ground
}

// Prepare makes a graph ready to run. It never panics: a graph that makes no sense is an error, a *Failure.
func Prepare(g *nodes.Graph) (*Program, error) { return PrepareWith(g, nil) }

// PrepareWith is Prepare where something is known of how long calls take: of those that wait for a place the one goes first
// from which the longest path leads to the end.
func PrepareWith(g *nodes.Graph, estimate Estimate) (*Program, error) {
	b, err := compile(g, estimate)
	if err != nil {
		return nil, err
	}
	return &Program{root: b}, nil
}

// block is a nodes.Block prepared for execution: flat arrays, built once, shared by all its frames and never changed.
// What the loop reads of every node is in info; what only some nodes have is elsewhere.
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

	info     []info   // one a node, and a sentinel
	ins      []source // the inputs of all nodes; those of node i begin at info[i].in
	far      []ref    // the sources outside of the block
	results  []source
	slots    int32
	events   int32
	prev     int32 // the first of the three events of earlier iterations; -1 if nobody waits for one
	fires    []int32
	succ     []int32
	counters []counter // the nodes that are not swept
	starts   []int32   // nodes without local dependencies, apart from swept ones
	outer    []outer   // dependencies on the frames around, apart from those of swept nodes
	sweeps   bool      // there are swept nodes: exprs that wait for their inputs and nothing else
	tells    []bool    // for each slot whether anything but swept nodes of this block waits for its value
	special  []int32   // nodes with order edges, and those that do not wait for all inputs, ascending

	safeGates   []int32 // nodes with GateSafe, and control nodes, ascending
	passedGates []int32 // nodes with GatePassed, and control nodes, ascending
	exits       []int32 // nodes that may complete with an exit
	skips       int32   // how many of them may thereby skip what comes after this frame
	targeted    bool    // an exit inside hands its values to the owner in place of the results
	breaks      bool    // an exit inside is a break of the loop that owns this block

	tools  []nodes.ToolID // for each node the tool that it calls, at hand without reading the node; nil if there are no calls
	kidOf  []int32        // for each node its number in kids, or -1; nil if there are none
	kids   []kid          // the control and await nodes, with their blocks
	portOf []int32        // for each node the first of its three port events, or -1 if nobody waits for one; nil if there are none
	ranks  []int32        // the longest path from each node's start on, in tasks; nil if the block has none
	length int32          // the longest of them, within the block
	track  uint8          // ports whose progress its frames must count, as bits
	count  [3]int32
}

// kid holds the blocks that a control node owns; saved belongs to a try.
type kid struct {
	first, second *block
	saved         [][]version
}

// version is a nodes.Version with its ref resolved.
type version struct {
	from int32
	ref  source
}

// info is what the engine knows about every node.
type info struct {
	slot  int32 // its first output
	in    int32 // its first input in block.ins
	id    int32
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

// source is where a value comes from: a slot of the frame, or ^k for a slot of a frame further out, block.far[k].
type source int32

// ref is a slot of the block up levels outwards.
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

// counter is what a node waits for in its own frame, when that begins.
type counter struct{ node, pend int32 }

// cell is the state of one node in one frame.
type cell struct {
	pend  int32 // what it still waits for
	state nodeState
	flags cellFlags
}

// nodeState is where a node is in its life.
//
// A swept node is ahead until the sweep comes to it.
//
//	 ahead ──── done at once, or abrupt
//	   │ something is missing
//	   ▼        all there              its request left
//	waiting ─────────────▶ running ───────────────────▶ sent
//	   │                    │   │                       │  │
//	   │ torn down          │   └──────────┬────────────┘  │
//	   ▼                    │ torn down    │ ended         │
//	dropped ◀───────────────┴──────────────┼───────────────┘
//	                                       ├─ normally ──▶ done
//	                                       └─ otherwise ─▶ abrupt ── torn down ──▶ dropped
type nodeState uint8

const (
	ahead nodeState = iota // the zero value: most cells need not be written when a frame begins
	waiting
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
