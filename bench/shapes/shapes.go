package shapes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// The shapes.
const (
	Chain    = "chain"    // each task waits for the one before it
	Fan      = "fan"      // one task, then all at once, then one that waits for all
	Diamonds = "diamonds" // one, two, one, two, one …
	Tree     = "tree"     // a binary tree, from the root on
	Layered  = "layered"  // layers of √n tasks; each waits for two or three of the layer before
)

// Names lists the shapes.
func Names() []string { return []string{Chain, Fan, Diamonds, Tree, Layered} }

// Spec says which graph to make. The same Spec gives the same graph.
type Spec struct {
	Shape string `json:"shape"`
	Nodes int    `json:"nodes"`
	// Width is that of a layer; 0 means √Nodes, at least 10.
	Width int `json:"width,omitempty"`
	// Shuffled numbers the tasks in a random order among those that the edges allow.
	Shuffled bool   `json:"shuffled,omitempty"`
	Seed     uint64 `json:"seed,omitempty"`
}

// String names the graph: "layered 10000 shuffled".
func (s Spec) String() string {
	text := fmt.Sprintf("%s %d", s.Shape, s.Nodes)
	if s.Shuffled {
		text += " shuffled"
	}
	return text
}

// Make makes the graph.
func Make(s Spec) (*DAG, error) {
	if s.Nodes < 1 || s.Nodes > math.MaxInt32/4 {
		return nil, fmt.Errorf("shapes: %d nodes", s.Nodes)
	}
	r := rand.New(rand.NewPCG(s.Seed, 1))
	var e edges
	switch n := int32(s.Nodes); s.Shape {
	case Chain:
		chain(&e, n)
	case Fan:
		fan(&e, n)
	case Diamonds:
		diamonds(&e, n)
	case Tree:
		tree(&e, n)
	case Layered:
		layered(&e, n, s.width(), r)
	default:
		return nil, fmt.Errorf("shapes: there is no shape %q", s.Shape)
	}
	g := e.dag(s.Nodes)
	if s.Shuffled {
		g = g.shuffled(r)
	}
	return g, nil
}

func (s Spec) width() int32 {
	if s.Width > 0 {
		return int32(s.Width)
	}
	return max(10, int32(math.Sqrt(float64(s.Nodes))))
}

func chain(e *edges, n int32) {
	for i := int32(1); i < n; i++ {
		e.add(i-1, i)
	}
}

func fan(e *edges, n int32) {
	for i := int32(1); i < n-1; i++ {
		e.add(0, i)
	}
	for i := int32(1); i < n-1; i++ {
		e.add(i, n-1)
	}
}

// diamonds are three tasks each: left and right wait for the end of the diamond before, the third for both.
func diamonds(e *edges, n int32) {
	for i := int32(1); i < n; i++ {
		switch i % 3 {
		case 1:
			e.add(i-1, i)
		case 2:
			e.add(i-2, i)
		case 0:
			e.add(i-2, i)
			e.add(i-1, i)
		}
	}
}

func tree(e *edges, n int32) {
	for i := int32(1); i < n; i++ {
		e.add((i-1)/2, i)
	}
}

func layered(e *edges, n, width int32, r *rand.Rand) {
	for i := width; i < n; i++ {
		before := i - i%width - width
		var from []int32
		for want := min(2+r.IntN(2), int(width)); len(from) < want; {
			if p := before + r.Int32N(width); !slices.Contains(from, p) {
				from = append(from, p)
				e.add(p, i)
			}
		}
	}
}

// shuffled numbers the tasks anew: any order that the edges allow, all choices at random.
func (g *DAG) shuffled(r *rand.Rand) *DAG {
	left, number := g.Degrees(), make([]int32, g.Len())
	var ready []int32
	for i, d := range left {
		if d == 0 {
			ready = append(ready, int32(i))
		}
	}
	for next := int32(0); len(ready) > 0; next++ {
		k, last := r.IntN(len(ready)), len(ready)-1
		i := ready[k]
		ready[k], ready = ready[last], ready[:last]
		number[i] = next
		for _, to := range g.After(i) {
			if left[to]--; left[to] == 0 {
				ready = append(ready, to)
			}
		}
	}
	return g.renumbered(number)
}

func (g *DAG) renumbered(number []int32) *DAG {
	var e edges
	for i := range int32(g.Len()) {
		for _, to := range g.After(i) {
			e.add(number[i], number[to])
		}
	}
	return e.dag(g.Len())
}
