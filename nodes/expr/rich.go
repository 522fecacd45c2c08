package expr

import (
	"math"

	"github.com/casys-ai/pml/nodes/value"
)

// rich are the internal values that travel between pieces that say so, as does what holds itself. They are immutable on
// edges, as all values are.
var rich = map[string]bool{"a Map": true, "a Set": true, "a Date": true}

// Rich makes a Map, Set or Date of its parts.
func Rich(p value.Parts) value.Value {
	if p.Class == "Date" {
		return &date{p.Time}
	}
	c := newCollection(p.Class == "Set")
	step := 2
	if c.set {
		step = 1
	}
	for i := 0; i+step <= len(p.Held); i += step {
		e := mapEntry{key: p.Held[i], val: p.Held[i+step-1]}
		c.index[keyOf(nil, e.key)] = len(c.entries)
		c.entries = append(c.entries, e)
	}
	c.live = len(c.entries)
	return c
}

// Parts implements value.Rich.
func (d *date) Parts() value.Parts { return value.Parts{Class: "Date", Time: d.t} }

// Parts implements value.Rich.
func (c *collection) Parts() value.Parts {
	p := value.Parts{Class: "Map"}
	if c.set {
		p.Class = "Set"
	}
	for _, e := range c.alive() {
		p.Held = append(p.Held, e.key)
		if !c.set {
			p.Held = append(p.Held, e.val)
		}
	}
	return p
}

// copy is c with what of makes of its keys and values.
func (c *collection) copy(of func(value.Value) value.Value) *collection {
	to := newCollection(c.set)
	c.fill(nil, to, of)
	return to
}

// fill is copy into to, for a piece at work (m) or for an edge (nil).
func (c *collection) fill(m *machine, to *collection, of func(value.Value) value.Value) {
	for _, e := range c.entries {
		if e.deleted {
			continue
		}
		key := of(e.key)
		val := key
		if !c.set {
			val = of(e.val)
		}
		to.index[keyOf(m, key)] = len(to.entries)
		to.entries = append(to.entries, mapEntry{key: key, val: val})
		to.live++
	}
}

// alive lists the entries that are there.
func (c *collection) alive() []mapEntry {
	if c.live == len(c.entries) {
		return c.entries
	}
	list := make([]mapEntry, 0, c.live)
	for _, e := range c.entries {
		if !e.deleted {
			list = append(list, e)
		}
	}
	return list
}

// sameEntries reports whether a collection is as it was copied.
func (r *restorer) sameEntries(from, to *collection) bool {
	if from.live != to.live {
		return false
	}
	old, now := from.alive(), to.alive()
	for i := range old {
		if !r.sameValue(old[i].key, now[i].key, to) || !r.sameValue(old[i].val, now[i].val, to) {
			return false
		}
	}
	return true
}

// restoreEntries is restore for what a collection holds. Keys that were copied and changed are found by their own identity
// from now on.
func (r *restorer) restoreEntries(c *collection) {
	for _, e := range c.entries {
		if e.key != nil && r.origin[e.key] != nil || e.val != nil && r.restoreIn(e.val) != e.val {
			to := c.copy(r.restoreIn)
			c.index, c.entries = to.index, to.entries
			return
		}
	}
}

func sameNumber(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }

// identical reports whether two different pointers are one object for the program: an input, and the copy that the piece
// changes.
func (m *machine) identical(a, b value.Value) bool {
	return m.origin != nil && isObject(a) && isObject(b) && m.original(a) == m.original(b)
}

func (m *machine) original(v value.Value) value.Value {
	if from := m.origin[v]; from != nil {
		return from
	}
	return v
}
