package trace_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/engine/trace"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/matryer/is"
)

type runner struct{}

func (runner) Eval(int, []value.Value) ([]value.Value, error) { return nil, nil }

func (runner) Run(ctx context.Context, t engine.Task) ([]value.Value, error) {
	if t.Nested == nil {
		return nil, value.Throwf("ToolError", "no")
	}
	call := func(context.Context, string) (value.Value, error) { return value.Null{}, nil }
	_, err := t.Nested(ctx, 0, "s:inner", call)
	return nil, err
}

func TestSpansOfScriptAndCall(t *testing.T) {
	is := is.New(t)
	clock := time.Unix(0, 0)
	r := trace.NewRecorder(func() time.Time { clock = clock.Add(time.Second); return clock })
	call := &nodes.Call{Tool: "s:outer", Route: nodes.Server}
	body := &nodes.Block{Nodes: []*nodes.Node{{ID: 3, Kind: nodes.KindCall, Gate: nodes.GateSafe, Call: call}}}
	g := &nodes.Graph{Root: &nodes.Block{Nodes: []*nodes.Node{
		{ID: 1, Kind: nodes.KindScript, Gate: nodes.GateSafe, Code: &nodes.Code{}},
		{ID: 2, Kind: nodes.KindScope, Scope: &nodes.Scope{Body: body}},
	}}}
	_, err := engine.Run(context.Background(), g, nil, runner{}, engine.Options{Observer: r})
	var f *engine.Failure
	is.True(errors.As(err, &f))
	is.Equal(f.Tool, nodes.ToolID("s:outer"))
	// The scope begins at the moment at which the script has ended.
	at := func(s int) time.Time { return time.Unix(int64(s), 0) }
	spans := r.Spans()
	is.Equal(spans[2].Err.Error(), "ToolError: no")
	spans[2].Err = nil
	is.Equal(spans, []trace.Span{
		{Path: "n1", Node: 1, Kind: nodes.KindScript, Start: at(1), End: at(4)},
		{Path: "n1#0", Parent: "n1", Node: 1, Kind: nodes.KindScript, Tool: "s:inner", Start: at(2), End: at(3)},
		{Path: "n2.n3", Parent: "n2", Node: 3, Kind: nodes.KindCall, Tool: "s:outer", Route: nodes.Server,
			Start: at(4), End: at(5)},
	})
}
