package engine

import (
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// core is the scheduler of one run: a deterministic machine that turns its state and an event into commands. It reads
// no clock, starts no goroutine and ranges over no map. One goroutine at a time owns it.
//
// The events are sent, finished, nested and abandoned; step then does all that has become possible, and appends to
// commands what a driver must do in the world.
type core struct {
	runner evaluator
	window int32
	root   *frame  // that is first
	first  frame   // in the place of the core: every run has one
	whole  program // what it belongs to
	ground *ground // where it takes its lists; nil for new ones
	state  runState
	queue  queue // what has become possible

	line     line // ready calls without a place among the running ones
	inFlight int
	asking   int                // suspended tasks
	known    func(t *task) bool // whether the outcome of a task is known; nil if none is
	limit    int
	commands []command
	spare    *task // tasks that have ended, linked by next
	room     room

	result  value.Value
	failure *Failure
	origins map[*value.Error]origin
	scratch []value.Value
	turns   int      // nodes.HostTurn given out so far
	worked  int      // expr nodes looked at so far: the only steps that may take long
	warmed  int32    // see warm
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

// evaluator is the part of a Runner that the core itself calls.
type evaluator interface {
	Eval(id int, in []value.Value) ([]value.Value, error)
}

// newCore makes the scheduler of one run of the block b.
func newCore(b *block, args value.Value, r evaluator, o Options) *core {
	c := &core{}
	c.init(b, args, r, o)
	return c
}

func (c *core) init(b *block, args value.Value, r evaluator, o Options) {
	c.runner, c.window, c.limit, c.result = r, int32(o.Window), o.Concurrency, value.Undefined{}
	if c.window <= 0 {
		c.window = 256
	}
	if c.limit <= 0 {
		c.limit = 64
	}
	c.root = c.openFrame(&c.first, b, nil, &c.whole, -1, handEnded)
	if len(b.src.Params) > 0 {
		c.root.slots[0] = args
	}
}

// start enters the root frame.
func (c *core) start() { c.begin(c.root) }

// step does at most budget steps, gives out the places that are free, and reports whether there are more steps.
func (c *core) step(budget int) bool {
	for budget > 0 && c.queue.len() > 0 && c.state != broken && !c.urgent() {
		if c.queue.f.state != frameDropped {
			budget = c.compute(budget)
		}
		if budget > 0 && c.queue.len() > 0 && c.state != broken {
			f, s := c.queue.pop()
			budget -= c.do(f, s, budget)
		}
	}
	if c.state == broken {
		c.queue.drop()
		return false
	}
	c.admit()
	return c.queue.len() > 0
}

// urgent reports whether calls that are ready should not wait until a frame is swept.
func (c *core) urgent() bool { return len(c.line.fresh) > 0 && c.queue.first().what() == stepSweep }

// do does one step, or the part of it that budget allows, and returns what it cost.
func (c *core) do(f *frame, s step, budget int) int {
	if f.state == frameDropped {
		return 1
	}
	switch i := s.index(); s.what() {
	case stepRun:
		if f.cells[i].state == waiting {
			c.run(f, i)
		}
	case stepGive:
		f.ctl.(*loop).give(c, f, i)
	case stepPump:
		if f.cells[i].state != dropped {
			f.ctls[f.b.kid(i)].pump(c)
		}
	case stepSweep:
		return max(1, c.sweep(f, min(budget, sweepLength)))
	}
	return 1
}

// run starts node i of f, whose dependencies are all fulfilled.
func (c *core) run(f *frame, i int32) {
	c.current.f, c.current.i = f, i
	in := &f.b.info[i]
	switch {
	case in.kind == nodes.KindExpr:
		c.worked++
		out, err := c.runner.Eval(int(in.id), c.arguments(f, f.b.inputsOf(i)))
		c.evaluated(f, i, out, err)
	case in.kind == nodes.KindExit:
		c.exit(f, i)
	case in.kind == nodes.KindAwait:
		f.cells[i].state = running
		k := &joiner{base: base{f: f, i: i}}
		f.ctls[f.b.kid(i)] = k
		k.begin(c)
	case in.kind == nodes.KindHost && f.b.src.Nodes[i].Host == nodes.HostTurn:
		c.turns++
		c.succeed(f, i, []value.Value{value.Number(c.turns)})
	case isLeafTask(in.kind):
		c.startTask(f, i)
	default:
		c.control(f, i)
	}
}

// gather appends the values that node i reads.
func (c *core) gather(to []value.Value, f *frame, i int32) []value.Value {
	for _, s := range f.b.inputsOf(i) {
		to = append(to, f.get(s))
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
	f.ctls[f.b.kid(i)] = k
	f.cells[i].state = running
	f.live++
	k.begin(c)
}

// exit completes an exit node.
func (c *core) exit(f *frame, i int32) {
	n := f.b.src.Nodes[i]
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
		code := f.b.src.Nodes[i].Code
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

// blamed is the node at work.
func (c *core) blamed() (o origin) {
	if c.current.f != nil {
		o = c.origin(c.current.f, c.current.i)
	}
	return o
}

// origin names node i of f.
func (c *core) origin(f *frame, i int32) origin {
	n := f.b.src.Nodes[i]
	o := origin{node: n, path: f.pathTo(i)}
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
