package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/value"
)

// These build graphs by hand. A node's label says to the fake what it does.

func seq(ns ...*nodes.Node) *nodes.Block { return &nodes.Block{Nodes: ns} }

func blockOf(params string, results []nodes.Ref, ns ...*nodes.Node) *nodes.Block {
	return &nodes.Block{Params: strings.Fields(params), Nodes: ns, Results: results}
}

func local(node int) nodes.Ref      { return nodes.Ref{Node: node} }
func up(n, node int) nodes.Ref      { return nodes.Ref{Up: n, Node: node} }
func in(r ...nodes.Ref) []nodes.Ref { return r }

func read(label string, in ...nodes.Ref) *nodes.Node {
	call := &nodes.Call{Tool: nodes.ToolID("fake:" + label), Effect: nodes.Read}
	n := &nodes.Node{Kind: nodes.KindCall, Label: label, In: in, Gate: nodes.GatePassed, Call: call}
	return outs(n, 1)
}

func write(label string, in ...nodes.Ref) *nodes.Node {
	n := read(label, in...)
	n.Gate, n.Call.Effect = nodes.GateSafe, nodes.Write
	return n
}

func script(label string, in ...nodes.Ref) *nodes.Node {
	n := &nodes.Node{Kind: nodes.KindScript, Label: label, In: in, Gate: nodes.GateSafe, Code: &nodes.Code{}}
	return outs(n, 1)
}

func expr(label string, in ...nodes.Ref) *nodes.Node {
	return &nodes.Node{Kind: nodes.KindExpr, Label: label, In: in, Outs: []string{"v"}}
}

func leave(mode nodes.ExitMode, target int, in ...nodes.Ref) *nodes.Node {
	return &nodes.Node{Kind: nodes.KindExit, In: in, Exit: &nodes.Exit{Mode: mode, Target: target}}
}

func returns(in ...nodes.Ref) *nodes.Node { return leave(nodes.ExitReturn, 0, in...) }

func join(mode nodes.AwaitMode, in ...nodes.Ref) *nodes.Node {
	return &nodes.Node{Kind: nodes.KindAwait, In: in, Outs: []string{"v"}, Await: mode}
}

func async(n *nodes.Node) *nodes.Node { n.Async = true; return n }

func after(n *nodes.Node, a ...nodes.After) *nodes.Node { n.After = append(n.After, a...); return n }

func outs(n *nodes.Node, k int) *nodes.Node { n.Outs = make([]string, k); return n }

func ifElse(cond nodes.Ref, then, els *nodes.Block) *nodes.Node {
	n := &nodes.Node{Kind: nodes.KindBranch, In: in(cond), Branch: &nodes.Branch{Then: then, Else: els}}
	return outs(n, len(then.Results))
}

func mapOf(items nodes.Ref, settled bool, body *nodes.Block) *nodes.Node {
	return outs(&nodes.Node{Kind: nodes.KindMap, In: in(items), Map: &nodes.Map{Body: body, Settled: settled}}, 1)
}

func scopeOf(body *nodes.Block) *nodes.Node {
	return outs(&nodes.Node{Kind: nodes.KindScope, Scope: &nodes.Scope{Body: body}}, len(body.Results))
}

func each(body *nodes.Block, in ...nodes.Ref) *nodes.Node {
	n := &nodes.Node{Kind: nodes.KindLoop, In: in, Loop: &nodes.Loop{Each: true, Body: body}}
	return outs(n, len(in)-1)
}

func tryCatch(body, handler *nodes.Block, saved ...[]nodes.Version) *nodes.Node {
	n := &nodes.Node{Kind: nodes.KindTry, Try: &nodes.Try{Body: body, Handler: handler, Saved: saved}}
	return outs(n, len(body.Results))
}

func graph(ns ...*nodes.Node) *nodes.Graph {
	g := &nodes.Graph{Root: blockOf("args", nil, ns...)}
	g.Root.Walk(func(n *nodes.Node) {
		g.Count++
		n.ID = g.Count
		n.Pos = ast.Pos{Line: n.ID, Column: 1}
	})
	return g
}

func labels(g *nodes.Graph) map[int]string {
	m := map[int]string{}
	g.Root.Walk(func(n *nodes.Node) { m[n.ID] = n.Label })
	return m
}

