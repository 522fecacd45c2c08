package main

import (
	"errors"

	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"

	"github.com/casys-ai/pml/bench/harness"
	"github.com/casys-ai/pml/bench/shapes"
)

// gonum builds a graph from string ids and goes through its order: it executes nothing.
func gonum(g *shapes.DAG, w *harness.Work, _ int) (func() error, error) {
	if w.Kind() != harness.Build {
		return nil, errors.New("gonum has no engine")
	}
	ids := g.IDs()
	return func() error {
		index := make(map[string]int64, len(ids))
		d := simple.NewDirectedGraph()
		for i, id := range ids {
			index[id] = int64(i)
			d.AddNode(simple.Node(i))
		}
		for i := range int32(g.Len()) {
			for _, to := range g.After(i) {
				d.SetEdge(simple.Edge{F: simple.Node(index[ids[i]]), T: simple.Node(index[ids[to]])})
			}
		}
		order, err := topo.Sort(d)
		for _, n := range order {
			w.Do(int32(n.ID()))
		}
		return err
	}, nil
}
