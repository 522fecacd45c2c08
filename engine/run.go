package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/sourcegraph/conc"
	"github.com/sourcegraph/conc/panics"
)

// Run executes g with args, and returns what the program returned. It ends when every goroutine that it started has
// ended. The error is a *Failure.
func Run(ctx context.Context, g *nodes.Graph, args value.Value, r Runner, o Options) (value.Value, error) {
	b, err := compile(g)
	if err != nil {
		return nil, err
	}
	d := &driver{outer: ctx, runner: r, observer: o.Observer, core: newCore(b, args, o)}
	d.memory.journal = o.Journal
	d.core.eval = r.Eval
	d.events = make(chan event, 64)
	d.closed = make(chan struct{})
	d.ctx, d.cancel = context.WithCancel(ctx)
	d.run()
	if d.core.failure != nil {
		return nil, d.core.failure
	}
	return d.core.result, nil
}

// driver carries out the commands of a core in this process: a goroutine for each task in flight.
type driver struct {
	outer    context.Context // the caller's
	ctx      context.Context // ends with outer, or with the run
	cancel   context.CancelFunc
	core     *core
	runner   Runner
	observer Observer
	memory   memory
	events   chan event
	closed   chan struct{} // closed when nobody reads events any more
	flying   int           // workers whose end has not been heard of
	turns    int           // call nodes started
	workers  conc.WaitGroup
}

// event is what a worker reports.
type event struct {
	t    *task
	what eventKind
	out  []value.Value
	err  error
}

type eventKind uint8

const (
	eventSent eventKind = iota
	eventFinished
	eventNested         // a script asks for a nested call
	eventNestedFinished // that call has ended
	eventAbandoned      // the script no longer wants it
)

// slice is how many ops the core does between two looks at the world.
const slice = 1024

// run runs the loop, then waits for all goroutines.
func (d *driver) run() {
	if p := panics.Try(d.loop); p != nil {
		var o origin
		if at := d.core.current; at.f != nil {
			o = d.core.origin(at.f, at.i)
		}
		d.core.broke(panicked(p.AsError(), o))
	}
	d.cancel()
	for d.flying > 0 {
		d.heard(<-d.events)
	}
	close(d.closed)
	if p := d.workers.WaitAndRecover(); p != nil {
		d.core.broke(panicked(p.AsError(), origin{}))
	}
}

// loop owns the core's state until the run is over or broken.
func (d *driver) loop() {
	d.core.start()
	for {
		if d.outer.Err() != nil {
			d.core.broke(stopped(d.outer))
		}
		more := d.core.step(slice)
		d.obey()
		switch {
		case d.core.state == broken:
			return
		case more:
			d.poll()
		case d.memory.pending():
			d.replay(d.memory.next())
		case d.core.quiet():
			return
		case d.flying == 0:
			d.core.broke(d.core.stuck())
		default:
			d.await()
		}
	}
}

// await waits for something to happen.
func (d *driver) await() {
	select {
	case e := <-d.events:
		d.heard(e)
		d.poll()
	case <-d.outer.Done():
	}
}

// poll takes the events that are there.
func (d *driver) poll() {
	for !d.memory.pending() {
		select {
		case e := <-d.events:
			d.heard(e)
		default:
			return
		}
	}
}

// obey carries out the core's commands.
func (d *driver) obey() {
	for i := 0; i < len(d.core.commands) && d.core.state != broken; i++ {
		switch cmd := d.core.commands[i]; cmd.what {
		case commandStart:
			d.start(cmd.t)
		case commandCancel:
			if cmd.t.cancel != nil {
				cmd.t.cancel()
			}
		}
	}
	clear(d.core.commands)
	d.core.commands = d.core.commands[:0]
}

