package expr

import (
	"math"

	"github.com/casys-ai/pml/nodes/value"
)

// set is v[key] = val (§10.1.9).
func (m *machine) set(v value.Value, key string, val value.Value) {
	switch v := force(v).(type) {
	case *value.Object:
		if key == "__proto__" {
			m.unsupported("an assignment to __proto__")
		}
		n := v.Len()
		if v.Set(key, val); v.Len() > n {
			m.alloc(160)
			m.work(4)
		}
	case *value.Array:
		m.setElement(v, key, val)
	case *value.Error:
		m.setError(v, key, val)
	case value.Undefined, value.Null:
		m.typeError("Cannot set properties of %s (setting '%s')", m.toString(v), key)
	case *regExp:
		if key != "lastIndex" {
			m.unsupported("an assignment to a property of a RegExp")
		}
		v.lastIndex = m.toNumber(val)
	case value.String, value.Number, value.Bool:
		m.setPrimitive(v, key)
	default:
		m.unsupported("an assignment to a property of a %s", typeOf(v))
	}
}

// setPrimitive throws, as strict code does.
func (m *machine) setPrimitive(v value.Value, key string) {
	if _, ok := v.(value.String); ok && m.hasOwn(v, key) {
		m.typeError("Cannot assign to read only property '%s' of string '%s'", key, m.toString(v))
	}
	if objectPrototype[key] {
		m.unsupported("an assignment to %s of a primitive value", key)
	}
	m.typeError("Cannot create property '%s' on %s '%s'", key, typeOf(v), m.toString(v))
}

func (m *machine) setIndex(v, k, val value.Value) {
	if a, ok := v.(*value.Array); ok {
		if n, ok := k.(value.Number); ok {
			if i := int(n); uint(i) < uint(len(a.Elems)) && value.Number(i) == n {
				a.Elems[i] = val
				return
			}
		}
	}
	if isNullish(v) {
		m.typeError("Cannot set properties of %s%s", m.toString(v), m.keyNote("setting", k))
	}
	m.set(v, m.toKey(k), val)
}

func (m *machine) setElement(a *value.Array, key string, val value.Value) {
	if key == "length" {
		m.setLength(a, m.toNumber(val))
		return
	}
	i, ok := indexOfKey(key)
	if !ok {
		m.unsupported("a property of an array that is no index")
	}
	if i >= len(a.Elems) {
		if i > len(a.Elems) {
			m.grow(a, i)
		}
		m.alloc(16)
		a.Elems = append(a.Elems, val)
		return
	}
	a.Elems[i] = val
}

func (m *machine) setLength(a *value.Array, n float64) {
	i := int(n)
	if float64(i) != n || i < 0 || i > math.MaxUint32 {
		m.rangeError("Invalid array length")
	}
	if i <= len(a.Elems) {
		clear(a.Elems[i:])
		a.Elems = a.Elems[:i]
		return
	}
	m.grow(a, i)
}

// grow makes a longer with holes.
func (m *machine) grow(a *value.Array, n int) {
	m.holes = true
	m.alloc(16 * (n - len(a.Elems)))
	m.work((n - len(a.Elems)) / 8)
	a.Elems = append(a.Elems, make([]value.Value, n-len(a.Elems))...)
}

func (m *machine) setError(e *value.Error, key string, val value.Value) {
	_, own := errorProps(e).Get(key)
	switch {
	case own:
	case key == "message":
		if s, ok := force(val).(value.String); ok {
			e.Message = string(s)
			return
		}
		m.unsupported("an error's message that is no string")
	case key == "cause" && e.Cause != nil:
		e.Cause = val
		return
	case key == "cause", key == "stack", key == "__proto__":
		m.unsupported("an assignment to an error's %s", key)
	}
	e.Props.Set(key, val)
}

func errorProps(e *value.Error) *value.Object {
	if e.Props == nil {
		e.Props = value.NewObject(1)
	}
	return e.Props
}
