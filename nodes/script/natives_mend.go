package script

import (
	"reflect"

	"github.com/casys-ai/pml/nodes/value"
	"github.com/dop251/goja"
)

// nativePow gives the function that ** is rewritten to. Two Numbers are raised as V8 does; the rest is goja's.
func nativePow(r *realm) func(goja.FunctionCall) goja.Value {
	other := callable(r.mustRun("(function (a, b) { return a ** b })"))
	return func(c goja.FunctionCall) goja.Value {
		a, b := c.Argument(0), c.Argument(1)
		if isNumber(a) && isNumber(b) {
			return r.rt.ToValue(value.Pow(a.ToFloat(), b.ToFloat()))
		}
		v, err := other(goja.Undefined(), a, b)
		if err != nil {
			panic(err)
		}
		return v
	}
}

func isNumber(v goja.Value) bool {
	switch v.ExportType() {
	case floatType, intType:
		return true
	}
	return false
}

var floatType, intType = reflect.TypeFor[float64](), reflect.TypeFor[int64]()

// mustRun evaluates a piece of our own JavaScript.
func (r *realm) mustRun(js string) goja.Value {
	v, err := r.rt.RunString(js)
	if err != nil {
		panic(err)
	}
	return v
}

// nativeRegex keeps a regular expression off goja's fast path by giving it an exec of its own.
func (r *realm) nativeRegex(c goja.FunctionCall) goja.Value {
	re, ok := c.Argument(0).(*goja.Object)
	if ok && mayMatchNothing(textProp(re, "source", ""), textProp(re, "flags", "")) {
		_ = re.DefineDataProperty("exec", re.Get("exec"), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	return c.Argument(0)
}
