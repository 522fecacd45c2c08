package tool

import (
	"strings"
	"unicode/utf8"
)

// Decode reads bytes as UTF-8. What is not UTF-8 becomes U+FFFD as in Node: one for each maximal part of a broken
// sequence (the WHATWG rule), not one for each byte. A byte order mark is kept.
func Decode(data []byte) string {
	if utf8.Valid(data) {
		return string(data)
	}
	var out strings.Builder
	out.Grow(len(data) + len(data)/8)
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if r == utf8.RuneError && size == 1 {
			size = brokenLength(data)
		}
		out.WriteRune(r)
		data = data[size:]
	}
	return out.String()
}

// brokenLength is the length of the maximal part of a broken sequence at the start of data, at least 1.
func brokenLength(data []byte) int {
	need, low, high := sequence(data[0])
	length := 1
	for length < need && length < len(data) && data[length] >= low && data[length] <= high {
		length++
		low, high = 0x80, 0xBF
	}
	return length
}

// sequence gives the length that a lead byte announces and the range of the byte after it.
func sequence(lead byte) (need int, low, high byte) {
	switch {
	case lead >= 0xC2 && lead <= 0xDF:
		return 2, 0x80, 0xBF
	case lead == 0xE0:
		return 3, 0xA0, 0xBF
	case lead == 0xED:
		return 3, 0x80, 0x9F
	case lead >= 0xE1 && lead <= 0xEF:
		return 3, 0x80, 0xBF
	case lead == 0xF0:
		return 4, 0x90, 0xBF
	case lead >= 0xF1 && lead <= 0xF3:
		return 4, 0x80, 0xBF
	case lead == 0xF4:
		return 4, 0x80, 0x8F
	}
	return 1, 0, 0
}
