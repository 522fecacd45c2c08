package expr

import "github.com/casys-ai/pml/nodes/value"

// cloner copies inputs that the piece changes. One memo for all of them keeps what they share shared.
type cloner struct {
	m    *machine
	memo map[value.Value]value.Value
}

func (c *cloner) clone(v value.Value) value.Value {
	v = force(v)
	switch v.(type) {
	case *value.Array, *value.Object, *value.Error, *collection, *date:
	default:
		return v
	}
	if known, ok := c.memo[v]; ok {
		return known
	}
	c.m.step()
	c.m.alloc(48)
	c.m.within()
	defer func() { c.m.nested-- }()
	switch v := v.(type) {
	case *value.Array:
		to := &value.Array{Elems: make([]value.Value, len(v.Elems))}
		c.remember(v, to)
		for i, e := range v.Elems {
			if e != nil { // a hole
				to.Elems[i] = c.clone(e)
			}
		}
		return to
	case *value.Object:
		to := value.NewObject(v.Len())
		c.remember(v, to)
		for k, e := range v.All() {
			to.Set(k, c.clone(e))
		}
		return to
	case *collection:
		to := newCollection(v.set)
		c.remember(v, to)
		v.fill(c.m, to, c.clone)
		return to
	case *date:
		to := *v
		c.remember(v, &to)
		return &to
	}
	from := v.(*value.Error)
	to := &value.Error{Name: from.Name, Message: from.Message}
	c.remember(v, to)
	if from.Cause != nil {
		to.Cause = c.clone(from.Cause)
	}
	if from.Props != nil {
		to.Props = value.NewObject(from.Props.Len())
		for k, e := range from.Props.All() {
			to.Props.Set(k, c.clone(e))
		}
	}
	return to
}

func (c *cloner) remember(v, to value.Value) {
	if c.memo == nil {
		c.memo, c.m.origin = map[value.Value]value.Value{}, map[value.Value]value.Value{}
	}
	c.memo[v], c.m.origin[to] = to, v
}

// shallow copies the input itself and shares what is in it.
func (c *cloner) shallow(v value.Value) value.Value {
	v = force(v)
	if known, ok := c.memo[v]; ok && isObject(v) {
		return known
	}
	var to value.Value
	switch v := v.(type) {
	case *value.Array:
		c.m.alloc(16 * len(v.Elems))
		to = v.Clone()
	case *value.Object:
		c.m.alloc(32 * v.Len())
		to = v.Clone()
	case *value.Error:
		e := *v
		if e.Props != nil {
			e.Props = e.Props.Clone()
		}
		to = &e
	case *collection:
		c.m.alloc(200 * v.live)
		to = v.copy(force)
	case *date:
		d := *v
		to = &d
	default:
		return v
	}
	c.remember(v, to)
	return to
}

// decoded replaces every *value.Lazy inside v, in place: what is changed must not be kept as text as well.
func (m *machine) decoded(v value.Value) value.Value {
	v = force(v)
	m.step()
	m.within()
	defer func() { m.nested-- }()
	switch v := v.(type) {
	case *value.Array:
		for i, e := range v.Elems {
			if holds(e) {
				v.Elems[i] = m.decoded(e)
			}
		}
	case *value.Object:
		for _, k := range v.Keys() {
			if e, _ := v.Get(k); holds(e) {
				v.Set(k, m.decoded(e))
			}
		}
	case *collection:
		for i := range v.entries {
			if e := &v.entries[i]; holds(e.val) {
				e.val = m.decoded(e.val)
			}
		}
	}
	return v
}

func holds(v value.Value) bool {
	switch v.(type) {
	case *value.Array, *value.Object, *value.Lazy, *collection:
		return true
	}
	return false
}
