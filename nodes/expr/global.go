package expr

import (
	"math"

	"github.com/casys-ai/pml/nodes/value"
)

// builtin makes a function of the library that looks at no receiver.
func builtin(name string, f func(m *machine, args []value.Value) value.Value) *function {
	return &function{name: name, native: func(m *machine, _ value.Value, args []value.Value) value.Value {
		return f(m, args)
	}}
}

// class makes a constructor of the library; what it does when called without new is f, or nil where that is refused.
func class(name string, f func(m *machine, args []value.Value) value.Value) *function {
	c := &function{name: name, class: name}
	if f != nil {
		c.native = func(m *machine, _ value.Value, args []value.Value) value.Value { return f(m, args) }
	} else {
		c.native = func(m *machine, _ value.Value, _ []value.Value) value.Value {
			m.unsupported("%s as a function", name)
			return nil
		}
	}
	return c
}

// errorClasses are the constructors of errors. AggregateError is not among them: its errors are no plain property.
var errorClasses = map[string]bool{
	"Error": true, "TypeError": true, "RangeError": true, "SyntaxError": true, "ReferenceError": true, "EvalError": true,
	"URIError": true,
}

// The names of the language that are known; filled by init because their functions use them.
var (
	globals      map[string]value.Value
	statics      map[string]map[string]value.Value
	constructors map[string]native
)

func init() {
	globals = map[string]value.Value{
		"undefined": undefined, "NaN": nan, "Infinity": value.Number(math.Inf(1)),
		"Math": class("Math", nil), "JSON": class("JSON", nil), "Map": class("Map", nil), "Set": class("Set", nil),
		"Date": class("Date", nil), "RegExp": class("RegExp", nil),
		"Object": class("Object", nil), "Array": class("Array", arrayConstruct),
		"String": class("String", func(m *machine, args []value.Value) value.Value {
			if len(args) == 0 {
				return str("")
			}
			return str(m.toString(args[0]))
		}),
		"Number": class("Number", func(m *machine, args []value.Value) value.Value {
			if len(args) == 0 {
				return number(0)
			}
			return number(m.toNumber(args[0]))
		}),
		"Boolean": class("Boolean", func(_ *machine, args []value.Value) value.Value {
			return boolean(truthy(arg(args, 0)))
		}),
		"parseInt": parseInt, "parseFloat": parseFloat,
		"isNaN": builtin("isNaN", func(m *machine, args []value.Value) value.Value {
			return boolean(math.IsNaN(m.toNumber(arg(args, 0))))
		}),
		"isFinite": builtin("isFinite", func(m *machine, args []value.Value) value.Value {
			return boolean(isFinite(m.toNumber(arg(args, 0))))
		}),
		"encodeURIComponent": uriFunc("encodeURIComponent"), "decodeURIComponent": uriFunc("decodeURIComponent"),
		"encodeURI": uriFunc("encodeURI"), "decodeURI": uriFunc("decodeURI"),
		"structuredClone": builtin("structuredClone", structuredClone),
	}
	statics = map[string]map[string]value.Value{
		"Math": mathStatics, "Number": numberStatics, "JSON": jsonStatics, "Object": objectStatics(), "Date": dateStatics,
		"Array": arrayStatics, "String": stringStatics,
	}
	constructors = map[string]native{
		"Map": newMap, "Set": newSet, "Date": newDate, "RegExp": constructRegExp,
		"Array": func(m *machine, _ value.Value, args []value.Value) value.Value { return arrayConstruct(m, args) },
	}
	for name := range errorClasses {
		make := func(m *machine, args []value.Value) value.Value { return newError(m, name, args) }
		globals[name] = class(name, make)
		constructors[name] = globals[name].(*function).native
	}
}

// newError is new Error(message, {cause}) (§20.5.1.1).
func newError(m *machine, name string, args []value.Value) value.Value {
	e := &value.Error{Name: name}
	m.alloc(96)
	if msg := arg(args, 0); !isUndefined(msg) {
		e.Message = m.toString(msg)
	}
	if o, ok := arg(args, 1).(*value.Object); ok {
		if cause, ok := o.Get("cause"); ok {
			e.Cause = cause
		}
	}
	return e
}

