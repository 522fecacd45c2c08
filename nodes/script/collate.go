package script

import (
	"github.com/dop251/goja"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// collateOptions are the options of localeCompare that are there (ECMA-402 §10).
type collateOptions struct {
	Numeric     bool   `json:"numeric"`
	Sensitivity string `json:"sensitivity"`
	Usage       string `json:"usage"`
}

// nativeCompare compares two strings as en-US does.
func (r *realm) nativeCompare(c goja.FunctionCall) goja.Value {
	raw := argText(c, 2)
	if r.collators == nil {
		r.collators = map[string]*collate.Collator{}
	}
	col := r.collators[raw]
	if col == nil {
		col = r.collator(raw)
		r.collators[raw] = col
	}
	return r.num(col.CompareString(argText(c, 0), argText(c, 1)))
}

func (r *realm) collator(raw string) *collate.Collator {
	o := collateOptions{}
	if raw != "" {
		r.options(raw, &o)
	}
	var list []collate.Option
	if o.Numeric {
		list = append(list, collate.Numeric)
	}
	switch o.Sensitivity {
	case "", "variant":
	case "base":
		list = append(list, collate.IgnoreCase, collate.IgnoreDiacritics)
	case "accent":
		list = append(list, collate.IgnoreCase)
	default:
		r.raise("RangeError", "localeCompare: the sensitivity %q is not available", o.Sensitivity)
	}
	if o.Usage != "" && o.Usage != "sort" {
		r.raise("RangeError", "localeCompare: the usage %q is not available", o.Usage)
	}
	return collate.New(language.Und, list...)
}
