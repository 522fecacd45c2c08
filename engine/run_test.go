package engine

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/matryer/is"
)

func acts(wait time.Duration, labels ...string) map[string]act {
	m := map[string]act{}
	for _, l := range labels {
		m[l] = act{wait: wait}
	}
	return m
}

func limit(n int) func(*scene) { return func(s *scene) { s.options.Concurrency = n } }

func TestIndependentReadsTakeOneLatency(t *testing.T) {
	g := func() *nodes.Graph {
		all := join(nodes.AwaitAll, local(0), local(1), local(2))
		return graph(read("a"), read("b"), read("c"), all, returns(local(3)))
	}
	a := acts(100*ms, "a", "b", "c")
	play(t, g(), a).want("[a,b,c,]", 100*ms)
	play(t, g(), a, limit(2)).want("[a,b,c,]", 200*ms)
	play(t, graph(read("a"), read("b"), returns(local(1))), a, limit(2)).want("b", 100*ms)
}

func TestReadWriteReadKeepsOrder(t *testing.T) {
	r2 := after(read("r2"), nodes.After{Node: 1, Port: nodes.PortWrites})
	play(t, graph(read("r1"), write("w"), r2, returns(local(2))), acts(10*ms, "r1", "r2", "w")).
		want("r2", 30*ms).did("10 start n2", true).did("20 start n3", true)
}

func TestWriteNeverStartsAfterAFailure(t *testing.T) {
	a := acts(10*ms, "w")
	a["r"] = act{wait: 20 * ms, err: tool("no")}
	s := play(t, graph(read("r"), write("w"), returns()), a).want("TOOL_ERROR ToolError: no at n1", 20*ms)
	s.did("start n2", false)
	is.New(t).Equal(s.failure.Tool, nodes.ToolID("fake:r"))
	is.New(t).Equal(s.failure.Pos.Line, 1)
}

func TestFirstFailureInProgramOrder(t *testing.T) {
	a := map[string]act{"a": {wait: 30 * ms, err: tool("first")}, "b": {wait: 10 * ms, err: tool("second")}}
	play(t, graph(read("a"), read("b"), returns()), a).want("TOOL_ERROR ToolError: first at n1", 30*ms)
	a["a"] = act{wait: 30 * ms}
	play(t, graph(read("a"), read("b"), returns()), a).want("TOOL_ERROR ToolError: second at n2", 30*ms)
}

func TestReadBehindAFailureIsCancelled(t *testing.T) {
	a := map[string]act{"a": {wait: 10 * ms, err: tool("no")}, "b": {wait: time.Hour}}
	play(t, graph(read("a"), read("b"), returns(local(1))), a).
		want("TOOL_ERROR ToolError: no at n1", 10*ms).did("0 start n2", true).did("10 cancel n2", true)
}

func TestNothingPassesAnExitThatIsNotKnown(t *testing.T) {
	g := func() *nodes.Graph {
		arm := seq(returns(up(1, 0)))
		return graph(read("c"), ifElse(local(0), arm, seq()), read("r"), returns(local(2)))
	}
	a := acts(10*ms, "r")
	a["c"] = act{wait: 50 * ms, out: value.Bool(true)}
	play(t, g(), a).want("true", 50*ms).did("start n4", false)
	a["c"] = act{wait: 50 * ms, out: value.Bool(false)}
	play(t, g(), a).want("r", 60*ms).did("50 start n4", true)
}

func list(n int) value.Value {
	elems := make([]value.Value, n)
	for i := range elems {
		elems[i] = value.Number(i)
	}
	return value.NewArray(elems...)
}

// items makes the expr "items" an array of n.
func items(n int) func(*scene) {
	return func(s *scene) {
		s.fake.evals["items"] = func([]value.Value) (value.Value, error) { return list(n), nil }
		s.fake.evals["add"] = func(in []value.Value) (value.Value, error) {
			return in[0].(value.Number) + in[1].(value.Number), nil
		}
	}
}

