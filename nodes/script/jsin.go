package script

import (
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
	case *value.Array:
		items := make([]any, len(v.Elems))
		for i, e := range v.Elems {
			items[i] = r.toJS(e)
		}
		return r.rt.NewArray(items...)
	case *value.Object:
		return r.fill(r.rt.NewObject(), v)
	case *value.Error:
		return r.errorToJS(v)
	}
	return goja.Undefined()
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
