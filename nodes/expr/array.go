package expr

import (
	"math"

	"github.com/casys-ai/pml/nodes/value"
)

type arrayNative = func(m *machine, a *value.Array, args []value.Value) value.Value

// arrayNatives are the methods of Array.prototype (ECMAScript §23.1.3) that do not call back.
var arrayNatives = map[string]arrayNative{
	"at": func(m *machine, a *value.Array, args []value.Value) value.Value {
		i := m.toInteger(arg(args, 0))
		if i < 0 {
			i += float64(len(a.Elems))
		}
		if i < 0 || i >= float64(len(a.Elems)) {
			return undefined
		}
		return a.At(int(i))
	},
	"concat":      arrayConcat,
	"copyWithin":  arrayCopyWithin,
	"entries":     func(_ *machine, a *value.Array, _ []value.Value) value.Value { return arrayIterator(a, pickEntry) },
	"every":       arrayEvery,
	"fill":        arrayFill,
	"filter":      arrayFilter,
	"find":        arrayFind,
	"findIndex":   arrayFindIndex,
	"findLast":    arrayFindLast,
	"flat":        arrayFlat,
	"flatMap":     arrayFlatMap,
	"forEach":     arrayForEach,
	"includes":    arrayIncludes,
	"indexOf":     arrayIndexOf,
	"keys":        func(_ *machine, a *value.Array, _ []value.Value) value.Value { return arrayIterator(a, pickKey) },
	"lastIndexOf": arrayLastIndexOf,
	"map":         arrayMap,
	"pop":         arrayPop,
	"push":        arrayPush,
	"reduce":      arrayReduce,
	"reduceRight": arrayReduceRight,
	"reverse":     arrayReverse,
	"shift":       arrayShift,
	"slice":       arraySlice,
	"some":        arraySome,
	"sort":        arraySort,
	"splice":      arraySplice,
	"toReversed": func(m *machine, a *value.Array, _ []value.Value) value.Value {
		return arrayReverse(m, &value.Array{Elems: unhole(m.copied(a.Elems))}, nil)
	},
	"toSorted":  arrayToSorted,
	"toSpliced": arrayToSpliced,
	"toString": func(m *machine, a *value.Array, _ []value.Value) value.Value {
		return str(m.join(a, ","))
	},
	"unshift": arrayUnshift,
	"values":  func(_ *machine, a *value.Array, _ []value.Value) value.Value { return arrayIterator(a, pickValue) },
	"with":    arrayWith,
	"join":    arrayJoin,

	"findLastIndex": arrayFindLastIndex,
}

func pickEntry(i int, v value.Value) value.Value { return pair(integer(i), v) }
func pickKey(i int, _ value.Value) value.Value   { return integer(i) }
func pickValue(_ int, v value.Value) value.Value { return v }

// copied is a copy of elems, counted.
func (m *machine) copied(elems []value.Value) []value.Value {
	m.alloc(16 * len(elems))
	m.work(len(elems) / 16)
	return append(make([]value.Value, 0, len(elems)), elems...)
}

func arrayConcat(m *machine, a *value.Array, args []value.Value) value.Value {
	out := m.copied(a.Elems)
	for _, x := range args {
		if b, ok := force(x).(*value.Array); ok {
			m.alloc(16 * len(b.Elems))
			m.work(len(b.Elems) / 16)
			out = append(out, b.Elems...)
		} else {
			out = append(out, x)
		}
	}
	return &value.Array{Elems: out}
}

func arrayJoin(m *machine, a *value.Array, args []value.Value) value.Value {
	sep := ","
	if s := arg(args, 0); !isUndefined(s) {
		sep = m.toString(s)
	}
	return str(m.join(a, sep))
}

// join is Array.prototype.join; an array met inside itself reads as empty, as in V8.
func (m *machine) join(a *value.Array, sep string) string {
	for _, open := range m.joining {
		if open == a {
			return ""
		}
	}
	if len(m.joining) > 2000 {
		m.rangeError("Maximum call stack size exceeded")
	}
	m.joining = append(m.joining, a)
	depth := len(m.joining)
	b := builder{m: m}
	n := len(a.Elems)
	for i := 0; i < n; i++ {
		m.step()
		if i > 0 {
			b.write(sep)
		}
		if i >= len(a.Elems) {
			continue
		}
		switch v := a.Elems[i].(type) {
		case nil, value.Undefined, value.Null:
		case value.String:
			b.write(string(v))
		default:
			if v = force(v); !isNullish(v) {
				b.write(m.toString(v))
			}
		}
	}
	m.joining = m.joining[:depth-1]
	return b.String()
}

func arrayIncludes(m *machine, a *value.Array, args []value.Value) value.Value {
	x := arg(args, 0)
	m.work(len(a.Elems) / 4)
	for i := m.toIndex(arg(args, 1), len(a.Elems), 0); i < len(a.Elems); i++ {
		if m.sameValueZero(a.Elems[i], x) {
			return value.Bool(true)
		}
	}
	return value.Bool(false)
}

func arrayIndexOf(m *machine, a *value.Array, args []value.Value) value.Value {
	x := arg(args, 0)
	m.work(len(a.Elems) / 4)
	for i := m.toIndex(arg(args, 1), len(a.Elems), 0); i < len(a.Elems); i++ {
		if a.Elems[i] != nil && m.strictEqual(a.Elems[i], x) {
			return integer(i)
		}
	}
	return integer(-1)
}

