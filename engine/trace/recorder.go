// Package trace records what an engine.Observer is told as a tree of spans.
package trace

import (
	"strings"
	"sync"
	"time"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// Span is one task.
type Span struct {
	Path string
	// Parent is the path of what it ran in: the script of a nested call, the item, iteration or other control node
	// around it; "" for the program.
	Parent string
	// Node is the id of its node, for a nested call of the script's.
	Node int
	Kind nodes.Kind
	// Tool is the tool called, Route where; both are zero if it is no call. The route of a nested call is not known.
	Tool  nodes.ToolID
	Route nodes.Route
	// End is zero while it runs.
	Start, End time.Time
	Err        error
}

// Recorder keeps a span of every task of one run. Its methods may be called from several goroutines.
type Recorder struct {
	now    func() time.Time
	mu     sync.Mutex
	began  time.Time // when the first span started
	first  int       // its Index
	count  int
	chunks []*[chunk]record
	moment int // of the last event
	at     time.Time
}

// record is what a Recorder writes down of a span at once; the rest is found when somebody asks. The records stay where
// they are, in chunks.
type record struct {
	path       string
	node       *nodes.Node
	tool       nodes.ToolID
	start, end time.Duration // after the first one; end is -1 while it runs
	err        error
}

const chunk = 64

var _ engine.Observer = (*Recorder)(nil)

// NewRecorder makes a Recorder that takes the time from now.
func NewRecorder(now func() time.Time) *Recorder { return &Recorder{now: now} }

// Started implements engine.Observer.
func (r *Recorder) Started(e engine.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.time(e)
	if r.count == 0 {
		r.began, r.first = at, e.Index
	}
	if r.count%chunk == 0 {
		r.chunks = append(r.chunks, new([chunk]record))
	}
	r.count++
	*r.record(r.count - 1) = record{path: e.Path, node: e.Node, tool: e.Tool, start: at.Sub(r.began), end: -1}
}

// Finished implements engine.Observer.
func (r *Recorder) Finished(e engine.Event, _ []value.Value, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	end := r.time(e)
	if i := e.Index - r.first; i >= 0 && i < r.count {
		w := r.record(i)
		w.end, w.err = end.Sub(r.began), err
	}
}

// time is when e happened.
func (r *Recorder) time(e engine.Event) time.Time {
	if r.count == 0 || e.Moment != r.moment {
		r.at, r.moment = r.now(), e.Moment
	}
	return r.at
}

func (r *Recorder) record(i int) *record { return &r.chunks[i/chunk][i%chunk] }

// Spans lists all spans so far, in the order in which they started.
func (r *Recorder) Spans() []Span {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.count == 0 {
		return nil
	}
	spans := make([]Span, r.count)
	for i := range spans {
		spans[i] = r.span(r.record(i))
	}
	return spans
}

func (r *Recorder) span(w *record) Span {
	s := Span{Path: w.path, Parent: Parent(w.path), Node: w.node.ID, Kind: w.node.Kind, Tool: w.tool, Err: w.err}
	s.Start = r.began.Add(w.start)
	if w.end >= 0 {
		s.End = r.began.Add(w.end)
	}
	if w.node.Call != nil {
		s.Route = w.node.Call.Route
	}
	return s
}

// Parent cuts the last step off a path.
func Parent(path string) string {
	return path[:max(0, strings.LastIndexAny(path, ".#"))]
}
