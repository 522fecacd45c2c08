package script

import (
	"fmt"
	"strings"
	"unicode"
)

// mendPattern replaces \p{…} and \P{…} in a pattern with the u flag by explicit ranges (goja takes them
// literally). The error is the text of a SyntaxError.
func mendPattern(pattern, flags string) (string, error) {
	for _, f := range flags {
		if f == 'v' || f == 'd' {
			return pattern, fmt.Errorf("the regular expression flag '%c' is not supported here", f)
		}
	}
	if !strings.ContainsRune(flags, 'u') || (!strings.Contains(pattern, `\p`) && !strings.Contains(pattern, `\P`)) {
		return pattern, nil
	}
	var b strings.Builder
	inClass := false
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '\\' && i+1 < len(pattern) && (pattern[i+1] == 'p' || pattern[i+1] == 'P'):
			n, err := mendProperty(&b, pattern[i:], inClass)
			if err != nil {
				return pattern, fmt.Errorf("Invalid regular expression: /%s/%s: Invalid property name", pattern, flags)
			}
			i += n - 1
			continue
		case c == '\\' && i+1 < len(pattern):
			b.WriteByte(c)
			i++
			c = pattern[i]
		case c == '[':
			inClass = true
		case c == ']':
			inClass = false
		}
		b.WriteByte(c)
	}
	return b.String(), nil
}

// mendProperty writes the class that the escape at the start of s names, and returns the escape's length.
func mendProperty(b *strings.Builder, s string, inClass bool) (int, error) {
	end := strings.IndexByte(s, '}')
	if len(s) < 4 || s[2] != '{' || end < 0 {
		return 0, fmt.Errorf("no property")
	}
	ranges, err := property(s[3:end])
	if err != nil {
		return 0, err
	}
	if s[1] == 'P' {
		ranges = complement(ranges)
	}
	if len(ranges) == 0 && !inClass {
		b.WriteString("(?!)")
		return end + 1, nil
	}
	if !inClass {
		b.WriteByte('[')
	}
	for _, r := range ranges {
		writePoint(b, r[0])
		if r[1] > r[0] {
			b.WriteByte('-')
			writePoint(b, r[1])
		}
	}
	if !inClass {
		b.WriteByte(']')
	}
	return end + 1, nil
}

func writePoint(b *strings.Builder, r rune) {
	if r > 0xFFFF {
		fmt.Fprintf(b, `\u{%x}`, r)
	} else {
		fmt.Fprintf(b, `\u%04x`, r)
	}
}

func complement(in [][2]rune) [][2]rune {
	var out [][2]rune
	next := rune(0)
	for _, r := range in {
		if r[0] > next {
			out = append(out, [2]rune{next, r[0] - 1})
		}
		next = r[1] + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, [2]rune{next, unicode.MaxRune})
	}
	return out
}
