package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// constant is a Runner whose exprs do nothing and allocate nothing.
type constant struct{ out []value.Value }

func (c constant) Eval(int, []value.Value) ([]value.Value, error)   { return c.out, nil }
func (c constant) Run(context.Context, Task) ([]value.Value, error) { return c.out, nil }

// silent is an Observer that does nothing.
type silent struct{}

func (silent) Started(Event)                        {}
func (silent) Finished(Event, []value.Value, error) {}

// layered is a random layered graph of exprs, two or three edges a node.
func layered(n int) *nodes.Graph {
	r := rand.New(rand.NewPCG(1, 1))
	ns := make([]*nodes.Node, n)
	for i := range ns {
		ns[i] = &nodes.Node{ID: i + 1, Kind: nodes.KindExpr, Outs: []string{"v"}}
		for range 2 + r.IntN(2) {
			if i > 100 {
				ns[i].In = append(ns[i].In, local(i-1-r.IntN(100)))
			}
		}
	}
	return &nodes.Graph{Root: &nodes.Block{Nodes: ns}, Count: n}
}

// cpu is the processor time of this process, which, unlike the clock, says something on a busy machine too.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// perTask measures do, which does n tasks: the processor time of the best round, a task.
func perTask(b *testing.B, n int, do func()) {
	b.ReportAllocs()
	best := time.Hour
	for b.Loop() {
		start := cpu()
		rounds := max(1, 100_000/n)
		for range rounds {
			do()
		}
		best = min(best, (cpu()-start)/time.Duration(rounds))
	}
	b.ReportMetric(float64(best.Nanoseconds())/float64(n), "cpu-ns/task")
}

func BenchmarkFlat(b *testing.B) {
	for _, n := range []int{1_000, 100_000, 1_000_000} {
		g := layered(n)
		r := constant{[]value.Value{value.Undefined{}}}
		p, err := Prepare(g)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("run/%d", n), func(b *testing.B) {
			perTask(b, n, func() { p.Run(context.Background(), nil, r, Options{Observer: silent{}}) })
		})
		b.Run(fmt.Sprintf("prepare/%d", n), func(b *testing.B) {
			perTask(b, n, func() { Prepare(g) })
		})
	}
}

func BenchmarkCalls(b *testing.B) {
	body := blockOf("x i", in(local(0)), read("r", nodes.Param(0)))
	p, err := Prepare(graph(expr("items"), mapOf(local(0), false, body)))
	if err != nil {
		b.Fatal(err)
	}
	f := constant{[]value.Value{list(10_000)}}
	perTask(b, 10_000, func() { p.Run(context.Background(), nil, f, Options{Observer: silent{}}) })
}
