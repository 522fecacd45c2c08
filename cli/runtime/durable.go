package runtime

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/engine/journal"
	"github.com/casys-ai/pml/engine/trace"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/casys-ai/pml/planner"
)

// Decision answers one question of a run that waits.
type Decision struct {
	// ID is that of the question, as the run gave it out.
	ID string
	call.Answer
}

// Store is the journals of the project's runs; nil if none are kept.
func (s *Session) Store() *journal.Store { return s.store }

// begin makes the journal of a new run. A project whose journal cannot be written still works.
func (s *Session) begin(id string, p *Planned, args value.Value, o RunOptions) *book {
	if s.store == nil {
		return newBook(nil)
	}
	b := journal.Begin{Created: time.Now().Truncate(time.Millisecond), Source: p.Source, Args: args, Script: p.options.Script,
		NoSpeculation: p.options.NoSpeculation, Concurrency: s.concurrency(o), Version: s.config.Version,
		Limit: orDuration(o.Timeout, s.config.Limits.Run), Graph: p.digest()}
	var j *journal.Run
	catalog, err := p.Catalog.encode()
	if err == nil {
		b.Catalog = digest(catalog)
		err = s.store.SaveCatalog(b.Catalog, catalog)
	}
	if err == nil {
		j, err = s.store.Create(id, b)
	}
	if err != nil {
		s.log.Warn("this run cannot be taken up again if it is interrupted: its journal cannot be written", "error", err)
	}
	return newBook(j)
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// digest tells graphs apart.
func (p *Planned) digest() string {
	text, _ := p.Graph.MarshalJSON()
	return digest(text)
}

// Resume goes on with a run that waits for answers or was interrupted, in this process or another, with what it had
// done. Decisions that do not belong to an open question are refused before anything happens. A run that is over gives
// its outcome again. o.Concurrency and o.Timeout are the run's own.
func (s *Session) Resume(ctx context.Context, id string, decisions []Decision, o RunOptions) *Outcome {
	out := &Outcome{RunID: id, Started: time.Now(), Planned: &Planned{Catalog: &Catalog{}}}
	defer func() { out.Duration = time.Since(out.Started) }()
	ctx, leave, err := s.enter(ctx)
	if err != nil {
		return out.fail(err)
	}
	defer leave()
	if s.store == nil {
		return out.fail(&journal.Error{Code: nodes.UnknownRun, Message: "no runs are kept here"})
	}
	j, err := s.store.Open(id)
	if err != nil {
		return out.fail(err)
	}
	if j.End != nil {
		_ = j.Close()
		return out.again(j)
	}
	s.readKeys()
	p, err := s.replan(j)
	if err == nil {
		err = s.decide(j, decisions)
	}
	if err != nil {
		_ = j.Close()
		return out.fail(err)
	}
	out.Planned = p
	code, failure := p.compile(s.config.Cloud != nil)
	if failure != nil {
		_ = j.Close()
		out.Err = failure
		return out
	}
	o.Concurrency, o.Timeout = j.Concurrency, max(j.Limit-j.Worked, time.Second)
	r := s.runner(id, p, code, newBook(j), o)
	r.desk.recall(j)
	r.run(ctx, j.Args, out)
	return out
}

// fail sets the outcome of a run that could not be begun.
func (o *Outcome) fail(err error) *Outcome {
	var known *journal.Error
	var failed *engine.Failure
	switch {
	case errors.As(err, &failed):
		o.Err = failed
	case errors.As(err, &known):
		o.Err = &engine.Failure{Code: known.Code, Message: known.Message, Hint: known.Hint, Err: err}
	case errors.Is(err, ErrClosed):
		o.Err = &engine.Failure{Code: nodes.Cancelled, Message: err.Error(), Err: err}
	default:
		o.Err = &engine.Failure{Code: nodes.InternalError, Message: err.Error(), Err: err}
	}
	return o
}

// again gives the outcome of a run that is over.
func (o *Outcome) again(j *journal.Run) *Outcome {
	o.Spans, o.Logs = spans(&j.State), lines(j.Lines)
	o.Planned = &Planned{Source: j.Source, Catalog: &Catalog{}}
	if j.End.Code == "" {
		o.Value = j.End.Result
		return o
	}
	e := j.End
	o.Err = &engine.Failure{Code: e.Code, Message: e.Message, Hint: e.Hint, Path: e.Path, Tool: e.Tool,
		Pos: ast.Pos{Line: e.Line, Column: e.Column}}
	return o
}

// replan makes the graph of a run again, from the tools as they were then.
func (s *Session) replan(j *journal.Run) (*Planned, error) {
	text, err := s.store.Catalog(j.Catalog)
	if err != nil {
		return nil, err
	}
	catalog, err := decodeCatalog(text)
	if err != nil {
		return nil, err
	}
	p := &Planned{Source: j.Source, Catalog: catalog, options: PlanOptions{Script: j.Script, NoSpeculation: j.NoSpeculation}}
	p.Graph, p.Diagnostics = planner.Parse(j.Source).Plan(catalog, p.options.planner())
	if p.Graph == nil || p.digest() != j.Graph {
		return nil, &engine.Failure{Code: nodes.ReplayDiverged, Hint: "start it anew; what was done stays done",
			Message: fmt.Sprintf("the run was planned by pml %s, and this version plans it otherwise", j.Version)}
	}
	return p, nil
}

// decide writes decisions down, all or none.
func (s *Session) decide(j *journal.Run, decisions []Decision) error {
	var fresh []journal.Decision
	for _, x := range decisions {
		q, known := j.Questions[x.ID]
		if _, again := j.Decisions[x.ID]; again {
			continue // what was decided stays decided
		}
		if !known {
			return refused("there is no open question %s in this run", x.ID)
		}
		if !slices.Contains(call.Kind(q.Kind).Verdicts(), x.Verdict) {
			return refused("%q is no answer to the question about %s; there are %v", x.Verdict, q.Tool,
				call.Kind(q.Kind).Verdicts())
		}
		if _, err := value.FromJSON([]byte(x.Result)); x.Verdict == call.Succeeded && x.Result != "" && err != nil {
			return refused("the result of %s is not JSON: %v", q.Tool, err)
		}
		by := x.By
		if by == "" {
			by = "resume"
		}
		fresh = append(fresh, journal.Decision{ID: x.ID, Tool: q.Tool, Verdict: string(x.Verdict), Result: x.Result,
			Remember: string(x.Remember), By: by})
	}
	for _, x := range fresh {
		if err := j.Decided(x); err != nil {
			return err
		}
		j.Decisions[x.ID] = x
		if err := s.remember(call.Kind(j.Questions[x.ID].Kind), x); err != nil {
			return err
		}
	}
	return nil
}

func refused(format string, a ...any) error {
	return &engine.Failure{Code: nodes.InvalidArguments, Message: fmt.Sprintf(format, a...),
		Hint: "pml runs show lists the open questions with their ids"}
}

// recall remembers the decisions of earlier attempts that reach beyond their question.
func (d *desk) recall(j *journal.Run) {
	for _, id := range j.Order {
		if x, ok := j.Decisions[id]; ok {
			d.remember(call.Kind(j.Questions[id].Kind), x)
		}
	}
}

// leave closes the journal of a run as its outcome asks for.
func (r *runner) leave(out *Outcome) {
	j := r.book.journal
	if j == nil {
		return
	}
	var err error
	switch {
	case out.Err == nil:
		err = j.Conclude(journal.End{Status: string(journal.Succeeded), Result: out.Value})
	case out.Err.Code == nodes.ApprovalRequired:
		out.Resumable = true
		err = j.Park(j.Worked + r.clock.worked())
	case r.interrupted(out):
		out.Resumable = true
		err = j.Close()
	case r.lost(out):
		out.Resumable = true
		err = j.Lose(out.Err.Path)
	default:
		err = j.Conclude(ended(out.Err))
	}
	if err != nil {
		r.session.log.Warn("the journal of the run is not complete", "run", j.ID, "error", err)
	}
}

// interrupted reports whether the run ended for a reason that lies outside of it: it can be taken up again.
func (r *runner) interrupted(out *Outcome) bool {
	return out.Err.Code == nodes.Cancelled && !errors.Is(out.Err, ErrCancelled)
}

// lost reports whether the run ended because a call did not get to the cloud: it can be taken up again when the cloud is
// there.
func (r *runner) lost(out *Outcome) bool {
	return out.Err.Code == nodes.CloudUnavailable && out.Err.Node != nil && out.Err.Node.Kind == nodes.KindCall
}

func ended(f *engine.Failure) journal.End {
	status := journal.Failed
	if f.Code == nodes.Cancelled {
		status = journal.Cancelled
	}
	return journal.End{Status: string(status), Code: f.Code, Message: f.Message, Hint: f.Hint, Path: f.Path, Tool: f.Tool,
		Line: f.Pos.Line, Column: f.Pos.Column}
}

// ErrCancelled is the cause with which a run ends that was cancelled for good, and the error of such a run.
var ErrCancelled = errors.New("runtime: the run was cancelled")

// Cancel ends a run for good: one that is at work in this Session, or one that nobody works on.
func (s *Session) Cancel(id string) error {
	s.mu.Lock()
	end := s.active[id]
	s.mu.Unlock()
	if end != nil {
		end(ErrCancelled)
		return nil
	}
	if s.store == nil {
		return &journal.Error{Code: nodes.UnknownRun, Message: "there is no run " + id}
	}
	j, err := s.store.Open(id)
	if err != nil {
		return err
	}
	if j.End != nil {
		return j.Close()
	}
	return j.Conclude(ended(&engine.Failure{Code: nodes.Cancelled, Message: "the run was cancelled"}))
}

// spans are the tasks of earlier attempts.
func spans(s *journal.State) (list []trace.Span) {
	for _, step := range s.Steps {
		if step.Finished < 0 {
			continue
		}
		span := trace.Span{Path: step.Path, Tool: step.Tool, Start: s.Created.Add(step.Started),
			End: s.Created.Add(step.Finished)}
		if step.Failed {
			span.Err = errEarlier
		}
		list = append(list, span)
	}
	return list
}

var errEarlier = errors.New("it failed in an earlier attempt")

func lines(list []journal.Line) (out []Log) {
	for _, l := range list {
		out = append(out, Log{l.Level, l.Text})
	}
	return out
}
