package script

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// mendPattern replaces \p{…} and \P{…} in a pattern with the u flag by explicit ranges, from Go's Unicode tables (goja
// takes them literally). The error is the text of a SyntaxError.
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
				return pattern, fmt.Errorf("Invalid regular expression: /%s/: Invalid property name", pattern)
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
	table, err := property(s[3:end])
	if err != nil {
		return 0, err
	}
	ranges := rangesOf(table)
	if s[1] == 'P' {
		ranges = complement(ranges)
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

// longNames are the long names of general categories (ECMAScript table 68).
var longNames = map[string]string{
	"Letter": "L", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt",
	"Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc",
	"Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl",
	"Other_Number": "No", "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc",
	"Dash_Punctuation": "Pd", "Open_Punctuation": "Ps", "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi",
	"Final_Punctuation": "Pf", "Other_Punctuation": "Po", "Symbol": "S", "Math_Symbol": "Sm",
	"Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Other_Symbol": "So", "Separator": "Z",
	"Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp", "Other": "C",
	"Control": "Cc", "cntrl": "Cc", "Format": "Cf", "Surrogate": "Cs", "Private_Use": "Co",
}

// emoji ranges, which Go's tables lack (Unicode 15 emoji-data.txt).
var emojiPresentation = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x231a, 0x231b, 1}, {0x23e9, 0x23ec, 1}, {0x23f0, 0x23f0, 1}, {0x23f3, 0x23f3, 1}, {0x25fd, 0x25fe, 1},
		{0x2614, 0x2615, 1}, {0x2648, 0x2653, 1}, {0x267f, 0x267f, 1}, {0x2693, 0x2693, 1}, {0x26a1, 0x26a1, 1},
		{0x26aa, 0x26ab, 1}, {0x26bd, 0x26be, 1}, {0x26c4, 0x26c5, 1}, {0x26ce, 0x26ce, 1}, {0x26d4, 0x26d4, 1},
		{0x26ea, 0x26ea, 1}, {0x26f2, 0x26f3, 1}, {0x26f5, 0x26f5, 1}, {0x26fa, 0x26fa, 1}, {0x26fd, 0x26fd, 1},
		{0x2705, 0x2705, 1}, {0x270a, 0x270b, 1}, {0x2728, 0x2728, 1}, {0x274c, 0x274c, 1}, {0x274e, 0x274e, 1},
		{0x2753, 0x2755, 1}, {0x2757, 0x2757, 1}, {0x2795, 0x2797, 1}, {0x27b0, 0x27b0, 1}, {0x27bf, 0x27bf, 1},
		{0x2b1b, 0x2b1c, 1}, {0x2b50, 0x2b50, 1}, {0x2b55, 0x2b55, 1},
	},
	R32: []unicode.Range32{
		{0x1f004, 0x1f004, 1}, {0x1f0cf, 0x1f0cf, 1}, {0x1f18e, 0x1f18e, 1}, {0x1f191, 0x1f19a, 1},
		{0x1f1e6, 0x1f1ff, 1}, {0x1f201, 0x1f201, 1}, {0x1f21a, 0x1f21a, 1}, {0x1f22f, 0x1f22f, 1},
		{0x1f232, 0x1f236, 1}, {0x1f238, 0x1f23a, 1}, {0x1f250, 0x1f251, 1}, {0x1f300, 0x1f320, 1},
		{0x1f32d, 0x1f335, 1}, {0x1f337, 0x1f37c, 1}, {0x1f37e, 0x1f393, 1}, {0x1f3a0, 0x1f3ca, 1},
		{0x1f3cf, 0x1f3d3, 1}, {0x1f3e0, 0x1f3f0, 1}, {0x1f3f4, 0x1f3f4, 1}, {0x1f3f8, 0x1f43e, 1},
		{0x1f440, 0x1f440, 1}, {0x1f442, 0x1f4fc, 1}, {0x1f4ff, 0x1f53d, 1}, {0x1f54b, 0x1f54e, 1},
		{0x1f550, 0x1f567, 1}, {0x1f57a, 0x1f57a, 1}, {0x1f595, 0x1f596, 1}, {0x1f5a4, 0x1f5a4, 1},
		{0x1f5fb, 0x1f64f, 1}, {0x1f680, 0x1f6c5, 1}, {0x1f6cc, 0x1f6cc, 1}, {0x1f6d0, 0x1f6d2, 1},
		{0x1f6d5, 0x1f6d7, 1}, {0x1f6dc, 0x1f6df, 1}, {0x1f6eb, 0x1f6ec, 1}, {0x1f6f4, 0x1f6fc, 1},
		{0x1f7e0, 0x1f7eb, 1}, {0x1f7f0, 0x1f7f0, 1}, {0x1f90c, 0x1f93a, 1}, {0x1f93c, 0x1f945, 1},
		{0x1f947, 0x1f9ff, 1}, {0x1fa70, 0x1fa7c, 1}, {0x1fa80, 0x1fa88, 1}, {0x1fa90, 0x1fabd, 1},
		{0x1fabf, 0x1fac5, 1}, {0x1face, 0x1fadb, 1}, {0x1fae0, 0x1fae8, 1}, {0x1faf0, 0x1faf8, 1},
	},
}