func arrayLastIndexOf(m *machine, a *value.Array, args []value.Value) value.Value {
	x, i := arg(args, 0), len(a.Elems)-1
	if len(args) > 1 {
		f := m.toInteger(args[1])
		if f < 0 {
			f += float64(len(a.Elems))
		}
		i = int(math.Max(math.Min(f, float64(i)), -1))
	}
	m.work(len(a.Elems) / 4)
	for ; i >= 0; i-- {
		if a.Elems[i] != nil && m.strictEqual(a.Elems[i], x) {
			return integer(i)
		}
	}
	return integer(-1)
}

func arraySlice(m *machine, a *value.Array, args []value.Value) value.Value {
	from := m.toIndex(arg(args, 0), len(a.Elems), 0)
	to := m.toIndex(arg(args, 1), len(a.Elems), len(a.Elems))
	if from >= to {
		return &value.Array{}
	}
	return &value.Array{Elems: m.copied(a.Elems[from:to])}
}

// spliceRange reads the first two arguments of splice.
func (m *machine) spliceRange(n int, args []value.Value) (from, count int) {
	from = m.toIndex(arg(args, 0), n, 0)
	switch len(args) {
	case 0:
	case 1:
		count = n - from
	default:
		count = int(math.Max(0, math.Min(m.toInteger(args[1]), float64(n-from))))
	}
	return from, count
}

func arraySplice(m *machine, a *value.Array, args []value.Value) value.Value {
	from, count := m.spliceRange(len(a.Elems), args)
	removed := m.copied(a.Elems[from : from+count])
	a.Elems = m.spliced(a.Elems, from, count, args)
	return &value.Array{Elems: removed}
}

func (m *machine) spliced(elems []value.Value, from, count int, args []value.Value) []value.Value {
	out := make([]value.Value, 0, len(elems)-count+len(args))
	m.work(len(elems) / 8)
	out = append(out, elems[:from]...)
	if len(args) > 2 {
		out = append(out, args[2:]...)
	}
	return append(out, elems[from+count:]...)
}

func arrayToSpliced(m *machine, a *value.Array, args []value.Value) value.Value {
	from, count := m.spliceRange(len(a.Elems), args)
	m.alloc(16 * len(a.Elems))
	return &value.Array{Elems: unhole(m.spliced(a.Elems, from, count, args))}
}

func arrayWith(m *machine, a *value.Array, args []value.Value) value.Value {
	i := m.toInteger(arg(args, 0))
	if i < 0 {
		i += float64(len(a.Elems))
	}
	if i < 0 || i >= float64(len(a.Elems)) {
		m.rangeError("Invalid index : %s", m.inspectShort(arg(args, 0)))
	}
	out := unhole(m.copied(a.Elems))
	out[int(i)] = arg(args, 1)
	return &value.Array{Elems: out}
}

func arrayPush(m *machine, a *value.Array, args []value.Value) value.Value {
	m.alloc(32 * len(args))
	a.Elems = append(a.Elems, args...)
	return integer(len(a.Elems))
}

func arrayPop(_ *machine, a *value.Array, _ []value.Value) value.Value {
	n := len(a.Elems) - 1
	if n < 0 {
		return undefined
	}
	v := a.At(n)
	a.Elems[n] = nil
	a.Elems = a.Elems[:n]
	return v
}

func arrayShift(_ *machine, a *value.Array, _ []value.Value) value.Value {
	if len(a.Elems) == 0 {
		return undefined
	}
	v := a.At(0)
	a.Elems[0] = nil
	a.Elems = a.Elems[1:]
	return v
}

func arrayUnshift(m *machine, a *value.Array, args []value.Value) value.Value {
	if len(args) > 0 {
		m.work(len(a.Elems) / 8)
		out := make([]value.Value, 0, len(a.Elems)+len(args))
		a.Elems = append(append(out, args...), a.Elems...)
	}
	return integer(len(a.Elems))
}

func arrayReverse(_ *machine, a *value.Array, _ []value.Value) value.Value {
	for i, j := 0, len(a.Elems)-1; i < j; i, j = i+1, j-1 {
		a.Elems[i], a.Elems[j] = a.Elems[j], a.Elems[i]
	}
	return a
}

func arrayFill(m *machine, a *value.Array, args []value.Value) value.Value {
	v := arg(args, 0)
	from := m.toIndex(arg(args, 1), len(a.Elems), 0)
	to := m.toIndex(arg(args, 2), len(a.Elems), len(a.Elems))
	for i := from; i < to; i++ {
		a.Elems[i] = v
	}
	return a
}

func arrayCopyWithin(m *machine, a *value.Array, args []value.Value) value.Value {
	n := len(a.Elems)
	to := m.toIndex(arg(args, 0), n, 0)
	from := m.toIndex(arg(args, 1), n, 0)
	end := m.toIndex(arg(args, 2), n, n)
	if from < end {
		copy(a.Elems[to:], a.Elems[from:end])
	}
	return a
}

func arrayFlat(m *machine, a *value.Array, args []value.Value) value.Value {
	depth := 1.0
	if d := arg(args, 0); !isUndefined(d) {
		depth = m.toInteger(d)
	}
	return &value.Array{Elems: m.flatten(nil, a, depth, 0)}
}

func (m *machine) flatten(out []value.Value, a *value.Array, depth float64, level int) []value.Value {
	if level > 2000 {
		m.rangeError("Maximum call stack size exceeded")
	}
	for _, e := range a.Elems {
		m.step()
		if e == nil {
			continue
		}
		if inner, ok := force(e).(*value.Array); ok && depth >= 1 {
			out = m.flatten(out, inner, depth-1, level+1)
			continue
		}
		m.alloc(16)
		out = append(out, e)
	}
	return out
}
