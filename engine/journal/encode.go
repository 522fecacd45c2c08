package journal

import (
	"bytes"
	"encoding/binary"
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

// walk visits the arrays, objects and errors of a value, depth first and each once, and counts them from 0.
func walk(v value.Value, visit func(n int, v value.Value)) {
	seen := map[value.Value]bool{}
	var down func(v value.Value)
	down = func(v value.Value) {
		v = value.Force(v)
		switch v.(type) {
		case *value.Array, *value.Object, *value.Error:
			if seen[v] {
				return
			}
			visit(len(seen), v)
			seen[v] = true
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
