package script

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

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
	r.calls[id] = pendingCall{resolve, reject}
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

func (r *realm) nativePromise(c goja.FunctionCall) goja.Value {
	p, ok := c.Argument(0).Export().(*goja.Promise)
	if !ok {
		return r.rt.NewArray("pending")
	}
	state := [...]string{"pending", "fulfilled", "rejected"}[p.State()]
	return r.rt.NewArray(state, p.Result())
}

func (r *realm) nativeWellFormed(c goja.FunctionCall) goja.Value {
	s := argText(c, 0)
	if c.Argument(1).ToBoolean() {
		return r.rt.ToValue(value.IsWellFormed(s))
	}
	return r.string(value.ToWellFormed(s))
}

func (r *realm) nativeUTF8(c goja.FunctionCall) goja.Value {
	return r.rt.ToValue(r.rt.NewArrayBuffer([]byte(value.ToWellFormed(argText(c, 0)))))
}

func (r *realm) nativeFromUTF8(c goja.FunctionCall) goja.Value {
	buf, ok := c.Argument(0).Export().(goja.ArrayBuffer)
	if !ok || (c.Argument(1).ToBoolean() && !utf8.Valid(buf.Bytes())) {
		return goja.Undefined()
	}
	return r.string(value.DecodeUTF8(buf.Bytes()))
}

// nativeBtoa encodes a string of bytes, undefined if it is none.
func (r *realm) nativeBtoa(c goja.FunctionCall) goja.Value {
	text := argText(c, 0)
	raw := make([]byte, 0, len(text))
	for _, p := range text {
		if p > 0xFF {
			return goja.Undefined()
		}
		raw = append(raw, byte(p))
	}
	return r.rt.ToValue(base64.StdEncoding.EncodeToString(raw))
}

// nativeAtob is the forgiving-base64 decode of the Infra standard, undefined on failure.
func (r *realm) nativeAtob(c goja.FunctionCall) goja.Value {
	text := strings.Map(func(p rune) rune {
		if strings.ContainsRune(" \t\n\f\r", p) {
			return -1
		}
		return p
	}, argText(c, 0))
	if len(text)%4 == 0 {
		text = strings.TrimSuffix(strings.TrimSuffix(text, "="), "=")
	}
	raw, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return goja.Undefined()
	}
	out := make([]rune, len(raw))
	for i, b := range raw {
		out[i] = rune(b)
	}
	return r.rt.ToValue(string(out))
}

func (r *realm) nativeUUID(goja.FunctionCall) goja.Value {
	var b [16]byte
	_, _ = rand.Read(b[:])
	b[6], b[8] = b[6]&0x0F|0x40, b[8]&0x3F|0x80
	return r.rt.ToValue(fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]))
}

func (r *realm) nativeRandom(c goja.FunctionCall) goja.Value {
	n := c.Argument(0).ToInteger()
	if n > 65536 {
		return r.raise("RangeError", "The requested length exceeds 65,536 bytes")
	}
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return r.rt.ToValue(r.rt.NewArrayBuffer(b))
}

func (r *realm) nativeUptime(goja.FunctionCall) goja.Value {
	return r.rt.ToValue(float64(time.Since(r.began).Microseconds()) / 1000)
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
