package script

import (
	"strconv"

	"github.com/casys-ai/pml/nodes/value"
	"github.com/dop251/goja"
)

// circles finds the arrays and objects that hold themselves, such as a child that names its parent. They go to the child
// only: what a fragment gives must be a tree, or what is shared in one. A nil circles finds none.
type circles struct {
	// open are the shared objects that are being read, by number.
	open  map[int]value.Value
	found map[value.Value]bool
}

// begin notes that shared object n is being read. Errors, Map and Set objects that hold themselves are not found.
func (c *circles) begin(n int, v value.Value) {
	if c == nil {
		return
	}
	if o, ok := v.(*value.Object); ok {
		if first, _ := firstKey(o); first == "$" {
			if textOf(o, "$") != "object" {
				return
			}
			v, _ = o.Get("v")
		}
	}
	c.open[n] = v
}

func (c *circles) end(n int) {
	if c != nil {
		delete(c.open, n)
	}
}

// close gives shared object n if it is being read; nil if it is not.
func (c *circles) close(n int) value.Value {
	if c == nil || c.open[n] == nil {
		return nil
	}
	c.found[c.open[n]] = true
	return c.open[n]
}

// circle makes an array or object that holds itself.
func (a *arrivals) circle(r *realm, v value.Value) goja.Value {
	if o, ok := v.(*value.Object); ok {
		obj := r.rt.NewObject()
		a.shared[v] = obj
		return r.fill(obj, o)
	}
	list, _ := v.(*value.Array)
	arr := r.rt.NewArray()
	a.shared[v] = arr
	for i, e := range list.Elems {
		if e != nil {
			_ = arr.Set(strconv.Itoa(i), r.toJS(e))
		}
	}
	_ = arr.Set("length", len(list.Elems))
	return arr
}