// start gives t to a worker, or to its script, unless its outcome is known from an earlier attempt.
func (d *driver) start(t *task) {
	if d.memory.recall(t) {
		d.core.sent(t)
		return
	}
	if err := d.memory.started(t); err != nil {
		d.core.broke(fatal(err, origin{t.node(), t.path, t.tool}))
		return
	}
	if d.observer != nil {
		d.observer.Started(t.event())
	}
	if t.script != nil {
		t.granted <- struct{}{}
		return
	}
	turn := -1
	if t.node().Kind == nodes.KindCall {
		turn = d.turns
		d.turns++
	}
	ctx, cancel := context.WithCancel(d.ctx)
	t.cancel = cancel
	d.flying++
	d.workers.Go(func() { d.work(ctx, t, turn) })
}

// event is t as an Observer sees it.
func (t *task) event() Event { return Event{Path: t.path, Node: t.node(), Tool: t.tool} }

// errGone is the outcome of a Runner that ended its goroutine.
var errGone = errors.New("the runner ended its goroutine")

// work runs t on a worker's goroutine.
func (d *driver) work(ctx context.Context, t *task, turn int) {
	e := event{t: t, what: eventFinished, err: errGone}
	defer func() { d.tell(e) }()
	todo := Task{Node: t.node(), Path: t.path, In: t.in, Turn: turn, Sent: d.sentFunc(t)}
	if t.node().Kind == nodes.KindScript {
		todo.Nested = d.nestedFunc(t)
	}
	p := panics.Try(func() { e.out, e.err = d.runner.Run(ctx, todo) })
	if p != nil {
		e.out, e.err = nil, panicked(p.AsError(), origin{t.node(), t.path, t.tool})
	}
}

func (d *driver) sentFunc(t *task) func() {
	if t.f.b.info[t.i].flags&tellSent == 0 {
		return func() {}
	}
	return func() { d.tell(event{t: t, what: eventSent}) }
}

// tell reports an event, if anybody still listens.
func (d *driver) tell(e event) {
	select {
	case d.events <- e:
	case <-d.closed:
	}
}

// heard gives an event to the core; after the run has broken it only keeps the books.
func (d *driver) heard(e event) {
	if d.outer.Err() != nil {
		d.core.broke(stopped(d.outer))
	}
	switch e.what {
	case eventSent:
		d.core.sent(e.t)
	case eventFinished:
		d.flying--
		e.t.cancel()
		d.finished(e)
	case eventNested:
		d.core.nested(e.t)
	case eventNestedFinished:
		d.finished(e)
		e.t.granted <- struct{}{}
	case eventAbandoned:
		d.abandoned(e)
	}
}

func (d *driver) finished(e event) {
	if err := d.memory.finished(e.t, e.out, e.err, d.ctx.Err() == nil); err != nil {
		d.core.broke(fatal(err, origin{e.t.node(), e.t.path, e.t.tool}))
	}
	if d.observer != nil {
		d.observer.Finished(e.t.event(), e.out, e.err)
	}
	d.core.finished(e.t, e.out, e.err)
}

// replay delivers an outcome of an earlier attempt.
func (d *driver) replay(t *task, o Outcome) {
	if t.script != nil {
		t.recalled = &o
		t.granted <- struct{}{}
	}
	d.core.finished(t, o.Out, o.err())
}

// quiet reports whether the run is over: nothing in it is alive any more.
func (c *core) quiet() bool {
	if c.state == settled && c.root.live == 0 {
		c.state = over
	}
	return c.state == over
}

// stuck describes a run in which nothing can move: a promise that never settles, or an invalid graph.
func (c *core) stuck() *Failure {
	f := &Failure{Code: nodes.InternalError, Message: "the run cannot go on: nothing it waits for will ever happen"}
	at, i := c.root, int32(0)
	for {
		i = min(at.cur, int32(len(at.cells))-1)
		if i < 0 || at.b.info[i].kid < 0 || at.ctls[at.b.info[i].kid] == nil {
			break
		}
		inner := at.ctls[at.b.info[i].kid].owner().frames
		if inner == nil {
			break
		}
		at = inner
	}
	if i >= 0 {
		f.blame(c.origin(at, i))
		f.Message = fmt.Sprintf("%s: %s waits", f.Message, f.Path)
	}
	return f
}
