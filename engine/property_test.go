package engine

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// TestSameAsSequential runs random programs in random time and compares them with the reference: the same result or the
// same exception of the same node, the same effects in the same order, nothing twice, no write and, unless something
// failed, no read that the reference does not make.
func TestSameAsSequential(t *testing.T) {
	n := uint64(envInt("PML_SEEDS", 6000))
	if testing.Short() {
		n = 600
	}
	for seed := range n {
		if problem := compare(seed, noMistake); problem != "" {
			t.Fatalf("seed %d: %s", seed, problem)
		}
	}
}

func compare(seed uint64, m mistake) string {
	faulty := []int{0, 3, 6}[seed%3]
	g, gen := generate(seed, faulty)
	ref := &reference{w: newWorld(gen), origin: map[*value.Error]string{}}
	v, at := ref.program(g, value.Number(3))
	want := text(v)
	if at != "" {
		want += " at " + at
	}
	m.spoil(g.Root)
	options := []Options{{}, {Concurrency: 2}, {Concurrency: 1, Window: 1}, {Concurrency: 3, Window: 2}}
	for round, o := range options {
		w := newWorld(gen)
		s := simulate(g, w, seed+uint64(round), o, m)
		if problem := judge(s, ref, want); problem != "" {
			return fmt.Sprintf("round %d: %s", round, problem)
		}
	}
	return ""
}

func judge(s *sim, ref *reference, want string) string {
	switch {
	case len(s.faults) > 0:
		return fmt.Sprint(s.faults)
	case s.core.state != over:
		return "the run broke: " + s.core.failure.Error()
	case s.result() != want:
		return fmt.Sprintf("got %s\nwant %s", s.result(), want)
	case !maps.Equal(s.w.state, ref.w.state):
		return fmt.Sprintf("effects\ngot  %v\nwant %v", s.w.state, ref.w.state)
	case s.core.inFlight != 0 || s.flying != 0:
		return "tasks left"
	}
	return judgeCalls(s, ref)
}

func judgeCalls(s *sim, ref *reference) string {
	seen := map[string]bool{}
	for _, t := range s.started {
		if seen[t.path] {
			return t.path + " ran twice"
		}
		seen[t.path] = true
		if slices.Contains(ref.calls, t.path) {
			continue
		}
		if !ref.threw || t.node().Kind != nodes.KindCall || t.node().Call.Effect != nodes.Read {
			return t.path + " ran and should not"
		}
	}
	for _, path := range ref.calls {
		if !seen[path] {
			return path + " did not run"
		}
	}
	return ""
}

// envInt reads a number from the environment, to search longer than the tests do.
func envInt(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}
