package expr

import (
	"unsafe"

	"github.com/casys-ai/pml/nodes/value"
)

func newRegExp(p *regexProg) *regExp {
	return &regExp{source: p.source, flags: p.flags, prog: p, global: p.global, sticky: p.sticky}
}

// constructRegExp is new RegExp(pattern, flags).
func constructRegExp(m *machine, _ value.Value, args []value.Value) value.Value {
	pattern, flags := "", ""
	switch p := arg(args, 0).(type) {
	case *regExp:
		pattern, flags = p.source, p.flags
	case value.Undefined:
	default:
		pattern = m.toString(p)
	}
	if f := arg(args, 1); !isUndefined(f) {
		flags = m.toString(f)
	}
	prog, err := compileRegex(pattern, flags)
	if err != nil {
		m.unsupported("the regular expression /%s/%s: %s", pattern, flags, err)
	}
	for i := 0; i < len(pattern); i++ { // source escapes a / that is not escaped
		if pattern[i] == '\\' {
			i++
		} else if pattern[i] == '/' {
			prog.source = "\x00" // see property
		}
	}
	return newRegExp(prog)
}

func (r *regExp) property(key string) value.Value {
	has := func(f byte) value.Value {
		for i := range r.flags {
			if r.flags[i] == f {
				return value.Bool(true)
			}
		}
		return value.Bool(false)
	}
	switch key {
	case "source":
		if r.source != "\x00" {
			return str(r.source)
		}
	case "flags":
		return str(r.flags)
	case "lastIndex":
		return number(r.lastIndex)
	case "global":
		return has('g')
	case "ignoreCase":
		return has('i')
	case "multiline":
		return has('m')
	case "dotAll":
		return has('s')
	case "unicode":
		return has('u')
	case "sticky":
		return has('y')
	case "hasIndices", "unicodeSets":
		return value.Bool(false)
	}
	return nil
}

// subject is a string under search.
type subject struct {
	s     string
	n     int
	bytes *matcher[byte]
	units *matcher[uint16]
}

// subject prepares s for searches with p.
func (m *machine) subject(p *regexProg, s string) *subject {
	m.alloc(len(s) / 4)
	regs := make([]int, p.registers)
	if isASCII(s) {
		in := unsafe.Slice(unsafe.StringData(s), len(s))
		return &subject{s: s, n: len(s), bytes: &matcher[byte]{m: m, prog: p, in: in, regs: regs}}
	}
	var in []uint16
	if len(s) >= cacheFrom {
		in = m.look(s).units
	} else {
		in = value.ToUTF16(s)
	}
	return &subject{s: s, n: len(in), units: &matcher[uint16]{m: m, prog: p, in: in, regs: regs}}
}

// find gives the captures of the first match from at on as pairs of positions; nil if there is none.
func (t *subject) find(at int, stick bool) []int {
	if t.bytes != nil {
		if t.bytes.find(at, stick) {
			return t.bytes.regs
		}
		return nil
	}
	if t.units.find(at, stick) {
		return t.units.regs
	}
	return nil
}

// cut is the code units from..to-1.
func (t *subject) cut(from, to int) string {
	if t.bytes != nil {
		return t.s[from:to]
	}
	t.units.m.alloc(2 * (to - from))
	return value.FromUTF16(t.units.in[from:to])
}

// group gives capture i of a match, or undefined.
func (t *subject) group(regs []int, i int) value.Value {
	if regs[2*i] < 0 || regs[2*i+1] < 0 {
		return undefined
	}
	return str(t.cut(regs[2*i], regs[2*i+1]))
}

// next is AdvanceStringIndex (§22.2.7.3).
func (t *subject) next(at int) int {
	if t.units != nil && t.units.prog.unicode {
		if _, next := t.units.char(at, false); next > at {
			return next
		}
	}
	return at + 1
}

// exec is RegExpBuiltinExec (§22.2.7.2) up to the positions.
func (m *machine) exec(r *regExp, t *subject) []int {
	at, stateful := 0, r.global || r.sticky
	if stateful {
		if r.lastIndex > float64(t.n) {
			r.lastIndex = 0
			return nil
		}
		at = int(max(r.lastIndex, 0))
	}
	regs := t.find(at, r.sticky)
	switch {
	case !stateful:
	case regs == nil:
		r.lastIndex = 0
	default:
		r.lastIndex = float64(regs[1])
	}
	return regs
}

// groups gives the named captures as an object, or undefined.
func (t *subject) groups(p *regexProg, regs []int) value.Value {
	var o *value.Object
	for i, name := range p.names {
		if name == "" {
			continue
		}
		if o == nil {
			o = value.NewObject(4)
		}
		o.Set(name, t.group(regs, i))
	}
	if o == nil {
		return undefined
	}
	return o
}

// captures lists the groups of a match.
func (t *subject) captures(p *regexProg, regs []int) []value.Value {
	out := make([]value.Value, p.groups)
	for i := range out {
		out[i] = t.group(regs, i)
	}
	return out
}
