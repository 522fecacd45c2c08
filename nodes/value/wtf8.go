package value

import (
	"iter"
	"unicode/utf16"
	"unicode/utf8"
)

// The code points of UTF-16 surrogates.
const (
	highFirst = 0xD800
	lowFirst  = 0xDC00
	lowLast   = 0xDFFF
)

// isASCII reports whether s has only bytes below 0x80, so that bytes, code units and code points are one and the same.
func isASCII(s string) bool {
	for len(s) >= 8 {
		if (s[0]|s[1]|s[2]|s[3]|s[4]|s[5]|s[6]|s[7])&0x80 != 0 {
			return false
		}
		s = s[8:]
	}
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// decode gives the code point at byte i of s and its length in bytes. A lone surrogate is a code point of three bytes;
// a byte that belongs to nothing reads as U+FFFD.
func decode(s string, i int) (rune, int) {
	if c := s[i]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	if r == utf8.RuneError && size == 1 {
		if u, ok := surrogateAt(s, i); ok {
			return u, 3
		}
	}
	return r, size
}

// surrogateAt reads a lone surrogate's three bytes at byte i.
func surrogateAt(s string, i int) (rune, bool) {
	if i < 0 || i+3 > len(s) || s[i] != 0xED || s[i+1] < 0xA0 || s[i+1] > 0xBF || s[i+2]&0xC0 != 0x80 {
		return 0, false
	}
	return 0xD000 | rune(s[i+1]&0x3F)<<6 | rune(s[i+2]&0x3F), true
}

// appendPoint appends a code point, surrogates included, without joining it to what dst ends with.
func appendPoint(dst []byte, r rune) []byte {
	if r >= highFirst && r <= lowLast {
		return append(dst, 0xED, 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(dst, r)
}

// appendWTF8 appends s; a lone high surrogate at the end of dst and a lone low one at the start of s become one code
// point.
func appendWTF8(dst []byte, s string) []byte {
	if n := len(dst); n >= 3 && len(s) >= 3 && s[0] == 0xED && s[1] >= 0xB0 {
		high, ok := surrogateAt(bytesAsString(dst), n-3)
		if low, lone := surrogateAt(s, 0); ok && lone && high < lowFirst {
			dst = utf8.AppendRune(dst[:n-3], utf16.DecodeRune(high, low))
			s = s[3:]
		}
	}
	return append(dst, s...)
}

// appendUnit appends one UTF-16 code unit, joining a low surrogate to a lone high one before it.
func appendUnit(dst []byte, u uint16) []byte {
	if n := len(dst); u >= lowFirst && u <= lowLast && n >= 3 {
		if high, ok := surrogateAt(bytesAsString(dst), n-3); ok && high < lowFirst {
			return utf8.AppendRune(dst[:n-3], utf16.DecodeRune(high, rune(u)))
		}
	}
	return appendPoint(dst, rune(u))
}

// Concat joins strings (§6.1.4). A lone high surrogate at the end of one and a lone low one at the start of the next
// become one code point.
func Concat(parts ...string) string {
	size, seams := 0, false
	for i, p := range parts {
		size += len(p)
		seams = seams || (i > 0 && len(p) >= 3 && p[0] == 0xED && p[1] >= 0xB0)
	}
	if !seams && len(parts) == 2 {
		return parts[0] + parts[1]
	}
	out := make([]byte, 0, size)
	for _, p := range parts {
		out = appendWTF8(out, p)
	}
	return bytesAsString(out)
}

// ToUTF16 gives the code units of s.
func ToUTF16(s string) []uint16 {
	out := make([]uint16, 0, len(s))
	for i := 0; i < len(s); {
		r, size := decode(s, i)
		if i += size; r >= 0x10000 {
			out = utf16.AppendRune(out, r)
		} else {
			out = append(out, uint16(r))
		}
	}
	return out
}

// FromUTF16 makes a string of code units.
func FromUTF16(units []uint16) string {
	out := make([]byte, 0, len(units)+len(units)/2)
	for i := 0; i < len(units); i++ {
		u := rune(units[i])
		if u >= highFirst && u < lowFirst && i+1 < len(units) {
			if r := utf16.DecodeRune(u, rune(units[i+1])); r != utf8.RuneError {
				u, i = r, i+1
			}
		}
		out = appendPoint(out, u)
	}
	return bytesAsString(out)
}

// IsWellFormed is String.prototype.isWellFormed (§22.1.3.10): s has no lone surrogates.
func IsWellFormed(s string) bool { return isASCII(s) || utf8.ValidString(s) }

// ToWellFormed is String.prototype.toWellFormed (§22.1.3.33): lone surrogates become U+FFFD.
func ToWellFormed(s string) string {
	if IsWellFormed(s) {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		r, size := decode(s, i)
		out = utf8.AppendRune(out, r) // which writes a surrogate as U+FFFD
		i += size
	}
	return bytesAsString(out)
}

// CodePoints walks s as the string iterator does (§22.1.5): one string for each code point, lone surrogates included.
func CodePoints(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := 0; i < len(s); {
			_, size := decode(s, i)
			if !yield(s[i : i+size]) {
				return
			}
			i += size
		}
	}
}
