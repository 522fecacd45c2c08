package engine

import (
	"context"
	"errors"
	"runtime"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/sourcegraph/conc/panics"
)

// Run is Prepare and Program.Run in one.
func Run(ctx context.Context, g *nodes.Graph, args value.Value, r Runner, o Options) (value.Value, error) {
	p, err := Prepare(g)
	if err != nil {
		return nil, err
	}
	return p.Run(ctx, args, r, o)
}

// Run executes the program with args, and returns what it returned. It ends when every goroutine that it started has
// ended. The error is a *Failure.
func (p *Program) Run(ctx context.Context, args value.Value, r Runner, o Options) (value.Value, error) {
	d := &driver{outer: ctx, runner: r, observer: o.Observer, core: newCore(p.root, args, r, o)}
	if d.memory.use(o.Journal); d.memory.replaying() {
		d.core.known = d.memory.knows
	}
	d.crew = newCrew(d.work)
	d.closed = make(chan struct{})
	d.ctx, d.cancel = context.WithCancel(ctx)
	d.run()
	if d.core.failure != nil {
		return nil, d.core.failure
	}
	return d.core.result, nil
}

// driver carries out the commands of a core in this process.
type driver struct {
	outer    context.Context // the caller's
	ctx      context.Context // ends with outer, or with the run
	cancel   context.CancelFunc
	core     *core
	runner   Runner
	observer Observer
	memory   memory
	rest     rest
	crew     *crew
	ready    []*task // started, and not yet given to the crew
	news     []event // reported by the crew, and from heard on not yet heard
	heard    int
	closed   chan struct{} // closed when nobody hears of events any more
	flying   int           // tasks whose end has not been heard of
	turns    int           // call nodes started
	observed int           // tasks that the observer knows of
	moment   int           // Event.Moment
}

// event is what a worker reports.
type event struct {
	t    *task
	what eventKind
	// made and told are what a resting script says.
	made, told int
}

type eventKind uint8

const (
	eventSent eventKind = iota
	eventFinished
	eventNested         // a script asks for a nested call
	eventNestedFinished // that call has ended
	eventAbandoned      // the script no longer wants it
	eventNestedWaits    // it waits for a person
	eventResting        // a script says that it waits for its calls
)

// slice is how many steps the core does between two looks at the world.
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
	d.release()
	for d.flying > 0 {
		if !d.hear() {
			<-d.crew.bell
		}
	}
	close(d.closed)
	close(d.crew.call)
	if p := d.crew.all.WaitAndRecover(); p != nil {
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
		case d.core.queue.len() > 0: // a recalled call counts as sent, and others may have waited for that
		case d.memory.due():
			d.replay(d.memory.next())
		case d.release():
		case d.core.quiet():
			return
		case d.blocked():
			d.core.broke(d.standstill())
		default:
			d.await()
		}
	}
}

// await waits for something to happen.
func (d *driver) await() {
	if d.poll() {
		return
	}
	runtime.Gosched() // a worker that is about to end its task may do so: then there is more to do at once
	if d.poll() {
		return
	}
	select {
	case <-d.crew.bell:
		d.poll()
	case <-d.outer.Done():
	}
}

// poll takes the events that are there, and reports whether there were any. Those of an earlier attempt come first.
func (d *driver) poll() (any bool) {
	for !d.memory.due() && d.hear() {
		any = true
	}
	return any
}

// hear takes one event.
func (d *driver) hear() bool {
	if d.heard == len(d.news) {
		clear(d.news)
		d.moment++
		d.news, d.heard = d.crew.hear(d.news[:0]), 0
	}
	if len(d.news) == 0 {
		return false
	}
	d.heard++
	d.happened(d.news[d.heard-1])
	return true
}

// obey carries out the core's commands.
func (d *driver) obey() {
	d.moment++
	for i := 0; i < len(d.core.commands) && d.core.state != broken; i++ {
		switch cmd := d.core.commands[i]; cmd.what {
		case commandStart:
			d.start(cmd.t)
		case commandCancel:
			if cmd.t.script == nil {
				cmd.t.ctx.end()
			}
		}
	}
	d.dispatch()
	clear(d.core.commands)
	d.core.commands = d.core.commands[:0]
}

