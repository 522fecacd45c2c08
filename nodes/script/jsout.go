package script

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/casys-ai/pml/nodes/value"
	"github.com/dop251/goja"
)

// notPlain says what in a result cannot leave the realm.
type notPlain struct{ what, where string }

// Error implements error.
func (e *notPlain) Error() string { return e.what + " at " + e.where }

// errOutput says that a value is larger than the run may send out.
var errOutput = fmt.Errorf("the result is larger than the limit")

// outgoing encodes values of the realm.
type outgoing struct {
	wire
	r     *realm
	limit int
	// lossy says that what is not plain is made plain as well as can be, for exceptions.
	lossy bool
	// rich says that Map, Set and Date objects may leave.
	rich bool
	// above are the objects that hold the one at hand, path the keys that lead to it.
	above []*goja.Object
	path  []step
	// written are the objects that were written; named counts those that are referred to.
	written map[*goja.Object]*written
	named   int
	// saved is by how much names are shorter than what they stand for.
	saved int
	refs  map[value.Value]inputRef
}

// step is a key, or an index where key is empty.
type step struct {
	key   string
	index int
}

// fail reports that the value at hand is no plain data.
func (o *outgoing) fail(what string) error {
	where := "result"
	for _, s := range o.path {
		if s.key == "" {
			where += "[" + strconv.Itoa(s.index) + "]"
		} else {
			where += "." + s.key
		}
	}
	return &notPlain{what, where}
}

// encode encodes v. Getters run, so it must be called inside rt.Try.
func (o *outgoing) encode(v goja.Value) error {
	if o.size() > o.limit {
		return errOutput
	}
	switch x := v.(type) {
	case nil:
		o.tag("undefined")
	case *goja.Object:
		return o.reference(x)
	case goja.String:
		o.quote(wtf8(x))
	case *goja.Symbol:
		return o.orNothing("a symbol")
	default:
		return o.primitive(v)
	}
	return nil
}

// orNothing fails, or writes undefined if o is lossy.
func (o *outgoing) orNothing(what string) error {
	if !o.lossy {
		return o.fail(what)
	}
	o.tag("undefined")
	return nil
}

func (o *outgoing) primitive(v goja.Value) error {
	switch x := v.Export().(type) {
	case nil:
		if goja.IsNull(v) {
			o.text("null")
		} else {
			o.tag("undefined")
		}
	case bool:
		o.bool(x)
	case int64:
		o.buf = strconv.AppendInt(o.buf, x, 10)
	case float64:
		o.number(x)
	case *big.Int:
		return o.orNothing("a bigint")
	default:
		return o.orNothing(fmt.Sprintf("a %T", x))
	}
	return nil
}

// reference encodes an object, function or array.
func (o *outgoing) reference(obj *goja.Object) error {
	if slices.Contains(o.above, obj) {
		return o.orNothing("a cyclic structure")
	}
	if w := o.written[obj]; w != nil {
		o.again(w)
		return nil
	}
	if len(o.above) > maxDepth {
		return o.orNothing("a structure " + errDepth.Error()[len("nests "):])
	}
	if what := o.r.kindOf(obj); what != "" && !o.lossy && o.richOf(obj) == "" {
		return o.fail(what)
	}
	if obj.ClassName() == "Function" {
		o.tag("undefined")
		return nil
	}
	o.above = append(o.above, obj)
	defer func() { o.above = o.above[:len(o.above)-1] }()
	w, size, was := &written{start: len(o.buf)}, o.size(), o.r.arrived.origins(obj)
	unchanged, err := o.whole(obj, was)
	if err != nil {
		return err
	}
	w.end, w.size = len(o.buf), o.size()-size
	if unchanged {
		w.input = was
	}
	o.note(obj, w)
	return nil
}

// whole writes an object and reports whether it is the one that it was when it came in; was is nil for others.
func (o *outgoing) whole(obj *goja.Object, was value.Value) (unchanged bool, err error) {
	switch obj.ClassName() {
	case "Array":
		was, _ := was.(*value.Array)
		return o.list(obj, was)
	case "Error":
		was, _ := was.(*value.Error)
		return o.errorObject(obj, was)
	}
	if class := o.richOf(obj); class != "" {
		was, _ := was.(value.Rich)
		return o.richObject(class, obj, was)
	}
	object, _ := was.(*value.Object)
	return o.props(obj, obj.Keys(), object)
}

func (o *outgoing) under(key string, index int, v goja.Value) error {
	o.path = append(o.path, step{key, index})
	err := o.encode(v)
	o.path = o.path[:len(o.path)-1]
	return err
}

