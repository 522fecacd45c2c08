package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// notes is a journal in memory.
type notes map[string]Outcome

func (n notes) Recorded() (list []int) {
	for path, o := range n {
		script, _, nested := strings.Cut(path, "#")
		if _, ended := n[script]; !nested || !ended {
			list = append(list, o.Seq)
		}
	}
	slices.Sort(list)
	return list
}

func (n notes) Recall(path string, _ []value.Value) (Outcome, bool) { o, ok := n[path]; return o, ok }

func (n notes) Started(string, *nodes.Node, []value.Value) error { return nil }

func (n notes) Finished(path string, _ []value.Value, o Outcome) error {
	if _, again := n[path]; again {
		return fmt.Errorf("%s ended twice", path)
	}
	n[path] = o
	return nil
}

// TestResumedAnywhere: random programs, interrupted at random moments and taken up again, end as one that nobody has
// interrupted: the same result, and the world in the same state.
func TestResumedAnywhere(t *testing.T) {
	for seed := range uint64(envInt("ENGINE_RESUMED", 600)) {
		resumedAgainstReference(t, seed)
	}
}

func resumedAgainstReference(t *testing.T, seed uint64) {
	g, gen := generate(seed, []int{0, 3, 6}[seed%3])
	ref := &reference{w: newWorld(gen), origin: map[*value.Error]string{}}
	v, at := ref.program(g, value.Number(3))
	synctest.Test(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(seed, 3))
		r := &worldRunner{w: newWorld(gen), r: random}
		journal := notes{}
		var got value.Value
		var f *Failure
		attempts := 0
		for ; ; attempts++ {
			patience := time.Duration(random.IntN(400))
			if attempts > 20 {
				patience = time.Hour
			}
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			var err error
			got, err = Run(ctx, g, value.Number(3), r, Options{Concurrency: 3, Journal: journal})
			cancel()
			if f = nil; !errors.As(err, &f) || f.Code != nodes.ExecutionTimeout {
				break
			}
		}
		gotAt := ""
		if f != nil {
			got, gotAt = f.Thrown, f.Path
		}
		if text(got) != text(v) || gotAt != at || fmt.Sprint(r.w.state) != fmt.Sprint(ref.w.state) {
			t.Errorf("seed %d, %d attempts: got %s at %q, want %s at %q (%v)", seed, attempts+1, text(got), gotAt, text(v), at, f)
		}
	})
}
