package expr

import (
	"strings"
	"unicode/utf8"

	"github.com/casys-ai/pml/nodes/value"
)

const (
	uriAlnum    = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	uriMark     = "-_.!~*'()"
	uriReserved = ";/?:@&=+$,"
)

// uriFunc makes one of the functions of ECMAScript §19.2.6.
func uriFunc(name string) value.Value {
	safe := uriAlnum + uriMark
	if name == "encodeURI" {
		safe += uriReserved + "#"
	}
	return builtin(name, func(m *machine, args []value.Value) value.Value {
		s := m.toString(arg(args, 0))
		m.work(len(s) / 2)
		m.alloc(3 * len(s))
		if strings.HasPrefix(name, "encode") {
			return str(m.encodeURI(s, safe))
		}
		keep := ""
		if name == "decodeURI" {
			keep = uriReserved + "#"
		}
		return str(m.decodeURI(s, keep))
	})
}

func (m *machine) encodeURI(s, safe string) string {
	if !value.IsWellFormed(s) {
		m.throw("URIError", "URI malformed")
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if strings.IndexByte(safe, s[i]) >= 0 {
			b.WriteByte(s[i])
			continue
		}
		b.WriteByte('%')
		b.WriteByte("0123456789ABCDEF"[s[i]>>4])
		b.WriteByte("0123456789ABCDEF"[s[i]&15])
	}
	return b.String()
}

func (m *machine) decodeURI(s, keep string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	var out []byte
	for i := 0; i < len(s); {
		if s[i] != '%' {
			out = append(out, s[i])
			i++
			continue
		}
		start := i
		raw := []byte{m.escaped(s, &i)}
		for n := utf8Len(raw[0]); len(raw) < n; {
			raw = append(raw, m.escaped(s, &i))
		}
		r, size := utf8.DecodeRune(raw)
		if utf8Len(raw[0]) == 0 || size != len(raw) || r == utf8.RuneError && size == 1 {
			m.throw("URIError", "URI malformed")
		}
		if len(raw) == 1 && strings.IndexByte(keep, raw[0]) >= 0 {
			out = append(out, s[start:i]...)
		} else {
			out = append(out, raw...)
		}
	}
	return string(out)
}

// escaped reads %XX at *i.
func (m *machine) escaped(s string, i *int) byte {
	if *i+3 > len(s) || s[*i] != '%' {
		m.throw("URIError", "URI malformed")
	}
	hi, lo := strings.IndexByte(hexDigits, s[*i+1]), strings.IndexByte(hexDigits, s[*i+2])
	if hi < 0 || lo < 0 {
		m.throw("URIError", "URI malformed")
	}
	*i += 3
	return byte(hexValue(hi)<<4 | hexValue(lo))
}

const hexDigits = "0123456789abcdefABCDEF"

func hexValue(i int) int {
	if i > 15 {
		return i - 6
	}
	return i
}

// utf8Len is the length that a first byte announces; 0 if it is none.
func utf8Len(c byte) int {
	switch {
	case c < 0x80:
		return 1
	case c >= 0xC2 && c < 0xE0:
		return 2
	case c >= 0xE0 && c < 0xF0:
		return 3
	case c >= 0xF0 && c < 0xF5:
		return 4
	}
	return 0
}
