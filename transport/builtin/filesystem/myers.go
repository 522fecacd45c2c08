package filesystem

import "slices"

// maxDistance bounds the search for a shortest difference; beyond it everything between the common start and the
// common end is shown as replaced.
const maxDistance = 4000

// step is the last run of a path through the edit graph; paths share their beginnings.
type step struct {
	kind  byte
	count int
	prev  *step
}

// path is a furthest-reaching path of Myers' algorithm: how many old lines it has used, and its runs.
type path struct {
	old  int
	last *step
}

// changes finds a shortest difference (Myers 1986). Among equals it prefers the smaller diagonal and, on a tie,
// removing: the choice that the npm server's diffs show.
func changes(before, after []string) []change {
	d := &differ{before: before, after: after, best: map[int]*path{}}
	for distance := 0; distance <= maxDistance; distance++ {
		if last, done := d.round(distance); done {
			return runs(last, before, after)
		}
	}
	return replaced(before, after)
}

type differ struct {
	before, after []string
	best          map[int]*path // by diagonal: old lines used minus new lines used
}

// round extends every path by one more change.
func (d *differ) round(distance int) (*step, bool) {
	for diagonal := -distance; diagonal <= distance; diagonal += 2 {
		p := d.extend(diagonal, distance)
		if p == nil {
			delete(d.best, diagonal)
			continue
		}
		d.slide(p, diagonal)
		if p.old >= len(d.before) && p.old-diagonal >= len(d.after) {
			return p.last, true
		}
		d.best[diagonal] = p
	}
	return nil, false
}

// extend makes the path for a diagonal from one of its neighbours.
func (d *differ) extend(diagonal, distance int) *path {
	if distance == 0 {
		return &path{}
	}
	left, right := d.best[diagonal-1], d.best[diagonal+1]
	canRemove := left != nil && left.old+1 <= len(d.before)
	canAdd := right != nil && right.old-diagonal >= 0 && right.old-diagonal <= len(d.after)
	switch {
	case !canAdd && !canRemove:
		return nil
	case !canRemove || (canAdd && left.old < right.old):
		return &path{right.old, grow(right.last, '+', 1)}
	}
	return &path{left.old + 1, grow(left.last, '-', 1)}
}

// slide follows common lines.
func (d *differ) slide(p *path, diagonal int) {
	start := p.old
	for p.old < len(d.before) && p.old-diagonal < len(d.after) && d.before[p.old] == d.after[p.old-diagonal] {
		p.old++
	}
	if p.old > start {
		p.last = grow(p.last, ' ', p.old-start)
	}
}

func grow(last *step, kind byte, count int) *step {
	if last != nil && last.kind == kind {
		return &step{kind, last.count + count, last.prev}
	}
	return &step{kind, count, last}
}

// runs reads a path from its end, fills in the lines, and puts removals before the additions beside them.
func runs(last *step, before, after []string) []change {
	var steps []*step
	for s := last; s != nil; s = s.prev {
		steps = append(steps, s)
	}
	slices.Reverse(steps)
	var out []change
	for _, s := range steps {
		var c change
		c.kind = s.kind
		if s.kind == '+' {
			c.lines, after = after[:s.count], after[s.count:]
		} else {
			c.lines, before = before[:s.count], before[s.count:]
		}
		if s.kind == ' ' {
			after = after[s.count:]
		}
		out = append(out, c)
		if n := len(out); n > 1 && out[n-1].kind == '-' && out[n-2].kind == '+' {
			out[n-1], out[n-2] = out[n-2], out[n-1]
		}
	}
	return out
}

// replaced shows everything between the common start and end as removed and added.
func replaced(before, after []string) []change {
	head := 0
	for head < min(len(before), len(after)) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < min(len(before), len(after))-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	all := []change{
		{' ', before[:head]}, {'-', before[head : len(before)-tail]},
		{'+', after[head : len(after)-tail]}, {' ', before[len(before)-tail:]},
	}
	return slices.DeleteFunc(all, func(c change) bool { return len(c.lines) == 0 })
}
