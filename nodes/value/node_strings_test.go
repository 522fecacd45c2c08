package value

import (
	"strings"
	"unicode/utf8"
)

func stringCases(d *differential) {
	for i := range d.many(6000) {
		s, t := d.text(12), d.text(2)
		if i%5 == 0 {
			s, t = strings.Repeat("abcab", d.rand.IntN(6)), "ab"
		}
		n := Length(s)
		a, b := d.rand.IntN(n+1), d.rand.IntN(n+1)
		d.check("length", Number(n), nil, String(s))
		if u, ok := CodeUnitAt(s, a); ok {
			d.check("charCodeAt", Number(u), nil, String(s), Number(a))
		} else {
			d.check("codePointAt", Undefined{}, nil, String(s), Number(a))
		}
		if r, ok := CodePointAt(s, a); ok {
			d.check("codePointAt", Number(r), nil, String(s), Number(a))
		}
		d.check("substring", String(Substring(s, min(a, b), max(a, b))), nil, String(s), Number(a), Number(b))
		searchCases(d, s, t, a-1)
		if a < n {
			searchCases(d, s, Substring(s, a, min(n, a+2)), b)
		}
		d.check("concat", String(Concat(s, t, s)), nil, String(s), String(t), String(s))
		d.check("concat", String(Concat(s, t)), nil, String(s), String(t))
		d.check("wellFormed", Bool(IsWellFormed(s)), nil, String(s))
		d.check("toWellFormed", String(ToWellFormed(s)), nil, String(s))
		d.check("<", Bool(CompareUTF16(s, t) < 0), nil, String(s), String(t))
		d.check(">", Bool(CompareUTF16(s, s+t) > 0), nil, String(s), String(Concat(s, t)))
		d.check("<", Bool(CompareUTF16(Concat("x", s), Concat("x", t)) < 0), nil, String("x"+s), String("x"+t))
		d.check("points", String(joinPoints(s)), nil, String(s))
		trimCases(d, d.text(2)+" \u00a0\ufeff\n"+s+"\u2029\u3000\u180e\u0085"[:d.rand.IntN(3)*3])
		trimCases(d, " \t"+s+" \v\u2003")
	}
}

func searchCases(d *differential, s, t string, from int) {
	d.check("indexOf", Number(IndexOf(s, t, from)), nil, String(s), String(t), Number(from))
	d.check("lastIndexOf", Number(LastIndexOf(s, t, from)), nil, String(s), String(t), Number(from))
}

func trimCases(d *differential, s string) {
	s = ToWellFormed(s)
	d.check("trim", String(Trim(s)), nil, String(s))
	d.check("trimStart", String(TrimStart(s)), nil, String(s))
	d.check("trimEnd", String(TrimEnd(s)), nil, String(s))
}

func joinPoints(s string) string {
	var parts []string
	for p := range CodePoints(s) {
		parts = append(parts, p)
	}
	return strings.Join(parts, "|")
}

func caseMappingCases(d *differential) {
	check := func(s string) {
		d.check("upper", String(ToUpper(s)), nil, String(s))
		d.check("lower", String(ToLower(s)), nil, String(s))
	}
	var all []rune // every code point, 16 to a string
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if utf8.ValidRune(r) {
			all = append(all, r)
		}
		if len(all) == 16 || r == utf8.MaxRune {
			if r < 0x30000 || r > 0xE0000 && r < 0xE1000 {
				check(string(all))
			}
			all = all[:0]
		}
	}
	sigmas := ""
	for r := rune(1); r <= 0x1F000; r++ { // is it cased, is it ignorable? a final sigma tells
		if c := string(r); utf8.ValidRune(r) {
			sigmas += "aΣ" + c + "b" + c + "Σ" + c + " " + c + "Σ aΣ" + c + " "
		}
		if r%32 == 0 {
			d.check("lower", String(ToLower(sigmas)), nil, String(sigmas))
			sigmas = ""
		}
	}
	for range d.many(5000) {
		check(d.text(8))
	}
}
