package value

import (
	"strings"
	"unicode/utf16"
)

// Length is the number of UTF-16 code units of s (§6.1.4).
func Length(s string) int {
	if isASCII(s) {
		return len(s)
	}
	n := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 0xF0:
			n += 2
		case c < 0x80 || c >= 0xC0:
			n++
		}
	}
	return n
}

// seek gives the byte at which code unit i of s begins, 0 <= i <= Length. If i is the second half of a surrogate pair,
// half is true and the byte is where the pair begins.
func seek(s string, i int) (at int, half bool) {
	for at < len(s) && i > 0 {
		c := s[at]
		switch {
		case c < 0x80:
			at++
		case c < 0xE0:
			at += 2
		case c < 0xF0:
			at += 3
		case i == 1:
			return at, true
		default:
			at += 4
			i--
		}
		i--
	}
	return min(at, len(s)), false
}

// CodeUnitAt is the code unit at index i, false outside 0..Length-1 (§22.1.3.3 charCodeAt).
func CodeUnitAt(s string, i int) (uint16, bool) {
	if i < 0 || i >= len(s) {
		return 0, false
	}
	if isASCII(s[:i+1]) {
		return uint16(s[i]), true
	}
	at, half := seek(s, i)
	if at >= len(s) {
		return 0, false
	}
	r, _ := decode(s, at)
	if r < 0x10000 {
		return uint16(r), true
	}
	high, low := utf16.EncodeRune(r)
	if half {
		return uint16(low), true
	}
	return uint16(high), true
}

// CodePointAt is the code point at index i, false outside 0..Length-1 (§22.1.3.4 codePointAt).
func CodePointAt(s string, i int) (rune, bool) {
	if i < 0 || i >= len(s) {
		return 0, false
	}
	at, half := seek(s, i)
	if at >= len(s) {
		return 0, false
	}
	r, _ := decode(s, at)
	if half {
		_, r = utf16.EncodeRune(r)
	}
	return r, true
}

// Substring is the code units from..to-1 of s, for 0 <= from <= to <= Length; what lies outside is clamped. It may cut
// a surrogate pair into lone surrogates.
func Substring(s string, from, to int) string {
	from, to = max(from, 0), min(to, len(s))
	if from >= to {
		return ""
	}
	if isASCII(s[:to]) {
		return s[from:to]
	}
	start, halfStart := seek(s, from)
	length, halfEnd := seek(s[start:], to-from+b2i(halfStart))
	end := start + length
	if !halfStart && !halfEnd {
		return s[start:end]
	}
	var out []byte
	if halfStart {
		r, size := decode(s, start)
		start += size
		_, low := utf16.EncodeRune(r)
		out = appendPoint(out, low)
	}
	if start < end {
		out = append(out, s[start:end]...)
	}
	if halfEnd {
		r, _ := decode(s, end)
		high, _ := utf16.EncodeRune(r)
		out = appendPoint(out, high)
	}
	return bytesAsString(out)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// cutsPairs reports whether sub begins with a low or ends with a high surrogate that is alone, so that it may match
// half a pair, which a search by bytes does not see.
func cutsPairs(sub string) bool {
	if len(sub) < 3 {
		return false
	}
	first, startsAlone := surrogateAt(sub, 0)
	last, endsAlone := surrogateAt(sub, len(sub)-3)
	return (startsAlone && first >= lowFirst) || (endsAlone && last < lowFirst)
}

// IndexOf is the first index >= from at which sub occurs in s, or -1 (§6.1.4.1 StringIndexOf). from is clamped to
// 0..Length.
func IndexOf(s, sub string, from int) int {
	from = max(from, 0)
	if isASCII(s) {
		from = min(from, len(s))
		if i := strings.Index(s[from:], sub); i >= 0 {
			return from + i
		}
		return -1
	}
	from = min(from, Length(s))
	if sub == "" {
		return from
	}
	if cutsPairs(sub) {
		return indexUnits(ToUTF16(s), ToUTF16(sub), from)
	}
	start, half := seek(s, from)
	if half {
		start, from = start+4, from+1
	}
	i := strings.Index(s[start:], sub)
	if i < 0 {
		return -1
	}
	return from + Length(s[start:start+i])
}

// LastIndexOf is the last index <= from at which sub occurs in s, or -1 (§6.1.4.2 StringLastIndexOf). from is clamped
// to 0..Length.
func LastIndexOf(s, sub string, from int) int {
	if from = max(from, 0); from >= len(s) {
		from = len(s)
	}
	if isASCII(s) {
		return strings.LastIndex(s[:min(len(s), from+len(sub))], sub)
	}
	from = min(from, Length(s))
	if sub == "" {
		return from
	}
	if cutsPairs(sub) {
		return lastIndexUnits(ToUTF16(s), ToUTF16(sub), from)
	}
	start, _ := seek(s, from)
	i := strings.LastIndex(s[:min(len(s), start+len(sub))], sub)
	if i < 0 {
		return -1
	}
	return Length(s[:i])
}

func indexUnits(s, sub []uint16, from int) int {
	for i := from; i+len(sub) <= len(s); i++ {
		if equalUnits(s[i:], sub) {
			return i
		}
	}
	return -1
}

func lastIndexUnits(s, sub []uint16, from int) int {
	for i := min(from, len(s)-len(sub)); i >= 0; i-- {
		if equalUnits(s[i:], sub) {
			return i
		}
	}
	return -1
}

// equalUnits reports whether s begins with sub.
func equalUnits(s, sub []uint16) bool {
	for i := range sub {
		if s[i] != sub[i] {
			return false
		}
	}
	return true
}

// CompareUTF16 orders strings by their code units (§7.2.13 IsLessThan): -1, 0 or +1. It differs from the order of the
// bytes where a code point above U+FFFF meets one in U+E000..U+FFFF or a lone surrogate.
func CompareUTF16(a, b string) int {
	i, n := 0, min(len(a), len(b))
	for i < n && a[i] == b[i] {
		i++
	}
	if i == n {
		return compareInts(len(a), len(b))
	}
	if a[i] < 0x80 && b[i] < 0x80 {
		return compareInts(int(a[i]), int(b[i]))
	}
	for i > 0 && a[i]&0xC0 == 0x80 { // back to where the code point begins; a and b agree up to here
		i--
	}
	ua, ub := ToUTF16(a[i:min(len(a), i+8)]), ToUTF16(b[i:min(len(b), i+8)])
	for k := 0; k < len(ua) && k < len(ub); k++ {
		if ua[k] != ub[k] {
			return compareInts(int(ua[k]), int(ub[k]))
		}
	}
	return compareInts(len(ua), len(ub))
}

func compareInts(a, b int) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
