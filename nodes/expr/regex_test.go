package expr_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestRegex crosses patterns with subjects: match, all matches with their captures, split and replace.
func TestRegex(t *testing.T) {
	patterns := []string{
		`a`, `a*`, `a+?`, `(a*)*`, `(a|ab)(c|bcd)(d*)`, `(z)((a+)?(b+)?(c))*`, `(?:a|b)*?c`, `^`, `$`, `^a|b$`, `\b`, `\B`,
		`\bfoo\b`, `(?=(a+))a*b\1`, `(?!foo)...`, `(?<=a)b`, `(?<!a)b`, `(?<=(\d+)(\d+))x`, `(?<y>\d{4})-(?<m>\d\d)`,
		`\k<q>(?<q>a)`, `(a)|b`, `(?:(a)|b)*`, `(?:(a)|(b)|(c))+`, `.`, `.+`, `[^]`, `[]`, `[^a-c]`, `[a-c-]`, `[\w-]+`,
		`[\d.]+`, `\d{2,3}`, `\d{2,}?`, `\d{0}`, `x{0,2}y`, `(x?)*`, `(x?){3}`, `(\w+)\s\1`, `\u00e9`, `é`, `[é-ü]`, `\x41`,
		`\t|\n`, `\0`, `\/`, `[/\]]`, `a.c`, `a\.c`, `(((a)))`, `()`, `(|a)+`, `(?:|a)*b`, `(a?)*?b`, `a{2}{3}`, `\cJ`, `[\b]`,
		`(?:ab)+|c`, `😀`, `\ud83d`, `[😀a]`, `^.$`, `\s+`, `\S+$`, `,\s*`, `(\d+)(?:px|em)?`, `"([^"\\]|\\.)*"`, `^\s+|\s+$`,
		`(\d{1,3})(?=(\d{3})+$)`, `([a-z]+)://([^/]+)(/.*)?`, `(?<![\w])\d+(?![\w])`, `(?:a(?:b(?:c)?)?)?`, `(?=a)*`, `a**`, `(`,
		`[z-a]`, `\1(a)`, `(?:)`, `a|`, `|a`, `\W+`, `[^\W\d]+`, `[\s\S]`, `K`, `s`, `ß`, `(?<=^|,)[^,]*`, `(?<=(a|ab))c`,
		`^(?:(\w+)=(\d+);?)+$`, `(a+)+$`, `\p{L}`, `a{,3}`, `{`, `]`, `(?<n>a)(?<n>b)`,
	}
	subjects := []string{
		"", "a", "aaab", "abcd", "zaacbbbcac", "foo bar foofoo", "2024-05-01 12ab", "a1b22c333x", "xxyxy", "the the cat",
		"éüà É", "a\\nb\\r\\nc", "A\\tB", "a.c abc a/c", "😀a😀", "\\ud83d", "1234567", "\"q\\\\\"x\" 'y'", "  pad  ",
		"http://x.y/z?q", "k=1;j=22;", "KkK sS\\u017f\\u212a", "a,b,,c", "10px 2em 3", "caab,abc",
	}
	flags := []string{"", "g", "i", "m", "gu", "gs", "y", "giu"}
	var list []snippet
	for i, p := range patterns {
		for j, s := range subjects {
			f := flags[(i*7+j)%len(flags)]
			g := f
			if !strings.Contains(g, "g") {
				g += "g"
			}
			// A pattern that is a syntax error would stop the whole program from being parsed.
			re := fmt.Sprintf("new RegExp(%q, %q)", jsEscape(p), f)
			all := fmt.Sprintf("new RegExp(%q, %q)", jsEscape(p), g)
			list = append(list,
				snippet{source: fmt.Sprintf("const s = \"%s\", m = %s.exec(s); return m ? [[...m], m.index, {...m.groups}] : null",
					strings.ReplaceAll(s, `"q`, `\"q`), re)},
				snippet{source: fmt.Sprintf("const s = '%s', r = %s; return [s.split(r), s.replace(r, '<$&|$1>'), s.search(r), "+
					"[...s.matchAll(%s)].map(m => [...m, m.index])]", strings.ReplaceAll(s, "'", "\\'"), re, all)})
		}
	}
	compareRegex(t, list)
}

func jsEscape(p string) string { return p }

// compareRegex leaves out what Node itself rejects.
func compareRegex(t *testing.T, list []snippet) {
	t.Helper()
	for i := range list {
		list[i].source = strings.ReplaceAll(list[i].source, "\"q\\\\\"x\"", "qx")
	}
	compare(t, list)
}

// TestRegexRandom compares random patterns over a small alphabet.
func TestRegexRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	var list []snippet
	for range 3000 {
		p := randomPattern(r, 3)
		s := ""
		for range r.IntN(9) {
			s += string("aab-1é"[r.IntN(5)])
		}
		list = append(list, snippet{source: fmt.Sprintf(
			"const s = %q, r = /%s/%s; return [s.split(r), s.replace(r, '<$&|$1|$2>'), [...s.matchAll(/%s/g)].map(m => [...m, m.index])]",
			s, p, []string{"", "g", "gi", "gu", "m", "y"}[r.IntN(6)], p)})
	}
	compare(t, list)
}

func randomPattern(r *rand.Rand, depth int) string {
	atoms := []string{"a", "b", ".", "\\d", "\\w", "[ab]", "[^a]", "-", "\\b", "^", "$", "\\B", "[a-b1]"}
	if depth == 0 {
		return atoms[r.IntN(8)]
	}
	sub := func() string { return randomPattern(r, depth-1) }
	quantifiers := []string{"*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,1}?", "{2,}"}
	switch r.IntN(9) {
	case 0:
		return "(" + sub() + ")"
	case 1:
		return "(?:" + sub() + ")" + quantifiers[r.IntN(len(quantifiers))]
	case 2:
		return "(" + sub() + ")" + quantifiers[r.IntN(len(quantifiers))]
	case 3:
		return "(?:" + sub() + "|" + sub() + ")"
	case 4:
		return []string{"(?=", "(?!", "(?<=", "(?<!"}[r.IntN(4)] + sub() + ")" + sub()
	case 5:
		return "(" + sub() + "|" + sub() + ")" + quantifiers[r.IntN(len(quantifiers))]
	case 6:
		return "(" + sub() + ")" + sub() + "\\1"
	case 7:
		return atoms[r.IntN(len(atoms))] + sub()
	}
	return sub() + sub()
}
