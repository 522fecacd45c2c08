package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// constant is a Runner whose exprs do nothing and allocate nothing.
type constant struct{ out []value.Value }

func (c constant) Eval(*nodes.Node, []value.Value) ([]value.Value, error) { return c.out, nil }
func (c constant) Run(context.Context, Task) ([]value.Value, error)       { return c.out, nil }

// layered is a random layered graph of exprs, two or three edges a node (FACTS, engines measured).
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

func BenchmarkFlat(b *testing.B) {
	for _, n := range []int{1_000, 100_000, 1_000_000} {
		g := layered(n)
		r := constant{[]value.Value{value.Undefined{}}}
		b.Run(fmt.Sprintf("run/%d", n), func(b *testing.B) {
			p, _ := compile(g)
			b.ReportAllocs()
			for b.Loop() {
				c := newCore(p, nil, Options{})
				c.eval = r.Eval
				for c.start(); c.step(slice); {
				}
				if !c.quiet() {
					b.Fatal("not over")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/task")
		})
		b.Run(fmt.Sprintf("compile/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				compile(g)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/task")
		})
	}
}

func BenchmarkCalls(b *testing.B) {
	body := blockOf("x i", in(local(0)), read("r", nodes.Param(0)))
	g := graph(expr("items"), mapOf(local(0), false, body))
	f := constant{[]value.Value{list(10_000)}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Run(context.Background(), g, nil, f, Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10_000, "ns/call")
}
