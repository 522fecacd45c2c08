package runtime

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/engine/journal"
	"github.com/casys-ai/pml/engine/trace"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// Store is the journals of the project's runs; nil if none are kept.
func (s *Session) Store() *journal.Store { return s.store }

// begin makes the journal of a new run. A project whose journal cannot be written still works.
func (s *Session) begin(id string, p *Planned, args value.Value, o RunOptions) *book {
	if s.store == nil {
		return newBook(nil)
	}
	b := journal.Begin{Created: time.Now().Truncate(time.Millisecond), Source: p.Source, Args: args, Script: p.options.Script,
		NoSpeculation: p.options.NoSpeculation, Concurrency: s.concurrency(o), Version: s.config.Version,
		Limit: orDuration(o.Timeout, s.config.Limits.Run), Graph: p.digest(), Yes: o.Yes}
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

// Cancel ends a run for good: one that is at work in this Session, or one that nobody works on. It gives how the run has
// ended, which is otherwise if it was over before.
func (s *Session) Cancel(id string) (journal.Status, error) {
	s.mu.Lock()
	end := s.active[id]
	s.mu.Unlock()
	if end != nil {
		end(ErrCancelled)
		return journal.Cancelled, nil
	}
	if s.store == nil {
		return "", &journal.Error{Code: nodes.UnknownRun, Message: "there is no run " + id}
	}
	j, err := s.store.Open(id)
	if err != nil {
		return "", err
	}
	if j.End != nil {
		return journal.Status(j.End.Status), j.Close()
	}
	return journal.Cancelled, j.Conclude(ended(&engine.Failure{Code: nodes.Cancelled, Message: "the run was cancelled"}))
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
