package engines

import (
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/bench/harness"
	"github.com/casys-ai/pml/bench/shapes"
	"github.com/casys-ai/pml/nodes"
)

var works = []string{harness.Noop, harness.Calls, harness.Mixed, harness.Expr, harness.Sleep, harness.Spin}

// TestEngines runs every engine on every shape; harness.Measure itself checks that all tasks are done, once, in order.
func TestEngines(t *testing.T) {
	for name, e := range All() {
		for _, shape := range shapes.Names() {
			for _, work := range works {
				j := harness.Job{Engine: name, Graph: shapes.Spec{Shape: shape, Nodes: 30, Shuffled: true}, Work: work, Runs: 1}
				t.Run(j.String(), func(t *testing.T) {
					r, err := harness.Measure(j, e)
					is := is.New(t)
					is.NoErr(err)
					is.True(r.Wall > 0)
				})
			}
		}
	}
}

func TestGraphsAreSound(t *testing.T) {
	for _, shape := range shapes.Names() {
		for _, work := range []string{harness.Noop, harness.Expr} {
			g, err := shapes.Make(shapes.Spec{Shape: shape, Nodes: 500})
			is := is.New(t)
			is.NoErr(err)
			graph := Graph(g, work)
			is.NoErr(nodes.Check(graph))
		}
	}
}
