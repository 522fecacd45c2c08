package shapes

import (
	"slices"
	"testing"
	"time"

	"github.com/matryer/is"
)

func TestShapes(t *testing.T) {
	for _, name := range Names() {
		for _, n := range []int{1, 2, 10, 1000} {
			for _, shuffled := range []bool{false, true} {
				s := Spec{Shape: name, Nodes: n, Shuffled: shuffled, Seed: 7}
				t.Run(s.String(), func(t *testing.T) {
					is := is.New(t)
					g, err := Make(s)
					is.NoErr(err)
					is.Equal(g.Len(), n)
					for i := range int32(n) {
						for _, to := range g.After(i) {
							is.True(to > i) // edges go forward
						}
					}
					again, _ := Make(s)
					is.Equal(g, again) // a function of its Spec
				})
			}
		}
	}
	_, err := Make(Spec{Shape: "ring", Nodes: 3})
	is.New(t).True(err != nil)
}

func TestShufflingKeepsTheGraph(t *testing.T) {
	is := is.New(t)
	plain, _ := Make(Spec{Shape: Layered, Nodes: 1000})
	mixed, _ := Make(Spec{Shape: Layered, Nodes: 1000, Shuffled: true})
	is.True(!slices.Equal(plain.Succ, mixed.Succ))
	is.Equal(sizes(plain.Levels()), sizes(mixed.Levels()))
	is.Equal(sorted(plain.Degrees()), sorted(mixed.Degrees()))
}

func sizes(levels [][]int32) (n []int) {
	for _, l := range levels {
		n = append(n, len(l))
	}
	return n
}

func sorted(d []int32) []int32 { slices.Sort(d); return d }

func TestLayeredHasTwoOrThreeEdgesANode(t *testing.T) {
	is := is.New(t)
	g, _ := Make(Spec{Shape: Layered, Nodes: 10_000})
	for i, d := range g.Degrees() {
		is.True(i < 100 && d == 0 || i >= 100 && (d == 2 || d == 3))
	}
	is.Equal(len(g.Levels()), 100)
}

func TestIdeal(t *testing.T) {
	is := is.New(t)
	g, _ := Make(Spec{Shape: Fan, Nodes: 10})
	cost := Latencies(10, time.Millisecond, false, 0)
	is.Equal(g.CriticalPath(cost), 3*time.Millisecond)
	is.Equal(g.Ideal(cost, 100), 3*time.Millisecond)
	is.Equal(g.Ideal(cost, 2), 5*time.Millisecond)
	skewed := Latencies(10_000, time.Millisecond, true, 1)
	mean := Sum(skewed) / 10_000
	is.True(mean > 900*time.Microsecond && mean < 1100*time.Microsecond)
}
