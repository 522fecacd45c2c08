package expr

import (
	"slices"

	"github.com/casys-ai/pml/nodes/value"
)

// callback is a function that a method calls for each element, with its arguments' room.
type callback struct {
	m    *machine
	f    *function
	args [3]value.Value
}

// callback takes a method's first argument, which must be a function.
func (m *machine) callback(args []value.Value) *callback {
	f, ok := arg(args, 0).(*function)
	if !ok {
		m.typeError("%s is not a function", m.inspectShort(arg(args, 0)))
	}
	return &callback{m: m, f: f}
}

// on calls the function with element i of a.
func (c *callback) on(a *value.Array, i int) value.Value {
	c.args = [3]value.Value{a.At(i), integer(i), a}
	return c.m.call(c.f, undefined, c.args[:])
}

func arrayForEach(m *machine, a *value.Array, args []value.Value) value.Value {
	f := m.callback(args)
	for i, n := 0, len(a.Elems); i < n && i < len(a.Elems); i++ {
		if a.Elems[i] != nil {
			f.on(a, i)
		}
	}
	return undefined
}

func arrayMap(m *machine, a *value.Array, args []value.Value) value.Value {
	f := m.callback(args)
	n := len(a.Elems)
	m.alloc(16 * n)
	out := make([]value.Value, n)
	for i := 0; i < n && i < len(a.Elems); i++ {
		if a.Elems[i] != nil {
			out[i] = f.on(a, i)
		}
	}
	return &value.Array{Elems: out}
}

func arrayFilter(m *machine, a *value.Array, args []value.Value) value.Value {
	f := m.callback(args)
	var out []value.Value
	for i, n := 0, len(a.Elems); i < n && i < len(a.Elems); i++ {
		e := a.Elems[i]
		if e == nil || !truthy(f.on(a, i)) {
			continue
		}
		out = append(out, e)
	}
	m.alloc(16 * len(out))
	return &value.Array{Elems: out}
}

func arraySome(m *machine, a *value.Array, args []value.Value) value.Value {
	f := m.callback(args)
	for i, n := 0, len(a.Elems); i < n && i < len(a.Elems); i++ {
		if a.Elems[i] != nil && truthy(f.on(a, i)) {
			return value.Bool(true)
		}
	}
	return value.Bool(false)
}

func arrayEvery(m *machine, a *value.Array, args []value.Value) value.Value {
	f := m.callback(args)
	for i, n := 0, len(a.Elems); i < n && i < len(a.Elems); i++ {
		if a.Elems[i] != nil && !truthy(f.on(a, i)) {
			return value.Bool(false)
		}
	}
	return value.Bool(true)
}

// search finds the first element, from either end, that the callback accepts; -1 if there is none.
func (m *machine) search(a *value.Array, args []value.Value, fromEnd bool) (int, value.Value) {
	f := m.callback(args)
	n := len(a.Elems)
	for k := 0; k < n; k++ {
		i := k
		if fromEnd {
			i = n - 1 - k
		}
		e := a.At(i)
		if truthy(f.on(a, i)) {
			return i, e
		}
	}
	return -1, undefined
}

func arrayFind(m *machine, a *value.Array, args []value.Value) value.Value {
	_, v := m.search(a, args, false)
	return v
}

func arrayFindIndex(m *machine, a *value.Array, args []value.Value) value.Value {
	i, _ := m.search(a, args, false)
	return integer(i)
}

func arrayFindLast(m *machine, a *value.Array, args []value.Value) value.Value {
	_, v := m.search(a, args, true)
	return v
}

func arrayFindLastIndex(m *machine, a *value.Array, args []value.Value) value.Value {
	i, _ := m.search(a, args, true)
	return integer(i)
}

func arrayReduce(m *machine, a *value.Array, args []value.Value) value.Value {
	return m.reduce(a, args, false)
}

func arrayReduceRight(m *machine, a *value.Array, args []value.Value) value.Value {
	return m.reduce(a, args, true)
}

