package value

import (
	"unicode/utf8"
	"unsafe"
)

// NewLazy makes a Lazy of raw, which it keeps. The caller guarantees that raw is valid JSON which JavaScript's parse
// and stringify would give back byte for byte (see Canonical), and that it does not change any more.
func NewLazy(raw []byte) *Lazy { return &Lazy{raw: raw} }

// Raw is the JSON text. It must not be changed.
func (l *Lazy) Raw() []byte { return l.raw }

// Force decodes the text once, and gives the same value ever after.
func (l *Lazy) Force() Value {
	l.once.Do(func() {
		v, err := ParseJSON(bytesAsString(l.raw))
		if err != nil {
			panic("value: Lazy holds invalid JSON: " + err.Error())
		}
		l.val = v
	})
	return l.val
}

// Force gives v itself, decoded if it is a *Lazy. A nil v is Undefined.
func Force(v Value) Value {
	switch v := v.(type) {
	case nil:
		return Undefined{}
	case *Lazy:
		return v.Force()
	}
	return v
}

// eagerBelow is the size in bytes under which a text is decoded at once: keeping it would cost more.
const eagerBelow = 512

// FromJSON makes a value of JSON that arrived from outside, and keeps raw, which must not change any more. A text that
// is long and Canonical becomes a *Lazy; any other is decoded now, its invalid UTF-8 read as U+FFFD as a TextDecoder
// reads it. The error is a *Throw with a SyntaxError.
func FromJSON(raw []byte) (Value, error) {
	if len(raw) >= eagerBelow && Canonical(raw) {
		return NewLazy(raw), nil
	}
	if !utf8.Valid(raw) {
		return ParseJSON(DecodeUTF8(raw))
	}
	return ParseJSON(bytesAsString(raw))
}

// DecodeUTF8 decodes bytes as a TextDecoder does (WHATWG Encoding §4.1.1, without stripping a byte order mark): each
// maximal ill-formed part becomes one U+FFFD.
func DecodeUTF8(raw []byte) string {
	if utf8.Valid(raw) {
		return string(raw)
	}
	out := make([]byte, 0, len(raw)+16)
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && size == 1 {
			size = illFormedLen(raw[i:])
		}
		out = utf8.AppendRune(out, r)
		i += size
	}
	return string(out)
}

// illFormedLen is the length of the maximal subpart (Unicode §3.9, U+FFFD substitution) at the start of b.
func illFormedLen(b []byte) int {
	need, lo, hi := 0, byte(0x80), byte(0xBF)
	switch c := b[0]; {
	case c >= 0xC2 && c <= 0xDF:
		need = 1
	case c >= 0xE0 && c <= 0xEF:
		need = 2
		if c == 0xE0 {
			lo = 0xA0
		} else if c == 0xED {
			hi = 0x9F
		}
	case c >= 0xF0 && c <= 0xF4:
		need = 3
		if c == 0xF0 {
			lo = 0x90
		} else if c == 0xF4 {
			hi = 0x8F
		}
	}
	n := 1
	for n <= need && n < len(b) && b[n] >= lo && b[n] <= hi {
		n, lo, hi = n+1, 0x80, 0xBF
	}
	return n
}

// bytesAsString views bytes that will not change as a string, without copying.
func bytesAsString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
