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

// PML is the driver that `pml run` uses, with limit and trace on. The graph is prepared once, as the peers' are.
func PML(g *shapes.DAG, w *harness.Work, limit int) (func() error, error) {
	if w.Kind() == harness.Build {
		return build(g, w), nil
	}
	graph, r, err := pml(g, w)
	if err != nil {
		return nil, err
	}
	program, err := engine.Prepare(graph)
	if err != nil {
		return nil, err
	}
	return func() error {
		_, err := program.Run(context.Background(), value.NewObject(0), r, options(limit))
		return err
	}, nil
}

// First is PML when a graph is run for the first time: it is checked and prepared within the run.
func First(g *shapes.DAG, w *harness.Work, limit int) (func() error, error) {
	graph, r, err := pml(g, w)
	if err != nil {
		return nil, err
	}
	return func() error {
		if err := nodes.Check(graph); err != nil {
			return err
		}
		_, err := engine.Run(context.Background(), graph, value.NewObject(0), r, options(limit))
		return err
	}, nil
}

// options are those of `pml run`.
func options(limit int) engine.Options {
	return engine.Options{Concurrency: limit, Observer: trace.NewRecorder(time.Now)}
}

// pml makes the graph, and what executes its nodes.
func pml(g *shapes.DAG, w *harness.Work) (*nodes.Graph, *runner, error) {
	graph := Graph(g, w.Kind())
	r := &runner{work: w, nothing: []value.Value{value.Undefined{}}}
	if w.Kind() != harness.Expr {
		return graph, r, nil
	}
	return graph, r, r.compile(graph)
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
func (r *runner) Eval(id int, in []value.Value) ([]value.Value, error) {
	r.work.Do(int32(id - 1))
	if r.programs != nil {
		return r.programs[id].RunContext(context.Background(), in)
	}
	return r.nothing, nil
}

// Run implements engine.Runner.
func (r *runner) Run(_ context.Context, t engine.Task) ([]value.Value, error) {
	r.work.Do(int32(t.ID - 1))
	return r.nothing, nil
}
