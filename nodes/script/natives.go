package script

import (
	"errors"
	"fmt"

	"github.com/casys-ai/pml/nodes/value"
	"github.com/dop251/goja"
)

// natives makes the object of Go functions that the prelude is called with, and the two that rewritten code calls.
func (r *realm) natives() *goja.Object {
	n := r.rt.NewObject()
	for name, f := range map[string]func(goja.FunctionCall) goja.Value{
		"mend":         func(c goja.FunctionCall) goja.Value { return r.mend(c.Argument(0)) },
		"call":         r.nativeCall,
		"console":      r.nativeConsole,
		"parseJSON":    r.nativeParseJSON,
		"circular":     r.nativeCircular,
		"indent":       r.nativeIndent,
		"pattern":      r.nativePattern,
		"badPattern":   r.nativeBadPattern,
		"setTimer":     r.nativeSetTimer,
		"setImmediate": func(c goja.FunctionCall) goja.Value { return r.num(r.setImmediate(callable(c.Argument(0)))) },
		"clearTimer":   r.nativeClearTimer,
		"uncaught":     r.nativeUncaught,
		"hidden":       func(c goja.FunctionCall) goja.Value { return define(c, goja.FLAG_FALSE) },
		"define":       func(c goja.FunctionCall) goja.Value { return define(c, goja.FLAG_TRUE) },
		"promise":      r.nativePromise,
		"wellFormed":   r.nativeWellFormed,
		"utf8":         r.nativeUTF8,
		"fromUTF8":     r.nativeFromUTF8,
		"btoa":         r.nativeBtoa,
		"atob":         r.nativeAtob,
		"uuid":         r.nativeUUID,
		"regex":        r.nativeRegex,
		"pow":          nativePow(r),
		"random":       r.nativeRandom,
		"uptime":       r.nativeUptime,
		"received":     r.nativeReceived,
		"number":       r.nativeNumber,
		"date":         r.nativeDate,
		"compare":      r.nativeCompare,
		"zone":         func(goja.FunctionCall) goja.Value { return r.rt.ToValue(zoneName()) },
	} {
		_ = n.Set(name, f)
	}
	global := r.rt.GlobalObject()
	for name, f := range map[string]func(goja.FunctionCall) goja.Value{
		mendName:   func(c goja.FunctionCall) goja.Value { return r.mend(c.Argument(0)) },
		thrownName: r.nativeThrown,
		powName:    nativePow(r),
		regexName:  r.nativeRegex,
		enterName:  r.nativeEnter(),
	} {
		_ = global.DefineDataProperty(name, r.rt.ToValue(f), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
	}
	return n
}

func (r *realm) num(n int) goja.Value { return r.rt.ToValue(n) }

// raise throws a JavaScript error out of a native.
func (r *realm) raise(name, format string, a ...any) goja.Value {
	panic(r.errorToJS(value.NewError(name, fmt.Sprintf(format, a...))))
}

func callable(v goja.Value) goja.Callable {
	f, _ := goja.AssertFunction(v)
	return f
}

// argText gives an argument, a string, as WTF-8.
func argText(c goja.FunctionCall, i int) string {
	if s, ok := c.Argument(i).ToString().(goja.String); ok {
		return wtf8(s)
	}
	return ""
}

func define(c goja.FunctionCall, enumerable goja.Flag) goja.Value {
	obj, _ := c.Argument(0).(*goja.Object)
	_ = obj.DefineDataProperty(c.Argument(1).String(), c.Argument(2), goja.FLAG_TRUE, goja.FLAG_TRUE, enumerable)
	return obj
}

// maxName bounds the name of a server or tool in bytes.
const maxName = 1024

// nativeCall sends a tool call to the host and gives its promise.
func (r *realm) nativeCall(c goja.FunctionCall) goja.Value {
	server, tool := argText(c, 0), argText(c, 1)
	if len(server) > maxName || len(tool) > maxName {
		return r.raise("TypeError", "the name of a tool is at most %d bytes long", maxName)
	}
	var args []byte
	if a := c.Argument(2); !goja.IsUndefined(a) {
		args = []byte(argText(c, 2))
	}
	p, resolve, reject := r.rt.NewPromise()
	id := r.nextCall
	r.nextCall++
	r.calls[id] = pendingCall{resolve, reject, r.caller()}
	r.tellClock()
	if err := r.c.send(header{Type: typeCall, ID: id, Server: server, Tool: tool}, args); err != nil {
		r.overflow(err)
	}
	return r.rt.ToValue(p)
}

func (r *realm) nativeConsole(c goja.FunctionCall) goja.Value {
	h := header{Type: typeConsole, Level: c.Argument(0).String()}
	if err := r.c.send(h, []byte(argText(c, 1))); err != nil {
		r.overflow(err)
	}
	return goja.Undefined()
}

// overflow stops the realm because it has sent too much.
func (r *realm) overflow(err error) {
	if errors.Is(err, errOutput) {
		r.stop(kindOutput)
	} else {
		r.stop(kindStopped)
	}
}

func (r *realm) nativeParseJSON(c goja.FunctionCall) goja.Value {
	v, err := value.ParseJSON(argText(c, 0))
	var t *value.Throw
	if errors.As(err, &t) {
		panic(r.toJS(t.Value))
	}
	return r.toJS(v)
}

func (r *realm) nativePattern(c goja.FunctionCall) goja.Value {
	p, err := mendPattern(argText(c, 0), argText(c, 1))
	if err != nil {
		return r.raise("SyntaxError", "%s", err.Error())
	}
	return r.string(p)
}

func (r *realm) nativeSetTimer(c goja.FunctionCall) goja.Value {
	return r.num(r.setTimer(callable(c.Argument(0)), c.Argument(1).ToFloat(), c.Argument(2).ToBoolean()))
}

func (r *realm) nativeClearTimer(c goja.FunctionCall) goja.Value {
	r.clearTimer(int(c.Argument(0).ToInteger()))
	return goja.Undefined()
}

// nativeUncaught notes an exception that nothing can catch any more.
func (r *realm) nativeUncaught(c goja.FunctionCall) goja.Value {
	if r.uncaught == nil {
		r.uncaught = &uncaught{c.Argument(0)}
	}
	return goja.Undefined()
}

// uncaught is an exception that left a microtask.
type uncaught struct{ val goja.Value }

// Error implements error.
func (u *uncaught) Error() string { return u.val.String() }

func (r *realm) nativeThrown(c goja.FunctionCall) goja.Value {
	r.thrown.val = c.Argument(0)
	r.thrown.unit, r.thrown.offset = int(c.Argument(1).ToInteger()), int(c.Argument(2).ToInteger())
	return c.Argument(0)
}

func (r *realm) nativePromise(c goja.FunctionCall) goja.Value {
	p, ok := c.Argument(0).Export().(*goja.Promise)
	if !ok {
		return r.rt.NewArray("pending")
	}
	state := [...]string{"pending", "fulfilled", "rejected"}[p.State()]
	return r.rt.NewArray(state, p.Result())
}

// nativeReceived describes a value as Node's ERR_INVALID_ARG_TYPE does.
func (r *realm) nativeReceived(c goja.FunctionCall) goja.Value {
	switch v := c.Argument(0).(type) {
	case *goja.Object:
		return r.rt.ToValue("an instance of " + textProp(v.Get("constructor").ToObject(r.rt), "name", "Object"))
	case goja.String:
		return r.rt.ToValue("type string ('" + v.String() + "')")
	default:
		if goja.IsUndefined(v) || goja.IsNull(v) {
			return v.ToString()
		}
		if _, ok := v.Export().(bool); ok {
			return r.rt.ToValue("type boolean (" + v.String() + ")")
		}
		return r.rt.ToValue("type number (" + v.String() + ")")
	}
}
