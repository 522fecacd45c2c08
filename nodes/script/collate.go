package script

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dop251/goja"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// collateOptions are the options of localeCompare that are there (ECMA-402 §10); the prelude has checked them.
type collateOptions struct {
	Numeric     bool   `json:"numeric"`
	Sensitivity string `json:"sensitivity"`
}

// order compares strings as ICU does for English.
type order struct {
	options collateOptions
	collate *collate.Collator
}

// nativeCompare compares two strings as en-US does.
func (r *realm) nativeCompare(c goja.FunctionCall) goja.Value {
	raw := argText(c, 2)
	if r.orders == nil {
		r.orders = map[string]*order{}
	}
	o := r.orders[raw]
	if o == nil {
		o = &order{}
		if raw != "" {
			r.options(raw, &o.options)
		}
		o.init()
		r.orders[raw] = o
	}
	return r.num(o.compare(argText(c, 0), argText(c, 1)))
}

func (o *order) init() {
	root := func(options ...collate.Option) *collate.Collator { return collate.New(language.Und, options...) }
	switch o.options.Sensitivity {
	case "base", "case":
		o.collate = root(collate.IgnoreCase, collate.IgnoreDiacritics)
	case "accent":
		o.collate = root(collate.IgnoreCase)
	default:
		o.collate = root()
	}
}

func (o *order) compare(a, b string) int {
	a, b = o.prepare(a), o.prepare(b)
	c := o.collate.CompareString(a, b)
	if c == 0 && o.options.Sensitivity == "case" {
		c = strings.Compare(cases(a), cases(b))
	}
	return c
}

// ligatures are letters that count as two.
var ligatures = strings.NewReplacer("æ", "ae", "Æ", "AE", "œ", "oe", "Œ", "OE", "ß", "ss", "ẞ", "SS")

// cases writes for each letter whether it is a capital.
func cases(s string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case unicode.In(c, unicode.Mn, unicode.Cf):
			return -1
		case unicode.IsUpper(c):
			return 'u'
		}
		return 'l'
	}, ligatures.Replace(norm.NFKD.String(s)))
}

// quotes are equal to the plain ones where only letters count; x/text's tables are older.
var quotes = strings.NewReplacer("‘", "'", "’", "'", "‚", "'", "‛", "'", "“", `"`, "”", `"`, "„", `"`, "‟", `"`,
	"〝", `"`, "〞", `"`, "〟", `"`)

// prepare makes up for where x/text and ICU differ.
func (o *order) prepare(s string) string {
	if s = plainDigits(s, o.options.Numeric); o.options.Numeric {
		s = numbers(s)
	}
	if o.options.Sensitivity == "base" || o.options.Sensitivity == "case" {
		s = quotes.Replace(s)
	}
	return s
}

// plainDigits writes the decimal digits of all scripts in ASCII, as which they count. Those of other widths and fonts
// are more than their digit, unless only its value is of interest.
func plainDigits(s string, all bool) string {
	foreign := func(c rune) bool {
		return c >= utf8.RuneSelf && unicode.IsDigit(c) && (all || c < 0xff10)
	}
	if strings.IndexFunc(s, foreign) < 0 {
		return s
	}
	return strings.Map(func(c rune) rune {
		if !foreign(c) {
			return c
		}
		zero := c
		for unicode.IsDigit(zero-1) && c-zero < 9 {
			zero--
		}
		return '0' + c - zero
	}, s)
}

// numbers makes runs of digits compare by their value: each becomes 0, a code for its length, and its digits without
// leading zeros.
func numbers(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] < '0' || s[i] > '9' {
			b.WriteByte(s[i])
			i++
			continue
		}
		end := i
		for end < len(s) && s[end] >= '0' && s[end] <= '9' {
			end++
		}
		run := strings.TrimLeft(s[i:end], "0")
		b.WriteByte('0')
		b.WriteString(strings.Repeat("9", len(run)/8))
		b.WriteByte(byte('1' + len(run)%8))
		b.WriteString(run)
		i = end
	}
	return b.String()
}
