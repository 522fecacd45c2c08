package layered_test

import (
	"math/rand/v2"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes/layered"
)

var distances = layered.Options{Across: 10, Down: 20}

// TestPlaceKeepsItsPromises: whatever the graph, boxes do not overlap, edges lead down, and all is inside.
func TestPlaceKeepsItsPromises(t *testing.T) {
	for seed := range uint64(300) {
		is := is.NewRelaxed(t)
		r := rand.New(rand.NewPCG(seed, 1))
		boxes, edges := random(r)
		o := distances
		if r.IntN(2) == 0 {
			o.Widest = 300
		}
		width, height := layered.Place(boxes, edges, o)
		for i, a := range boxes {
			is.True(a.X-a.Width/2 >= -1e-9 && a.X+a.Width/2 <= width+1e-9 && a.Y >= 0 && a.Y+a.Height <= height+1e-9)
			for _, b := range boxes[:i] {
				is.True(apart(a, b)) // no two boxes overlap
			}
		}
		for _, e := range edges {
			from, to := boxes[e.From], boxes[e.To]
			is.Equal(e.Route[0], layered.Point{X: from.X, Y: from.Y + from.Height})
			is.Equal(e.Route[len(e.Route)-1], layered.Point{X: to.X, Y: to.Y})
			for k := 1; k < len(e.Route); k++ {
				is.True(e.Route[k].Y >= e.Route[k-1].Y) // never upwards
			}
		}
	}
}

func random(r *rand.Rand) (boxes []layered.Box, edges []layered.Edge) {
	for range r.IntN(30) {
		boxes = append(boxes, layered.Box{Width: 20 + 100*r.Float64(), Height: 10 + 30*r.Float64()})
	}
	for to := 1; to < len(boxes); to++ {
		for range r.IntN(3) {
			edges = append(edges, layered.Edge{From: r.IntN(to), To: to})
		}
	}
	return boxes, edges
}

func apart(a, b layered.Box) bool {
	beside := max(a.X-b.X, b.X-a.X) >= (a.Width+b.Width)/2+distances.Across-1e-6
	below := a.Y >= b.Y+b.Height+distances.Down-1e-6 || b.Y >= a.Y+a.Height+distances.Down-1e-6
	return beside || below
}

// TestPlaceDiamond: what lies between two others lies below the one and above the other, side by side around the middle.
func TestPlaceDiamond(t *testing.T) {
	is := is.New(t)
	boxes := make([]layered.Box, 4)
	for i := range boxes {
		boxes[i] = layered.Box{Width: 40, Height: 10}
	}
	edges := []layered.Edge{{From: 0, To: 1}, {From: 0, To: 2}, {From: 1, To: 3}, {From: 2, To: 3}, {From: 0, To: 3}}
	width, height := layered.Place(boxes, edges, distances)
	is.Equal(height, 70.0)
	is.Equal([]float64{boxes[0].Y, boxes[1].Y, boxes[2].Y, boxes[3].Y}, []float64{0, 30, 30, 60})
	is.Equal(len(edges[4].Route), 4) // it passes the row of 1 and 2
	is.True(width >= 90)
	is.True(boxes[1].X < boxes[0].X && boxes[0].X < boxes[2].X)
}
