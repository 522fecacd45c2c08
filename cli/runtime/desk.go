package runtime

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/engine/journal"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
)

// desk is where the questions of a run go. What was answered before is not asked again; what nobody can answer now stays
// open, and its call is suspended.
//
//	Ask ─▶ decided before? ─▶ remembered? ─▶ write down ─▶ person ─▶ write down ─▶ answer
//	                                                         │ nobody there
//	                                                         └─▶ open: engine.ErrSuspended
type desk struct {
	run    *runner
	person call.Asker // nil if there is nobody

	mu     sync.Mutex
	open   map[string][]call.Question // by path
	always map[nodes.ToolID]call.Verdict
}

// Ask implements call.Asker.
func (d *desk) Ask(ctx context.Context, q call.Question) (call.Answer, error) {
	if a, known := d.known(q); known {
		return a, nil
	}
	if err := d.run.book.asked(q); err != nil {
		return call.Answer{}, err
	}
	if d.person == nil {
		return d.suspend(q)
	}
	d.run.clock.ask(1)
	a, err := d.person.Ask(ctx, q)
	d.run.clock.ask(-1)
	var nobody *call.ApprovalRequired
	switch {
	case errors.As(err, &nobody):
		return d.suspend(q)
	case err != nil:
		return a, err
	}
	return a, d.decided(q, a, "asked")
}

func (d *desk) suspend(q call.Question) (call.Answer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open == nil {
		d.open = map[string][]call.Question{}
	}
	d.open[q.Path] = append(d.open[q.Path], q)
	return call.Answer{}, engine.ErrSuspended
}

// known finds the answer to a question that need not be put.
func (d *desk) known(q call.Question) (call.Answer, bool) {
	if a, ok := d.run.book.answer(q); ok {
		return a, true
	}
	if q.Kind != call.MayCall {
		return call.Answer{}, false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	v, ok := d.always[q.Tool]
	if !ok {
		v, ok = d.run.session.remembered(q.Tool)
	}
	return call.Answer{Verdict: v}, ok
}

// remember keeps an answer for this project.
func (s *Session) remember(tool nodes.ToolID, v call.Verdict) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.always[tool] = v
	if s.config.Remember == nil {
		return nil
	}
	return s.config.Remember(tool, v)
}

// remembered is an answer that was kept since the configuration was read.
func (s *Session) remembered(tool nodes.ToolID) (call.Verdict, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.always[tool]
	return v, ok
}

// decided writes an answer down and keeps what is to be remembered.
func (d *desk) decided(q call.Question, a call.Answer, by string) error {
	x := journal.Decision{ID: q.ID, Tool: q.Tool, Verdict: string(a.Verdict), Result: a.Result,
		Remember: string(a.Remember), By: by}
	if err := d.run.book.decided(x); err != nil {
		return err
	}
	d.remember(x)
	if a.Remember == call.ForProject && q.Kind == call.MayCall {
		return d.run.session.remember(q.Tool, a.Verdict)
	}
	return nil
}

func (d *desk) remember(x journal.Decision) {
	if x.Remember == "" {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.always == nil {
		d.always = map[nodes.ToolID]call.Verdict{}
	}
	d.always[x.Tool] = call.Verdict(x.Verdict)
}

// waiting lists the questions of the calls at paths, in program order.
func (d *desk) waiting(paths []string) (list []call.Question) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, path := range paths {
		list = append(list, d.open[path]...)
	}
	slices.SortStableFunc(list, call.InOrder)
	return list
}