func (o *outgoing) list(arr *goja.Object, was *value.Array) (unchanged bool, err error) {
	n := int(arr.Get("length").ToInteger())
	if extra := extraKey(arr, n); extra != "" && !o.lossy {
		return false, o.fail("an array with a property " + strconv.Quote(extra))
	}
	unchanged = was != nil && n == was.Len()
	o.text("[")
	for i := range n {
		if i > 0 {
			o.text(",")
		}
		e := arr.Get(strconv.Itoa(i))
		if e == nil {
			if o.tag("hole"); o.size() > o.limit {
				return false, errOutput
			}
			unchanged = unchanged && was.Elems[i] == nil
			continue
		}
		if err := o.under("", i, e); err != nil {
			return false, err
		}
		unchanged = unchanged && was.Elems[i] != nil && o.is(e, was.Elems[i])
	}
	o.text("]")
	return unchanged, nil
}

// extraKey gives the last property of an array that is no index. Long arrays are not looked through: what has such
// properties in practice are the matches of regular expressions.
func extraKey(arr *goja.Object, n int) string {
	if n > 64 {
		return ""
	}
	keys := arr.Keys()
	if len(keys) == 0 {
		return ""
	}
	last := keys[len(keys)-1]
	if _, err := strconv.ParseUint(last, 10, 32); err == nil {
		return ""
	}
	return last
}

func (o *outgoing) props(obj *goja.Object, keys []string, was *value.Object) (unchanged bool, err error) {
	unchanged = was != nil && slices.Equal(keys, was.Keys())
	escaped := false
	for i, k := range keys {
		if i == 0 {
			escaped = o.openObject(k)
		} else {
			o.text(",")
		}
		o.quote(k)
		o.text(":")
		v := obj.Get(k)
		if err := o.under(k, 0, v); err != nil {
			return false, err
		}
		if unchanged {
			old, _ := was.Get(k)
			unchanged = o.is(v, old)
		}
	}
	o.closeObject(len(keys) == 0, escaped)
	return unchanged, nil
}

func (o *outgoing) errorObject(e *goja.Object, was *value.Error) (unchanged bool, err error) {
	name, message, cause := textProp(e, "name", "Error"), textProp(e, "message", ""), e.Get("cause")
	unchanged = was != nil && was.Name == name && was.Message == message && (was.Cause == nil) == (cause == nil)
	o.errorHead(name, message)
	if cause != nil {
		o.text(`,"cause":`)
		if err := o.under("cause", 0, cause); err != nil {
			return false, err
		}
		unchanged = unchanged && o.is(cause, was.Cause)
	}
	props := &value.Object{}
	if was != nil && was.Props != nil {
		props = was.Props
	}
	keys := e.Keys()
	unchanged = unchanged && len(keys) == props.Len()
	if len(keys) > 0 {
		o.text(`,"props":`)
		same, err := o.props(e, keys, props)
		if err != nil {
			return false, err
		}
		unchanged = unchanged && same
	}
	o.text("}")
	return unchanged, nil
}

func textProp(obj *goja.Object, key, missing string) string {
	v := obj.Get(key)
	if v == nil || goja.IsUndefined(v) {
		return missing
	}
	if s, ok := v.ToString().(goja.String); ok {
		return wtf8(s)
	}
	return missing
}

var proxyType = reflect.TypeFor[goja.Proxy]()

// kindOf names what obj is if it is no plain data: a plain object, a plain array or an Error of a built-in class.
func (r *realm) kindOf(obj *goja.Object) string {
	if obj.ExportType() == proxyType {
		return "a Proxy"
	}
	proto := obj.Prototype()
	switch obj.ClassName() {
	case "Array":
		if proto == r.arrayProto {
			return ""
		}
	case "Error":
		if r.errorProtos[proto] {
			return ""
		}
	case "Function":
		return "a function"
	case "Object":
		if (proto == nil || proto == r.objectProto) && len(obj.Symbols()) == 0 {
			return ""
		}
	}
	return r.describe(obj, proto)
}

// describe names an object by its class.
func (r *realm) describe(obj, proto *goja.Object) string {
	if proto == nil || proto == r.objectProto {
		return "an object with symbols"
	}
	name := obj.ClassName()
	if c, ok := obj.Get("constructor").(*goja.Object); ok {
		name = textProp(c, "name", name)
	}
	switch name {
	case "Date", "Map", "Set", "Promise", "RegExp", "WeakMap", "WeakSet", "URL", "URLSearchParams", "Uint8Array":
		return "a " + name
	}
	return "an instance of " + name
}

// wtf8 gives a string of the realm as the host holds it.
func wtf8(s goja.String) string {
	text := s.String()
	if !strings.Contains(text, "\uFFFD") {
		return text
	}
	units := make([]uint16, s.Length())
	for i := range units {
		units[i] = s.CharAt(i)
	}
	return value.FromUTF16(units)
}
