package script

import "github.com/casys-ai/pml/nodes/value"

// sharing knows which objects occur more than once below a list of values. A nil sharing knows of
// none.
type sharing struct {
	// seen are the objects met outside of Lazy texts, lazies the texts.
	seen   map[value.Value]bool
	lazies map[*value.Lazy]bool
	// ids are the shared objects with their numbers from 1; 0 is for those not written yet.
	ids  map[value.Value]int
	last int
	// opened are the Lazy texts that hold shared objects.
	opened map[*value.Lazy]bool
}

// findSharing looks through the list; nil if nothing is shared.
func findSharing(list []value.Value) *sharing {
	s := &sharing{}
	for _, v := range list {
		s.look(v)
	}
	if len(s.seen) > 0 {
		for l := range s.lazies {
			s.lookInto(l, l.Force())
		}
	}
	if len(s.ids) == 0 {
		return nil
	}
	return s
}

func (s *sharing) look(v value.Value) {
	switch v := v.(type) {
	case *value.Lazy:
		s.lookLazy(v)
	case *value.Array, *value.Object, *value.Error, value.Rich:
		if s.seen[v] {
			s.share(v)
			return
		}
		if s.seen == nil {
			s.seen = map[value.Value]bool{}
		}
		s.seen[v] = true
		children(v, s.look)
	}
}

func (s *sharing) lookLazy(l *value.Lazy) {
	if s.lazies == nil {
		s.lazies = map[*value.Lazy]bool{}
	}
	if s.lazies[l] && isReference(l.Force()) {
		s.open(l, l.Force())
	}
	s.lazies[l] = true
}

// lookInto looks for objects inside a text that were met outside of it: someone has decoded it and passed parts on.
func (s *sharing) lookInto(l *value.Lazy, v value.Value) {
	if !isReference(v) {
		return
	}
	if s.seen[v] {
		s.open(l, v)
		return
	}
	children(v, func(v value.Value) { s.lookInto(l, v) })
}

func (s *sharing) open(l *value.Lazy, v value.Value) {
	s.share(v)
	if s.opened == nil {
		s.opened = map[*value.Lazy]bool{}
	}
	s.opened[l] = true
}

func (s *sharing) share(v value.Value) {
	if s.ids == nil {
		s.ids = map[value.Value]int{}
	}
	s.ids[v] = 0
}

// opens reports whether l must be written as a tree.
func (s *sharing) opens(l *value.Lazy) bool { return s != nil && s.opened[l] }

// number gives the number of a shared object, and whether it was written before.
func (s *sharing) number(v value.Value) (n int, again, shared bool) {
	n, shared = s.ids[v]
	if shared && n == 0 {
		s.last++
		s.ids[v] = s.last
		return s.last, false, true
	}
	return n, n > 0, shared
}

func isReference(v value.Value) bool {
	switch v.(type) {
	case *value.Array, *value.Object, *value.Error, value.Rich:
		return true
	}
	return false
}

// children visits what v holds, in the order in which it crosses.
func children(v value.Value, visit func(value.Value)) {
	switch v := v.(type) {
	case *value.Array:
		for _, e := range v.Elems {
			visit(e)
		}
	case *value.Object:
		for _, e := range v.All() {
			visit(e)
		}
	case *value.Error:
		visit(v.Cause)
		if v.Props != nil {
			children(v.Props, visit)
		}
	case value.Rich:
		for _, e := range v.Parts().Held {
			visit(e)
		}
	}
}

// inputs are the arguments of an execution. Both sides number the objects in each in the same way, so that the realm
// can give back one that it did not change by its number.
type inputs struct {
	list []value.Value
	// each are the objects below an argument, numbered; made when asked for.
	each map[int][]value.Value
}

// find gives object n of an argument; nil if there is none.
func (in *inputs) find(arg, n int) value.Value {
	if in == nil || arg < 0 || arg >= len(in.list) || n < 0 {
		return nil
	}
	if n == 0 && in.list[arg] != nil {
		return in.list[arg]
	}
	all, ok := in.each[arg]
	if !ok {
		all = census(in.list[arg])
		if in.each == nil {
			in.each = map[int][]value.Value{}
		}
		in.each[arg] = all
	}
	if n >= len(all) {
		return nil
	}
	return all[n]
}

// census lists the objects below v, itself included, each once, in the order in which they cross.
func census(v value.Value) []value.Value {
	var list []value.Value
	seen := map[value.Value]bool{}
	var visit func(value.Value)
	visit = func(v value.Value) {
		if l, ok := v.(*value.Lazy); ok {
			v = l.Force()
		}
		if isReference(v) && !seen[v] {
			seen[v] = true
			list = append(list, v)
			children(v, visit)
		}
	}
	visit(v)
	return list
}

// inputRef names object n of argument arg.
type inputRef struct{ arg, n int }

// refs gives the names of all objects in the arguments.
func (in *inputs) refs() map[value.Value]inputRef {
	all := map[value.Value]inputRef{}
	for arg, v := range in.list {
		for n, o := range census(v) {
			if _, known := all[o]; !known {
				all[o] = inputRef{arg, n}
			}
		}
	}
	return all
}
