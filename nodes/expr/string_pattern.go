package expr

import (
	"strings"

	"github.com/casys-ai/pml/nodes/value"
)

// matchInfo is what the array of a match has besides its elements.
type matchInfo struct {
	index  int
	input  string
	groups value.Value
}

// matched makes the array that exec gives.
func (m *machine) matched(p *regexProg, t *subject, regs []int) value.Value {
	a := &value.Array{Elems: t.captures(p, regs)}
	m.alloc(200)
	if m.matches == nil {
		m.matches = map[*value.Array]*matchInfo{}
	}
	m.matches[a] = &matchInfo{regs[0], t.s, t.groups(p, regs)}
	return a
}

// matchProperty gives index, input or groups of a match; nil for another array.
func (m *machine) matchProperty(a *value.Array, key string) value.Value {
	info := m.matches[a]
	if info == nil {
		return nil
	}
	switch key {
	case "index":
		return integer(info.index)
	case "input":
		return str(info.input)
	case "groups":
		return info.groups
	}
	return nil
}

// notMatch refuses what would show the additional properties of a match.
func (m *machine) notMatch(a *value.Array) {
	if m.matches[a] != nil {
		m.unsupported("the keys of a match")
	}
}

// regExpNatives are the methods of RegExp.prototype (ECMAScript §22.2.6).
var regExpNatives = map[string]func(m *machine, r *regExp, args []value.Value) value.Value{
	"exec": func(m *machine, r *regExp, args []value.Value) value.Value {
		t := m.subject(r.prog, m.toString(arg(args, 0)))
		if regs := m.exec(r, t); regs != nil {
			return m.matched(r.prog, t, regs)
		}
		return value.Null{}
	},
	"test": func(m *machine, r *regExp, args []value.Value) value.Value {
		t := m.subject(r.prog, m.toString(arg(args, 0)))
		return boolean(m.exec(r, t) != nil)
	},
	"toString": func(m *machine, r *regExp, _ []value.Value) value.Value {
		if r.source == "\x00" {
			m.unsupported("the source of this RegExp")
		}
		return str("/" + r.source + "/" + r.flags)
	},
}

// pattern makes a RegExp of an argument that is none.
func (m *machine) pattern(v value.Value, flags string) *regExp {
	if r, ok := v.(*regExp); ok {
		return r
	}
	args := []value.Value{v, str(flags)}
	return constructRegExp(m, undefined, args).(*regExp)
}

// each visits all matches of a global RegExp in turn; visit must not keep regs.
func (m *machine) each(r *regExp, t *subject, at int, visit func(regs []int)) {
	for at <= t.n {
		m.step()
		regs := t.find(at, r.sticky)
		if regs == nil {
			return
		}
		end := regs[1]
		empty := end == regs[0]
		visit(regs)
		if at = end; empty {
			at = t.next(end)
		}
	}
}

func stringMatch(m *machine, s value.String, args []value.Value) value.Value {
	r := m.pattern(arg(args, 0), "")
	t := m.subject(r.prog, string(s))
	if !r.global {
		if regs := m.exec(r, t); regs != nil {
			return m.matched(r.prog, t, regs)
		}
		return value.Null{}
	}
	var out []value.Value
	m.each(r, t, 0, func(regs []int) {
		m.alloc(32)
		out = append(out, t.group(regs, 0))
	})
	r.lastIndex = 0
	if out == nil {
		return value.Null{}
	}
	return &value.Array{Elems: out}
}

func stringMatchAll(m *machine, s value.String, args []value.Value) value.Value {
	if r, ok := arg(args, 0).(*regExp); ok && !r.global {
		m.typeError("String.prototype.matchAll called with a non-global RegExp argument")
	}
	r := m.pattern(arg(args, 0), "g")
	at, done := int(max(r.lastIndex, 0)), false
	return &iterator{what: "RegExp String Iterator", next: func(m *machine) (value.Value, bool) {
		t := m.subject(r.prog, string(s))
		if done || at > t.n {
			return nil, false
		}
		regs := t.find(at, r.sticky)
		if regs == nil {
			done = true
			return nil, false
		}
		if at = regs[1]; regs[1] == regs[0] {
			at = t.next(at)
		}
		return m.matched(r.prog, t, regs), true
	}}
}

func stringSearch(m *machine, s value.String, args []value.Value) value.Value {
	r := m.pattern(arg(args, 0), "")
	if regs := m.subject(r.prog, string(s)).find(0, r.sticky); regs != nil {
		return integer(regs[0])
	}
	return integer(-1)
}

// substitution is one match for which text is put in.
type substitution struct {
	whole    string
	captures []value.Value // without the match itself
	at       int
	groups   value.Value
	before   func() string
	after    func() string
}

// put gives the text for a match: what a function says, or a template with $ patterns (§22.1.3.19.1).
func (m *machine) put(f *function, text string, x *substitution, s string) string {
	if f == nil {
		return m.expand(text, x)
	}
	args := append([]value.Value{str(x.whole)}, x.captures...)
	args = append(args, integer(x.at), str(s))
	if !isUndefined(x.groups) {
		args = append(args, x.groups)
	}
	return m.toString(m.call(f, undefined, args))
}