// arrayConstruct is Array(…), with or without new.
func arrayConstruct(m *machine, args []value.Value) value.Value {
	if len(args) != 1 {
		return &value.Array{Elems: append([]value.Value(nil), args...)}
	}
	n, ok := arg(args, 0).(value.Number)
	if !ok {
		return &value.Array{Elems: []value.Value{args[0]}}
	}
	if float64(n) != float64(toUint32(float64(n))) {
		m.rangeError("Invalid array length")
	}
	a := &value.Array{}
	if n > 0 {
		m.grow(a, int(n))
	}
	return a
}

var arrayStatics = map[string]value.Value{
	"isArray": builtin("isArray", func(_ *machine, args []value.Value) value.Value {
		_, ok := arg(args, 0).(*value.Array)
		return boolean(ok)
	}),
	"of": builtin("of", func(_ *machine, args []value.Value) value.Value {
		return &value.Array{Elems: append([]value.Value(nil), args...)}
	}),
	"from": builtin("from", arrayFrom),
}

// arrayFrom is Array.from (§23.1.2.1).
func arrayFrom(m *machine, args []value.Value) value.Value {
	src, pick := arg(args, 0), arg(args, 1)
	f, ok := pick.(*function)
	if !ok && !isUndefined(pick) {
		m.typeError("%s is not a function", m.inspectShort(pick))
	}
	out := &value.Array{}
	room := make([]value.Value, 2)
	add := func(v value.Value) {
		m.step()
		m.alloc(16)
		if v == nil {
			v = undefined
		}
		if f != nil {
			room[0], room[1] = v, integer(len(out.Elems))
			v = m.call(f, undefined, room)
		}
		out.Elems = append(out.Elems, v)
	}
	switch src := src.(type) {
	case value.Undefined, value.Null:
		m.notIterable(src)
	case *value.Object:
		n := m.toNumber(m.get(src, "length"))
		for i := 0; float64(i) < math.Trunc(n); i++ {
			if i > math.MaxInt32 {
				m.rangeError("Invalid array length")
			}
			add(force(m.get(src, numberText(float64(i)))))
		}
	case value.Number, value.Bool, *value.Error, *date, *regExp, *function:
	default:
		next := m.iterate(src, origin{})
		for v, ok := next(); ok; v, ok = next() {
			add(v)
		}
	}
	return out
}

var stringStatics = map[string]value.Value{
	"fromCharCode": builtin("fromCharCode", func(m *machine, args []value.Value) value.Value {
		units := make([]uint16, len(args))
		for i, x := range args {
			units[i] = uint16(toUint32(m.toNumber(x)))
		}
		return str(value.FromUTF16(units))
	}),
	"fromCodePoint": builtin("fromCodePoint", func(m *machine, args []value.Value) value.Value {
		var units []uint16
		for _, x := range args {
			f := m.toNumber(x)
			if f != math.Trunc(f) || f < 0 || f > 0x10FFFF {
				m.rangeError("Invalid code point %s", numberText(f))
			}
			if f >= 0x10000 {
				r := int(f) - 0x10000
				units = append(units, uint16(0xD800+r>>10), uint16(0xDC00+r&0x3FF))
			} else {
				units = append(units, uint16(f))
			}
		}
		return str(value.FromUTF16(units))
	}),
}

// structuredClone copies plain data (HTML §2.7.10). What it does to other kinds is refused.
func structuredClone(m *machine, args []value.Value) value.Value {
	if len(args) == 0 {
		m.unsupported("structuredClone of nothing")
	}
	v := arg(args, 0)
	m.cloneable(v, map[value.Value]bool{})
	c := cloner{m: m}
	return c.clone(v)
}

func (m *machine) cloneable(v value.Value, seen map[value.Value]bool) {
	v = force(v)
	m.step()
	if seen[v] {
		return
	}
	m.within()
	defer func() { m.nested-- }()
	switch v := v.(type) {
	case *value.Array:
		seen[v] = true
		for _, e := range v.Elems {
			if e == nil {
				m.unsupported("structuredClone of an array with holes")
			}
			m.cloneable(e, seen)
		}
	case *value.Object:
		seen[v] = true
		for _, e := range v.All() {
			m.cloneable(e, seen)
		}
	default:
		if _, isErr := v.(*value.Error); isErr || describe(v) != "" {
			m.unsupported("structuredClone of this kind of value")
		}
	}
}
