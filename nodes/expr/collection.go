package expr

import (
	"math"

	"github.com/casys-ai/pml/nodes/value"
)

// keyOf normalises a key: -0 is 0, NaN is one key, and the copy of an input is that input.
func keyOf(m *machine, v value.Value) mapKey {
	v = force(v)
	if m != nil && m.origin != nil && isObject(v) {
		v = m.original(v)
	}
	if n, ok := v.(value.Number); ok {
		switch {
		case n != n:
			return mapKey{nanKey{}}
		case n == 0:
			return mapKey{value.Number(0)}
		}
	}
	return mapKey{v}
}

// nanKey stands for NaN, which is not equal to itself.
type nanKey struct{}

// Kind implements value.Value.
func (nanKey) Kind() value.Kind { return value.KindNumber }

func (c *collection) get(m *machine, k value.Value) (value.Value, bool) {
	if i, ok := c.index[keyOf(m, k)]; ok {
		return c.entries[i].val, true
	}
	return undefined, false
}

func (c *collection) put(m *machine, k, v value.Value) {
	key := keyOf(m, k)
	if i, ok := c.index[key]; ok {
		c.entries[i].val = v
		return
	}
	m.alloc(200)
	m.work(8)
	if n, ok := k.(value.Number); ok && n == 0 {
		k = value.Number(math.Abs(float64(n)))
	}
	if c.set {
		v = k
	}
	c.index[key] = len(c.entries)
	c.entries = append(c.entries, mapEntry{key: k, val: v})
	c.live++
}

func (c *collection) remove(m *machine, k value.Value) bool {
	key := keyOf(m, k)
	i, ok := c.index[key]
	if ok {
		delete(c.index, key)
		c.entries[i] = mapEntry{deleted: true}
		c.live--
	}
	return ok
}

// clear forgets all. Walks under way go on with what is added afterwards.
func (c *collection) clear() {
	clear(c.index)
	for i := range c.entries {
		c.entries[i] = mapEntry{deleted: true}
	}
	c.live = 0
}

func keysOf(e *mapEntry) value.Value    { return e.key }
func valuesOf(e *mapEntry) value.Value  { return e.val }
func entriesOf(e *mapEntry) value.Value { return pair(e.key, e.val) }

// walk visits the entries in order, those included that are added meanwhile.
func (c *collection) walk(pick func(*mapEntry) value.Value) func(*machine) (value.Value, bool) {
	i := 0
	return func(m *machine) (value.Value, bool) {
		for ; i < len(c.entries); i++ {
			m.step()
			if e := &c.entries[i]; !e.deleted {
				i++
				return pick(e), true
			}
		}
		i = math.MaxInt
		return nil, false
	}
}

func newCollection(set bool) *collection {
	return &collection{set: set, index: map[mapKey]int{}}
}

func newMap(m *machine, _ value.Value, args []value.Value) value.Value {
	c := newCollection(false)
	src := arg(args, 0)
	if isNullish(src) {
		return c
	}
	next := m.iterate(src, origin{})
	for e, ok := next(); ok; e, ok = next() {
		m.step()
		e = force(e)
		if !isObject(e) {
			m.typeError("Iterator value %s is not an entry object", m.toString(e))
		}
		c.put(m, force(m.get(e, "0")), m.get(e, "1"))
	}
	return c
}

func newSet(m *machine, _ value.Value, args []value.Value) value.Value {
	c := newCollection(true)
	src := arg(args, 0)
	if isNullish(src) {
		return c
	}
	next := m.iterate(src, origin{})
	for e, ok := next(); ok; e, ok = next() {
		m.step()
		e = force(e)
		c.put(m, e, e)
	}
	return c
}

type collectionNative = func(m *machine, c *collection, args []value.Value) value.Value

func iterOf(what string, pick func(*mapEntry) value.Value) collectionNative {
	return func(_ *machine, c *collection, _ []value.Value) value.Value {
		return &iterator{what: what, next: c.walk(pick)}
	}
}

func collectionNatives(own map[string]collectionNative) map[string]collectionNative {
	own["has"] = func(m *machine, c *collection, args []value.Value) value.Value {
		_, ok := c.get(m, arg(args, 0))
		return boolean(ok)
	}
	own["delete"] = func(m *machine, c *collection, args []value.Value) value.Value {
		return boolean(c.remove(m, arg(args, 0)))
	}
	own["clear"] = func(_ *machine, c *collection, _ []value.Value) value.Value {
		c.clear()
		return undefined
	}
	own["forEach"] = func(m *machine, c *collection, args []value.Value) value.Value {
		f := m.callback(args)
		for i := 0; i < len(c.entries); i++ {
			if e := c.entries[i]; !e.deleted {
				f.args = [3]value.Value{e.val, e.key, c}
				m.call(f.f, undefined, f.args[:])
			}
		}
		return undefined
	}
	return own
}

// mapNatives and setNatives are the methods of Map.prototype and Set.prototype (ECMAScript §24.1.3, §24.2.3).
var (
	mapNatives = collectionNatives(map[string]collectionNative{
		"get": func(m *machine, c *collection, args []value.Value) value.Value {
			v, _ := c.get(m, arg(args, 0))
			return v
		},
		"set": func(m *machine, c *collection, args []value.Value) value.Value {
			var v value.Value = undefined
			if len(args) > 1 {
				v = args[1]
			}
			c.put(m, arg(args, 0), v)
			return c
		},
		"keys":    iterOf("Map Iterator", keysOf),
		"values":  iterOf("Map Iterator", valuesOf),
		"entries": iterOf("Map Iterator", entriesOf),
	})
	setNatives = collectionNatives(map[string]collectionNative{
		"add": func(m *machine, c *collection, args []value.Value) value.Value {
			c.put(m, arg(args, 0), arg(args, 0))
			return c
		},
		"keys":    iterOf("Set Iterator", keysOf),
		"values":  iterOf("Set Iterator", keysOf),
		"entries": iterOf("Set Iterator", entriesOf),
	})
)
