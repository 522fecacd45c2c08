package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strings"

	"github.com/casys-ai/pml/nodes/value"
)

// The tags that begin an encoded value. Numbers that follow are uvarints, texts have their length before them.
const (
	tagUndefined byte = iota
	tagNull
	tagFalse
	tagTrue
	tagNumber // 8 bytes, IEEE 754
	tagString // text
	tagArray  // count, then the elements
	tagHole   // an element that the array does not have
	tagObject // count, then keys and values in their order
	tagError  // name, message, cause, properties
	tagLazy   // JSON text
	tagAgain  // number of the array, object or error in this record, depth first from 0
	tagInput  // input, number: the same value as in what the task read
	tagSecret // count of parts: texts and names of keys in turn, in place of a string
)

// Secret is a key whose value is never written: its name stands in its place.
type Secret struct{ Name, Value string }

// encoder makes the bytes of values. An array, object or error that occurs again, or came in with in, stays the same.
type encoder struct {
	buf     []byte
	secrets []Secret
	// same is nil where nothing can occur twice: in what came from outside.
	same  map[value.Value]place
	count int
}

// place is where a value has occurred: in an input, or in the record itself if input is -1.
type place struct{ input, n int }

// inputs notes the values that the task has read.
func (e *encoder) inputs(in []value.Value) {
	e.same = map[value.Value]place{}
	for i, v := range in {
		walk(v, func(n int, v value.Value) {
			if _, known := e.same[v]; !known {
				e.same[v] = place{i, n}
			}
		})
	}
}

// walk visits the arrays, objects and errors of a value, depth first, and counts them from 0.
func walk(v value.Value, visit func(n int, v value.Value)) {
	n := 0
	var down func(v value.Value)
	down = func(v value.Value) {
		v = value.Force(v)
		switch v.(type) {
		case *value.Array, *value.Object, *value.Error:
			visit(n, v)
			n++
		}
		switch v := v.(type) {
		case *value.Array:
			for _, x := range v.Elems {
				down(x)
			}
		case *value.Object:
			for _, x := range v.All() {
				down(x)
			}
		case *value.Error:
			down(v.Cause)
			if v.Props != nil {
				down(v.Props)
			}
		}
	}
	down(v)
}

func (e *encoder) tag(t byte) { e.buf = append(e.buf, t) }

func (e *encoder) number(n int) { e.buf = binary.AppendUvarint(e.buf, uint64(n)) }

// text writes a string as it is.
func (e *encoder) text(s string) {
	e.number(len(s))
	e.buf = append(e.buf, s...)
}

func (e *encoder) values(list []value.Value) {
	e.number(len(list))
	for _, v := range list {
		e.value(v)
	}
}

func (e *encoder) value(v value.Value) {
	switch v := v.(type) {
	case nil, value.Undefined:
		e.tag(tagUndefined)
	case value.Null:
		e.tag(tagNull)
	case value.Bool:
		if e.tag(tagFalse); v {
			e.buf[len(e.buf)-1] = tagTrue
		}
	case value.Number:
		e.tag(tagNumber)
		e.buf = binary.LittleEndian.AppendUint64(e.buf, math.Float64bits(float64(v)))
	case value.String:
		e.string(string(v))
	case *value.Lazy:
		e.lazy(v)
	default:
		e.reference(v)
	}
}

// string writes a string without the values of keys.
func (e *encoder) string(s string) {
	name, at := e.secret(s)
	if at < 0 {
		e.tag(tagString)
		e.text(s)
		return
	}
	var parts []string
	for at >= 0 {
		parts = append(parts, s[:at], name.Name)
		s = s[at+len(name.Value):]
		name, at = e.secret(s)
	}
	parts = append(parts, s)
	e.tag(tagSecret)
	e.number(len(parts))
	for _, p := range parts {
		e.text(p)
	}
}

// secret finds the first key in s.
func (e *encoder) secret(s string) (first Secret, at int) {
	at = -1
	for _, k := range e.secrets {
		if i := strings.Index(s, k.Value); i >= 0 && (at < 0 || i < at) {
			first, at = k, i
		}
	}
	return first, at
}

// lazy passes JSON on as it is, unless a key may be in there or it is the same as something else.
func (e *encoder) lazy(l *value.Lazy) {
	if e.same != nil || e.hides(l.Raw()) {
		e.value(l.Force())
		return
	}
	e.tag(tagLazy)
	e.number(len(l.Raw()))
	e.buf = append(e.buf, l.Raw()...)
}

// hides reports whether a key may be in a JSON text, where it may look different.
func (e *encoder) hides(text []byte) bool {
	for _, k := range e.secrets {
		if strings.ContainsAny(k.Value, "\"\\\n\r\t\b\f") || bytes.Contains(text, []byte(k.Value)) {
			return true
		}
	}
	return false
}

func (e *encoder) reference(v value.Value) {
	if e.same != nil {
		if p, known := e.same[v]; known {
			e.again(p)
			return
		}
		e.same[v] = place{-1, e.count}
		e.count++
	}
	switch v := v.(type) {
	case *value.Array:
		e.array(v)
	case *value.Object:
		e.tag(tagObject)
		e.object(v)
	case *value.Error:
		e.error(v)
	}
}

func (e *encoder) again(p place) {
	if p.input < 0 {
		e.tag(tagAgain)
	} else {
		e.tag(tagInput)
		e.number(p.input)
	}
	e.number(p.n)
}

