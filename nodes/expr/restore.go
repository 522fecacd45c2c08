package expr

import "github.com/casys-ai/pml/nodes/value"

// restorer gives back the inputs' own objects for copies that the piece has not changed after all. So an object that only
// shares a piece's inputs with what is changed stays the one object that it is for everybody else.
type restorer struct {
	memo map[value.Value]value.Value
	// origin maps each copy to what it was made of; same says which of them are as they were.
	origin map[value.Value]value.Value
	same   map[value.Value]bool
	seen   map[value.Value]bool
}

// restore gives back, in the outputs of the piece, the inputs' own objects for copies that are as they were.
func (c *cloner) restore(out []value.Value, rich bool) {
	if len(c.memo) == 0 {
		return
	}
	r := &restorer{memo: c.memo, origin: c.m.origin, same: map[value.Value]bool{}, seen: map[value.Value]bool{}}
	some := rich
	for to := range r.origin {
		some = r.unchanged(to) || some
	}
	if !some {
		return
	}
	for i, v := range out {
		out[i] = r.restoreIn(v)
	}
}

// unchanged reports whether a copy, and everything in it, is as it was. One that leads back to itself counts as changed.
func (r *restorer) unchanged(to value.Value) bool {
	known, ok := r.same[to]
	if ok {
		return known
	}
	r.same[to] = false
	same := false
	switch from := r.origin[to].(type) {
	case *value.Array:
		same = r.sameElems(from.Elems, to.(*value.Array).Elems)
	case *value.Object:
		same = r.sameProps(from, to.(*value.Object))
	case *collection:
		same = r.sameEntries(from, to.(*collection))
	case *date:
		same = sameNumber(from.t, to.(*date).t)
	case *value.Error:
		e := to.(*value.Error)
		same = from.Name == e.Name && from.Message == e.Message && r.sameValue(from.Cause, e.Cause) &&
			(from.Props == nil) == (e.Props == nil) && (from.Props == nil || r.sameProps(from.Props, e.Props))
	}
	r.same[to] = same
	return same
}

func (r *restorer) sameElems(from, to []value.Value) bool {
	if len(from) != len(to) {
		return false
	}
	for i, e := range from {
		if !r.sameValue(e, to[i]) {
			return false
		}
	}
	return true
}

func (r *restorer) sameProps(from, to *value.Object) bool {
	if from.Len() != to.Len() {
		return false
	}
	keys := to.Keys()
	for i, k := range from.Keys() {
		if keys[i] != k {
			return false
		}
		x, _ := from.Get(k)
		y, _ := to.Get(k)
		if !r.sameValue(x, y) {
			return false
		}
	}
	return true
}

// sameValue reports whether y is what x was copied to, as it was.
func (r *restorer) sameValue(x, y value.Value) bool {
	if x == y {
		return true
	}
	if n, ok := x.(value.Number); ok {
		m, ok := y.(value.Number)
		return ok && sameNumber(float64(n), float64(m))
	}
	if x == nil || y == nil {
		return false
	}
	x = force(x)
	return x == y || isObject(x) && r.memo[x] == y && r.unchanged(y)
}

// restore replaces unchanged copies in v, an output, by what they were copied from.
func (r *restorer) restore(v value.Value) value.Value {
	if r.origin[v] != nil && r.unchanged(v) {
		return r.origin[v]
	}
	if r.seen[v] {
		return v
	}
	switch v := v.(type) {
	case *value.Array:
		r.seen[v] = true
		for i, e := range v.Elems {
			if x := r.restoreIn(e); x != e {
				v.Elems[i] = x
			}
		}
	case *value.Object:
		r.seen[v] = true
		r.restoreProps(v)
	case *value.Error:
		r.seen[v] = true
		if x := r.restoreIn(v.Cause); x != v.Cause {
			v.Cause = x
		}
		if v.Props != nil {
			r.restoreProps(v.Props)
		}
	case *collection:
		r.seen[v] = true
		r.restoreEntries(v)
	}
	return v
}

func (r *restorer) restoreProps(o *value.Object) {
	for _, k := range o.Keys() {
		x, _ := o.Get(k)
		if y := r.restoreIn(x); y != x {
			o.Set(k, y)
		}
	}
}

// restoreIn is restore for what an output holds.
func (r *restorer) restoreIn(v value.Value) value.Value {
	switch v.(type) {
	case *value.Array, *value.Object, *value.Error, *collection, *date:
		return r.restore(v)
	}
	return v
}