// act is what the fake does for a label: it waits, then gives a value or an error; run, if set, does all of it.
type act struct {
	wait time.Duration
	out  value.Value
	err  error
	sent time.Duration // when the request has left; 0 is at the end
	run  func(ctx context.Context, t Task) ([]value.Value, error)
}

// fake is a Runner that keeps a log with virtual times.
type fake struct {
	acts   map[string]act
	labels map[int]string // of the nodes, by id
	evals  map[string]func(in []value.Value) (value.Value, error)
	mu     sync.Mutex
	log    []string
	start  time.Time
	now    int
	most   int
}

func (f *fake) Eval(id int, in []value.Value) ([]value.Value, error) {
	do := f.evals[f.labels[id]]
	if do == nil {
		return append([]value.Value(nil), in...), nil
	}
	v, err := do(in)
	return []value.Value{v}, err
}

func (f *fake) note(what, path string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log = append(f.log, fmt.Sprintf("%d %s %s", time.Since(f.start).Milliseconds(), what, path))
}

func (f *fake) flight(d int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now += d
	f.most = max(f.most, f.now)
}

func (f *fake) Run(ctx context.Context, t Task) (out []value.Value, err error) {
	a := f.acts[t.Node.Label]
	f.note("start", t.Path)
	f.flight(1)
	defer func() { f.flight(-1) }()
	if a.run != nil {
		return a.run(ctx, t)
	}
	for _, d := range []time.Duration{a.sent, a.wait - a.sent} {
		select {
		case <-time.After(d):
		case <-ctx.Done():
			f.note("cancel", t.Path)
			return nil, ctx.Err()
		}
		if d == a.sent && a.sent > 0 {
			t.Sent()
		}
	}
	if a.out == nil {
		a.out = value.String(t.Node.Label)
	}
	f.note("end", t.Path)
	return []value.Value{a.out}, a.err
}

// tool is the exception that a failing tool throws.
func tool(message string) error {
	e := value.NewError("ToolError", message)
	e.Props = value.NewObject(1)
	e.Props.Set("code", value.String("TOOL_ERROR"))
	return &value.Throw{Value: e}
}

const ms = time.Millisecond

// scene runs a graph with a fake in virtual time.
type scene struct {
	t       *testing.T
	fake    *fake
	options Options
	timeout time.Duration
	v       value.Value
	failure *Failure
	took    time.Duration
}

func play(t *testing.T, g *nodes.Graph, acts map[string]act, change ...func(*scene)) *scene {
	s := &scene{t: t, fake: &fake{acts: acts, labels: labels(g)}}
	s.fake.evals = map[string]func([]value.Value) (value.Value, error){}
	for _, c := range change {
		c(s)
	}
	synctest.Test(t, func(t *testing.T) {
		s.fake.start = time.Now()
		ctx := context.Background()
		if s.timeout > 0 {
			var cancel func()
			ctx, cancel = context.WithTimeout(ctx, s.timeout)
			defer cancel()
		}
		v, err := Run(ctx, g, value.Number(1), s.fake, s.options)
		if err != nil && !errors.As(err, &s.failure) {
			t.Errorf("error %T is no *Failure", err)
		}
		s.v, s.took = v, time.Since(s.fake.start)
	})
	return s
}

// want compares the result, or the failure as "CODE message at path", and the time taken.
func (s *scene) want(result string, took time.Duration) *scene {
	s.t.Helper()
	got := text(s.v)
	if s.failure != nil {
		got = fmt.Sprintf("%s %s at %s", s.failure.Code, s.failure.Message, s.failure.Path)
	}
	if got != result || s.took != took {
		s.t.Errorf("got %s in %v\nwant %s in %v\n%s", got, s.took, result, took, strings.Join(s.fake.log, "\n"))
	}
	return s
}

// did checks that the log has, or has not, a line about a path.
func (s *scene) did(line string, want bool) *scene {
	s.t.Helper()
	for _, l := range s.fake.log {
		if l == line || strings.HasSuffix(l, " "+line) {
			if !want {
				s.t.Errorf("%q should not be", l)
			}
			return s
		}
	}
	if want {
		s.t.Errorf("no %q in\n%s", line, strings.Join(s.fake.log, "\n"))
	}
	return s
}
