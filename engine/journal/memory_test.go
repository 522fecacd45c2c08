package journal_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/engine/journal"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/matryer/is"
)

// runner waits and counts; "last" breaks until it is mended.
type runner struct {
	mu    sync.Mutex
	calls []string
	waits map[string]time.Duration
	err   error
}

func (r *runner) Eval(_ int, in []value.Value) ([]value.Value, error) { return in, nil }

func (r *runner) Run(ctx context.Context, t engine.Task) ([]value.Value, error) {
	r.mu.Lock()
	r.calls = append(r.calls, t.Path)
	r.mu.Unlock()
	time.Sleep(r.waits[t.Node.Label])
	switch {
	case t.Node.Label == "last":
		return nil, r.err
	case t.Nested != nil:
		v, err := t.Nested(ctx, 0, "s:n", func(_ context.Context, path string) (value.Value, error) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.calls = append(r.calls, path)
			return value.String("nested"), nil
		})
		return []value.Value{v}, err
	}
	return []value.Value{value.String(t.Node.Label)}, nil
}

func task(id int, kind nodes.Kind, label string) *nodes.Node {
	n := &nodes.Node{ID: id, Kind: kind, Label: label, Gate: nodes.GateSafe, Outs: []string{"v"}}
	if kind == nodes.KindCall {
		n.Call = &nodes.Call{Tool: nodes.ToolID("s:" + label)}
	} else {
		n.Code = &nodes.Code{}
	}
	return n
}

func graph() *nodes.Graph {
	slow, fast := task(1, nodes.KindCall, "slow"), task(2, nodes.KindCall, "fast")
	slow.Async, slow.Gate, fast.Async, fast.Gate = true, 0, true, 0
	race := &nodes.Node{ID: 3, Kind: nodes.KindAwait, Await: nodes.AwaitRace, Outs: []string{"v"}}
	race.In = []nodes.Ref{{Node: 0}, {Node: 1}}
	both := &nodes.Node{ID: 4, Kind: nodes.KindAwait, Await: nodes.AwaitAll, Outs: []string{"v"}, In: race.In}
	ret := &nodes.Node{ID: 7, Kind: nodes.KindExit, Gate: nodes.GateSafe, Exit: &nodes.Exit{Mode: nodes.ExitReturn}}
	ret.In = []nodes.Ref{{Node: 2}}
	return &nodes.Graph{Root: &nodes.Block{Nodes: []*nodes.Node{
		slow, fast, race, both, task(5, nodes.KindScript, "script"), task(6, nodes.KindCall, "last"), ret,
	}}}
}

func TestResumeReusesOutcomesInTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		var m journal.Memory
		r := &runner{waits: map[string]time.Duration{"slow": 2, "fast": 1, "last": 1}}
		r.err = errors.New("the machine stopped")
		_, err := engine.Run(context.Background(), graph(), nil, r, engine.Options{Journal: &m})
		is.True(err != nil)
		is.Equal(len(r.calls), 5) // slow, fast, script, nested, last
		is.Equal(m.Unfinished(), []string{"n6"})

		again := &runner{}
		v, err := engine.Run(context.Background(), graph(), nil, again, engine.Options{Journal: &m})
		is.NoErr(err)
		is.Equal(v, value.String("fast")) // the race is won as it was
		is.Equal(again.calls, []string{"n6"})
	})
}
