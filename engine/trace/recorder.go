// Package trace records what an engine.Observer is told as a tree of spans.
package trace

import (
	"slices"
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
	now   func() time.Time
	mu    sync.Mutex
	spans []Span
	first int // the Index of the first span
}

var _ engine.Observer = (*Recorder)(nil)

// NewRecorder makes a Recorder that takes the time from now.
func NewRecorder(now func() time.Time) *Recorder {
	return &Recorder{now: now}
}

// Started implements engine.Observer.
func (r *Recorder) Started(e engine.Event) {
	s := Span{Path: e.Path, Parent: parent(e.Path), Node: e.Node.ID, Kind: e.Node.Kind, Tool: e.Tool, Start: r.now()}
	if e.Node.Call != nil {
		s.Route = e.Node.Call.Route
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.spans) == 0 {
		r.first = e.Index
	}
	r.spans = append(r.spans, s)
}

// Finished implements engine.Observer.
func (r *Recorder) Finished(e engine.Event, _ []value.Value, err error) {
	end := r.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := e.Index - r.first; i >= 0 && i < len(r.spans) {
		r.spans[i].End, r.spans[i].Err = end, err
	}
}

// Spans lists all spans so far, in the order in which they started.
func (r *Recorder) Spans() []Span {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.spans)
}

// parent cuts the last step off a path.
func parent(path string) string {
	return path[:max(0, strings.LastIndexAny(path, ".#"))]
}
