package runtime

import (
	"crypto/rand"
	"fmt"
	"sync"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/engine/journal"
	"github.com/casys-ai/pml/engine/trace"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/nodes/script"
)

// book is the journal of a run as its runner sees it; without a journal everything is new and nothing is kept.
type book struct {
	journal *journal.Run // nil for none

	// forgotten says that the cloud may not know any more what it did in earlier attempts; together, then, whether a call may
	// have been sent along with another one.
	forgotten bool
	together  func(path string) bool

	mu    sync.Mutex
	lines map[string]int // lines written earlier that a script writes again, by its path
}

func newBook(j *journal.Run) *book {
	b := &book{journal: j, lines: map[string]int{}}
	if j != nil {
		for _, l := range j.Lines {
			b.lines[l.Path]++
		}
	}
	return b
}

// engine is the journal as the engine wants it.
func (b *book) engine() engine.Journal {
	if b.journal == nil {
		return nil
	}
	return b.journal
}

// Earlier implements call.Book.
func (b *book) Earlier(path string, tool *nodes.Tool, args []byte) (int, error) {
	switch {
	case b.journal == nil:
		return 0, nil
	case b.journal.Uncertain(path):
		return b.journal.Attempts(path), b.same(path, tool.ID, args)
	case b.forgotten && tool.Route == nodes.Server && b.together(path):
		return 1, nil
	}
	return 0, nil
}

// Forgotten implements call.Book.
func (b *book) Forgotten() bool { return b.forgotten }

// same makes sure that a call of another attempt is the one that was made.
func (b *book) same(path string, tool nodes.ToolID, args []byte) error {
	if b.journal == nil || b.journal.Same(path, tool, args) {
		return nil
	}
	return &engine.Failure{Code: nodes.ReplayDiverged, Tool: tool, Path: path,
		Message: fmt.Sprintf("the run cannot be taken up again: %s would be another call than before", path),
		Hint:    "start it anew; what was done stays done"}
}

// page is the book of one call, whose arguments are digested once.
type page struct {
	*book
	digest string
}

var _ call.Book = (*page)(nil)

// digestOf is the digest of the call's arguments.
func (p *page) digestOf(args []byte) string {
	if p.digest == "" {
		p.digest = journal.Digest(args)
	}
	return p.digest
}

// Leaving implements call.Book.
func (p *page) Leaving(path string, tool *nodes.Tool, args []byte) error {
	if p.journal == nil {
		return nil
	}
	return p.journal.Leaving(path, tool.ID, p.digestOf(args), call.Harmless(tool))
}

// asked notes that a question is about to be put.
func (b *book) asked(q call.Question) error {
	if b.journal == nil {
		return nil
	}
	return b.journal.Asked(journal.Question{ID: q.ID, Path: q.Path, Tool: q.Tool, Args: string(q.Args), Reason: q.Reason,
		Kind: string(q.Kind)})
}

// answer finds what was decided about a question.
func (b *book) answer(q call.Question) (call.Answer, bool) {
	if b.journal == nil {
		return call.Answer{}, false
	}
	x, ok := b.journal.Decisions[q.ID]
	return call.Answer{Verdict: call.Verdict(x.Verdict), Result: x.Result, Remember: call.Remember(x.Remember),
		By: x.By}, ok
}

func (b *book) decided(x journal.Decision) error {
	if b.journal == nil {
		return nil
	}
	return b.journal.Decided(x)
}

// line writes down what the program writes to its console, and reports whether it is new.
func (b *book) line(path, level, text string) bool {
	if b.journal == nil {
		return true
	}
	b.mu.Lock()
	again := b.lines[path] > 0
	if again {
		b.lines[path]--
	}
	b.mu.Unlock()
	if !again {
		_ = b.journal.Line(path, level, text) // a journal that fails ends the run with the next call
	}
	return !again
}

// told is what the script at path was told before, or will be from now on.
func (b *book) told(path string) (script.Told, error) {
	if b.journal == nil || path == "" { // pure code that only a realm can do
		return script.Told{}, nil
	}
	seed, clock, timers := b.journal.Told(path)
	t := script.Told{Seed: seed, Clock: clock, Timers: timers, Epoch: b.journal.Created.UnixMicro()}
	if seed != nil {
		return t, nil
	}
	t.Seed = make([]byte, 32)
	_, _ = rand.Read(t.Seed)
	return t, b.journal.Seeded(path, t.Seed)
}

// clock writes down what a script has seen of the time.
func (b *book) clock(path string) func([]byte) {
	if b.journal == nil || path == "" {
		return nil
	}
	return func(readings []byte) { _ = b.journal.Clock(path, readings) }
}

// timer writes down that a timer of a script fires: it is not waited for again.
func (b *book) timer(path string) func([]byte) {
	if b.journal == nil || path == "" {
		return nil
	}
	return func(fired []byte) { _ = b.journal.Fired(path, fired) }
}

// spans are the tasks that earlier attempts have ended, logs the lines that they have written.
func (b *book) spans() []trace.Span {
	if b.journal == nil {
		return nil
	}
	return spans(&b.journal.State)
}

func (b *book) logs() []Log {
	if b.journal == nil {
		return nil
	}
	return lines(b.journal.Lines)
}
