// Package layered places boxes in rows so that every edge leads downwards, with few crossings and short edges: the
// method of Sugiyama, Tagawa and Toda (1981), in its four steps: rows, order within the rows, places, routes.
package layered

import "slices"

// Box is a rectangle to place. Width and Height are given, in any unit; Place sets X, its middle, and Y, its upper edge.
type Box struct {
	Width, Height float64
	X, Y          float64
}

// Edge leads from one box to a later one: From < To, both are indexes. Place sets Route: points from the lower edge of
// the one box to the upper edge of the other, two for each row that the edge passes, which are vertical there.
type Edge struct {
	From, To int
	Route    []Point
}

// Point is a place in the plane; y grows downwards.
type Point struct{ X, Y float64 }

// Options are distances.
type Options struct {
	// Across is the least distance of neighbours in a row, Down that of rows.
	Across, Down float64
	// Widest is how wide a row may get before boxes that could stand in it go into the next one; 0 means any width.
	Widest float64
}

// Place places the boxes and routes the edges. It returns the width and the height of the whole, whose upper left corner
// is at (0, 0). The same input gives the same picture.
func Place(boxes []Box, edges []Edge, o Options) (width, height float64) {
	l := &layout{options: o}
	l.addRows(boxes, edges)
	l.addPasses(boxes, edges)
	l.order()
	l.across()
	width, height = l.down()
	for i, c := range l.cells[:len(boxes)] {
		boxes[i].X, boxes[i].Y = c.x, l.tops[c.row]
	}
	for i := range edges {
		l.route(&edges[i], boxes, i)
	}
	return width, height
}

// layout is a picture in the making. Its cells are the boxes and then, for each edge that passes rows, a narrow cell in
// each of those.
type layout struct {
	options Options
	cells   []cell
	rows    [][]int // the cells of each row, from left to right
	passes  [][]int // for each edge its cells
	tops    []float64
}

type cell struct {
	width, height float64
	x             float64
	row           int
	above, below  []int // its neighbours in the rows next to its own
}

// addRows puts each box one row below the lowest of those before it.
func (l *layout) addRows(boxes []Box, edges []Edge) {
	before := make([][]int, len(boxes))
	for _, e := range edges {
		before[e.To] = append(before[e.To], e.From)
	}
	var widths []float64
	for i, b := range boxes {
		row := 0
		for _, j := range before[i] {
			row = max(row, l.cells[j].row+1)
		}
		for ; row < len(widths) && widths[row] > 0 && l.tooWide(widths[row]+b.Width); row++ {
		}
		for row >= len(widths) {
			widths = append(widths, 0)
			l.rows = append(l.rows, nil)
		}
		widths[row] += b.Width + l.options.Across
		l.rows[row] = append(l.rows[row], i)
		l.cells = append(l.cells, cell{width: b.Width, height: b.Height, row: row})
	}
}

func (l *layout) tooWide(width float64) bool { return l.options.Widest > 0 && width > l.options.Widest }

// addPasses adds the cells of the edges between the boxes, and joins each cell to its neighbours.
func (l *layout) addPasses(boxes []Box, edges []Edge) {
	l.passes = make([][]int, len(edges))
	for k, e := range edges {
		last := e.From
		for row := l.cells[e.From].row + 1; row < l.cells[e.To].row; row++ {
			c := len(l.cells)
			l.cells = append(l.cells, cell{row: row})
			l.rows[row] = append(l.rows[row], c)
			l.passes[k] = append(l.passes[k], c)
			l.join(last, c)
			last = c
		}
		l.join(last, e.To)
	}
}

func (l *layout) join(a, b int) {
	l.cells[a].below = append(l.cells[a].below, b)
	l.cells[b].above = append(l.cells[b].above, a)
}

// sweeps is how often order and places are looked over, down and up again.
const sweeps = 6

// order sorts each row by the middle of its neighbours' places, downwards and upwards in turn.
func (l *layout) order() {
	place := make([]float64, len(l.cells))
	number := func(row []int) {
		for at, c := range row {
			place[c] = float64(at)
		}
	}
	for _, row := range l.rows {
		number(row)
	}
	for sweep := range sweeps {
		l.sweep(sweep, func(row []int, next func(cell) []int) {
			middle := map[int]float64{}
			for _, c := range row {
				middle[c] = mean(next(l.cells[c]), place, place[c])
			}
			slices.SortStableFunc(row, func(a, b int) int { return compare(middle[a], middle[b]) })
			number(row)
		})
	}
}

// sweep visits the rows downwards, or upwards if it is an odd sweep; next gives the neighbours in the row before.
func (l *layout) sweep(sweep int, visit func(row []int, next func(cell) []int)) {
	if sweep%2 == 0 {
		for _, row := range l.rows {
			visit(row, func(c cell) []int { return c.above })
		}
		return
	}
	for _, row := range slices.Backward(l.rows) {
		visit(row, func(c cell) []int { return c.below })
	}
}

func mean(of []int, place []float64, otherwise float64) float64 {
	if len(of) == 0 {
		return otherwise
	}
	sum := 0.0
	for _, c := range of {
		sum += place[c]
	}
	return sum / float64(len(of))
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
