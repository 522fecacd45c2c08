package engine

import (
	"strconv"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// frame is one execution of a block.
type frame struct {
	b      *block
	parent *frame
	ctl    control // the execution of the node that owns the block
	index  int32   // which item or iteration; -1 if the owner has no such thing
	state  frameState
	entry  entryState
	hand   handing
	bits   uint8 // the stages it has reached, by stage
	prev   uint8 // the ports that all earlier iterations have reached

	swept    int32 // how many leading nodes have been swept
	cur      int32 // how many leading nodes are behind us
	abrupt   int32 // the first node known to have completed abruptly, or -1
	safeAt   int32 // the next of b.safeGates
	passedAt int32 // the next of b.passedGates
	exitAt   int32 // the next of b.exits
	skips    int32 // how many nodes may still skip what comes after the frame
	live     int32 // running tasks and control nodes, and one while the frame is open
	left     [3]int32
	how      *completion // how node abrupt completed

	cells   []cell
	slots   []value.Value
	final   []value.Value // a loop's carried variables after this iteration
	coming  []value.Value // those of before it that are on their way
	ctls    []control
	heads   []int32 // for each event the last of waiters who waits for it, counted from 1
	waiters []waiter
	tasks   *task
	name    string // the path, once somebody has asked

	next             *frame // the next iteration
	nextKin, prevKin *frame // the owner's other frames
}

// frameState is where a frame is in its life.
//
//	       its completion is decided
//	open ─────────────────────────────▶ ended
//	 │ torn down                          │ torn down
//	 └───────────────▶ dropped ◀──────────┘
type frameState uint8

const (
	frameOpen frameState = iota
	frameEnded
	frameDropped
)

// entryState is what is known of everything before a frame in program order.
//
//	closed ── nothing can skip it ──▶ passed ── all completed normally ──▶ safe
type entryState uint8

const (
	entryClosed entryState = iota
	entryPassed
	entrySafe
)

// handing says when a frame's results are handed to its owner.
//
//	now ─────────── the frame begins ───────────┐
//	decided ─────── no exit is possible ────────┼──▶ handed: each as soon as it is there
//	ended ───────── it completes normally ──────┘
type handing uint8

const (
	handNow handing = iota
	handDecided
	handEnded
	handed
)

// stage is something that a frame reaches. The first three are the ports of everything in it.
type stage uint8

const (
	stageDone = stage(nodes.PortDone) + iota
	stageWrites
	stageSent
	stagePassed // nothing in it can skip what comes after
	stageEnded  // it has completed normally
	stages
)

// completion is how something ended abruptly; nil means normally.
type completion struct {
	mode     nodes.ExitMode
	target   int
	vals     []value.Value
	explicit bool // an exit node or a return in a script, not a failure
	f        *frame
	i        int32 // with f: the node that threw
}

// rejection is the value in the slot of an Async node that has failed.
type rejection struct{ how *completion }

// Kind implements value.Value. No Runner ever sees a rejection.
func (*rejection) Kind() value.Kind { return value.KindUndefined }

// newFrame makes a frame; its owner then sets the params it knows and calls begin.
func (c *core) newFrame(b *block, parent *frame, ctl control, index int32, hand handing) *frame {
	return c.openFrame(&frame{}, b, parent, ctl, index, hand)
}

// openFrame makes a frame of f.
func (c *core) openFrame(f *frame, b *block, parent *frame, ctl control, index int32, hand handing) *frame {
	*f = frame{b: b, parent: parent, ctl: ctl, index: index, hand: hand, abrupt: -1, skips: b.skips, live: 1}
	f.cells, f.slots = c.lists(b)
	for _, k := range b.counters {
		f.cells[k.node] = cell{state: waiting, pend: k.pend}
	}
	if len(b.kids) > 0 {
		f.ctls = make([]control, len(b.kids))
	}
	return f
}

// ground is the lists of a program's outermost frame. A run leaves it to the next one of the same program: to make it costs
// a run of pure code as much as a good part of the code.
type ground struct {
	cells []cell
	slots []value.Value
}

// lists are empty ones for a frame of b.
func (c *core) lists(b *block) ([]cell, []value.Value) {
	if g := c.ground; g != nil && g.cells != nil {
		c.ground = nil
		return g.cells, g.slots
	}
	return make([]cell, len(b.info)-1), make([]value.Value, b.slots)
}

// ground is what an earlier run has left, or a new one.
func (p *Program) ground() *ground {
	if g, ok := p.grounds.Get().(*ground); ok {
		return g
	}
	return &ground{}
}

// mostLeft is the longest list that is left: to clear a longer one costs as much as to make it, and it would keep much memory.
const mostLeft = 4096

// leave makes the lists of f, which has ended, empty for the next run.
func (g *ground) leave(f *frame) {
	if len(f.cells) > mostLeft || len(f.slots) > mostLeft {
		g.cells, g.slots = nil, nil
		return
	}
	clear(f.cells)
	clear(f.slots)
	g.cells, g.slots = f.cells, f.slots
}

// begin opens a frame: what can start is pushed in program order.
func (c *core) begin(f *frame) {
	b := f.b
	before := c.queue.len()
	for _, o := range b.outer {
		c.waitOuter(f, o)
	}
	for _, i := range b.starts {
		if f.cells[i].pend == 0 {
			c.queue.push(f, i, stepRun)
		}
	}
	for slot := range b.src.Params {
		if f.slots[slot] != nil {
			c.fire(f, int32(slot))
		}
	}
	c.raise(f)
	c.queue.sort(before)
	if b.sweeps {
		c.queue.push(f, 0, stepSweep)
	}
	c.beginPorts(f)
	if f.skips == 0 {
		c.reached(f, stagePassed)
	}
	if f.hand == handNow || f.hand == handDecided && len(b.exits) == 0 {
		c.forward(f)
	}
	c.settle(f)
}

func (c *core) beginPorts(f *frame) {
	for p := nodes.PortWrites; p <= nodes.PortSent; p++ {
		if f.b.track&(1<<p) == 0 {
			continue
		}
		if f.left[p] = f.b.count[p]; f.left[p] == 0 {
			c.reached(f, stage(p))
		}
	}
}

// reached tells the owner that f has reached a stage.
func (c *core) reached(f *frame, s stage) {
	if f.bits&(1<<s) == 0 {
		f.bits |= 1 << s
		f.ctl.frameReached(c, f, s)
	}
}

func (f *frame) has(s stage) bool { return f.bits&(1<<s) != 0 }

// get reads a source; nil if it has no value yet.
func (f *frame) get(s source) value.Value {
	f, slot := f.at(s)
	return f.slots[slot]
}

// at is the frame and the slot that s names, seen from f.
func (f *frame) at(s source) (*frame, int32) {
	if s >= 0 {
		return f, int32(s)
	}
	r := f.b.far[^s]
	return f.up(r.up), r.slot
}

// pathOf is the path of the frame: "" for the program's, "n7[12]" for an item's.
func (f *frame) pathOf() string {
	if f.parent == nil || f.name != "" {
		return f.name
	}
	f.name = f.b.owner.Path(f.parent.pathOf())
	if f.index >= 0 {
		f.name += "[" + strconv.Itoa(int(f.index)) + "]"
	}
	return f.name
}

// pathTo is the path of node i of f.
func (f *frame) pathTo(i int32) string { return f.b.src.Nodes[i].Path(f.pathOf()) }

// settle moves on over the nodes that are behind us, and ends the frame when that decides it.
func (c *core) settle(f *frame) {
	f.walk()
	c.openSafe(f)
	switch {
	case f.state != frameOpen:
	case f.cur == f.abrupt:
		c.end(f, f.how)
	case int(f.cur) == len(f.cells):
		c.end(f, nil)
	}
}

// end completes a frame.
func (c *core) end(f *frame, how *completion) {
	f.state = frameEnded
	if how == nil && f.hand != handed {
		c.forward(f)
	}
	f.ctl.frameEnded(c, f, how)
	c.release(f)
}

// forward hands on the results that are there; the others follow as they come.
func (c *core) forward(f *frame) {
	f.hand = handed
	for k, r := range f.b.results {
		if v := f.get(r); v != nil {
			f.ctl.frameResult(c, f, int32(k), v)
		}
	}
}

// release counts down what is alive in f, and tells the owner when nothing is.
func (c *core) release(f *frame) {
	if f.live--; f.live == 0 && f.state != frameDropped {
		c.reached(f, stageDone)
		f.ctl.owner().quiet(c, f)
	}
}
