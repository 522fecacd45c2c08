package expr

import (
	"github.com/casys-ai/pml/nodes/value"
)

// Values that never leave a piece: value.Value's set of kinds is closed on edges, and these are not for edges.
const (
	kindFunction value.Kind = 0xF0 + iota
	kindMap
	kindSet
	kindDate
	kindRegExp
	kindIterator
)

type (
	// native is a function of the library. It must not keep args.
	native func(m *machine, this value.Value, args []value.Value) value.Value

	// function is a function object: of the piece (code, free) or of the library (native).
	function struct {
		name   string
		code   *funcCode
		free   []*cell
		native native
		// inert stands for a method of the library where it is not called.
		inert *function
		// class says that it is a constructor of the library, such as Map or TypeError.
		class string
	}

	// collection is a Map or a Set (ECMAScript §24.1, §24.2): entries in the order they were added.
	collection struct {
		set     bool
		index   map[mapKey]int
		entries []mapEntry
		live    int
	}
	mapEntry struct {
		key, val value.Value
		deleted  bool
	}
	// mapKey is a key normalised by SameValueZero.
	mapKey struct {
		v value.Value
	}

	// date is a Date; NaN is an invalid one.
	date struct {
		t float64
	}

	// regExp is a RegExp object.
	regExp struct {
		source, flags string
		prog          *regexProg
		global        bool
		sticky        bool
		lastIndex     float64
	}

	// iterator is an iterator object of the library: a pull function that gives false at the end.
	iterator struct {
		what string // "Array Iterator"
		next func(m *machine) (value.Value, bool)
	}
)

// Kind implements value.Value.
func (*function) Kind() value.Kind { return kindFunction }

// Kind implements value.Value.
func (*collection) Kind() value.Kind { return kindMap }

// Kind implements value.Value.
func (*date) Kind() value.Kind { return kindDate }

// Kind implements value.Value.
func (*regExp) Kind() value.Kind { return kindRegExp }

// Kind implements value.Value.
func (*iterator) Kind() value.Kind { return kindIterator }

// describe names the kind of an internal value for people; "" for plain data.
func describe(v value.Value) string {
	switch v := v.(type) {
	case nil:
		return "an array hole"
	case *function:
		return "a function"
	case *collection:
		if v.set {
			return "a Set"
		}
		return "a Map"
	case *date:
		return "a Date"
	case *regExp:
		return "a RegExp"
	case *iterator:
		return "an iterator"
	}
	return ""
}

// plainError is nil if v is plain data.
func plainError(m *machine, v value.Value) error { return leaves(m, v, false) }

// leaves is nil if v may leave the piece; rich says that Map, Set and Date objects may.
func leaves(m *machine, v value.Value, rich bool) (err error) {
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(fatal)
			if !ok {
				panic(r)
			}
			err = f.err
		}
	}()
	l := &leaving{m: m, rich: rich, path: map[value.Value]bool{}}
	l.look(v)
	return nil
}

// leaving looks through what leaves a piece for what is internal or cyclic.
type leaving struct {
	m    *machine
	rich bool
	path map[value.Value]bool
}

func (l *leaving) look(v value.Value) {
	if v == nil {
		return // a hole
	}
	if what := describe(v); what != "" && !(l.rich && rich[what]) {
		panic(fatal{&NotPlain{What: what}})
	}
	switch v.(type) {
	case *value.Array, *value.Object, *value.Error, *collection:
	default:
		return
	}
	switch {
	case l.path[v] && l.rich:
		return
	case l.path[v]:
		panic(fatal{&NotPlain{What: "a cycle"}})
	}
	l.m.step()
	l.m.within()
	defer func() { l.m.nested-- }()
	l.path[v] = true
	l.inside(v)
	if !l.rich {
		delete(l.path, v)
	}
}

func (l *leaving) inside(v value.Value) {
	switch v := v.(type) {
	case *value.Array:
		if l.m.matches[v] != nil {
			panic(fatal{&NotPlain{What: "a match with its index and groups"}})
		}
		for _, e := range v.Elems {
			l.look(e)
		}
	case *value.Object:
		for _, e := range v.All() {
			l.look(e)
		}
	case *value.Error:
		if v.Cause != nil {
			l.look(v.Cause)
		}
		if v.Props != nil {
			for _, e := range v.Props.All() {
				l.look(e)
			}
		}
	case *collection:
		for _, e := range v.entries {
			l.look(e.key)
			l.look(e.val)
		}
	}
}
