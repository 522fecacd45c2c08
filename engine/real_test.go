package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/casys-ai/pml/nodes/value"
)

// worldRunner lets the real driver's workers act on a world, after random times.
type worldRunner struct {
	w  *world
	mu sync.Mutex
	r  *rand.Rand
}

func (r *worldRunner) Eval(id int, in []value.Value) ([]value.Value, error) {
	return r.w.Eval(id, in)
}

func (r *worldRunner) Run(ctx context.Context, t Task) ([]value.Value, error) {
	r.mu.Lock()
	first, then := time.Duration(r.r.IntN(50)), time.Duration(r.r.IntN(50))
	r.mu.Unlock()
	time.Sleep(first)
	t.Sent()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	r.mu.Lock()
	out, err := r.w.run(t.Node, t.Path, t.In)
	r.mu.Unlock()
	time.Sleep(then)
	return out, err
}

// realAgainstReference runs a random program in the real driver, in virtual time.
func realAgainstReference(t *testing.T, seed uint64) {
	g, gen := generate(seed, []int{0, 3, 6}[seed%3])
	ref := &reference{w: newWorld(gen), origin: map[*value.Error]string{}}
	v, at := ref.program(g, value.Number(3))
	synctest.Test(t, func(t *testing.T) {
		r := &worldRunner{w: newWorld(gen), r: rand.New(rand.NewPCG(seed, 2))}
		got, err := Run(context.Background(), g, value.Number(3), r, Options{Concurrency: 3})
		var f *Failure
		gotAt := ""
		if errors.As(err, &f) {
			got, gotAt = f.Thrown, f.Path
		}
		if text(got) != text(v) || gotAt != at || fmt.Sprint(r.w.state) != fmt.Sprint(ref.w.state) {
			t.Errorf("seed %d: got %s at %q, want %s at %q (%v)", seed, text(got), gotAt, text(v), at, err)
		}
	})
}
