package expr

import "github.com/casys-ai/pml/nodes/ast"

// table finds values by symbol. Most pieces have few names, among which looking through a list is faster than hashing.
type table[V any] struct {
	names  []*ast.Symbol
	values []V
	index  map[*ast.Symbol]int
}

// long is how many names are looked through one by one.
const long = 8

// at is where the value of sym stands; nil if it has none.
func (t *table[V]) at(sym *ast.Symbol) *V {
	if t.index != nil {
		if i, ok := t.index[sym]; ok {
			return &t.values[i]
		}
		return nil
	}
	for i, name := range t.names {
		if name == sym {
			return &t.values[i]
		}
	}
	return nil
}

// reset empties the table.
func (t *table[V]) reset() {
	t.names, t.values, t.index = t.names[:0], t.values[:0], nil
}

// get is the value of sym; the zero value if it has none.
func (t *table[V]) get(sym *ast.Symbol) (v V) {
	if at := t.at(sym); at != nil {
		v = *at
	}
	return v
}

// set gives sym a value.
func (t *table[V]) set(sym *ast.Symbol, v V) {
	if at := t.at(sym); at != nil {
		*at = v
		return
	}
	t.names, t.values = append(t.names, sym), append(t.values, v)
	switch n := len(t.names); {
	case t.index != nil:
		t.index[sym] = n - 1
	case n > long:
		t.index = make(map[*ast.Symbol]int, 2*n)
		for i, name := range t.names {
			t.index[name] = i
		}
	}
}
