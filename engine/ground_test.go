package engine_test

import (
	"context"
	"sync"
	"testing"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/matryer/is"
)

// TestRunsOfAProgramShareNothing: what a run leaves to the next one of the same program is empty, and runs that are at
// work at the same time do not meet.
func TestRunsOfAProgramShareNothing(t *testing.T) {
	is := is.New(t)
	g := &nodes.Graph{Root: &nodes.Block{Params: []string{"args"}}}
	for i := range 50 {
		g.Root.Nodes = append(g.Root.Nodes, &nodes.Node{ID: i + 1, Kind: nodes.KindExpr, In: []nodes.Ref{nodes.Param(0)},
			Outs: []string{"value"}, Code: &nodes.Code{}})
	}
	g.Count = 51
	g.Root.Nodes = append(g.Root.Nodes, &nodes.Node{ID: 51, Kind: nodes.KindExit, In: []nodes.Ref{{Node: 49}},
		Exit: &nodes.Exit{Mode: nodes.ExitReturn}})
	p, err := engine.Prepare(g)
	is.NoErr(err)
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for k := range 100 {
				want := value.Number(worker*1000 + k)
				r := adder{from: want, fails: k%3 == 0}
				got, err := p.Run(context.Background(), want, r, engine.Options{})
				if r.fails && err == nil || !r.fails && (err != nil || got != value.Value(want)) {
					t.Errorf("worker %d, run %d: %v, %v", worker, k, got, err)
				}
			}
		})
	}
	all.Wait()
}

// adder gives what it is given, if that is from; it fails half way through if it is to.
type adder struct {
	from  value.Value
	fails bool
}

func (a adder) Eval(id int, in []value.Value) ([]value.Value, error) {
	if a.fails && id == 25 {
		return nil, &value.Throw{Value: value.String("half way")}
	}
	if in[0] != a.from {
		return []value.Value{value.String("another run's")}, nil
	}
	return in, nil
}

func (adder) Run(context.Context, engine.Task) ([]value.Value, error) { panic("there are no tasks") }
