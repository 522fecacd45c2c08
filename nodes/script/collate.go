package script

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dop251/goja"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// collateOptions are the options of localeCompare that are there (ECMA-402 §10); the prelude has checked them.
type collateOptions struct {
	Numeric     bool   `json:"numeric"`
	Sensitivity string `json:"sensitivity"`
}

// order compares strings as ICU does for English.
type order struct {
	options collateOptions
	// first compares; if it finds no difference then second does, if it is set.
	first, second *collate.Collator
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
	case "base":
		o.first = root(collate.IgnoreCase, collate.IgnoreDiacritics)
	case "accent":
		o.first = root(collate.IgnoreCase)
	case "case":
		o.first, o.second = root(collate.IgnoreCase, collate.IgnoreDiacritics), root(collate.IgnoreDiacritics)
	default:
		o.first = root()
	}
}

func (o *order) compare(a, b string) int {
	a, b = o.prepare(a), o.prepare(b)
	c := o.first.CompareString(a, b)
	if c == 0 && o.second != nil {
		c = o.second.CompareString(a, b)
	}
	return c
}

// quotes are equal to the plain ones where only letters count; x/text's tables are older.
var quotes = strings.NewReplacer("‘", "'", "’", "'", "“", `"`, "”", `"`)

// prepare makes up for where x/text and ICU differ.
func (o *order) prepare(s string) string {
	if s = plainDigits(s); o.options.Numeric {
		s = numbers(s)
	}
	if o.options.Sensitivity == "base" || o.options.Sensitivity == "case" {
		s = quotes.Replace(s)
	}
	return s
}

// plainDigits writes the decimal digits of all scripts in ASCII, as which they count. Those of other widths and fonts
// are left: they are more than their digit.
func plainDigits(s string) string {
	if strings.IndexFunc(s, foreignDigit) < 0 {
		return s
	}
	return strings.Map(func(c rune) rune {
		if !foreignDigit(c) {
			return c
		}
		zero := c
		for unicode.IsDigit(zero-1) && c-zero < 9 {
			zero--
		}
		return '0' + c - zero
	}, s)
}

func foreignDigit(c rune) bool {
	return c >= utf8.RuneSelf && unicode.IsDigit(c) && c < 0xff10
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
