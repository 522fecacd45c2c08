package value

import (
	"slices"
)

// Stringify is JSON.stringify with one argument (§25.5.2). ok is false where JavaScript gives undefined.
func Stringify(v Value) (text string, ok bool, err error) {
	out, ok, err := AppendJSON(nil, v)
	return bytesAsString(out), ok, err
}

// AppendJSON appends JSON.stringify(v) to dst; ok is false, and dst unchanged, where JavaScript gives undefined. The
// error is a *Throw: a TypeError for a cyclic structure, a RangeError for one nested deeper than maxDepth.
func AppendJSON(dst []byte, v Value) (out []byte, ok bool, err error) {
	if v == nil || v.Kind() == KindUndefined {
		return dst, false, nil
	}
	w := writer{out: dst, root: v}
	if w.value(v); w.err != nil {
		return dst, false, w.err
	}
	return w.out, true, nil
}

// StringifyIndent is JSON.stringify with a gap, the string that indents by one level (at most 10 code units count), and
// a property list. A nil allow stands for no list; an empty one allows no property.
func StringifyIndent(v Value, gap string, allow []string) (text string, ok bool, err error) {
	if v == nil || v.Kind() == KindUndefined {
		return "", false, nil
	}
	w := writer{root: v, gap: Substring(gap, 0, min(10, Length(gap))), line: "\n"}
	if allow != nil {
		w.allow = []string{}
		for _, key := range allow {
			if !slices.Contains(w.allow, key) {
				w.allow = append(w.allow, key)
			}
		}
	}
	if w.value(v); w.err != nil {
		return "", false, w.err
	}
	return bytesAsString(w.out), true, nil
}

// writer writes one JSON text.
type writer struct {
	out     []byte
	gap     string   // "" for none
	line    string   // line break and indentation of the current level
	allow   []string // nil for all
	depth   int
	acyclic bool // root has been searched for a cycle
	root    Value
	err     error // nested too deeply, without end, or longer than a string can be
}

// value writes any value but Undefined.
func (w *writer) value(v Value) {
	switch v := v.(type) {
	case String:
		w.out = appendQuoted(w.out, string(v))
	case Number:
		if f := float64(v); f-f != 0 {
			w.out = append(w.out, "null"...)
		} else {
			w.out = appendNumber(w.out, f)
		}
	case Bool:
		if v {
			w.out = append(w.out, "true"...)
		} else {
			w.out = append(w.out, "false"...)
		}
	case *Object:
		w.object(v, nil)
	case *Array:
		w.array(v)
	case *Error:
		w.object(v.Props, v)
	case *Lazy:
		if w.gap == "" && w.allow == nil {
			w.out = append(w.out, v.raw...)
		} else {
			w.value(v.Force())
		}
	default:
		w.out = append(w.out, "null"...)
	}
}

// cycleDepth is the depth at which a value is searched for a cycle.
const cycleDepth = 1000

// limit sets err where writing must end. The limit on length is checked in bytes, and only as arrays and objects begin.
func (w *writer) limit() {
	switch {
	case w.depth == cycleDepth && !w.acyclic:
		w.err = cycleError(w.root)
		w.acyclic = true
	case w.depth > maxDepth:
		w.err = errStackOverflow()
	case len(w.out) > maxStringLength:
		w.err = errStringLength()
	}
}

// open begins an array or object and gives the indentation that close puts back.
func (w *writer) open(bracket byte) (outer string) {
	w.out = append(w.out, bracket)
	w.depth++
	w.limit()
	outer = w.line
	if w.gap != "" {
		w.line += w.gap
	}
	return outer
}

func (w *writer) close(bracket byte, outer string, empty bool) {
	w.depth--
	if w.line = outer; w.gap != "" && !empty {
		w.out = append(w.out, outer...)
	}
	w.out = append(w.out, bracket)
}

// separate writes what stands before an element or member.
func (w *writer) separate(first bool) {
	if !first {
		w.out = append(w.out, ',')
	}
	if w.gap != "" {
		w.out = append(w.out, w.line...)
	}
}

func (w *writer) array(a *Array) {
	outer := w.open('[')
	for i, v := range a.Elems {
		if w.err != nil {
			return
		}
		w.separate(i == 0)
		w.value(v)
	}
	w.close(']', outer, len(a.Elems) == 0)
}

// object writes an object, or an error's own enumerable properties: o may then be nil.
func (w *writer) object(o *Object, of *Error) {
	outer, empty := w.open('{'), true
	member := func(key string, v Value) {
		if v == nil || v.Kind() == KindUndefined {
			return
		}
		w.separate(empty)
		empty = false
		if w.out = append(appendQuoted(w.out, key), ':'); w.gap != "" {
			w.out = append(w.out, ' ')
		}
		w.value(v)
	}
	switch {
	case w.allow != nil:
		for _, key := range w.allow {
			if w.err != nil {
				return
			}
			member(key, listed(o, of, key))
		}
	case o != nil && len(o.props.ints.entries) == 0:
		for i := range o.props.named {
			if w.err != nil {
				return
			}
			member(o.props.named[i].key, o.props.named[i].val)
		}
	case o != nil:
		for key, v := range o.All() {
			if w.err != nil {
				return
			}
			member(key, v)
		}
	}
	w.close('}', outer, empty)
}

// listed is the property that a property list names: it finds what is inherited or not enumerable, too. Of what
// objects inherit only __proto__ is not a function.
func listed(o *Object, of *Error, key string) Value {
	if o != nil {
		if v, ok := o.Get(key); ok {
			return v
		}
	}
	switch {
	case of != nil && key == "message":
		return String(of.Message)
	case of != nil && key == "name":
		return String(of.Name)
	case of != nil && key == "cause":
		return of.Cause
	case of == nil && key == "__proto__":
		proto := NewObject(1)
		proto.Set(key, Null{})
		return proto
	}
	return nil
}

// isSpecial tells the bytes that QuoteJSONString (§25.5.2.3) may have to escape: '"', '\\', control characters, and the
// byte with which a surrogate begins.
var isSpecial = func() (t [256]bool) {
	for c := range t {
		t[c] = !plain[c] || c == 0xED
	}
	return t
}()

// appendQuoted is QuoteJSONString (§25.5.2.3).
func appendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !isSpecial[c] {
			continue
		}
		if c == 0xED {
			if u, lone := surrogateAt(s, i); lone {
				dst = append(append(dst, s[from:i]...), '\\', 'u', 'd', hex[u>>8&15], hex[u>>4&15], hex[u&15])
				i += 2
				from = i + 1
			}
			continue
		}
		dst = append(append(dst, s[from:i]...), '\\')
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, c)
		case '\b':
			dst = append(dst, 'b')
		case '\f':
			dst = append(dst, 'f')
		case '\n':
			dst = append(dst, 'n')
		case '\r':
			dst = append(dst, 'r')
		case '\t':
			dst = append(dst, 't')
		default:
			dst = append(dst, 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(dst, s[from:]...), '"')
}
