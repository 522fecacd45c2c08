package engine

import (
	"context"
	"runtime"
	"testing"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/matryer/is"
)

// TestLongLoopKeepsNothing runs an endless loop for many iterations in the memory of a few.
func TestLongLoopKeepsNothing(t *testing.T) {
	const many = 300_000
	stop := ifElse(local(1), seq(leave(nodes.ExitBreak, 1, local(0))), seq())
	stop.Branch.Then.Nodes[0].In[0].Up = 1
	body := blockOf("n", in(local(0)), expr("inc", nodes.Param(0)), expr("enough", local(0)), stop)
	n := outs(&nodes.Node{Kind: nodes.KindLoop, In: in(nodes.Param(0)), Loop: &nodes.Loop{Body: body}}, 1)
	most := uint64(0)
	f := &fake{evals: map[string]func([]value.Value) (value.Value, error){
		"inc": func(in []value.Value) (value.Value, error) { return in[0].(value.Number) + 1, nil },
		"enough": func(in []value.Value) (value.Value, error) {
			if int(in[0].(value.Number))%(many/3) == 0 {
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			}
			return value.Bool(in[0].(value.Number) >= many), nil
		},
	}}
	g := graph(n, returns(local(0)))
	f.labels = labels(g)
	v, err := Run(context.Background(), g, value.Number(0), f, Options{})
	is := is.New(t)
	is.NoErr(err)
	is.Equal(v, value.Number(many))
	is.True(most < 50<<20)
}
