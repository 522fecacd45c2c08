package script

import (
	"reflect"

	"github.com/dop251/goja/file"
)

// visitor is what walk calls, with pointers to nodes; each function may be nil.
type visitor struct {
	// enter is called before a node's children, leave after them.
	enter, leave func(node any)
	// replace may give another node to stand where node stands.
	replace func(node any) any
}

// walk visits every node below v, in the order of the fields.
func walk(v reflect.Value, with visitor) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		walk(v.Elem(), with)
		if with.replace != nil && v.CanSet() && v.Elem().Kind() == reflect.Pointer {
			if other := with.replace(v.Elem().Interface()); other != nil {
				v.Set(reflect.ValueOf(other))
			}
		}
	case reflect.Pointer:
		walkPointer(v, with)
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), with)
		}
	case reflect.Struct:
		for _, i := range nodeFields(v.Type()) {
			walk(v.Field(i), with)
		}
	}
}

func walkPointer(v reflect.Value, with visitor) {
	if v.IsNil() || v.Type() == reflect.TypeFor[*file.File]() {
		return
	}
	if with.enter != nil {
		with.enter(v.Interface())
	}
	walk(v.Elem(), with)
	if with.leave != nil {
		with.leave(v.Interface())
	}
}

// fields remembers nodeFields; a realm's goroutine alone uses it.
var fields = map[reflect.Type][]int{}

// nodeFields lists the fields of a node that hold nodes. DeclarationList repeats what stands elsewhere.
func nodeFields(t reflect.Type) []int {
	list, ok := fields[t]
	if ok {
		return list
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Name != "DeclarationList" && f.IsExported() && holdsNodes(f.Type) {
			list = append(list, i)
		}
	}
	fields[t] = list
	return list
}

func holdsNodes(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice:
		return holdsNodes(t.Elem())
	case reflect.Interface, reflect.Pointer, reflect.Struct:
		return true
	}
	return false
}
