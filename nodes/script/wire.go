package script

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/casys-ai/pml/nodes/value"
)

// wire builds the encoding of a value; see the package comment.
type wire struct {
	buf []byte
	// tagged is set when something was written that plain JSON does not mean.
	tagged bool
	// shared is set if an object occurs more than once.
	shared *sharing
}

// maxDepth is how deep a value may nest to cross the border.
const maxDepth = 2000

// errDepth says that a value nests deeper than maxDepth.
var errDepth = fmt.Errorf("nests deeper than %d levels", maxDepth)

// encodeValue encodes a value of the host.
func encodeValue(v value.Value) (body []byte, tagged bool, err error) {
	if l, ok := v.(*value.Lazy); ok {
		return l.Raw(), false, nil
	}
	w := &wire{buf: make([]byte, 0, 64)}
	err = w.value(v, 0)
	return w.buf, w.tagged, err
}

// encodeList encodes the arguments of a fragment. An object that occurs in several places arrives as one.
func encodeList(list []value.Value) (body []byte, tagged bool, err error) {
	w := &wire{buf: make([]byte, 0, 64), shared: findSharing(list)}
	w.text("[")
	for i, v := range list {
		if i > 0 {
			w.text(",")
		}
		if err := w.value(v, 1); err != nil {
			return nil, false, err
		}
	}
	w.text("]")
	return w.buf, w.tagged, nil
}

func (w *wire) value(v value.Value, depth int) error {
	if depth > maxDepth {
		return errDepth
	}
	switch v := v.(type) {
	case nil, value.Undefined:
		w.tag("undefined")
	case value.Null:
		w.text("null")
	case value.Bool:
		w.bool(bool(v))
	case value.Number:
		w.number(float64(v))
	case value.String:
		w.quote(string(v))
	case *value.Lazy:
		return w.lazy(v, depth)
	default:
		return w.reference(v, depth)
	}
	return nil
}

// reference writes an object: the first time whole, then by its number if it is shared.
func (w *wire) reference(v value.Value, depth int) error {
	if w.shared == nil {
		return w.whole(v, depth)
	}
	n, again, shared := w.shared.number(v)
	switch {
	case !shared:
		return w.whole(v, depth)
	case again:
		w.ref(n)
		return nil
	}
	w.tagged = true
	w.text(defHead(n))
	err := w.whole(v, depth)
	w.text("}")
	return err
}

func (w *wire) whole(v value.Value, depth int) error {
	switch v := v.(type) {
	case *value.Array:
		return w.array(v.Elems, depth)
	case *value.Object:
		return w.object(v, depth)
	case *value.Error:
		return w.error(v, depth)
	case value.Rich:
		return w.parts(v.Parts(), depth)
	}
	return fmt.Errorf("%T cannot be handed to a script", v)
}

// lazy passes the bytes on. A key "$" in there would be taken for a tag if the frame turns out to be tagged, so such a
// text goes through the tree; so does one that something else refers into.
func (w *wire) lazy(l *value.Lazy, depth int) error {
	if w.shared.opens(l) || bytes.Contains(l.Raw(), []byte(`"$`)) {
		return w.value(l.Force(), depth)
	}
	w.buf = append(w.buf, l.Raw()...)
	return nil
}

func (w *wire) text(s string) { w.buf = append(w.buf, s...) }

func (w *wire) tag(name string) {
	w.tagged = true
	w.text(`{"$":"`)
	w.text(name)
	w.text(`"}`)
}

// defHead begins the object that has number n where it first occurs; ref refers to it.
func defHead(n int) string { return `{"$":"def","n":` + strconv.Itoa(n) + `,"v":` }

func (w *wire) ref(n int) {
	w.tagged = true
	w.text(`{"$":"ref","n":` + strconv.Itoa(n) + `}`)
}

func (w *wire) bool(b bool) {
	if b {
		w.text("true")
	} else {
		w.text("false")
	}
}

func (w *wire) number(f float64) {
	switch {
	case f != f:
		w.tag("NaN")
	case math.IsInf(f, 1):
		w.tag("Infinity")
	case math.IsInf(f, -1):
		w.tag("-Infinity")
	case f == 0 && math.Signbit(f):
		w.text("-0")
	default:
		w.text(value.NumberToString(f))
	}
}

func (w *wire) array(elems []value.Value, depth int) error {
	w.text("[")
	for i, e := range elems {
		if i > 0 {
			w.text(",")
		}
		if e == nil {
			w.tag("hole")
			continue
		}
		if err := w.value(e, depth+1); err != nil {
			return err
		}
	}
	w.text("]")
	return nil
}

func (w *wire) object(o *value.Object, depth int) error {
	open := true
	escaped := false
	for k, v := range o.All() {
		if open {
			escaped = w.openObject(k)
			open = false
		} else {
			w.text(",")
		}
		w.quote(k)
		w.text(":")
		if err := w.value(v, depth+1); err != nil {
			return err
		}
	}
	w.closeObject(open, escaped)
	return nil
}

// openObject begins an object whose first key is known and reports whether it had to be escaped.
func (w *wire) openObject(first string) bool {
	if first != "$" {
		w.text("{")
		return false
	}
	w.tagged = true
	w.text(`{"$":"object","v":{`)
	return true
}

func (w *wire) closeObject(empty, escaped bool) {
	switch {
	case empty:
		w.text("{}")
	case escaped:
		w.text("}}")
	default:
		w.text("}")
	}
}

func (w *wire) error(e *value.Error, depth int) error {
	w.errorHead(e.Name, e.Message)
	if e.Cause != nil {
		w.text(`,"cause":`)
		if err := w.value(e.Cause, depth+1); err != nil {
			return err
		}
	}
	if e.Props != nil && e.Props.Len() > 0 {
		w.text(`,"props":`)
		if err := w.object(e.Props, depth+1); err != nil {
			return err
		}
	}
	w.text("}")
	return nil
}

func (w *wire) errorHead(name, message string) {
	w.tagged = true
	w.text(`{"$":"error","name":`)
	w.quote(name)
	w.text(`,"message":`)
	w.quote(message)
}

const hex = "0123456789abcdef"

// quote writes s, which is WTF-8, as JSON.stringify does.
func (w *wire) quote(s string) {
	w.buf = append(w.buf, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= 0x20 && c != '"' && c != '\\' {
				i++
				continue
			}
			w.text(s[start:i])
			w.escape(c)
			i++
			start = i
			continue
		}
		if c == 0xED && i+2 < len(s) && s[i+1] >= 0xA0 { // a lone surrogate
			w.text(s[start:i])
			u := 0xD000 | uint16(s[i+1]&0x3F)<<6 | uint16(s[i+2]&0x3F)
			w.buf = append(w.buf, '\\', 'u', hex[u>>12], hex[u>>8&15], hex[u>>4&15], hex[u&15])
			i += 3
			start = i
			continue
		}
		i++
	}
	w.text(s[start:])
	w.buf = append(w.buf, '"')
}

func (w *wire) escape(c byte) {
	switch c {
	case '"', '\\':
		w.buf = append(w.buf, '\\', c)
	case '\b':
		w.text(`\b`)
	case '\f':
		w.text(`\f`)
	case '\n':
		w.text(`\n`)
	case '\r':
		w.text(`\r`)
	case '\t':
		w.text(`\t`)
	default:
		w.buf = append(w.buf, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
	}
}
