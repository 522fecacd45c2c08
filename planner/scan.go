package planner

import mathbits "math/bits"

// scanner finds out, once the analysis is settled, what can be reached from which contents: one walk over strongly
// connected components (Tarjan, SIAM J. Comput. 1972) answers all questions until what it has seen changes.
type scanner struct {
	// round is the walk that counts.
	round int
	// bits is how many changed regions have got a bit.
	bits  int
	seen  int
	stack []*contents
}

// scan is what a scanner knows of contents.
type scan struct {
	by    *scanner
	round int
	// index is when the contents were met, low the earliest that leads back to.
	index, low int
	closed     bool
	below
}

// below is what can be reached: the changed regions, whether something is exotic, and the offset of the last place that
// changes any of it, 0 if there is none.
type below struct {
	changed    bits
	exotic     bool
	lastChange int
}

func (b below) with(c below) below {
	return below{b.changed.union(c.changed), b.exotic || c.exotic, max(b.lastChange, c.lastChange)}
}

// changing says that what is held here is about to change.
func (c *contents) changing() {
	if c.scan != nil {
		c.scan.by.round++
	}
}

// of is what can be reached from r, without r itself unless it leads to itself.
func (w *scanner) of(r *region) *below {
	c := r.find().holds.find()
	if !w.knows(c) {
		w.visit(c)
	}
	return &c.scan.below
}

func (w *scanner) knows(c *contents) bool { return c.scan != nil && c.scan.round == w.round }

// bit gives a changed region its place in bitsets.
func (w *scanner) bit(r *region) int {
	if r.bit == 0 {
		w.bits++
		r.bit = w.bits
	}
	return r.bit
}

func (w *scanner) visit(c *contents) {
	w.seen++
	c.scan = &scan{by: w, round: w.round, index: w.seen, low: w.seen}
	w.stack = append(w.stack, c)
	if c.elem != nil {
		w.follow(c.scan, c.elem.find())
	}
	for _, f := range c.fields {
		w.follow(c.scan, f.find())
	}
	if c.scan.low < c.scan.index {
		return
	}
	for {
		last := len(w.stack) - 1
		m := w.stack[last]
		w.stack = w.stack[:last]
		m.scan.closed, m.scan.below = true, c.scan.below
		if m == c {
			return
		}
	}
}

// follow adds what can be reached through r.
func (w *scanner) follow(s *scan, r *region) {
	self := below{exotic: r.exotic != "", lastChange: r.lastChange}
	if r.changed {
		self.changed = self.changed.with(w.bit(r))
	}
	c := r.holds.find()
	switch {
	case !w.knows(c):
		w.visit(c)
		s.low = min(s.low, c.scan.low)
	case !c.scan.closed:
		s.low = min(s.low, c.scan.index)
	}
	s.below = s.below.with(self).with(c.scan.below)
}

// leads reports whether an object of one of the regions in targets, which all are changed somewhere, can be reached from r.
func (a *analysis) leads(r *region, targets map[*region]bool) bool {
	if r == nil || len(targets) == 0 {
		return false
	}
	r = r.find()
	if targets[r] {
		return true
	}
	below := a.scanner.of(r).changed
	if len(below) == 0 {
		return false
	}
	for t := range targets {
		if below.has(a.scanner.bit(t)) {
			return true
		}
	}
	return false
}

// leadsTo is leads for regions by their bits.
func (a *analysis) leadsTo(r *region, targets bits) bool {
	if r == nil || len(targets) == 0 {
		return false
	}
	r = r.find()
	return r.bit > 0 && targets.has(r.bit) || targets.meets(a.scanner.of(r).changed)
}

// changesIn reports whether r, or an object that can be reached from it, is changed somewhere.
func (a *analysis) changesIn(r *region) bool {
	return r != nil && (r.find().changed || len(a.scanner.of(r).changed) > 0)
}

// lastChange is the offset of the last place that changes an object of r, or one that can be reached from it; 0 if there
// is none.
func (a *analysis) lastChange(r *region) int {
	if r == nil {
		return 0
	}
	return max(r.find().lastChange, a.scanner.of(r).lastChange)
}

// bits is a set of small numbers. It is not changed once it is made.
type bits []uint64

func (s bits) has(i int) bool { return i>>6 < len(s) && s[i>>6]>>(i&63)&1 != 0 }

func (s bits) with(i int) bits {
	if s.has(i) {
		return s
	}
	out := make(bits, max(len(s), i>>6+1))
	copy(out, s)
	out[i>>6] |= 1 << (i & 63)
	return out
}

// union is a set of what is in s or t; one of them may be given back as it is.
func (s bits) union(t bits) bits {
	if len(s) < len(t) {
		s, t = t, s
	}
	for i, w := range t {
		if w&^s[i] == 0 {
			continue
		}
		out := append(bits(nil), s...)
		for j, w := range t {
			out[j] |= w
		}
		return out
	}
	return s
}

// meets reports whether something is in both.
func (s bits) meets(t bits) bool {
	for i := range min(len(s), len(t)) {
		if s[i]&t[i] != 0 {
			return true
		}
	}
	return false
}

// atMost reports whether nothing but i is in s.
func (s bits) atMost(i int) bool {
	for k, w := range s {
		if k == i>>6 {
			w &^= 1 << (i & 63)
		}
		if w != 0 {
			return false
		}
	}
	return true
}

// each visits the members.
func (s bits) each(visit func(i int)) {
	for k, w := range s {
		for ; w != 0; w &= w - 1 {
			visit(k<<6 + mathbits.TrailingZeros64(w))
		}
	}
}
