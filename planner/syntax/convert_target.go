package syntax

import (
	"strconv"

	"github.com/casys-ai/pml/nodes/ast"
	"github.com/ije/esbuild-internal/helpers"
	"github.com/ije/esbuild-internal/js_ast"
)

// target converts the left side of an assignment.
func (c *converter) target(e js_ast.Expr) ast.Pattern {
	switch d := e.Data.(type) {
	case *js_ast.EArray:
		out := &ast.ArrayPattern{Pos: c.pos(e.Loc), Elems: make([]ast.PatternElem, len(d.Items))}
		for i, item := range d.Items {
			out.Elems[i] = c.targetElem(item)
		}
		return out
	case *js_ast.EObject:
		out := &ast.ObjectPattern{Pos: c.pos(e.Loc), Props: make([]ast.PatternProp, len(d.Properties))}
		for i := range d.Properties {
			out.Props[i] = c.targetProp(&d.Properties[i])
		}
		return out
	}
	x := c.expr(e)
	if target, ok := x.(ast.Pattern); ok {
		return target
	}
	return &ast.ArrayPattern{Pos: x.Position()} // an error that esbuild has reported
}

func (c *converter) targetElem(item js_ast.Expr) ast.PatternElem {
	switch d := item.Data.(type) {
	case *js_ast.EMissing:
		return ast.PatternElem{}
	case *js_ast.ESpread:
		return ast.PatternElem{Target: c.target(d.Value), Rest: true}
	}
	target, def := c.withDefault(item)
	return ast.PatternElem{Target: target, Default: def}
}

func (c *converter) targetProp(p *js_ast.Property) ast.PatternProp {
	if p.Kind == js_ast.PropertySpread {
		return ast.PatternProp{Target: c.target(p.ValueOrNil), Rest: true}
	}
	out := ast.PatternProp{Computed: p.Flags.Has(js_ast.PropertyIsComputed)}
	out.Key = c.propertyKey(p.Key, &out.Computed)
	out.Target, out.Default = c.withDefault(p.ValueOrNil)
	if p.InitializerOrNil.Data != nil {
		out.Default = c.expr(p.InitializerOrNil)
	}
	return out
}

// withDefault splits target = default.
func (c *converter) withDefault(e js_ast.Expr) (ast.Pattern, ast.Expr) {
	if d, ok := e.Data.(*js_ast.EBinary); ok && d.Op == js_ast.BinOpAssign {
		return c.target(d.Left), c.expr(d.Right)
	}
	return c.target(e), nil
}

// cook interprets the escapes of a template's raw text (ECMAScript §12.9.6, TV); nil if one is invalid.
func cook(raw string) *string {
	var out []uint16
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			r, size := decodeWTF8(raw[i:])
			out = appendUTF16(out, r)
			i += size
			continue
		}
		r, size, ok := escape(raw[i+1:])
		if !ok {
			return nil
		}
		if r >= 0 {
			out = appendUTF16(out, r)
		}
		i += 1 + size
	}
	s := text16(out)
	return &s
}

var simpleEscapes = map[byte]rune{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f', 'v': '\v'}

// escape reads what follows a backslash: the code point (-1 for a line continuation), its length, whether it is valid.
func escape(s string) (r rune, size int, ok bool) {
	if s == "" {
		return 0, 0, false
	}
	if r, ok := simpleEscapes[s[0]]; ok {
		return r, 1, true
	}
	switch c := s[0]; {
	case c == '0' && (len(s) == 1 || s[1] < '0' || s[1] > '9'):
		return 0, 1, true
	case c >= '0' && c <= '9':
		return 0, 0, false
	case c == '\n':
		return -1, 1, true
	case c == 'x':
		return hexEscape(s, 1, 2)
	case c == 'u' && len(s) > 1 && s[1] == '{':
		return braceEscape(s)
	case c == 'u':
		return hexEscape(s, 1, 4)
	}
	r, size = decodeWTF8(s)
	if r == '\u2028' || r == '\u2029' {
		r = -1
	}
	return r, size, true
}

func hexEscape(s string, from, digits int) (rune, int, bool) {
	if len(s) < from+digits {
		return 0, 0, false
	}
	n, err := strconv.ParseUint(s[from:from+digits], 16, 32)
	return rune(n), from + digits, err == nil
}

func braceEscape(s string) (rune, int, bool) {
	for end := 2; end < len(s); end++ {
		if s[end] == '}' {
			n, err := strconv.ParseUint(s[2:end], 16, 32)
			return rune(n), end + 1, err == nil && n <= 0x10ffff
		}
	}
	return 0, 0, false
}

func appendUTF16(out []uint16, r rune) []uint16 {
	if r > 0xffff {
		r -= 0x10000
		return append(out, uint16(0xd800+r>>10), uint16(0xdc00+r&0x3ff))
	}
	return append(out, uint16(r))
}

// decodeWTF8 reads one code point; unlike utf8.DecodeRuneInString it accepts lone surrogates.
func decodeWTF8(s string) (rune, int) { return helpers.DecodeWTF8Rune(s) }
