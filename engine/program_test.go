package engine

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/matryer/is"
)

func TestReadWithTheLongestPathGoesFirst(t *testing.T) {
	g := func() *nodes.Graph {
		all := join(nodes.AwaitAll, local(0), local(1), local(4))
		return graph(read("a"), read("b"), read("c"), read("d", local(2)), read("e", local(3)), all, returns(local(5)))
	}
	a := acts(10*ms, "a", "b", "c", "d", "e")
	play(t, g(), a).want("[a,b,e,]", 30*ms).did("0 start n1", true).did("0 start n2", true)
	play(t, g(), a, limit(2)).want("[a,b,e,]", 30*ms).did("0 start n3", true).did("0 start n1", true)
	s := play(t, g(), a, limit(1)).want("[a,b,e,]", 50*ms).did("0 start n3", true).did("10 start n4", true)
	s.did("20 start n1", true).did("30 start n2", true).did("40 start n5", true) // equally long: as they came
}

func TestWritesDoNotOvertake(t *testing.T) {
	g := graph(write("a"), async(write("b")), async(write("c")), read("d", local(0)), returns(local(3)))
	s := play(t, g, acts(10*ms, "a", "b", "c", "d"), limit(1))
	at := map[string]int{}
	for k, line := range s.fake.log {
		at[line[len(line)-8:]] = k
	}
	is.New(t).True(at["start n2"] < at["start n3"])
}

// TestRanks: a path goes through control nodes, and through what they read from further out.
func TestRanks(t *testing.T) {
	inner := blockOf("", in(local(1)), read("x", up(1, 1)), read("y", local(0)))
	g := graph(read("a"), read("b"), scopeOf(inner), read("c", local(2)), write("w"), returns())
	p, err := Prepare(g)
	is := is.New(t)
	is.NoErr(err)
	is.Equal(p.root.ranks, []int32{2, 5, 4, 2, 1, 0})
	is.Equal(p.root.kids[0].first.ranks, []int32{4, 3})
}

// TestRanksByTime: what calls took before says which path is the longest; what is not known is as long as the others are
// on average.
func TestRanksByTime(t *testing.T) {
	took := map[nodes.ToolID]float64{"fake:a": 300, "fake:b": 10, "fake:c": 1e12}
	estimate := func(id nodes.ToolID) float64 { return took[id] }
	prepare := func(nodes ...*nodes.Node) *Program {
		p, err := PrepareWith(graph(nodes...), estimate)
		is.New(t).NoErr(err)
		return p
	}
	is := is.New(t)
	p := prepare(read("a"), read("b"), read("b", local(1)), read("d", local(2)), returns())
	is.Equal(p.root.ranks, []int32{300, 127, 117, 107, 0}) // of d nothing is known
	is.Equal(p.CriticalPath(), 300)
	long := prepare(read("c"), read("c", local(0)), read("c", local(1)), returns())
	is.True(long.root.ranks[0] > long.root.ranks[1] && long.root.ranks[2] > 0) // no overflow
	plain, err := Prepare(graph(read("a"), read("b"), read("b", local(1)), returns()))
	is.NoErr(err)
	is.Equal(plain.root.ranks, []int32{1, 2, 1, 0})
}

func TestProgramRunsManyTimesAtOnce(t *testing.T) {
	body := blockOf("x i sum", in(local(1)), read("r", nodes.Param(0)), expr("add", nodes.Param(2), local(0)))
	g := graph(expr("items"), each(body, local(0), nodes.Param(0)), returns(local(1)))
	p, err := Prepare(g)
	is := is.New(t)
	is.NoErr(err)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			s := &scene{fake: &fake{labels: labels(g), evals: map[string]func([]value.Value) (value.Value, error){}}}
			items(20)(s)
			s.fake.acts = map[string]act{"r": echo(always(0))}
			v, err := p.Run(context.Background(), value.Number(1), s.fake, Options{Concurrency: 3})
			if err != nil || v != value.Value(value.Number(191)) {
				t.Errorf("got %v, %v", v, err)
			}
		})
	}
	all.Wait()
}

func TestRunnerThatEndsItsGoroutine(t *testing.T) {
	gone := act{run: func(context.Context, Task) ([]value.Value, error) { runtime.Goexit(); return nil, nil }}
	g := graph(read("a"), read("b"), returns())
	play(t, g, map[string]act{"a": gone}).want("INTERNAL_ERROR the runner ended its goroutine at n1", 0)
	g = graph(read("a"), expr("gone", local(0)), returns())
	evals := func(s *scene) {
		s.fake.evals["gone"] = func([]value.Value) (value.Value, error) { runtime.Goexit(); return nil, nil }
	}
	play(t, g, acts(ms, "a"), evals).want("INTERNAL_ERROR the runner ended its goroutine at n2", ms)
}

func TestTaskContext(t *testing.T) {
	is := is.New(t)
	type key struct{}
	run, stop := context.WithCancel(context.WithValue(context.Background(), key{}, 7))
	defer stop()
	c := &taskContext{Context: run}
	is.Equal(c.Value(key{}), 7)
	is.NoErr(c.Err())
	before := runtime.NumGoroutine()
	derived, cancel := context.WithTimeout(c, time.Hour)
	defer cancel()
	is.Equal(runtime.NumGoroutine(), before) // package context knows how to derive from it
	c.end()
	is.True(errors.Is(derived.Err(), context.Canceled))
	is.True(errors.Is(c.Err(), context.Canceled))
	late := &taskContext{Context: run}
	late.end()
	<-late.Done()
	stopped := &taskContext{Context: run}
	done := stopped.Done()
	stop()
	<-done
	is.True(errors.Is((&taskContext{Context: run}).Err(), context.Canceled))
}
