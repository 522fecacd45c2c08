package expr

import (
	"strings"

	"github.com/casys-ai/pml/nodes/value"
)

func stringSplit(m *machine, s value.String, args []value.Value) value.Value {
	limit := uint32(1<<32 - 1)
	text := string(s)
	if r, ok := arg(args, 0).(*regExp); ok {
		if l := arg(args, 1); !isUndefined(l) {
			limit = toUint32(m.toNumber(l))
		}
		return m.splitRegExp(text, r, limit)
	}
	if l := arg(args, 1); !isUndefined(l) {
		limit = toUint32(m.toNumber(l))
	}
	sep := m.toString(arg(args, 0))
	if limit == 0 {
		return &value.Array{}
	}
	if isUndefined(arg(args, 0)) {
		return &value.Array{Elems: []value.Value{s}}
	}
	var parts []value.Value
	m.work(len(s) / 16)
	switch {
	case sep == "":
		n := m.length(text)
		for i := 0; i < n && len(parts) < int(limit); i++ {
			m.step()
			parts = append(parts, m.charAt(text, i))
		}
	case value.IsWellFormed(sep) && value.IsWellFormed(text):
		for _, p := range splitText(text, sep, int(limit)) {
			parts = append(parts, str(p))
		}
	default:
		parts = m.splitUnits(text, sep, int(limit))
	}
	m.work(len(parts))
	m.alloc(32 * len(parts))
	return &value.Array{Elems: parts}
}

func splitText(s, sep string, limit int) []string {
	parts := make([]string, 0, min(limit, strings.Count(s, sep)+1))
	for len(parts) < limit {
		i := strings.Index(s, sep)
		if i < 0 {
			return append(parts, s)
		}
		parts = append(parts, s[:i])
		s = s[i+len(sep):]
	}
	return parts
}

func (m *machine) splitUnits(s, sep string, limit int) (parts []value.Value) {
	n, k, last := m.length(s), m.length(sep), 0
	for len(parts) < limit {
		m.work(len(s) / 8)
		at := value.IndexOf(s, sep, last)
		if at < 0 {
			return append(parts, str(m.sub(s, last, n)))
		}
		parts = append(parts, str(m.sub(s, last, at)))
		last = at + k
	}
	return parts
}

// splitRegExp is RegExp.prototype[@@split] (§22.2.6.14).
func (m *machine) splitRegExp(s string, r *regExp, limit uint32) value.Value {
	out := &value.Array{}
	if limit == 0 {
		return out
	}
	t := m.subject(r.prog, s)
	if t.n == 0 {
		if t.find(0, true) == nil {
			out.Elems = append(out.Elems, str(s))
		}
		return out
	}
	from, at := 0, 0
	for at < t.n {
		m.step()
		regs := t.find(at, false)
		if regs == nil || regs[0] >= t.n {
			break
		}
		start, end := regs[0], regs[1]
		if end == from {
			at = t.next(start)
			continue
		}
		m.alloc(32)
		out.Elems = append(out.Elems, str(t.cut(from, start)))
		for i := 1; i < r.prog.groups && len(out.Elems) < int(limit); i++ {
			out.Elems = append(out.Elems, t.group(regs, i))
		}
		if len(out.Elems) >= int(limit) {
			return out
		}
		from, at = end, end
	}
	out.Elems = append(out.Elems, str(t.cut(from, t.n)))
	return out
}
