package value

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ToUpper is String.prototype.toUpperCase (§22.1.3.30): the full mapping of Unicode, where ß becomes SS.
func ToUpper(s string) string {
	if isASCII(s) {
		return strings.ToUpper(s)
	}
	out := make([]byte, 0, len(s)+len(s)/8)
	for i := 0; i < len(s); {
		r, size := decode(s, i)
		i += size
		if long, ok := longUpper[r]; ok {
			out = append(out, long...)
		} else {
			out = appendPoint(out, upperOf(r))
		}
	}
	return bytesAsString(out)
}

// ToLower is String.prototype.toLowerCase (§22.1.3.28): the full mapping of Unicode, with İ and the final sigma.
func ToLower(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	out := make([]byte, 0, len(s)+len(s)/8)
	for i := 0; i < len(s); {
		r, size := decode(s, i)
		switch {
		case r == 'İ':
			out = append(out, "i\u0307"...)
		case r == 'Σ' && casedBefore(s, i) && !casedAfter(s, i+size):
			out = append(out, "ς"...)
		default:
			out = appendPoint(out, lowerOf(r))
		}
		i += size
	}
	return bytesAsString(out)
}

// upperOf maps one code point to one, with the pairs that Unicode 16 and 17 added to Go's tables.
func upperOf(r rune) rune {
	for _, p := range newPairs {
		if r >= p.lower && r < p.lower+p.count {
			return p.upper + r - p.lower
		}
	}
	return unicode.ToUpper(r)
}

func lowerOf(r rune) rune {
	for _, p := range newPairs {
		if r >= p.upper && r < p.upper+p.count {
			return p.lower + r - p.upper
		}
	}
	return unicode.ToLower(r)
}

// newPairs are the case pairs of Unicode 16 and 17, which Node's ICU knows and Go 1.26 does not.
var newPairs = []struct{ lower, upper, count rune }{
	{0x019B, 0xA7DC, 1}, {0x0264, 0xA7CB, 1}, {0x1C8A, 0x1C89, 1}, {0xA7CD, 0xA7CC, 1}, {0xA7CF, 0xA7CE, 1},
	{0xA7D3, 0xA7D2, 1}, {0xA7D5, 0xA7D4, 1}, {0xA7DB, 0xA7DA, 1}, {0x10D70, 0x10D50, 22}, {0x16EBB, 0x16EA0, 25},
}

// casedBefore and casedAfter are the two halves of Unicode's condition Final_Sigma (§3.13, table 3-17): the next code
// point that is not case-ignorable is cased.
func casedBefore(s string, i int) bool {
	for i > 0 {
		i--
		for i > 0 && s[i]&0xC0 == 0x80 {
			i--
		}
		if r, _ := decode(s, i); !isCaseIgnorable(r) {
			return isCased(r)
		}
	}
	return false
}

func casedAfter(s string, i int) bool {
	for i < len(s) {
		r, size := decode(s, i)
		if !isCaseIgnorable(r) {
			return isCased(r)
		}
		i += size
	}
	return false
}

// isCased is Unicode's property Cased.
func isCased(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z'
	}
	if unicode.Is(newCased, r) {
		return true
	}
	return r != 0x0295 && unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase,
		unicode.Other_Uppercase)
}

// isCaseIgnorable is Unicode's property Case_Ignorable.
func isCaseIgnorable(r rune) bool {
	if unicode.Is(moreIgnorable, r) {
		return true
	}
	return r != 0x1171E && unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
}