func (m *machine) expand(text string, x *substitution) string {
	if strings.IndexByte(text, '$') < 0 {
		return text
	}
	b := builder{m: m}
	for i := 0; i < len(text); i++ {
		j := strings.IndexByte(text[i:], '$')
		if j < 0 || i+j+1 >= len(text) {
			b.write(text[i:])
			break
		}
		b.write(text[i : i+j])
		i += j + 1
		switch c := text[i]; {
		case c == '$':
			b.write("$")
		case c == '&':
			b.write(x.whole)
		case c == '`':
			b.write(x.before())
		case c == '\'':
			b.write(x.after())
		case c >= '0' && c <= '9':
			i += m.expandGroup(&b, text[i:], x) - 1
		case c == '<' && !isUndefined(x.groups):
			i += m.expandName(&b, text[i:], x) - 1
		default:
			b.write("$")
			i--
		}
	}
	return b.String()
}

// expandGroup writes $n or $nn and gives how many characters of text it read.
func (m *machine) expandGroup(b *builder, text string, x *substitution) int {
	n, size := int(text[0]-'0'), 1
	if len(text) > 1 && text[1] >= '0' && text[1] <= '9' {
		if two := n*10 + int(text[1]-'0'); two >= 1 && two <= len(x.captures) {
			n, size = two, 2
		}
	}
	if n < 1 || n > len(x.captures) {
		b.write("$" + text[:1])
		return 1
	}
	if v := x.captures[n-1]; !isUndefined(v) {
		b.write(m.toString(v))
	}
	return size
}

func (m *machine) expandName(b *builder, text string, x *substitution) int {
	end := strings.IndexByte(text, '>')
	if end < 0 {
		b.write("$<")
		return 1
	}
	o := x.groups.(*value.Object)
	if v, ok := o.Get(text[1:end]); ok && !isUndefined(v) {
		b.write(m.toString(v))
	}
	return end + 1
}

func stringReplace(m *machine, s value.String, args []value.Value) value.Value {
	return m.replace(string(s), args, false)
}

func stringReplaceAll(m *machine, s value.String, args []value.Value) value.Value {
	if r, ok := arg(args, 0).(*regExp); ok && !r.global {
		m.typeError("String.prototype.replaceAll called with a non-global RegExp argument")
	}
	return m.replace(string(s), args, true)
}

func (m *machine) replace(s string, args []value.Value, all bool) value.Value {
	r, isRegExp := arg(args, 0).(*regExp)
	find := ""
	if !isRegExp {
		find = m.toString(arg(args, 0))
	}
	f, _ := arg(args, 1).(*function)
	text := ""
	if f == nil {
		text = m.toString(arg(args, 1))
	}
	if isRegExp {
		return m.replaceRegExp(s, r, f, text)
	}
	return m.replaceText(s, find, f, text, all)
}

func (m *machine) replaceRegExp(s string, r *regExp, f *function, text string) value.Value {
	t := m.subject(r.prog, s)
	var matches [][]int
	if r.global {
		r.lastIndex = 0
		m.each(r, t, 0, func(regs []int) {
			m.alloc(16 * r.prog.groups)
			matches = append(matches, append([]int(nil), regs[:2*r.prog.groups]...))
		})
	} else if regs := m.exec(r, t); regs != nil {
		matches = append(matches, append([]int(nil), regs[:2*r.prog.groups]...))
	}
	if matches == nil {
		return str(s)
	}
	b := builder{m: m}
	last := 0
	for _, regs := range matches {
		x := &substitution{whole: t.cut(regs[0], regs[1]), at: regs[0], groups: t.groups(r.prog, regs),
			captures: t.captures(r.prog, regs)[1:],
			before:   func() string { return t.cut(0, regs[0]) }, after: func() string { return t.cut(regs[1], t.n) }}
		b.write(t.cut(last, regs[0]))
		b.write(m.put(f, text, x, s))
		last = regs[1]
	}
	b.write(t.cut(last, t.n))
	return str(b.String())
}

func (m *machine) replaceText(s, find string, f *function, text string, all bool) value.Value {
	n, k := m.length(s), m.length(find)
	b := builder{m: m}
	last := 0
	m.work(len(s) / 32)
	for at := value.IndexOf(s, find, 0); at >= 0 && at <= n; {
		m.step()
		x := &substitution{whole: find, at: at, groups: undefined,
			before: func() string { return m.sub(s, 0, at) }, after: func() string { return m.sub(s, at+k, n) }}
		b.write(m.sub(s, last, at))
		b.write(m.put(f, text, x, s))
		last = at + k
		if !all || last > n || k == 0 && at == n {
			break
		}
		m.work((n - last) / 256)
		at = value.IndexOf(s, find, at+max(k, 1))
	}
	if last == 0 && len(b.buf) == 0 && k > 0 {
		if value.IndexOf(s, find, 0) < 0 {
			return str(s)
		}
	}
	b.write(m.sub(s, last, n))
	return str(b.String())
}