// property finds the table of a property expression: L, Letter, Script=Greek, sc=Greek, gc=Lu, Alphabetic ….
func property(name string) (*unicode.RangeTable, error) {
	key, val, pair := strings.Cut(name, "=")
	if pair {
		switch key {
		case "Script", "sc", "Script_Extensions", "scx":
			if t := unicode.Scripts[val]; t != nil {
				return t, nil
			}
		case "General_Category", "gc":
			return category(val)
		}
		return nil, fmt.Errorf("unknown property %s", name)
	}
	switch name {
	case "Any":
		return &unicode.RangeTable{R32: []unicode.Range32{{0, unicode.MaxRune, 1}}}, nil
	case "ASCII":
		return &unicode.RangeTable{R16: []unicode.Range16{{0, 0x7F, 1}}}, nil
	case "Emoji_Presentation", "EPres":
		return emojiPresentation, nil
	case "Alphabetic", "Alpha":
		return merge(unicode.L, unicode.Nl, unicode.Other_Alphabetic), nil
	case "Uppercase", "Upper":
		return merge(unicode.Lu, unicode.Other_Uppercase), nil
	case "Lowercase", "Lower":
		return merge(unicode.Ll, unicode.Other_Lowercase), nil
	case "White_Space", "space":
		return unicode.White_Space, nil
	}
	return category(name)
}

func category(name string) (*unicode.RangeTable, error) {
	if short, ok := longNames[name]; ok {
		name = short
	}
	if t := unicode.Categories[name]; t != nil {
		return t, nil
	}
	if t := unicode.Properties[name]; t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("unknown property %s", name)
}

// rangesOf lists a table's ranges, joined and in order.
func rangesOf(t *unicode.RangeTable) [][2]rune {
	var out [][2]rune
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			out = appendRange(out, lo, hi)
			return
		}
		for r := lo; r <= hi; r += stride {
			out = appendRange(out, r, r)
		}
	}
	for _, r := range t.R16 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range t.R32 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	return out
}

func appendRange(out [][2]rune, lo, hi rune) [][2]rune {
	if n := len(out); n > 0 && out[n-1][1]+1 >= lo {
		out[n-1][1] = max(out[n-1][1], hi)
		return out
	}
	return append(out, [2]rune{lo, hi})
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

// merge unites tables.
func merge(tables ...*unicode.RangeTable) *unicode.RangeTable {
	var all [][2]rune
	for _, t := range tables {
		all = append(all, rangesOf(t)...)
	}
	slices.SortFunc(all, func(a, b [2]rune) int { return int(a[0] - b[0]) })
	var joined [][2]rune
	for _, r := range all {
		joined = appendRange(joined, r[0], r[1])
	}
	out := &unicode.RangeTable{}
	for _, r := range joined {
		out.R32 = append(out.R32, unicode.Range32{Lo: uint32(r[0]), Hi: uint32(r[1]), Stride: 1})
	}
	return out
}
