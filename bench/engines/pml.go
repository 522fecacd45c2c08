package engines

import (
	"context"
	"time"

	"github.com/casys-ai/pml/bench/harness"
	"github.com/casys-ai/pml/bench/shapes"
	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/engine/trace"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/expr"
	"github.com/casys-ai/pml/nodes/value"
)

// PML is the driver that `pml run` uses, with the limit and the trace on.
func PML(g *shapes.DAG, w *harness.Work, limit int) (func() error, error) {
	graph := Graph(g, w.Kind())
	r := &runner{work: w, nothing: []value.Value{value.Undefined{}}}
	if w.Kind() == harness.Expr {
		if err := r.compile(graph); err != nil {
			return nil, err
		}
	}
	return func() error {
		o := engine.Options{Concurrency: limit, Observer: trace.NewRecorder(time.Now)}
		_, err := engine.Run(context.Background(), graph, value.NewObject(0), r, o)
		return err
	}, nil
}

// runner stands for cli/runtime's: it finds what a node does by the node's id.
type runner struct {
	work     *harness.Work
	nothing  []value.Value
	programs []*expr.Program
}

// compile makes the expressions ready, as cli/runtime does before a run.
func (r *runner) compile(g *nodes.Graph) error {
	r.programs = make([]*expr.Program, g.Count+1)
	for _, n := range g.Root.Nodes {
		p, err := expr.Compile(n.Code)
		if err != nil {
			return err
		}
		r.programs[n.ID] = p
	}
	return nil
}

// Eval implements engine.Runner.
func (r *runner) Eval(n *nodes.Node, in []value.Value) ([]value.Value, error) {
	r.work.Do(int32(n.ID - 1))
	if r.programs != nil {
		return r.programs[n.ID].RunContext(context.Background(), in)
	}
	return r.nothing, nil
}

// Run implements engine.Runner.
func (r *runner) Run(_ context.Context, t engine.Task) ([]value.Value, error) {
	r.work.Do(int32(t.Node.ID - 1))
	return r.nothing, nil
}
