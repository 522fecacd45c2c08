package expr

import "github.com/casys-ai/pml/nodes/value"

// restorer gives back the inputs' own objects for copies that the piece has not changed after all. So an object that only
// shares a piece's inputs with what is changed stays the one object that it is for everybody else.
type restorer struct {
	memo map[value.Value]value.Value
	// origin maps each copy to what it was made of; changed says which of them are not as they were.
	origin  map[value.Value]value.Value
	changed map[value.Value]bool
	// holders are the copies that hold a copy.
	holders map[value.Value][]value.Value
	seen    map[value.Value]bool
}

// restore gives back, in the outputs of the piece, the inputs' own objects for copies that are as they were.
func (c *cloner) restore(out []value.Value, rich bool) {
	if len(c.memo) == 0 {
		return
	}
	r := &restorer{memo: c.memo, origin: c.m.origin, changed: map[value.Value]bool{},
		holders: map[value.Value][]value.Value{}, seen: map[value.Value]bool{}}
	r.findChanged()
	if len(r.changed) == len(r.origin) && !rich {
		return
	}
	for i, v := range out {
		out[i] = r.restoreIn(v)
	}
}

// findChanged finds the copies that differ themselves, and then those that hold such, at any depth.
func (r *restorer) findChanged() {
	var list []value.Value
	for to, from := range r.origin {
		if !r.sameObject(from, to) {
			r.changed[to] = true
			list = append(list, to)
		}
	}
	for len(list) > 0 {
		last := list[len(list)-1]
		list = list[:len(list)-1]
		for _, holder := range r.holders[last] {
			if !r.changed[holder] {
				r.changed[holder] = true
				list = append(list, holder)
			}
		}
	}
}

// sameObject reports whether a copy holds what it held; whether that is as it was is another question.
func (r *restorer) sameObject(from, to value.Value) bool {
	switch from := from.(type) {
	case *value.Array:
		return r.sameElems(from.Elems, to.(*value.Array).Elems, to)
	case *value.Object:
		return r.sameProps(from, to.(*value.Object), to)
	case *collection:
		return r.sameEntries(from, to.(*collection))
	case *date:
		return sameNumber(from.t, to.(*date).t)
	case *value.Error:
		e := to.(*value.Error)
		return from.Name == e.Name && from.Message == e.Message && r.sameValue(from.Cause, e.Cause, to) &&
			(from.Props == nil) == (e.Props == nil) && (from.Props == nil || r.sameProps(from.Props, e.Props, to))
	}
	return false
}

func (r *restorer) sameElems(from, to []value.Value, holder value.Value) bool {
	if len(from) != len(to) {
		return false
	}
	for i, e := range from {
		if !r.sameValue(e, to[i], holder) {
			return false
		}
	}
	return true
}

func (r *restorer) sameProps(from, to *value.Object, holder value.Value) bool {
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
		if !r.sameValue(x, y, holder) {
			return false
		}
	}
	return true
}

// sameValue reports whether y, which holder holds, is x or what x was copied to.
func (r *restorer) sameValue(x, y, holder value.Value) bool {
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
	if x == y {
		return true
	}
	if !isObject(x) || r.memo[x] != y {
		return false
	}
	r.holders[y] = append(r.holders[y], holder)
	return true
}

// restore replaces unchanged copies in v, an output, by what they were copied from.
func (r *restorer) restore(v value.Value) value.Value {
	if from := r.origin[v]; from != nil && !r.changed[v] {
		return from
	}
	if r.seen[v] {
		return v
	}
	r.seen[v] = true
	switch v := v.(type) {
	case *value.Array:
		for i, e := range v.Elems {
			if x := r.restoreIn(e); x != e {
				v.Elems[i] = x
			}
		}
	case *value.Object:
		r.restoreProps(v)
	case *value.Error:
		if x := r.restoreIn(v.Cause); x != v.Cause {
			v.Cause = x
		}
		if v.Props != nil {
			r.restoreProps(v.Props)
		}
	case *collection:
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
