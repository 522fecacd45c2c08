package engines

import (
	"fmt"
	"testing"

	"github.com/casys-ai/pml/bench/harness"
	"github.com/casys-ai/pml/bench/shapes"
)

// BenchmarkRun is for profiles: `go test ./bench/engines -bench Run/pml/layered/1000000/noop -cpuprofile cpu.out`.
func BenchmarkRun(b *testing.B) {
	for _, name := range []string{"pml", "serial"} {
		for _, shape := range shapes.Names() {
			for _, n := range []int{1_000, 10_000, 100_000, 1_000_000} {
				for _, work := range []string{harness.Noop, harness.Mixed, harness.Calls, harness.Expr} {
					if name == "serial" && work != harness.Noop {
						continue
					}
					j := harness.Job{Graph: shapes.Spec{Shape: shape, Nodes: n}, Work: work}
					b.Run(fmt.Sprintf("%s/%s/%d/%s", name, shape, n, work), func(b *testing.B) { bench(b, name, j) })
				}
			}
		}
	}
}

func bench(b *testing.B, name string, j harness.Job) {
	run, err := harness.Prepare(j, All()[name])
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := run(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(j.Graph.Nodes), "ns/task")
}
