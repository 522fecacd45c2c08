package transport

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// unquote decodes a JSON string literal, quotes included, to WTF-8: a lone surrogate becomes the three bytes that its
// code point would have, bytes that are not UTF-8 become U+FFFD. ok is false if raw is no string.
func unquote(raw []byte) (text string, ok bool) {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return "", false
	}
	raw = raw[1 : len(raw)-1]
	if !utf8.Valid(raw) {
		raw = bytes.ToValidUTF8(raw, []byte("\uFFFD"))
	}
	next := bytes.IndexByte(raw, '\\')
	if next < 0 {
		return string(raw), true
	}
	out := make([]byte, 0, len(raw))
	for next >= 0 {
		out = append(out, raw[:next]...)
		var size int
		if out, size = appendEscape(out, raw[next:]); size == 0 {
			return "", false
		}
		raw = raw[next+size:]
		next = bytes.IndexByte(raw, '\\')
	}
	return string(append(out, raw...)), true
}

const escapes = "\"\\/bfnrt"
const escaped = "\"\\/\b\f\n\r\t"

// appendEscape decodes the escape at the start of raw and returns its length; 0 if it is none.
func appendEscape(out, raw []byte) ([]byte, int) {
	if len(raw) < 2 {
		return out, 0
	}
	for i := range len(escapes) {
		if raw[1] == escapes[i] {
			return append(out, escaped[i]), 2
		}
	}
	unit, ok := hexUnit(raw)
	if !ok {
		return out, 0
	}
	if unit>>10 == 0xd800>>10 {
		if low, ok := hexUnit(raw[6:]); ok && low>>10 == 0xdc00>>10 {
			return utf8.AppendRune(out, 0x10000+(unit&0x3ff)<<10+low&0x3ff), 12
		}
	}
	if unit>>11 == 0xd800>>11 {
		return append(out, 0xe0|byte(unit>>12), 0x80|byte(unit>>6&0x3f), 0x80|byte(unit&0x3f)), 6
	}
	return utf8.AppendRune(out, unit), 6
}

// hexUnit reads \uXXXX at the start of raw.
func hexUnit(raw []byte) (rune, bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(raw[2:6]), 16, 16)
	return rune(n), err == nil
}
