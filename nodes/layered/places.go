package layered

// across gives each cell the place nearest to its neighbours that the order of its row allows.
func (l *layout) across() {
	x := make([]float64, len(l.cells))
	for _, row := range l.rows {
		wanted := make([]float64, len(row))
		l.spread(row, wanted, x)
	}
	for sweep := range 2 * sweeps {
		l.sweep(sweep, func(row []int, next func(cell) []int) {
			wanted := make([]float64, len(row))
			for at, c := range row {
				wanted[at] = mean(next(l.cells[c]), x, x[c])
			}
			l.spread(row, wanted, x)
		})
	}
	left := 0.0
	for c := range l.cells {
		left = min(left, x[c]-l.cells[c].width/2)
	}
	for c := range l.cells {
		l.cells[c].x = x[c] - left
	}
}

// spread places the cells of a row as near to where they are wanted as their widths allow: least squares under an order,
// by pooling adjacent violators (Ayer and others, 1955).
func (l *layout) spread(row []int, wanted, x []float64) {
	type pool struct {
		mean  float64
		count int
	}
	offsets := l.offsets(row)
	var pools []pool
	for at := range row {
		p := pool{wanted[at] - offsets[at], 1}
		for len(pools) > 0 && pools[len(pools)-1].mean >= p.mean {
			last := pools[len(pools)-1]
			total := last.count + p.count
			p = pool{(last.mean*float64(last.count) + p.mean*float64(p.count)) / float64(total), total}
			pools = pools[:len(pools)-1]
		}
		pools = append(pools, p)
	}
	at := 0
	for _, p := range pools {
		for range p.count {
			x[row[at]] = p.mean + offsets[at]
			at++
		}
	}
}

// offsets is where the cells of a row stand if they stand as close as they may.
func (l *layout) offsets(row []int) []float64 {
	offsets := make([]float64, len(row))
	for at := 1; at < len(row); at++ {
		a, b := &l.cells[row[at-1]], &l.cells[row[at]]
		offsets[at] = offsets[at-1] + (a.width+b.width)/2 + l.options.Across
	}
	return offsets
}

// down gives each row its place and returns the size of the picture.
func (l *layout) down() (width, height float64) {
	l.tops = make([]float64, len(l.rows)+1)
	for r, row := range l.rows {
		tall := 0.0
		for _, c := range row {
			tall = max(tall, l.cells[c].height)
			width = max(width, l.cells[c].x+l.cells[c].width/2)
		}
		l.tops[r+1] = l.tops[r] + tall + l.options.Down
	}
	return width, max(0, l.tops[len(l.rows)]-l.options.Down)
}

// route leads edge k through its cells.
func (l *layout) route(e *Edge, boxes []Box, k int) {
	from, to := boxes[e.From], boxes[e.To]
	e.Route = append(e.Route[:0], Point{from.X, from.Y + from.Height})
	for _, c := range l.passes[k] {
		cell := &l.cells[c]
		e.Route = append(e.Route, Point{cell.x, l.tops[cell.row]}, Point{cell.x, l.tops[cell.row+1] - l.options.Down})
	}
	e.Route = append(e.Route, Point{to.X, to.Y})
}
