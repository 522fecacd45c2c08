package journal_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/engine/journal"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// free makes calls that take no time.
type free struct{ run *journal.Run }

// Eval implements engine.Runner.
func (free) Eval(_ int, in []value.Value) ([]value.Value, error) { return in, nil }

// Run implements engine.Runner.
func (f free) Run(_ context.Context, t engine.Task) ([]value.Value, error) {
	if f.run != nil {
		if err := f.run.Leaving(t.Path, t.Node.Call.Tool, journal.Digest([]byte(`{"n":1}`)), false); err != nil {
			return nil, err
		}
	}
	return []value.Value{value.String("done")}, nil
}

// BenchmarkFreeCalls: what a journal adds to a call that takes no time, all at once and one after the other.
func BenchmarkFreeCalls(b *testing.B) {
	const count = 1000
	for _, gate := range []nodes.Gate{nodes.GateNone, nodes.GateSafe} {
		g := &nodes.Graph{Root: &nodes.Block{}}
		for i := range count {
			n := task(i+1, nodes.KindCall, "free")
			n.Gate = gate
			g.Root.Nodes = append(g.Root.Nodes, n)
		}
		p, err := engine.Prepare(g)
		if err != nil {
			b.Fatal(err)
		}
		for _, with := range []bool{false, true} {
			b.Run(fmt.Sprintf("gate=%s/journal=%v", gate, with), func(b *testing.B) {
				s := journal.NewStore(b.TempDir(), journal.Limits{}, nil)
				for i := 0; b.Loop(); i++ {
					var o engine.Options
					var run *journal.Run
					if with {
						if run, err = s.Create(fmt.Sprint("run_", i), journal.Begin{Created: time.Now()}); err != nil {
							b.Fatal(err)
						}
						o.Journal = run
					}
					if _, err := p.Run(context.Background(), nil, free{run}, o); err != nil {
						b.Fatal(err)
					}
					if with {
						_ = run.Conclude(journal.End{Status: "success"})
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/count, "ns/node")
			})
		}
	}
}
