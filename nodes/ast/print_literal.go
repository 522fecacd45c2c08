package ast

import (
	"fmt"
	"math"
	"strconv"
	"unicode"
	"unicode/utf8"
)

func negative(v float64) bool { return math.Signbit(v) && !math.IsNaN(v) }

// number writes v as a JavaScript literal; ToString of the value would give the same digits.
func number(v float64) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 1):
		return "Infinity"
	case math.IsInf(v, -1):
		return "-Infinity"
	case v == 0 && math.Signbit(v):
		return "-0"
	}
	if abs := math.Abs(v); v == 0 || (abs >= 1e-6 && abs < 1e21) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'e', -1, 64)
}

// IsIdentifierName reports whether name can follow a dot (ECMAScript §12.7, without escapes).
func IsIdentifierName(name string) bool {
	for i, r := range name {
		start := r == '$' || r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) ||
			unicode.Is(unicode.Other_ID_Start, r)
		part := i > 0 && (unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Mc, r) || unicode.Is(unicode.Nd, r) ||
			unicode.Is(unicode.Pc, r) || unicode.Is(unicode.Other_ID_Continue, r) ||
			r == 0x30fb || r == 0xff65 || r == '\u200c' || r == '\u200d')
		if !start && !part {
			return false
		}
	}
	return name != "" && utf8.ValidString(name)
}

// appendQuoted appends s, which is WTF-8, as a string literal in double quotes.
func appendQuoted(out []byte, s string) []byte {
	out = append(out, '"')
	for i := 0; i < len(s); {
		r, size := decodeWTF8(s[i:])
		switch {
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case r == '\n':
			out = append(out, `\n`...)
		default:
			out = appendRune(out, r, s[i:i+size])
		}
		i += size
	}
	return append(out, '"')
}

// appendTemplate appends s, which is WTF-8, as the text of a template; line breaks stay.
func appendTemplate(out []byte, s string) []byte {
	for i := 0; i < len(s); {
		r, size := decodeWTF8(s[i:])
		switch {
		case r == '`' || r == '\\':
			out = append(out, '\\', byte(r))
		case r == '$' && i+1 < len(s) && s[i+1] == '{':
			out = append(out, `\$`...)
		case r == '\n':
			out = append(out, '\n')
		default:
			out = appendRune(out, r, s[i:i+size])
		}
		i += size
	}
	return out
}

// appendRune appends one character, escaped if it cannot or should not stand in source text as it is.
func appendRune(out []byte, r rune, text string) []byte {
	switch {
	case r == '\t':
		return append(out, `\t`...)
	case r == '\r':
		return append(out, `\r`...)
	case r < 0x20 || r == 0x7f:
		return fmt.Appendf(out, `\x%02x`, r)
	case r == '\u2028' || r == '\u2029' || r == 0xfeff || (r >= 0xd800 && r <= 0xdfff):
		return fmt.Appendf(out, `\u%04x`, r)
	case r == utf8.RuneError:
		return append(out, `\ufffd`...)
	}
	return append(out, text...)
}

// decodeWTF8 reads one code point; a lone surrogate is three bytes, as UTF-8 would write it.
func decodeWTF8(s string) (rune, int) {
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && len(s) >= 3 && s[0] == 0xed && s[1] >= 0xa0 && s[1] <= 0xbf && s[2]&0xc0 == 0x80 {
		return 0xd000 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), 3
	}
	return r, size
}
