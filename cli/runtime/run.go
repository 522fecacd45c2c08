package runtime

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"time"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/engine/trace"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/casys-ai/pml/planner"
)

// RunOptions are for one run.
type RunOptions struct {
	// Asker puts questions to a person; nil if there is nobody to ask: then the run goes on until it waits for nothing but
	// answers, and ends with APPROVAL_REQUIRED.
	Asker call.Asker
	// Yes approves every call that would be asked about, also when the run is taken up again.
	Yes bool
	// Observer is told what happens, as it happens; nil for nobody.
	Observer engine.Observer
	// Log gets what the program writes to its console, line by line; nil for nobody.
	Log func(level, text string)
	// Cloud makes the calls of tools with the route server, each at its path; nil for the Session's Cloud.
	Cloud func(path string) call.Transport
	// Concurrency is how many calls may be in flight, Timeout the time for the run; 0 is what the Session's limits say.
	Concurrency int
	Timeout     time.Duration
	// RunID is what the run is called; "" for a new id.
	RunID string
	// Received is told what each tool answered, before the program sees it, by many goroutines at once; nil for nobody.
	Received func(tool nodes.ToolID, r call.Reply)
}

// Outcome is what came of a run.
type Outcome struct {
	RunID string
	// Value is the result; nil if Err is set.
	Value value.Value
	Err   *engine.Failure
	// Approvals are the questions that are open, in program order, if Err has the code APPROVAL_REQUIRED. Resume answers
	// them.
	Approvals []call.Question
	// Resumable says that Resume can go on with the run.
	Resumable bool
	// WorkflowID is what the gateway calls the run, if it has handed the program back.
	WorkflowID string
	// Planned is what was run.
	Planned *Planned
	// Spans are the tasks in the order in which they started.
	Spans []trace.Span
	Logs  []Log
	// ToolFailures are the calls that failed, whether the program handled it or not.
	ToolFailures []ToolFailure
	Started      time.Time
	Duration     time.Duration
}

// ToolFailure is one call that failed.
type ToolFailure struct {
	Path    string
	Tool    nodes.ToolID
	Code    nodes.ErrorCode
	Message string
}

// Run runs a planned program. args is what the program sees as `args`; nil stands for an empty object. It returns when
// everything that belongs to the run has ended.
func (s *Session) Run(ctx context.Context, p *Planned, args value.Value, o RunOptions) *Outcome {
	out := &Outcome{RunID: o.RunID, Started: time.Now(), Planned: p}
	if out.RunID == "" {
		out.RunID = NewRunID()
	}
	defer func() { out.Duration = time.Since(out.Started) }()
	ctx, leave, err := s.enter(ctx)
	if err != nil {
		return out.fail(err)
	}
	defer leave()
	if out.Err = p.runnable(); out.Err != nil {
		return out
	}
	code, failure := p.compile(s.config.Cloud != nil)
	if failure != nil {
		out.Err = failure
		return out
	}
	if args == nil {
		args = value.NewObject(0)
	}
	for _, t := range p.used() {
		_, _ = s.keysOf(t) // args may hold one, and are written down; one that is missing is asked for by its call
	}
	s.runner(out.RunID, p, code, s.begin(out.RunID, p, args, o), o).run(ctx, args, out)
	return out
}

func (s *Session) runner(id string, p *Planned, code *compiled, b *book, o RunOptions) *runner {
	r := &runner{id: id, session: s, planned: p, code: code, options: o, book: b, logs: logs{next: o.Log, book: b}}
	r.desk = desk{run: r, person: o.Asker}
	return r
}

// runnable says why a program cannot be run.
func (p *Planned) runnable() *engine.Failure {
	if p.Graph != nil {
		return nil
	}
	for _, d := range p.Diagnostics {
		if d.Severity == nodes.SeverityError {
			return &engine.Failure{Code: d.Code, Message: d.Message, Hint: d.Hint, Pos: d.Pos, Tool: d.Tool}
		}
	}
	return &engine.Failure{Code: nodes.InternalError, Message: "the program was not planned"}
}

