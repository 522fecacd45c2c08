package engine

import (
	"context"
	"errors"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
	"runtime"
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
	d := &driver{outer: ctx, runner: r, observer: o.Observer}
	ground := p.ground()
	d.core.ground = ground
	d.core.init(p.root, args, r, o)
	if d.memory.use(o.Journal); d.memory.replaying() {
		d.core.known = d.memory.knows
	}
	d.begin()
	d.run()
	ground.leave(d.core.root)
	p.grounds.Put(ground)
	if d.core.failure != nil {
		return nil, d.core.failure
	}
	return d.core.result, nil
}

// driver carries out the commands of a core in this process. All of it belongs to whoever holds the crew's wheel.
type driver struct {
	outer    context.Context // the caller's
	core     core
	runner   Runner
	observer Observer
	memory   memory
	rest     rest
	news     []event // reported by the crew, and from heard on not yet heard
	heard    int
	flying   int // tasks whose end has not been heard of
	calls    int // call nodes started
	observed int // tasks that the observer knows of
	moment   int // Event.Moment
	worked   int // core.worked when moment began

	// The rest is there once a task is: a run of pure code does without.
	crew   *crew
	ctx    context.Context // ends with outer, or with the run
	cancel context.CancelFunc
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
	eventStopped        // the caller's context has ended
)

// slice is how many steps the core does between two looks at the world.
const slice = 1024

// run drives the core until something must happen first. From then on the workers drive, and it comes when it is called.
func (d *driver) run() {
	d.drive()
	if d.crew == nil {
		return
	}
	for stopped := d.outer.Done(); ; {
		select {
		case <-d.crew.bell:
		case <-stopped:
			stopped = nil
			d.crew.tell(event{what: eventStopped})
		}
		switch d.crew.attend() {
		case wheelCaller:
			d.drive()
		case wheelLocked:
			d.end()
			return
		}
	}
}

// end sends the workers home.
func (d *driver) end() {
	close(d.crew.gone)
	close(d.crew.call)
	if p := d.crew.all.WaitAndRecover(); p != nil {
		d.core.broke(panicked(p.Value, origin{}))
	}
}

// drive does what can be done until something must happen first. Who calls it holds the wheel, and has left it then; a
// worker goes on with a task, the caller of Run sees to it that a worker comes.
func (d *driver) drive() {
	gone := true
	defer func() {
		if gone { // the Runner has ended this goroutine, and nobody else would drive
			d.core.broke(fatal(errGone, d.core.blamed()))
			d.drive()
		}
	}()
	for !d.turns() {
	}
	gone = false
}

func (d *driver) begin() {
	defer d.recovered()
	d.core.start()
}

// recovered, deferred, makes a panic the failure of the run.
func (d *driver) recovered() {
	if v := recover(); v != nil {
		d.core.broke(panicked(v, d.core.blamed()))
	}
}

// turns hears the news, lets the core do a slice of its steps and obeys it, again and again. It reports whether the
// wheel is left; else there was a panic, which is now the failure of the run.
func (d *driver) turns() (left bool) {
	defer d.recovered()
	for {
		d.poll()
		more := d.core.step(slice)
		d.obey()
		switch {
		case d.core.state == broken:
			if d.wind() {
				return true
			}
		case more:
			d.pause()
		case d.core.queue.len() > 0: // a recalled call counts as sent, and others may have waited for that
		case d.memory.due():
			d.replay(d.memory.next())
		case d.release():
		case d.core.quiet():
			if d.wind() {
				return true
			}
		case d.blocked():
			d.core.broke(d.standstill())
		case d.crew.leave():
			return true
		}
	}
}

// pause is between two slices. Tasks that are about to end may do so: what waits for them can then be swept, and need
// not be counted.
func (d *driver) pause() {
	d.crew.give()
	if d.flying > 0 {
		runtime.Gosched()
	}
}

// wind lets the tasks that are still under way come to their end. It reports whether the wheel is left.
func (d *driver) wind() bool {
	if d.crew == nil {
		return true
	}
	d.cancel()
	d.release()
	if d.flying > 0 {
		return d.crew.leave()
	}
	d.crew.lock()
	return true
}

// poll hears what has been reported. The outcomes of an earlier attempt come first.
func (d *driver) poll() {
	if d.crew != nil && d.heard == len(d.news) {
		clear(d.news)
		d.moment++
		d.news, d.heard = d.crew.hear(d.news[:0]), 0
	}
	if d.outer.Err() != nil { // before the news: what has ended because of that is no failure of its own
		d.core.broke(stopped(d.outer))
	}
	for d.heard < len(d.news) && (!d.memory.due() || d.core.state == broken) {
		d.heard++
		d.happened(d.news[d.heard-1])
	}
}

// obey carries out the core's commands.
func (d *driver) obey() {
	if d.worked != d.core.worked { // time may have passed since the news
		d.worked = d.core.worked
		d.moment++
	}
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
	clear(d.core.commands)
	d.core.commands = d.core.commands[:0]
}

// start gives t to a worker, or to its script, unless its outcome is known from an earlier attempt.
func (d *driver) start(t *task) {
	if d.memory.recall(t) {
		d.core.recalled(t)
		d.rest.waits(t)
		return
	}
	if err := d.memory.started(t); err != nil {
		d.core.broke(fatal(err, t.origin()))
		return
	}
	if d.crew == nil {
		d.ctx, d.cancel = context.WithCancel(d.outer)
		d.crew = newCrew(d.work, d.drive)
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
		t.turn = int32(d.calls)
		d.calls++
	}
	t.ctx.Context = d.ctx
	d.flying++
	d.crew.ready = append(d.crew.ready, t)
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
			t.out, t.err = nil, panicked(v, t.origin())
		}
	}()
	todo := Task{ID: int(t.info.id), Node: t.node(), Path: t.path, In: t.in, Turn: int(t.turn), Sent: d.sentFunc(t)}
	if t.kind() == nodes.KindScript {
		todo.Nested = d.nestedFunc(t)
		todo.Resting = func(made, told int) { d.crew.tell(event{t: t, what: eventResting, made: made, told: told}) }
	}
	t.out, t.err = d.runner.Run(t.ctx, todo)
}

func (d *driver) sentFunc(t *task) func() {
	if t.info.flags&tellSent == 0 {
		return func() {}
	}
	return func() { d.crew.tell(event{t: t, what: eventSent}) }
}

// happened gives an event to the core; after the run has broken it only keeps the books.
func (d *driver) happened(e event) {
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
		d.core.broke(fatal(err, t.origin()))
	}
	if d.observer != nil {
		d.observer.Finished(d.event(t), t.out, t.err)
	}
	live := t.state == taskStarted // else a command may still name it
	d.core.finished(t, t.out, t.err)
	if live {
		d.core.recycle(t)
	}
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
