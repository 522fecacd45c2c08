package runtime

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/engine/journal"
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
	catalog, err := s.recall(j)
	var p *Planned
	if err == nil {
		p, err = s.replan(j, catalog)
	}
	if err == nil {
		err = s.decide(j, decisions)
	}
	if err != nil {
		_ = j.Close()
		return out.fail(err)
	}
	out.Planned = p
	s.compare(ctx, p)
	code, failure := p.compile(s.config.Cloud != nil)
	if failure != nil {
		_ = j.Close()
		out.Err = failure
		return out
	}
	o.Concurrency, o.Timeout = j.Concurrency, max(j.Limit-j.Worked, time.Second)
	o.Yes = o.Yes || j.Yes
	r := s.runner(id, p, code, newBook(j), o)
	r.recallCloud()
	r.desk.recall(j)
	r.calls.Store(int64(j.Calls()))
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

// recall gives the tools as they were when a run began. The keys that they need may be named in the journal, which is read
// again now that their values are known; one that is missing is asked for by its call.
func (s *Session) recall(j *journal.Run) (*Catalog, error) {
	text, err := s.store.Catalog(j.Catalog)
	if err != nil {
		return nil, err
	}
	catalog, err := decodeCatalog(text)
	if err != nil {
		return nil, err
	}
	for _, tools := range catalog.tools {
		for _, t := range tools {
			_, _ = s.keysOf(t)
		}
	}
	return catalog, j.Reread()
}

// replan makes the graph of a run again, from the tools as they were then.
func (s *Session) replan(j *journal.Run, catalog *Catalog) (*Planned, error) {
	p := &Planned{Source: j.Source, Catalog: catalog, options: PlanOptions{Script: j.Script, NoSpeculation: j.NoSpeculation},
		estimate: s.latencies.of}
	p.Graph, p.Diagnostics = planner.Parse(j.Source).Plan(catalog, p.options.planner())
	if p.Graph == nil || p.digest() != j.Graph {
		return nil, &engine.Failure{Code: nodes.ReplayDiverged, Hint: "start it anew; what was done stays done",
			Message: fmt.Sprintf("the run was planned by pml %s, and this version plans it otherwise", j.Version)}
	}
	return p, nil
}

// compare looks whether the tools that a graph calls are still what they were when it was planned. One that is not is
// asked about, as one that has changed between two runs.
func (s *Session) compare(ctx context.Context, p *Planned) {
	used := p.used()
	var names []string
	for _, t := range used {
		if s.servers[t.ID.Server()] != nil {
			names = append(names, t.ID.Server())
		}
	}
	slices.Sort(names)
	now := s.snapshot(ctx, slices.Compact(names))
	for _, t := range used {
		if fresh := now.Tool(t.ID); fresh != nil && fresh.Changed != "" {
			t.Changed, t.Integrity = fresh.Changed, fresh.Integrity
			s.log.Warn(fmt.Sprintf("%s is not what it was when the run began", t.ID))
		}
	}
}

// used are the tools that the graph is seen to call.
func (p *Planned) used() (list []*nodes.Tool) {
	add := func(id nodes.ToolID) {
		if t := p.Catalog.Tool(id); t != nil && !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	p.Graph.Root.Walk(func(n *nodes.Node) {
		switch n.Kind {
		case nodes.KindCall:
			add(n.Call.Tool)
		case nodes.KindScript:
			for _, id := range n.Code.Tools {
				add(id)
			}
		}
	})
	return list
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