// run runs the graph and fills in the outcome.
func (r *runner) run(ctx context.Context, args value.Value, out *Outcome) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	defer r.session.register(out.RunID, end)()
	r.ctx, r.clock = ctx, newClock(orDuration(r.options.Timeout, r.session.config.Limits.Run), end)
	defer r.clock.stop()
	defer r.realm.close()
	defer r.aside.close()
	defer r.parts.close()
	defer r.report(out)
	if r.forward(ctx, args, out) {
		r.leave(out)
		return
	}
	if r.code.scripts {
		r.realm.prepare(ctx, r.session.scripts)
	}
	recorder := trace.NewRecorder(time.Now)
	o := engine.Options{Concurrency: r.session.concurrency(r.options), Observer: observers{recorder, r.options.Observer},
		Journal: r.book.engine()}
	v, err := r.code.run.Run(ctx, args, r, o)
	here := recorder.Spans()
	if err := r.session.latencies.learn(here, r.timed); err != nil {
		r.session.log.Warn("it cannot be kept how long calls took", "error", err)
	}
	out.Spans, out.Logs = append(r.book.spans(), here...), append(r.book.logs(), r.logs.all()...)
	out.ToolFailures = toolFailures(out.Spans)
	if err != nil {
		out.Err = r.failure(ctx, err)
		if out.Approvals = r.desk.waiting(out.Err.Open); len(out.Approvals) > 0 {
			out.Err.Tool = out.Approvals[0].Tool
		}
	} else {
		out.Value = v
	}
	r.leave(out)
}

// report tells that a run is over, if it is.
func (r *runner) report(out *Outcome) {
	if reporter := r.session.config.Reporter; reporter != nil && !out.Resumable {
		out.Duration = time.Since(out.Started)
		reporter.Ended(out)
	}
}

// concurrency is how many calls of a run may be in flight.
func (s *Session) concurrency(o RunOptions) int {
	if o.Concurrency > 0 {
		return o.Concurrency
	}
	return s.config.Limits.InFlight
}

// register makes a run known to Cancel, until the function that it gives is called.
func (s *Session) register(id string, end context.CancelCauseFunc) func() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active[id] = end
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.active, id)
	}
}

// failure completes the engine's account of a failure.
func (r *runner) failure(ctx context.Context, err error) *engine.Failure {
	var f *engine.Failure
	if !errors.As(err, &f) {
		f = &engine.Failure{Code: nodes.InternalError, Message: err.Error(), Err: err}
	}
	if errors.Is(context.Cause(ctx), errRunTime) && f.Code == nodes.Cancelled {
		late := *f
		late.Code, late.Message = nodes.ExecutionTimeout, "the run exceeded its time limit"
		late.Hint = "raise limits.run in .pml.json, or --timeout"
		return &late
	}
	if f.Code == nodes.Cancelled && errors.Is(context.Cause(ctx), ErrCancelled) {
		f.Err = ErrCancelled
	}
	r.places.refine(f)
	return f
}

// toolFailures lists the calls that ended with an exception.
func toolFailures(spans []trace.Span) []ToolFailure {
	var list []ToolFailure
	for _, s := range spans {
		var thrown *value.Throw
		if s.Tool == "" || !errors.As(s.Err, &thrown) {
			continue
		}
		e, ok := value.Force(thrown.Value).(*value.Error)
		if !ok || e.Name != "ToolError" || e.Props == nil {
			continue
		}
		code, _ := e.Props.Get("code")
		text, _ := code.(value.String)
		list = append(list, ToolFailure{Path: s.Path, Tool: s.Tool, Code: nodes.ErrorCode(text), Message: e.Message})
	}
	return list
}

// observers tells two observers; the second may be nil.
type observers struct {
	first, second engine.Observer
}

// Started implements engine.Observer.
func (o observers) Started(e engine.Event) {
	o.first.Started(e)
	if o.second != nil {
		o.second.Started(e)
	}
}

// Finished implements engine.Observer.
func (o observers) Finished(e engine.Event, out []value.Value, err error) {
	o.first.Finished(e, out, err)
	if o.second != nil {
		o.second.Finished(e, out, err)
	}
}

func orDuration(d, otherwise time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return otherwise
}

// NewRunID makes the id of a run.
func NewRunID() string {
	var b [12]byte
	_, _ = rand.Read(b[:])
	return "run_" + hex.EncodeToString(b[:])
}

// Failed reports whether the program cannot be run.
func (p *Planned) Failed() bool { return planner.Failed(p.Diagnostics) }
