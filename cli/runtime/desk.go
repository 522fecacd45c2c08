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
		return a, d.accept(q, a)
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
	return a, d.decided(q, a)
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
	a, ok := d.run.book.answer(q)
	if !ok && d.run.options.Yes && q.Kind == call.MayCall {
		return call.Answer{Verdict: call.Approve, By: "--yes"}, true
	}
	switch {
	case ok && !(q.Kind == call.NeedKey && a.Verdict == call.Approve): // whether a key is there now is to be seen
		return a, true
	case q.Kind != call.MayCall:
		return call.Answer{}, false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	v, ok := d.always[q.Tool]
	if !ok {
		v, ok = d.run.session.remembered(q.Tool)
	}
	return call.Answer{Verdict: v, By: "remembered"}, ok
}

// remember keeps an answer for all calls of the tool in this project, if it is meant so.
func (s *Session) remember(k call.Kind, x journal.Decision) error {
	if x.Remember != string(call.ForProject) || k != call.MayCall {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.always[x.Tool] = call.Verdict(x.Verdict)
	if s.config.Remember == nil {
		return nil
	}
	return s.config.Remember(x.Tool, call.Verdict(x.Verdict))
}

// remembered is an answer that was kept since the configuration was read.
func (s *Session) remembered(tool nodes.ToolID) (call.Verdict, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.always[tool]
	return v, ok
}

// decided writes an answer down and keeps what is to be remembered.
func (d *desk) decided(q call.Question, a call.Answer) error {
	x := journal.Decision{ID: q.ID, Tool: q.Tool, Verdict: string(a.Verdict), Result: a.Result,
		Remember: string(a.Remember), By: a.By}
	if err := d.run.book.decided(x); err != nil {
		return err
	}
	d.remember(q.Kind, x)
	if err := d.accept(q, a); err != nil {
		return err
	}
	return d.run.session.remember(q.Kind, x)
}

// accept pins a tool that has changed as it was shown, if a person has approved a call of it: for the rest of the run it is
// asked about no more than the rules want.
func (d *desk) accept(q call.Question, a call.Answer) error {
	t := d.run.planned.Catalog.Tool(q.Tool)
	if t == nil || t.Changed == "" || q.Kind != call.MayCall || a.Verdict != call.Approve {
		return nil
	}
	then := *t
	then.Changed = ""
	if d.run.session.config.Rules.Static(&then).Permission == nodes.Allow {
		d.remember(q.Kind, journal.Decision{Tool: q.Tool, Verdict: string(call.Approve), Remember: string(call.ForRun)})
	}
	if v := d.run.session.servers[q.Tool.Server()]; v != nil {
		v.forget()
	}
	return d.run.session.pins.accept(q.Tool, t.Integrity)
}

// remember keeps an answer for all calls of the tool in this run, if it is meant so.
func (d *desk) remember(k call.Kind, x journal.Decision) {
	if x.Remember == "" || k != call.MayCall {
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