// echo gives back the first input, after a time that depends on it.
func echo(wait func(x int) time.Duration) act {
	return act{run: func(ctx context.Context, t Task) ([]value.Value, error) {
		select {
		case <-time.After(wait(int(t.In[0].(value.Number)))):
			return t.In[:1], nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}}
}

func always(d time.Duration) func(int) time.Duration { return func(int) time.Duration { return d } }

func TestLoopRunsCallsAheadOfCarriedState(t *testing.T) {
	body := blockOf("x i sum", in(local(1)), read("r", nodes.Param(0)), expr("add", nodes.Param(2), local(0)))
	g := graph(expr("items"), each(body, local(0), nodes.Param(0)), returns(local(1)))
	slow := echo(func(x int) time.Duration { return time.Duration(10-x) * ms })
	play(t, g, map[string]act{"r": slow}, items(5)).want("11", 10*ms)
	window := func(s *scene) { s.options.Window = 2 }
	s := play(t, g, map[string]act{"r": echo(always(10 * ms))}, items(5), window).want("11", 30*ms)
	is.New(t).Equal(s.fake.most, 2)
}

func TestBreakStops(t *testing.T) {
	stop := ifElse(local(0), seq(leave(nodes.ExitBreak, 2, up(1, 0))), seq())
	body := blockOf("x i last", in(local(0)), read("r", nodes.Param(0)), stop, write("w", local(0)))
	g := graph(expr("items"), each(body, local(0), nodes.Param(0)), returns(local(1)))
	a := map[string]act{"r": echo(always(10 * ms)), "w": {wait: ms}}
	s := play(t, g, a, items(5)).want("1", 20*ms)
	s.did("start n2[0].n6", true).did("start n2[1].n6", false).did("start n2[2].n3", false)
}

func TestCatchSeesTheVersionOfItsThrower(t *testing.T) {
	g := func() *nodes.Graph {
		body := blockOf("", in(local(3)), expr("one"), read("a"), expr("two"), read("b"))
		saved := []nodes.Version{{Ref: up(1, 0)}, {From: 1, Ref: local(0)}, {From: 3, Ref: local(2)}}
		handler := blockOf("e x", in(nodes.Param(1)))
		return graph(expr("zero"), tryCatch(body, handler, saved), returns(local(1)))
	}
	name := func(s *scene) {
		for _, l := range []string{"zero", "one", "two"} {
			s.fake.evals[l] = func([]value.Value) (value.Value, error) { return value.String(l), nil }
		}
	}
	fails, works := act{wait: 10 * ms, err: tool("no")}, act{wait: 10 * ms}
	play(t, g(), map[string]act{"a": fails, "b": works}, name).want("one", 10*ms)
	play(t, g(), map[string]act{"a": works, "b": fails}, name).want("two", 10*ms)
	play(t, g(), map[string]act{"a": works, "b": works}, name).want("b", 10*ms)
}

func TestRethrownErrorKeepsItsOrigin(t *testing.T) {
	handler := blockOf("e", nil, leave(nodes.ExitThrow, 0, nodes.Param(0)))
	g := graph(tryCatch(blockOf("", nil, read("a")), handler), returns())
	s := play(t, g, map[string]act{"a": {err: tool("no")}}).want("TOOL_ERROR ToolError: no at n1.n2", 0)
	is.New(t).Equal(s.failure.Node.ID, 2)
}

func TestReadWaitsForTheWriteOfAHandler(t *testing.T) {
	try := tryCatch(seq(write("a")), blockOf("e", nil, write("b")))
	g := graph(try, after(read("r"), nodes.After{Node: 0, Port: nodes.PortWrites}), returns(local(1)))
	a := acts(10*ms, "b", "r")
	a["a"] = act{wait: 10 * ms, err: tool("no")}
	play(t, g, a).want("r", 30*ms).did("20 start n4", true)
}

func TestMapFirstRejectionToSettleWins(t *testing.T) {
	fails := act{run: func(ctx context.Context, t Task) ([]value.Value, error) {
		x := int(t.In[0].(value.Number))
		time.Sleep(time.Duration(30-10*x) * ms)
		if x == 0 {
			return t.In, nil
		}
		return nil, tool(t.Path)
	}}
	g := func(settled bool) *nodes.Graph {
		body := blockOf("x i", in(local(0)), read("r", nodes.Param(0)), write("w"))
		return graph(expr("items"), mapOf(local(0), settled, body), returns(local(1)))
	}
	s := play(t, g(false), map[string]act{"r": fails, "w": {wait: 5 * ms}}, items(3))
	s.want("TOOL_ERROR ToolError: n2[2].n3 at n2[2].n3", 35*ms).did("end n2[0].n4", true)
	want := "[{status:fulfilled,value:0,},{status:rejected,reason:ToolError:n2[1].n3,}," +
		"{status:rejected,reason:ToolError:n2[2].n3,},]"
	play(t, g(true), map[string]act{"r": fails, "w": {wait: 5 * ms}}, items(3)).want(want, 35*ms)
}

func TestAwaitModes(t *testing.T) {
	ok := func(d time.Duration) act { return act{wait: d} }
	no := func(d time.Duration) act { return act{wait: d, err: tool("no")} }
	for _, c := range []struct {
		mode nodes.AwaitMode
		a, b act
		want string
	}{
		{nodes.AwaitAll, ok(20 * ms), ok(10 * ms), "[a,b,]"},
		{nodes.AwaitAll, no(20 * ms), no(10 * ms), "TOOL_ERROR ToolError: no at n2"},
		{nodes.AwaitAll, no(10 * ms), ok(20 * ms), "TOOL_ERROR ToolError: no at n1"},
		{nodes.AwaitAllSettled, no(10 * ms), ok(20 * ms),
			"[{status:rejected,reason:ToolError:no,},{status:fulfilled,value:b,},]"},
		{nodes.AwaitRace, ok(20 * ms), ok(10 * ms), "b"},
		{nodes.AwaitRace, ok(20 * ms), no(10 * ms), "TOOL_ERROR ToolError: no at n2"},
		{nodes.AwaitAny, ok(20 * ms), no(10 * ms), "a"},
		{nodes.AwaitAny, no(20 * ms), no(10 * ms), "CODE_ERROR AggregateError: All promises were rejected at n3"},
	} {
		g := graph(async(read("a")), async(read("b")), join(c.mode, local(0), local(1)), returns(local(2)))
		play(t, g, map[string]act{"a": c.a, "b": c.b}).want(c.want, 20*ms)
	}
}

func TestAsyncIsAwaitedLaterAndItsFailureKept(t *testing.T) {
	a := map[string]act{"a": {wait: 30 * ms, err: tool("no")}, "w": {wait: 10 * ms}}
	sequel := join(nodes.AwaitOne, local(0))
	play(t, graph(async(write("a")), write("w"), sequel, returns()), a).
		want("TOOL_ERROR ToolError: no at n1", 40*ms) // w waits until a has been sent: here when it has ended
	a["a"] = act{wait: 30 * ms, sent: 5 * ms, err: tool("no")}
	play(t, graph(async(write("a")), write("w"), returns(local(1))), a).want("w", 30*ms).did("5 start n2", true)
}

func TestAsyncScopeIsBehindUsOnceItsFirstCallIsSent(t *testing.T) {
	body := blockOf("", in(local(1)), write("a"), write("b"))
	g := graph(async(scopeOf(body)), write("w"), join(nodes.AwaitOne, local(0)), returns(local(2)))
	a := map[string]act{"a": {wait: 20 * ms, sent: 5 * ms}, "b": {wait: 20 * ms}, "w": {wait: 10 * ms}}
	play(t, g, a).want("b", 40*ms).did("5 start n4", true)
}

func TestSentOrder(t *testing.T) {
	sent := nodes.After{Node: 0, Port: nodes.PortSent}
	g := graph(async(read("a")), after(async(read("b")), sent), returns())
	a := map[string]act{"a": {wait: 20 * ms, sent: 5 * ms}, "b": {wait: ms}}
	play(t, g, a).want("undefined", 20*ms).did("5 start n2", true)
}

func TestCancelAndTimeout(t *testing.T) {
	s := play(t, graph(write("a"), returns()), acts(time.Hour, "a"), func(s *scene) { s.timeout = 50 * ms })
	s.want("EXECUTION_TIMEOUT the run exceeded its time limit at ", 50*ms).did("50 cancel n1", true)
	ctx, cancel := context.WithCancel(context.Background())
	a := map[string]act{"a": {run: func(ctx context.Context, _ Task) ([]value.Value, error) {
		cancel()
		<-ctx.Done()
		return nil, tool("looks like a failure")
	}}}
	_, err := Run(ctx, graph(tryCatch(seq(write("a")), blockOf("e", nil)), returns()), nil, &fake{acts: a}, Options{})
	var f *Failure
	is.New(t).True(errors.As(err, &f))
	is.New(t).Equal(f.Code, nodes.Cancelled)
}

func TestPanicNamesNodeAndPosition(t *testing.T) {
	boom := act{run: func(context.Context, Task) ([]value.Value, error) { panic("boom") }}
	caught := tryCatch(seq(write("a")), blockOf("e", nil))
	play(t, graph(caught, returns()), map[string]act{"a": boom}).
		want("INTERNAL_ERROR call node n1.n2 at 2:1 panicked at n1.n2", 0)
	evals := func(s *scene) { s.fake.evals["x"] = func([]value.Value) (value.Value, error) { panic("boom") } }
	play(t, graph(read("r"), expr("x")), acts(time.Hour, "r"), evals).
		want("INTERNAL_ERROR expr node n2 at 2:1 panicked at n2", 0)
}

func TestFatalErrorsAreNotCaught(t *testing.T) {
	caught := tryCatch(seq(write("a")), blockOf("e", nil))
	fatal := &Failure{Code: nodes.WorkerTerminated, Message: "gone"}
	a := map[string]act{"a": {wait: ms, err: fatal}, "b": {wait: time.Hour}}
	s := play(t, graph(caught, read("b"), returns()), a)
	s.want("WORKER_TERMINATED gone at n1.n2", ms).did("1 cancel n3", true)
	a["a"] = act{wait: ms, err: errors.New("odd")}
	play(t, graph(caught), a).want("INTERNAL_ERROR odd at n1.n2", ms)
}

func TestStuckRunIsAFailure(t *testing.T) {
	g := graph(join(nodes.AwaitRace), returns())
	want := "INTERNAL_ERROR the run cannot go on: nothing it waits for will ever happen: n1 waits at n1"
	play(t, g, nil).want(want, 0)
}

func TestInvalidGraphsAreErrors(t *testing.T) {
	for name, g := range map[string]*nodes.Graph{
		"nil":      nil,
		"no body":  {},
		"no call":  {Root: seq(&nodes.Node{Kind: nodes.KindCall})},
		"forward":  graph(read("a", local(1)), read("b")),
		"outwards": graph(read("a", up(1, 0))),
		"kind":     graph(&nodes.Node{Kind: 99}),
		"promise":  graph(async(read("a")), read("b", local(0))),
		"after":    graph(after(read("a"), nodes.After{Node: 3})),
		"prev":     graph(after(read("a"), nodes.After{Node: -1, Prev: true})),
		"results":  graph(outs(scopeOf(seq()), 2)),
		"missing":  {Root: seq(nil)},
	} {
		if _, err := Run(context.Background(), g, nil, &fake{}, Options{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestScriptReturns(t *testing.T) {
	s := script("s")
	s.Code.Returns = true
	a := act{run: func(context.Context, Task) ([]value.Value, error) {
		return nil, &Return{Value: value.String("out")}
	}}
	play(t, graph(s, write("w"), returns()), map[string]act{"s": a}).want("out", 0).did("start n2", false)
}

func TestNestedCallsShareTheLimit(t *testing.T) {
	a := acts(10*ms, "c")
	var count fake
	a["s"] = act{run: func(ctx context.Context, task Task) ([]value.Value, error) {
		done := make(chan error)
		for k := range 5 {
			go func() {
				_, err := task.Nested(ctx, k, "fake:n", func(_ context.Context, path string) (value.Value, error) {
					count.flight(1)
					time.Sleep(10 * ms)
					count.flight(-1)
					return value.String(path), nil
				})
				done <- err
			}()
		}
		for range 5 {
			if err := <-done; err != nil {
				return nil, err
			}
		}
		return nil, nil
	}}
	play(t, graph(script("s"), returns()), a, limit(2)).want("undefined", 30*ms)
	is.New(t).Equal(count.most, 2)
}

func TestManyItemsFewGoroutines(t *testing.T) {
	var most atomic.Int64
	a := map[string]act{"r": {run: func(_ context.Context, t Task) ([]value.Value, error) {
		time.Sleep(ms)
		most.Store(max(most.Load(), int64(runtime.NumGoroutine())))
		return t.In, nil
	}}}
	body := blockOf("x i", in(local(0)), read("r", nodes.Param(0)))
	g := graph(expr("items"), mapOf(local(0), false, body), returns())
	play(t, g, a, items(10000), limit(8)).want("undefined", 1250*ms)
	is.New(t).True(most.Load() < 40)
}

func TestChainOfAMillion(t *testing.T) {
	ns := make([]*nodes.Node, 0, 1_000_001)
	for i := range 1_000_000 {
		ns = append(ns, expr("x", local(i-1)))
	}
	ns = append(ns, returns(local(len(ns)-1)))
	v, err := Run(context.Background(), graph(ns...), value.Number(5), &fake{}, Options{})
	is.New(t).NoErr(err)
	is.New(t).Equal(v, value.Number(5))
}

func TestRandomProgramsInTheLocalDriver(t *testing.T) {
	for seed := range uint64(100) {
		realAgainstReference(t, seed)
	}
}