func (m *machine) reduce(a *value.Array, args []value.Value, fromEnd bool) value.Value {
	f := m.callback(args).f
	n := len(a.Elems)
	var acc value.Value
	if len(args) > 1 {
		acc = args[1]
	}
	room := make([]value.Value, 4)
	for k := 0; k < n; k++ {
		i := k
		if fromEnd {
			i = n - 1 - k
		}
		if i >= len(a.Elems) || a.Elems[i] == nil {
			continue
		}
		if acc == nil {
			acc = a.Elems[i]
			continue
		}
		room[0], room[1], room[2], room[3] = acc, a.Elems[i], integer(i), a
		acc = m.call(f, undefined, room)
	}
	if acc == nil {
		m.typeError("Reduce of empty array with no initial value")
	}
	return acc
}

func arrayFlatMap(m *machine, a *value.Array, args []value.Value) value.Value {
	f, ok := arg(args, 0).(*function)
	if !ok {
		m.typeError("flatMap mapper function is not callable")
	}
	cb := &callback{m: m, f: f}
	var out []value.Value
	for i, n := 0, len(a.Elems); i < n && i < len(a.Elems); i++ {
		if a.Elems[i] == nil {
			continue
		}
		v := cb.on(a, i)
		if inner, ok := force(v).(*value.Array); ok {
			m.alloc(16 * len(inner.Elems))
			for _, e := range inner.Elems {
				if e != nil {
					out = append(out, e)
				}
			}
			continue
		}
		m.alloc(16)
		out = append(out, v)
	}
	return &value.Array{Elems: out}
}

func arraySort(m *machine, a *value.Array, args []value.Value) value.Value {
	less := m.comparator(args)
	elems := m.sorted(a.Elems, less)
	n := copy(a.Elems, elems)
	clear(a.Elems[n:])
	return a
}

func arrayToSorted(m *machine, a *value.Array, args []value.Value) value.Value {
	cmp := m.comparator(args)
	return &value.Array{Elems: m.sorted(unhole(m.copied(a.Elems)), cmp)}
}

// comparator reads the argument of sort; nil means by text.
func (m *machine) comparator(args []value.Value) func(a, b value.Value) int {
	v := arg(args, 0)
	if isUndefined(v) {
		return nil
	}
	f, ok := v.(*function)
	if !ok {
		m.typeError("The comparison function must be either a function or undefined")
	}
	room := make([]value.Value, 2)
	return func(a, b value.Value) int {
		room[0], room[1] = a, b
		switch d := m.toNumber(m.call(f, undefined, room)); {
		case d < 0:
			return -1
		case d > 0:
			return 1
		}
		return 0
	}
}

// sorted gives elems in order: undefined last, then holes, which are left out (§23.1.3.30.1).
func (m *machine) sorted(elems []value.Value, cmp func(a, b value.Value) int) []value.Value {
	var list []value.Value
	undefs := 0
	for _, e := range elems {
		switch e := force(e).(type) {
		case value.Undefined:
			undefs++
		default:
			list = append(list, e)
		}
	}
	for _, e := range elems {
		if e == nil {
			undefs--
		}
	}
	m.alloc(32 * len(list))
	if cmp != nil {
		m.timSort(list, cmp)
	} else {
		list = m.sortByText(list)
	}
	for ; undefs > 0; undefs-- {
		list = append(list, undefined)
	}
	return list
}

// sortByText sorts by ToString, as UTF-16.
func (m *machine) sortByText(list []value.Value) []value.Value {
	type item struct {
		text string
		v    value.Value
	}
	items := make([]item, len(list))
	for i, v := range list {
		m.step()
		items[i] = item{m.toString(v), v}
	}
	slices.SortStableFunc(items, func(a, b item) int {
		m.step()
		return value.CompareUTF16(a.text, b.text)
	})
	for i := range items {
		list[i] = items[i].v
	}
	return list
}
