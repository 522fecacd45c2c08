package main

import (
	"fmt"
	"strconv"

	"github.com/heimdalr/dag"

	"github.com/casys-ai/pml/bench/harness"
	"github.com/casys-ai/pml/bench/shapes"
)

// most is how many tasks heimdalr/dag is asked to take: to add an edge it copies the sets of all ancestors and
// descendants, so a chain of 5,000 takes seconds and one of 20,000 minutes.
const most = 2_000

// start is the id of the vertex from which all others can be reached.
const start = "start"

// heimdalr is the flow of heimdalr/dag. It has no limit.
func heimdalr(g *shapes.DAG, w *harness.Work, _ int) (func() error, error) {
	if g.Len() > most {
		return nil, fmt.Errorf("heimdalr/dag is measured up to %d tasks", most)
	}
	if w.Kind() == harness.Build {
		return func() error { return visitAll(g, w) }, nil
	}
	d, err := heimdalrDAG(g)
	if err != nil {
		return nil, err
	}
	return func() error { _, err := d.DescendantsFlow(start, nil, task(w)); return err }, nil
}

// heimdalrDAG builds the graph; it is checked as it grows.
func heimdalrDAG(g *shapes.DAG) (*dag.DAG, error) {
	d := dag.NewDAG()
	if err := d.AddVertexByID(start, start); err != nil {
		return nil, err
	}
	for i, degree := range g.Degrees() {
		if err := add(d, i, degree == 0); err != nil {
			return nil, err
		}
	}
	for i := range int32(g.Len()) {
		for _, to := range g.After(i) {
			if err := d.AddEdge(id(i), id(to)); err != nil {
				return nil, err
			}
		}
	}
	return d, nil
}

// visitAll builds the graph and goes through its order.
func visitAll(g *shapes.DAG, w *harness.Work) error {
	d, err := heimdalrDAG(g)
	if err != nil {
		return err
	}
	do := task(w)
	d.OrderedWalk(visitor(func(id string) { _, err = do(d, id, nil) }))
	return err
}

type visitor func(id string)

// Visit implements dag.Visitor.
func (v visitor) Visit(vertex dag.Vertexer) {
	id, _ := vertex.Vertex()
	v(id)
}

// add adds a vertex; one that waits for nothing hangs on start.
func add(d *dag.DAG, i int, first bool) error {
	name := id(int32(i))
	if err := d.AddVertexByID(name, name); err != nil || !first {
		return err
	}
	return d.AddEdge(start, name)
}

func id(i int32) string { return strconv.Itoa(int(i)) }

func task(w *harness.Work) dag.FlowCallback {
	return func(_ *dag.DAG, id string, _ []dag.FlowResult) (any, error) {
		if id == start {
			return nil, nil
		}
		i, err := strconv.Atoi(id)
		if err == nil {
			w.Do(int32(i))
		}
		return nil, err
	}
}
