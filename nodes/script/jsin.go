package script

import (
	"strconv"

	"github.com/casys-ai/pml/nodes/value"
	"github.com/dop251/goja"
)

// toJS makes a value of the realm: a copy that the program may change.
func (r *realm) toJS(v value.Value) goja.Value {
	switch v := value.Force(v).(type) {
	case value.Null:
		return goja.Null()
	case value.Bool:
		return r.rt.ToValue(bool(v))
	case value.Number:
		return r.rt.ToValue(float64(v))
	case value.String:
		return r.string(string(v))
	case *value.Array, *value.Object, *value.Error, value.Rich:
		return r.arriving.object(r, v)
	}
	return goja.Undefined()
}

// objectToJS makes a new object.
func (r *realm) objectToJS(v value.Value) goja.Value {
	switch v := v.(type) {
	case *value.Array:
		return r.arrayToJS(v)
	case *value.Object:
		return r.fill(r.rt.NewObject(), v)
	case *value.Error:
		return r.errorToJS(v)
	case value.Rich:
		return r.richToJS(v.Parts())
	}
	return goja.Undefined()
}

func (r *realm) arrayToJS(v *value.Array) *goja.Object {
	items := make([]any, len(v.Elems))
	holes := false
	for i, e := range v.Elems {
		items[i] = r.toJS(e)
		holes = holes || e == nil
	}
	arr := r.rt.NewArray(items...)
	for i := 0; holes && i < len(v.Elems); i++ {
		if v.Elems[i] == nil {
			_ = arr.Delete(strconv.Itoa(i))
		}
	}
	return arr
}

// arrivals are the arguments of an execution as objects of the realm. A nil arrivals keeps nothing.
type arrivals struct {
	inputs
	// shared are the objects that occur more than once, made when first needed.
	shared map[value.Value]goja.Value
	// circular are those that hold themselves.
	circular map[value.Value]bool
	// origin is what an object of the realm was made of.
	origin map[*goja.Object]value.Value
}

// object makes v, or finds it.
func (a *arrivals) object(r *realm, v value.Value) goja.Value {
	if a == nil {
		return r.objectToJS(v)
	}
	made, shared := a.shared[v]
	if made != nil {
		return made
	}
	if a.circular[v] {
		return a.circle(r, v)
	}
	made = r.objectToJS(v)
	if shared {
		a.shared[v] = made
	}
	if obj, ok := made.(*goja.Object); ok {
		a.origin[obj] = v
	}
	return made
}

// string makes a string of WTF-8.
func (r *realm) string(s string) goja.Value {
	if value.IsWellFormed(s) {
		return r.rt.ToValue(s)
	}
	return goja.StringFromUTF16(value.ToUTF16(s))
}

// fill sets o's properties on obj.
func (r *realm) fill(obj *goja.Object, o *value.Object) *goja.Object {
	for k, v := range o.All() {
		if k == "__proto__" {
			_ = obj.DefineDataProperty(k, r.toJS(v), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
			continue
		}
		_ = obj.Set(k, r.toJS(v))
	}
	return obj
}

// errorToJS makes an Error object of the class that its name says, if it is a built-in one or ToolError.
func (r *realm) errorToJS(e *value.Error) goja.Value {
	class, known := r.errorClasses[e.Name]
	if !known {
		class = r.errorClasses["Error"]
	}
	obj, err := r.rt.New(class, r.string(e.Message))
	if err != nil {
		return r.string(e.String())
	}
	hidden := func(key string, v goja.Value) {
		_ = obj.DefineDataProperty(key, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	if !known {
		hidden("name", r.string(e.Name))
	}
	if e.Message == "" && e.Name != "ToolError" {
		_ = obj.Delete("message")
	}
	if e.Cause != nil {
		hidden("cause", r.toJS(e.Cause))
	}
	if e.Name == "ToolError" {
		_, _ = obj.Delete("code"), obj.Delete("tool")
	}
	if e.Props != nil {
		r.fill(obj, e.Props)
	}
	return obj
}
