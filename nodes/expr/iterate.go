package expr

import (
	"github.com/casys-ai/pml/nodes/value"
)

// iterate gives the iterator of v (§7.4.3); from is where the program has it from.
func (m *machine) iterate(v value.Value, from origin) func() (value.Value, bool) {
	switch v := force(v).(type) {
	case *value.Array:
		i := 0
		return func() (value.Value, bool) {
			if i >= len(v.Elems) {
				return nil, false
			}
			i++
			return v.At(i - 1), true
		}
	case value.String:
		rest := string(v)
		return func() (value.Value, bool) {
			if rest == "" {
				return nil, false
			}
			n := pointLen(rest)
			s := rest[:n]
			rest = rest[n:]
			return str(s), true
		}
	case *collection:
		kind := entriesOf
		if v.set {
			kind = keysOf
		}
		next := v.walk(kind)
		return func() (value.Value, bool) { return next(m) }
	case *iterator:
		return func() (value.Value, bool) { return v.next(m) }
	default:
		from.notIterable(m, v)
	}
	return nil
}

// pointLen is the length in bytes of the code point that s begins with.
func pointLen(s string) int {
	n := 1
	switch c := s[0]; {
	case c >= 0xF0:
		n = 4
	case c >= 0xE0:
		n = 3
	case c >= 0xC0:
		n = 2
	}
	return min(n, len(s))
}

// notIterable throws V8's TypeError where it knows the value only.
func (m *machine) notIterable(v value.Value) {
	m.typeError("%s is not iterable (cannot read property Symbol(Symbol.iterator))", m.callSite(v))
}

// callSite writes a value as V8 does where it finds no expression for it.
func (m *machine) callSite(v value.Value) string {
	switch v := force(v).(type) {
	case value.String:
		return `string "` + string(v) + `"`
	case value.Null, value.Bool, value.Number:
		return typeOf(v) + " " + m.toString(v)
	}
	return typeOf(v)
}

// inspectShort writes a value as V8 does where it has no name for it.
func (m *machine) inspectShort(v value.Value) string {
	switch v := force(v).(type) {
	case value.String:
		return string(v)
	case *value.Object:
		return "#<Object>"
	case *value.Array:
		return "[object Array]"
	case *date:
		return "[object Date]"
	case *regExp:
		return "[object RegExp]"
	case *function:
		m.unsupported("a function in a message")
	case *collection:
		if v.set {
			return "#<Set>"
		}
		return "#<Map>"
	case *iterator:
		return "#<" + v.what + ">"
	}
	return m.toString(v)
}

// spread appends what v iterates over (§13.2.4.1).
func (m *machine) spread(out []value.Value, v value.Value, from origin) []value.Value {
	if a, ok := force(v).(*value.Array); ok {
		m.work(len(a.Elems) / 8)
		m.alloc(16 * len(a.Elems))
		start := len(out)
		out = append(out, a.Elems...)
		unhole(out[start:])
		return out
	}
	next := m.iterate(v, from)
	for e, ok := next(); ok; e, ok = next() {
		m.step()
		m.alloc(32)
		out = append(out, e)
	}
	return out
}

// iterators of arrays.
func arrayIterator(a *value.Array, pick func(i int, v value.Value) value.Value) *iterator {
	i := 0
	return &iterator{what: "Array Iterator", next: func(*machine) (value.Value, bool) {
		if i >= len(a.Elems) {
			i = 1 << 40
			return nil, false
		}
		i++
		return pick(i-1, a.At(i-1)), true
	}}
}

func pair(a, b value.Value) value.Value { return &value.Array{Elems: []value.Value{a, b}} }
