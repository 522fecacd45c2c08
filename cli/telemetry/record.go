package telemetry

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/engine/trace"
	"github.com/casys-ai/pml/nodes"
)

// Record is what is told of one run.
type Record struct {
	RunID string `json:"run_id"`
	// WorkflowID is the gateway's name of the run, if it has handed the program back.
	WorkflowID string          `json:"workflow_id,omitempty"`
	Status     string          `json:"status"`
	Code       nodes.ErrorCode `json:"code,omitempty"`
	Started    time.Time       `json:"started"`
	Duration   time.Duration   `json:"duration_ns"`
	Tools      []string        `json:"tools_used"`
	Spans      []Span          `json:"spans"`
}

// Span is one task; its trace id is its path, its parent's that of the task around it. Times are after the run's start.
type Span struct {
	Path   string          `json:"trace_id"`
	Parent string          `json:"parent_trace_id,omitempty"`
	Kind   string          `json:"kind"`
	Tool   string          `json:"tool,omitempty"`
	Route  string          `json:"route,omitempty"`
	Start  time.Duration   `json:"start_ns"`
	End    time.Duration   `json:"end_ns"`
	Code   nodes.ErrorCode `json:"code,omitempty"`
	// Error is what a tool of the cloud said; what one of this machine says stays here.
	Error string `json:"error,omitempty"`
}

// How a run ended.
const (
	succeeded = "success"
	failed    = "error"
)

// record is what is told of a run: no arguments, no results, no text of this machine's tools.
func record(o *runtime.Outcome) *Record {
	r := &Record{RunID: o.RunID, WorkflowID: o.WorkflowID, Status: succeeded, Started: o.Started, Duration: o.Duration, Tools: []string{},
		Spans: []Span{}}
	if o.Err != nil {
		r.Status, r.Code = failed, o.Err.Code
	}
	known := map[string]bool{}
	for _, s := range o.Spans {
		if s.End.IsZero() || known[s.Path] {
			continue
		}
		known[s.Path] = true
		if s.Start.Before(r.Started) { // of an earlier attempt
			r.Duration += r.Started.Sub(s.Start)
			r.Started = s.Start
		}
	}
	for _, s := range o.Spans {
		if s.End.IsZero() {
			continue
		}
		span := Span{Path: s.Path, Parent: around(s.Path, known), Kind: s.Kind.String(), Tool: string(s.Tool),
			Start: s.Start.Sub(r.Started), End: s.End.Sub(r.Started)}
		if s.Tool != "" {
			span.Kind, span.Route = nodes.KindCall.String(), routeOf(o, s).String()
			if !slices.Contains(r.Tools, span.Tool) {
				r.Tools = append(r.Tools, span.Tool)
			}
		}
		span.fail(o, s)
		r.Spans = append(r.Spans, span)
	}
	return r
}

// routeOf is where a call ran, also one that a script made.
func routeOf(o *runtime.Outcome, s trace.Span) nodes.Route {
	if o.Planned != nil && o.Planned.Catalog != nil {
		if t := o.Planned.Catalog.Tool(s.Tool); t != nil {
			return t.Route
		}
	}
	return s.Route
}

// fail notes how a task failed.
func (s *Span) fail(o *runtime.Outcome, t trace.Span) {
	if t.Err == nil {
		return
	}
	s.Code = nodes.CodeError
	for _, x := range o.ToolFailures {
		if x.Path != t.Path {
			continue
		}
		if s.Code = x.Code; s.Route == nodes.Server.String() {
			s.Error = trace.Clean(x.Message)
		}
	}
	var f *engine.Failure
	if errors.As(t.Err, &f) {
		s.Code = f.Code
	}
}

// around is the nearest task around a path that is among those known; "" for the run.
func around(path string, known map[string]bool) string {
	for path != "" {
		path = path[:max(0, strings.LastIndexAny(path, ".#"))]
		if known[path] {
			return path
		}
	}
	return ""
}