func (e *encoder) array(a *value.Array) {
	e.tag(tagArray)
	e.number(len(a.Elems))
	for _, v := range a.Elems {
		if v == nil {
			e.tag(tagHole)
		} else {
			e.value(v)
		}
	}
}

func (e *encoder) object(o *value.Object) {
	e.number(o.Len())
	for k, v := range o.All() {
		e.string(k)
		e.value(v)
	}
}

func (e *encoder) error(v *value.Error) {
	e.tag(tagError)
	e.string(v.Name)
	e.string(v.Message)
	if v.Cause == nil {
		e.tag(tagHole)
	} else {
		e.value(v.Cause)
	}
	if v.Props == nil {
		e.tag(tagHole)
	} else {
		e.value(v.Props)
	}
}

// errDamaged says that a record is not what was written.
var errDamaged = errors.New("journal: a damaged record")

// decoder reads what an encoder made. The first problem stays in err; what is read after it is zero.
type decoder struct {
	buf     []byte
	secrets []Secret
	in      []value.Value
	known   []value.Value
	err     error
}

func (d *decoder) fail() { d.err, d.buf = errDamaged, nil }

func (d *decoder) byte() byte {
	if len(d.buf) == 0 {
		d.fail()
		return 0
	}
	b := d.buf[0]
	d.buf = d.buf[1:]
	return b
}

// number reads a count or index, which is never more than there are bytes in a record.
func (d *decoder) number() int {
	n, size := binary.Uvarint(d.buf)
	if size <= 0 || n > maxRecord {
		d.fail()
		return 0
	}
	d.buf = d.buf[size:]
	return int(n)
}

// big reads a number that is no count.
func (d *decoder) big() int64 {
	n, size := binary.Uvarint(d.buf)
	if size <= 0 {
		d.fail()
		return 0
	}
	d.buf = d.buf[size:]
	return int64(n)
}

func (d *decoder) text() string {
	n := d.number()
	if n > len(d.buf) {
		d.fail()
		return ""
	}
	s := string(d.buf[:n])
	d.buf = d.buf[n:]
	return s
}

// length reads how many things follow, each at least one byte long.
func (d *decoder) length() int {
	n := d.number()
	if n > len(d.buf) {
		d.fail()
		return 0
	}
	return n
}

func (d *decoder) values() []value.Value {
	list := make([]value.Value, d.length())
	for i := range list {
		list[i] = d.value()
	}
	return list
}

// value reads one value; nil for a hole.
func (d *decoder) value() value.Value {
	switch d.byte() {
	case tagUndefined:
		return value.Undefined{}
	case tagNull:
		return value.Null{}
	case tagFalse:
		return value.Bool(false)
	case tagTrue:
		return value.Bool(true)
	case tagNumber:
		return d.float()
	case tagString:
		return value.String(d.text())
	case tagSecret:
		return value.String(d.parts())
	case tagLazy:
		return value.NewLazy([]byte(d.text()))
	case tagArray:
		return d.array()
	case tagObject:
		return d.object()
	case tagError:
		return d.error()
	case tagAgain:
		return d.again(d.known)
	case tagInput:
		return d.input()
	case tagHole:
		return nil
	}
	d.fail()
	return nil
}

func (d *decoder) float() value.Value {
	if len(d.buf) < 8 {
		d.fail()
		return nil
	}
	bits := binary.LittleEndian.Uint64(d.buf)
	d.buf = d.buf[8:]
	return value.Number(math.Float64frombits(bits))
}

// string reads a string that is no value of its own.
func (d *decoder) string() string {
	s, _ := d.value().(value.String)
	return string(s)
}

// parts puts keys back in their places; a key that is not known any more leaves its name.
func (d *decoder) parts() string {
	var b strings.Builder
	for i := range d.length() {
		part := d.text()
		if i%2 == 1 {
			part = d.key(part)
		}
		b.WriteString(part)
	}
	return b.String()
}

func (d *decoder) key(name string) string {
	for _, k := range d.secrets {
		if k.Name == name {
			return k.Value
		}
	}
	return name
}

func (d *decoder) array() value.Value {
	a := value.NewArray()
	d.known = append(d.known, a)
	a.Elems = d.values()
	return a
}

func (d *decoder) object() value.Value {
	n := d.length()
	o := value.NewObject(n)
	d.known = append(d.known, o)
	for range n {
		k := d.string()
		o.Set(k, d.value())
	}
	return o
}

func (d *decoder) error() value.Value {
	e := &value.Error{}
	d.known = append(d.known, e)
	e.Name, e.Message = d.string(), d.string()
	e.Cause = d.value()
	e.Props, _ = d.value().(*value.Object)
	return e
}

func (d *decoder) again(list []value.Value) value.Value {
	n := d.number()
	if n >= len(list) {
		d.fail()
		return nil
	}
	return list[n]
}

func (d *decoder) input() value.Value {
	i := d.number()
	if i >= len(d.in) {
		d.fail()
		return nil
	}
	var list []value.Value
	walk(d.in[i], func(_ int, v value.Value) { list = append(list, v) })
	return d.again(list)
}

// Encode writes values so that Decode gives them back as they are: what they share, or lead round to, stays so.
func Encode(list []value.Value) []byte {
	e := encoder{}
	e.inputs(nil)
	e.values(list)
	return e.buf
}

// Decode reads what Encode wrote.
func Decode(data []byte) ([]value.Value, error) {
	d := decoder{buf: data}
	list := d.values()
	if d.err == nil && len(d.buf) > 0 {
		d.fail()
	}
	return list, d.err
}
