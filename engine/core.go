package engine

import (
	"slices"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// core is the scheduler of one run: a deterministic machine that turns its state and an event into commands. It reads
// no clock, starts no goroutine and ranges over no map. One goroutine owns it.
//
// The events are sent, finished, nested and abandoned; step then does all that has become possible, and appends to
// commands what a driver must do in the world.
type core struct {
	eval   func(n *nodes.Node, in []value.Value) ([]value.Value, error)
	window int32
	root   *frame
	state  runState

	ops  []op // what has become possible, oldest first
	head int

	calls    []*task // ready calls without a place among the running ones, oldest first
	nextCall int
	inFlight int
	limit    int
	commands []command

	result  value.Value
	failure *Failure
	origins map[*value.Error]origin
	scratch []value.Value
	current struct { // the node at work, to blame for a panic
		f *frame
		i int32
	}
}

// runState is where a run is in its life.
//
//	           root frame ends            nothing runs any more
//	working ────────────────────▶ settled ────────────────────▶ over
//	   │ fatal                       │ fatal
//	   └──────────────▶ broken ◀─────┘
type runState uint8

const (
	working runState = iota
	settled
	over
	broken
)

// op is one step that has become possible.
type op struct {
	f    *frame
	i    int32
	what opKind
}

type opKind uint8

const (
	opRun  opKind = iota // run node i
	opPump               // let the map or loop i enter more frames
	opFire               // tell those who wait for event i
)

// newCore makes the scheduler of one run of the block b.
func newCore(b *block, args value.Value, o Options) *core {
	c := &core{window: int32(o.Window), limit: o.Concurrency, result: value.Undefined{}}
	if c.window <= 0 {
		c.window = 256
	}
	if c.limit <= 0 {
		c.limit = 64
	}
	c.root = c.newFrame(b, nil, &program{}, -1, handEnded)
	if len(b.src.Params) > 0 {
		c.root.slots[0] = args
	}
	return c
}

// start enters the root frame.
func (c *core) start() { c.begin(c.root) }

// step does at most budget ops, and reports whether there are more.
func (c *core) step(budget int) bool {
	for ; budget > 0 && c.head < len(c.ops); budget-- {
		o := c.ops[c.head]
		c.ops[c.head].f = nil
		if c.head++; c.head == len(c.ops) {
			c.ops, c.head = c.ops[:0], 0
		}
		c.do(o)
		if c.state == broken {
			c.ops, c.head = nil, 0
			return false
		}
	}
	return c.head < len(c.ops)
}

func (c *core) do(o op) {
	if o.f.state == frameDropped {
		return
	}
	switch o.what {
	case opRun:
		if o.f.cells[o.i].state == waiting {
			c.run(o.f, o.i)
		}
	case opFire:
		c.fire(o.f, o.i)
	case opPump:
		if o.f.cells[o.i].state != dropped {
			o.f.ctls[o.f.b.info[o.i].kid].pump(c)
		}
	}
}

// push adds a step; the room of those that are done is used again before more is taken.
func (c *core) push(f *frame, i int32, what opKind) {
	if len(c.ops) == cap(c.ops) && c.head > len(c.ops)/2 {
		n := copy(c.ops, c.ops[c.head:])
		clear(c.ops[n:])
		c.ops, c.head = c.ops[:n], 0
	}
	c.ops = append(c.ops, op{f, i, what})
}

// run starts node i of f, whose dependencies are all fulfilled.
func (c *core) run(f *frame, i int32) {
	c.current.f, c.current.i = f, i
	in := &f.b.info[i]
	switch {
	case in.kind == nodes.KindExpr:
		c.compute(f, i)
	case in.kind == nodes.KindExit:
		c.exit(f, i)
	case in.kind == nodes.KindAwait:
		f.cells[i].state = running
		k := &joiner{base: base{f: f, i: i}}
		f.ctls[in.kid] = k
		k.begin(c)
	case isLeafTask(in.kind):
		c.startTask(f, i)
	default:
		c.control(f, i)
	}
}

// compute evaluates an expr node.
func (c *core) compute(f *frame, i int32) {
	in := f.b.info[i : i+2]
	c.scratch = c.gather(c.scratch[:0], f, i)
	out, err := c.eval(in[0].node, c.scratch)
	if err != nil {
		c.failed(f, i, err, origin{})
		return
	}
	if len(out) == 1 && in[0].slot+1 == in[1].slot && out[0] != nil && in[0].flags == 0 {
		f.slots[in[0].slot] = out[0]
		f.cells[i].state = done
		f.cells[i].flags |= counted
		c.fire(f, in[0].slot)
		if f.cur == i {
			c.settle(f)
		}
		return
	}
	c.succeed(f, i, out)
}

// gather appends the values that node i reads.
func (c *core) gather(to []value.Value, f *frame, i int32) []value.Value {
	for _, r := range f.b.ins[f.b.info[i].in:f.b.info[i+1].in] {
		to = append(to, f.get(r))
	}
	return to
}

// control starts a node that owns blocks.
func (c *core) control(f *frame, i int32) {
	in := &f.b.info[i]
	var k control
	b := base{f: f, i: i}
	switch in.kind {
	case nodes.KindBranch:
		k = &branch{base: b}
	case nodes.KindScope:
		k = &scope{base: b}
	case nodes.KindTry:
		k = &try{base: b}
	case nodes.KindMap:
		k = &mapper{base: b}
	default:
		k = &loop{base: b}
	}
	f.ctls[in.kid] = k
	f.cells[i].state = running
	f.live++
	k.begin(c)
}

// exit completes an exit node.
func (c *core) exit(f *frame, i int32) {
	n := f.b.info[i].node
	how := &completion{mode: n.Exit.Mode, target: n.Exit.Target, vals: c.gather(nil, f, i), explicit: true, f: f, i: i}
	if how.mode == nodes.ExitThrow {
		c.blame(how, origin{})
	}
	c.stop(f, i, how)
}

// failed ends node i with an error of the Runner's.
func (c *core) failed(f *frame, i int32, err error, o origin) {
	switch e := err.(type) {
	case *value.Throw:
		how := &completion{mode: nodes.ExitThrow, vals: []value.Value{e.Value}, f: f, i: i}
		c.blame(how, o)
		c.stop(f, i, how)
	case *Return:
		code := f.b.info[i].node.Code
		if code == nil {
			c.broke(fatal(err, c.origin(f, i)))
			return
		}
		how := &completion{mode: nodes.ExitReturn, target: code.Target, vals: []value.Value{e.Value}, explicit: true}
		c.stop(f, i, how)
	default:
		if o.node == nil {
			o = c.origin(f, i)
		}
		c.broke(fatal(err, o))
	}
}

// throw ends node i with an exception of the engine's.
func (c *core) throw(f *frame, i int32, e *value.Error) {
	c.failed(f, i, &value.Throw{Value: e}, origin{})
}

// broke ends the run with a failure that no handler sees.
func (c *core) broke(f *Failure) {
	if c.state != broken {
		c.state, c.failure = broken, f
	}
}

// origin names node i of f.
func (c *core) origin(f *frame, i int32) origin {
	n := f.b.info[i].node
	o := origin{node: n, path: n.Path(f.pathOf())}
	if n.Kind == nodes.KindCall {
		o.tool = n.Call.Tool
	}
	return o
}

// blame remembers where an Error object was thrown first: at o, or else at the node of how.
func (c *core) blame(how *completion, o origin) {
	e, ok := value.Force(how.vals[0]).(*value.Error)
	if !ok {
		return
	}
	if _, seen := c.origins[e]; seen {
		return
	}
	if o.node == nil {
		o = c.origin(how.f, how.i)
	}
	c.remember(e, o)
}

func (c *core) remember(e *value.Error, o origin) {
	if c.origins == nil {
		c.origins = map[*value.Error]origin{}
	}
	if _, seen := c.origins[e]; !seen {
		c.origins[e] = o
	}
}

// thrownAt is where the exception that how carries was first thrown.
func (c *core) thrownAt(how *completion) origin {
	if e, ok := value.Force(how.vals[0]).(*value.Error); ok {
		if o, seen := c.origins[e]; seen {
			return o
		}
	}
	return c.origin(how.f, how.i)
}

// sortOps puts the ops from start on, which one frame has just pushed, into program order.
func (c *core) sortOps(start int) {
	byNode := func(a, b op) int { return int(a.i) - int(b.i) }
	if added := c.ops[min(start, len(c.ops)):]; !slices.IsSortedFunc(added, byNode) {
		slices.SortStableFunc(added, byNode)
	}
}
