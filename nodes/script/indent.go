package script

import (
	"strings"

	"github.com/dop251/goja"
)

// nativeIndent lays out the compact text that JSON.stringify made, with a gap for each level (ECMAScript §25.5.2.5). goja
// does so itself, but loses count behind an empty array.
func (r *realm) nativeIndent(c goja.FunctionCall) goja.Value {
	return r.rt.ToValue(indent(c.Argument(0).String(), c.Argument(1).String()))
}

// indent lays out compact JSON.
func indent(text, gap string) string {
	var out strings.Builder
	out.Grow(len(text) * 2)
	depth := 0
	line := func() {
		out.WriteByte('\n')
		for range depth {
			out.WriteString(gap)
		}
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			end := stringEnd(text, i)
			out.WriteString(text[i:end])
			i = end - 1
		case '{', '[':
			out.WriteByte(c)
			if text[i+1] == c+2 { // '{' and '}', '[' and ']' are two apart
				i++
				out.WriteByte(c + 2)
				continue
			}
			depth++
			line()
		case '}', ']':
			depth--
			line()
			out.WriteByte(c)
		case ',':
			out.WriteByte(c)
			line()
		case ':':
			out.WriteString(": ")
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

// stringEnd is the index behind the string literal that starts at i.
func stringEnd(text string, i int) int {
	for i++; text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i + 1
}
