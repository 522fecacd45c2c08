package runtime

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/engine/journal"
	"github.com/casys-ai/pml/engine/trace"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/casys-ai/pml/transport"
)

// Forwarded is the answer of a gateway that has executed a program as a whole, beside what it tells everybody.
type Forwarded struct {
	Status string `json:"status"`
	// WorkflowID, or Workflow as older gateways write it, names a program that was handed back.
	WorkflowID string `json:"workflow_id,omitempty"`
	Workflow   string `json:"workflowId,omitempty"`
	// Exact is the result as journal.Encode writes it: JSON would lose some of it.
	Exact []byte `json:"exact,omitempty"`
	Error *struct {
		Code    nodes.ErrorCode `json:"code"`
		Message string          `json:"message"`
		Tool    nodes.ToolID    `json:"tool"`
		Node    string          `json:"node"`
		Line    int             `json:"line"`
		Column  int             `json:"column"`
		Hint    string          `json:"hint"`
	} `json:"error,omitempty"`
	Logs  []Log           `json:"logs,omitempty"`
	Spans []ForwardedSpan `json:"spans,omitempty"`
}

// ForwardedSpan is a task of a program that was executed elsewhere; times are in µs after its beginning.
type ForwardedSpan struct {
	Path   string          `json:"path"`
	Parent string          `json:"parent,omitempty"`
	Node   int             `json:"node,omitempty"`
	Kind   nodes.Kind      `json:"kind,omitempty"`
	Tool   nodes.ToolID    `json:"tool,omitempty"`
	Start  int64           `json:"start"`
	End    int64           `json:"end"`
	Code   nodes.ErrorCode `json:"code,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// plainly reports whether a run is one that the gateway would execute as it would be here: nothing of it has happened yet,
// and the project sets no limits and effects of its own.
func (r *runner) plainly() bool {
	c, o := r.session.config, r.planned.options
	return c.Cloud != nil && r.options.Cloud == nil && r.options.Concurrency == 0 && c.Limits == (Limits{}).withDefaults() &&
		len(c.Rules.Effects) == 0 && !o.Script && !o.NoSpeculation && len(r.book.spans()) == 0
}

// forwardable reports whether the gateway may execute a program as a whole, and that saves requests: all its tools are
// there and allowed beforehand, and their keys are set.
func (r *runner) forwardable() bool {
	s, g := r.session, r.planned.Graph
	if !r.plainly() {
		return false
	}
	possible, requests := true, 0
	may := func(id nodes.ToolID) {
		t := r.planned.Catalog.Tool(id)
		possible = possible && t != nil && t.Route == nodes.Server && s.config.Rules.Static(t).Permission == nodes.Allow &&
			len(s.missing(t)) == 0
	}
	g.Root.Walk(func(n *nodes.Node) {
		switch n.Kind {
		case nodes.KindCall:
			may(n.Call.Tool)
			if p := r.code.parts[n.ID]; p == nil || p.Calls[0].ID == n.ID {
				requests++
			}
		case nodes.KindScript:
			possible = possible && !n.Code.Dynamic
			for _, id := range n.Code.Tools {
				may(id)
				requests++
			}
		case nodes.KindMap, nodes.KindLoop:
			requests++ // any number of them
		}
	})
	return possible && requests > 1
}

// forward has the gateway execute the program. false: it is to be executed here, because it may not be forwarded or the
// gateway has handed it back.
func (r *runner) forward(ctx context.Context, args value.Value, out *Outcome) bool {
	if r.book.forgotten || !r.forwardable() {
		return false
	}
	params, ok, err := value.AppendJSON(nil, args)
	if err != nil || !ok {
		return false
	}
	body, err := json.Marshal(map[string]any{"code": r.planned.Source, "args": json.RawMessage(params)})
	if err != nil {
		return false
	}
	keys := map[string]string{}
	for _, t := range r.code.tools {
		if t == nil {
			continue
		}
		own, _ := r.session.keysOf(t)
		for name, key := range own {
			keys[name] = key
		}
	}
	began := time.Now()
	result, err := r.session.config.Cloud.Call(ctx, transport.CloudCall{Tool: "execute", Args: body, Key: r.id, Keys: keys,
		Patience: orDuration(r.options.Timeout, r.session.config.Limits.Run)})
	if err != nil {
		// Each call has its key, so that here none of those that were made is made again; and its failure has a place.
		r.session.log.Debug("the program was not forwarded", "error", err)
		return false
	}
	var a Forwarded
	if json.Unmarshal(r.session.secrets.bytes(result.Structured), &a) != nil || a.Status != "success" && a.Status != "error" {
		out.WorkflowID = cmp.Or(a.WorkflowID, a.Workflow)
		r.session.log.Debug("the gateway has handed the program back", "status", a.Status, "workflow_id", out.WorkflowID)
		return false
	}
	r.take(&a, began, out)
	return true
}

// take fills the outcome in from the gateway's answer.
func (r *runner) take(a *Forwarded, began time.Time, out *Outcome) {
	for _, l := range a.Logs {
		r.logs.add("", l.Level, l.Text)
	}
	at := func(us int64) time.Time { return began.Add(time.Duration(us) * time.Microsecond) }
	for _, s := range a.Spans {
		span := trace.Span{Path: s.Path, Parent: s.Parent, Node: s.Node, Kind: s.Kind, Tool: s.Tool, Start: at(s.Start), End: at(s.End)}
		if span.Tool != "" {
			span.Route = nodes.Server
		}
		if s.Error != "" {
			span.Err = call.Throw(s.Tool, s.Code, s.Error)
		}
		out.Spans = append(out.Spans, span)
	}
	out.Logs, out.ToolFailures = r.logs.all(), toolFailures(out.Spans)
	if e := a.Error; e != nil {
		out.Err = &engine.Failure{Code: e.Code, Message: e.Message, Tool: e.Tool, Path: e.Node, Hint: e.Hint,
			Pos: ast.Pos{Line: e.Line, Column: e.Column}}
		return
	}
	values, err := journal.Decode(a.Exact, r.session.secrets.text)
	if err != nil || len(values) != 1 {
		out.Err = &engine.Failure{Code: nodes.CloudUnavailable, Message: "the gateway did not say what the program gave"}
		return
	}
	out.Value = values[0]
}
