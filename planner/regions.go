package planner

import (
	"slices"
	"strings"
)

// A region stands for all the objects that an expression may yield: a node of a unification-based points-to analysis
// (Steensgaard, POPL 1996), flow-insensitive and field-sensitive. Two variables can share an object only if their regions
// are the same or one can be reached from the other. What an object *is* (region) and what it *holds* (contents) are
// unified apart, so that a shallow copy is an object of its own with shared contents.
type region struct {
	link *region
	// exotic is set if it may hold what cannot travel on an edge: functions, Map, Set, Date, RegExp, iterators, class
	// instances, promises, symbols, bigints. It is the name of one such thing.
	exotic  string
	changed bool
	// circular says that push or the like may have made it lead back to itself; see findCycles.
	circular bool
	// lastChange is the offset of the last place that changes it.
	lastChange int
	// bit is the place of a changed region in a bitset, from 1 on; 0 if it has none yet.
	bit   int
	holds *contents
	// calls is what its functions do with objects; nil if it holds none.
	calls *signature
	// mark is used by reaches.
	mark int
}

type contents struct {
	link *contents
	// fields are sorted by name.
	fields []field
	elem   *region
	// merged says that elem stands for the named fields, too.
	merged bool
	mark   int
	// scan is what can be reached from here, once a scanner has looked.
	scan *scan
}

// field is a named part of an object.
type field struct {
	name string
	*region
}

func newRegion() *region {
	both := &struct { // made together, which nearly all are
		region
		contents
	}{}
	both.region.holds = &both.contents
	return &both.region
}

func exoticRegion(what string) *region {
	r := newRegion()
	r.exotic = what
	return r
}

func (r *region) find() *region {
	for r.link != nil {
		if r.link.link != nil {
			r.link = r.link.link
		}
		r = r.link
	}
	return r
}

func (c *contents) find() *contents {
	for c.link != nil {
		if c.link.link != nil {
			c.link = c.link.link
		}
		c = c.link
	}
	return c
}

// unify makes a and b one region. A nil region is a primitive: it shares with nobody.
func unify(a, b *region) *region {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	a, b = a.find(), b.find()
	if a == b {
		return a
	}
	a.holds.find().changing()
	b.holds.find().changing()
	b.link = a
	if a.exotic == "" || rich[a.exotic] && b.exotic != "" {
		a.exotic = b.exotic
	}
	a.changed = a.changed || b.changed
	a.circular = a.circular || b.circular
	a.lastChange = max(a.lastChange, b.lastChange)
	unifyContents(a.holds, b.holds)
	a.addSignature(b.calls)
	return a.find()
}

func unifyContents(a, b *contents) {
	a, b = a.find(), b.find()
	if a == b {
		return
	}
	a.changing()
	b.changing()
	b.link = a
	fields, elem, merged := b.fields, b.elem, b.merged
	b.fields, b.elem = nil, nil
	if a.elem == nil && len(a.fields) == 0 && !a.merged {
		a.fields, a.elem, a.merged = fields, elem, merged
		return
	}
	if elem != nil {
		a.setElem(elem)
	}
	for _, f := range fields {
		a.find().setField(f.name, f.region)
	}
	if merged {
		a.find().merge()
	}
}

// counts are the properties that arrays, strings, Map and Set have: numbers, which share with nobody. Where a program
// stores an object under such a name, it is taken for an element, too.
var counts = set("length", "size")

func (c *contents) setField(name string, r *region) {
	if (c.merged || c.elem != nil) && !counts[name] {
		c.setElem(r)
		return
	}
	i, known := c.place(name)
	if known {
		unify(c.fields[i].region, r)
		return
	}
	c.changing()
	c.fields = slices.Insert(c.fields, i, field{name, r})
}

// place is where the field of a name stands, or would stand, and whether it is there.
func (c *contents) place(name string) (int, bool) {
	return slices.BinarySearchFunc(c.fields, name, func(f field, name string) int { return strings.Compare(f.name, name) })
}

// setElem: where a property is reached by a computed key, its name tells nothing.
func (c *contents) setElem(r *region) {
	if c.named() {
		c.merge()
		c = c.find()
	}
	if c.elem == nil {
		c.changing()
		c.elem = r
		return
	}
	unify(c.elem, r)
}

// merge gives up telling the named fields apart.
func (c *contents) merge() {
	if c.merged {
		return
	}
	c.changing()
	c.merged = true
	fields := c.fields
	c.fields = nil
	for _, f := range fields {
		if counts[f.name] {
			c.find().setField(f.name, f.region)
		} else {
			c.find().setElem(f.region)
		}
	}
}

// named reports whether properties are told apart by their names.
func (c *contents) named() bool {
	return slices.ContainsFunc(c.fields, func(f field) bool { return !counts[f.name] })
}

// field is what r.name holds.
func (r *region) field(name string) *region {
	if r == nil {
		return newRegion()
	}
	c := r.find().holds.find()
	if (c.merged || c.elem != nil) && !counts[name] {
		return r.element()
	}
	if i, known := c.place(name); known {
		return c.fields[i].find()
	}
	f := newRegion()
	c.setField(name, f)
	return f
}

// store puts an object of v under a name.
func (r *region) store(name string, v *region) {
	unify(r.field(name), v)
	if counts[name] {
		unify(r.element(), v)
	}
}

// element is what r[i] holds for an i that is not known; for an object with named fields, any of them.
func (r *region) element() *region {
	if r == nil {
		return newRegion()
	}
	c := r.find().holds.find()
	if c.named() {
		c.merge()
		c = r.find().holds.find()
	}
	if c.elem == nil {
		c.setElem(newRegion())
	}
	return c.elem.find()
}

// anything is what r[k] holds for a computed k: the fields are merged for good.
func (r *region) anything() *region {
	if r == nil {
		return newRegion()
	}
	r.find().holds.find().merge()
	return r.element()
}

// listOf is a new array of elem.
func listOf(elem *region) *region { return &region{holds: &contents{elem: elem}} }

// copyOf is a new object with the contents of r.
func copyOf(r *region) *region {
	n := newRegion()
	if r != nil {
		n.holds = r.find().holds.find()
	}
	return n
}

// pours makes everything that from holds be held by to as well (spread, Object.assign, concat).
func pours(to, from *region) {
	if to != nil && from != nil {
		unifyContents(to.find().holds, from.find().holds)
	}
}

// reaches reports whether found is true for r or a region that can be reached from it. They are visited in a fixed order,
// each once for a mark, up to the first that is found.
func reaches(r *region, mark int, found func(*region) bool) bool {
	if r == nil {
		return false
	}
	r = r.find()
	if r.mark == mark {
		return false
	}
	r.mark = mark
	if found(r) {
		return true
	}
	c := r.holds.find()
	if c.mark == mark {
		return false
	}
	c.mark = mark
	if reaches(c.elem, mark, found) {
		return true
	}
	return slices.ContainsFunc(c.fields, func(f field) bool { return reaches(f.region, mark, found) })
}