// dispatch gives the crew what is ready.
func (d *driver) dispatch() {
	if len(d.ready) == 0 {
		return
	}
	d.flying += len(d.ready)
	d.crew.give(d.ready)
	clear(d.ready)
	d.ready = d.ready[:0]
}

// start gives t to a worker, or to its script, unless its outcome is known from an earlier attempt.
func (d *driver) start(t *task) {
	if d.memory.recall(t) {
		d.core.recalled(t)
		d.rest.waits(t)
		return
	}
	if err := d.memory.started(t); err != nil {
		d.core.broke(fatal(err, origin{t.node(), t.path, t.tool}))
		return
	}
	if d.observer != nil {
		t.index = int32(d.observed)
		d.observed++
		d.observer.Started(d.event(t))
	}
	if t.script != nil {
		t.granted <- struct{}{}
		return
	}
	t.turn = -1
	if t.kind() == nodes.KindCall {
		t.turn = int32(d.turns)
		d.turns++
	}
	t.ctx.Context = d.ctx
	d.ready = append(d.ready, t)
}

// event is t as an Observer sees it.
func (d *driver) event(t *task) Event {
	return Event{Index: int(t.index), Moment: d.moment, Path: t.path, Node: t.node(), Tool: t.tool}
}

// errGone is the outcome of a Runner that ended its goroutine.
var errGone = errors.New("the runner ended its goroutine")

// work runs t on a worker's goroutine.
func (d *driver) work(t *task) {
	t.err = errGone
	defer func() {
		if v := recover(); v != nil {
			p := panics.NewRecovered(1, v)
			t.out, t.err = nil, panicked(p.AsError(), origin{t.node(), t.path, t.tool})
		}
	}()
	todo := Task{Node: t.node(), Path: t.path, In: t.in, Turn: int(t.turn), Sent: d.sentFunc(t)}
	if t.kind() == nodes.KindScript {
		todo.Nested = d.nestedFunc(t)
		todo.Resting = func(made, told int) { d.crew.tell(event{t: t, what: eventResting, made: made, told: told}) }
	}
	t.out, t.err = d.runner.Run(&t.ctx, todo)
}

func (d *driver) sentFunc(t *task) func() {
	if t.f.b.info[t.i].flags&tellSent == 0 {
		return func() {}
	}
	return func() { d.crew.tell(event{t: t, what: eventSent}) }
}

// happened gives an event to the core; after the run has broken it only keeps the books.
func (d *driver) happened(e event) {
	if d.outer.Err() != nil {
		d.core.broke(stopped(d.outer))
	}
	if e.isNews() && d.memory.replaying() && d.core.state != broken {
		d.hold(e)
		return
	}
	switch e.what {
	case eventSent:
		d.core.sent(e.t)
	case eventFinished:
		d.flying--
		e.t.ctx.end()
		d.finished(e.t)
	case eventNested:
		d.rest.made(e.t)
		d.core.nested(e.t)
	case eventNestedFinished:
		d.finished(e.t)
		d.rest.told(e.t)
		e.t.granted <- struct{}{}
	case eventAbandoned:
		d.abandoned(e.t)
	case eventNestedWaits:
		d.suspended(e.t)
	case eventResting:
		d.rest.resting(e)
	}
}

// suspended notes that t waits for a person.
func (d *driver) suspended(t *task) {
	if d.observer != nil {
		d.observer.Finished(d.event(t), nil, ErrSuspended)
	}
	d.core.suspended(t)
	d.rest.suspended = append(d.rest.suspended, t)
	d.rest.waits(t)
}

func (d *driver) finished(t *task) {
	if t.err == ErrSuspended {
		d.suspended(t)
		return
	}
	if err := d.memory.finished(t, t.out, t.err, d.ctx.Err() == nil); err != nil {
		d.core.broke(fatal(err, origin{t.node(), t.path, t.tool}))
	}
	if d.observer != nil {
		d.observer.Finished(d.event(t), t.out, t.err)
	}
	d.core.finished(t, t.out, t.err)
}

// replay delivers an outcome of an earlier attempt.
func (d *driver) replay(t *task, o Outcome) {
	if t.script != nil {
		t.recalled = &o
		d.rest.told(t)
		t.granted <- struct{}{}
	}
	d.core.finished(t, o.Out, o.err())
}
