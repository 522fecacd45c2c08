package expr

import (
	"github.com/casys-ai/pml/nodes/value"
)

// objectNatives are the methods that every value inherits from Object.prototype (ECMAScript §20.1.3).
var objectNatives = map[string]native{
	"hasOwnProperty": func(m *machine, this value.Value, args []value.Value) value.Value {
		return boolean(m.hasOwn(this, m.toKey(arg(args, 0))))
	},
	"propertyIsEnumerable": func(m *machine, this value.Value, args []value.Value) value.Value {
		key := m.toKey(arg(args, 0))
		if _, ok := force(this).(*value.Object); !ok {
			m.unsupported("propertyIsEnumerable of this kind of value")
		}
		return boolean(m.hasOwn(this, key))
	},
	"toString": func(m *machine, this value.Value, _ []value.Value) value.Value {
		switch v := force(this).(type) {
		case value.Bool:
			return str(m.toString(v))
		case *value.Object:
			return str("[object Object]")
		}
		return m.toPrimitive(this, "string")
	},
	"valueOf": func(_ *machine, this value.Value, _ []value.Value) value.Value {
		if d, ok := this.(*date); ok {
			return value.Number(d.t)
		}
		return this
	},
}

// tagOf is Object.prototype.toString of a collection.
func tagOf(c *collection) string {
	if c.set {
		return "[object Set]"
	}
	return "[object Map]"
}

// objectStatics makes the properties of the constructor Object.
func objectStatics() map[string]value.Value {
	list := func(each func(m *machine, v value.Value, k string) value.Value) *function {
		return builtin("entries", func(m *machine, args []value.Value) value.Value {
			v := arg(args, 0)
			if isNullish(v) {
				m.typeError("Cannot convert undefined or null to object")
			}
			keys := m.enumerable(v)
			out := make([]value.Value, len(keys))
			m.alloc(64 * len(keys))
			for i, k := range keys {
				m.step()
				out[i] = each(m, v, k)
			}
			return &value.Array{Elems: out}
		})
	}
	return map[string]value.Value{
		"keys":   list(func(_ *machine, _ value.Value, k string) value.Value { return str(k) }),
		"values": list(func(m *machine, v value.Value, k string) value.Value { return m.get(v, k) }),
		"entries": list(func(m *machine, v value.Value, k string) value.Value {
			return pair(str(k), m.get(v, k))
		}),
		"assign":      builtin("assign", objectAssign),
		"fromEntries": builtin("fromEntries", objectFromEntries),
		"freeze":      builtin("freeze", func(_ *machine, args []value.Value) value.Value { return arg(args, 0) }),
		"hasOwn": builtin("hasOwn", func(m *machine, args []value.Value) value.Value {
			v := arg(args, 0)
			if isNullish(v) {
				m.typeError("Cannot convert undefined or null to object")
			}
			return boolean(m.hasOwn(v, m.toKey(arg(args, 1))))
		}),
		"is": builtin("is", func(m *machine, args []value.Value) value.Value {
			a, b := arg(args, 0), arg(args, 1)
			if isObject(a) || isObject(b) {
				return boolean(m.strictEqual(a, b))
			}
			return boolean(value.SameValue(a, b))
		}),
		"getOwnPropertyNames": builtin("getOwnPropertyNames", func(m *machine, args []value.Value) value.Value {
			o, ok := arg(args, 0).(*value.Object)
			if !ok {
				m.unsupported("Object.getOwnPropertyNames of this kind of value")
			}
			out := &value.Array{}
			for _, k := range m.enumerable(o) {
				out.Elems = append(out.Elems, str(k))
			}
			return out
		}),
	}
}

func objectAssign(m *machine, args []value.Value) value.Value {
	to := arg(args, 0)
	if isNullish(to) {
		m.typeError("Cannot convert undefined or null to object")
	}
	if !isObject(to) {
		m.unsupported("Object.assign to a primitive value")
	}
	for _, from := range args[1:] {
		from = force(from)
		for _, k := range m.enumerable(from) {
			m.step()
			m.set(to, k, m.get(from, k))
		}
	}
	return to
}

func objectFromEntries(m *machine, args []value.Value) value.Value {
	o := value.NewObject(0)
	src := arg(args, 0)
	if isNullish(src) {
		m.typeError("undefined is not iterable")
	}
	next := m.iterate(src, origin{})
	for e, ok := next(); ok; e, ok = next() {
		m.step()
		m.alloc(48)
		e = force(e)
		if !isObject(e) {
			m.typeError("Iterator value %s is not an entry object", m.toString(e))
		}
		k := m.toKey(m.get(e, "0"))
		o.Set(k, m.get(e, "1"))
	}
	return o
}
