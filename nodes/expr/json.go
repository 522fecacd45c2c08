package expr

import (
	"math"
	"slices"
	"strings"

	"github.com/casys-ai/pml/nodes/value"
)

var jsonStatics = map[string]value.Value{
	"parse": builtin("parse", func(m *machine, args []value.Value) value.Value {
		if _, ok := arg(args, 1).(*function); ok {
			m.unsupported("JSON.parse with a reviver")
		}
		s := m.toString(arg(args, 0))
		m.work(len(s) / 8)
		m.alloc(4 * len(s))
		v, err := value.ParseJSON(s)
		return must(m, v, err)
	}),
	"stringify": builtin("stringify", jsonStringify),
}

// jsonStringify is JSON.stringify (ECMAScript §25.5.2).
func jsonStringify(m *machine, args []value.Value) value.Value {
	w := &jsonWriter{m: m, b: builder{m: m}, gap: m.jsonGap(arg(args, 2))}
	switch r := arg(args, 1).(type) {
	case *function:
		w.replacer = r
	case *value.Array:
		w.allow = m.jsonAllow(r)
	}
	v := arg(args, 0)
	var holder value.Value
	if w.replacer != nil {
		o := value.NewObject(1)
		o.Set("", v)
		holder = o
	}
	if !w.property(holder, "", v, "") {
		return undefined
	}
	return str(w.b.String())
}

func (m *machine) jsonGap(v value.Value) string {
	switch v := v.(type) {
	case value.Number:
		return strings.Repeat(" ", int(math.Max(0, math.Min(10, m.toInteger(v)))))
	case value.String:
		return m.sub(string(v), 0, min(10, m.length(string(v))))
	}
	return ""
}

func (m *machine) jsonAllow(a *value.Array) []string {
	list := []string{}
	for _, e := range a.Elems {
		switch e := force(e).(type) {
		case value.String, value.Number:
			if k := m.toString(e); !slices.Contains(list, k) {
				list = append(list, k)
			}
		}
	}
	return list
}

// jsonWriter writes one text.
type jsonWriter struct {
	m        *machine
	b        builder
	gap      string
	replacer *function
	allow    []string // nil stands for everything
	open     []value.Value
	keys     []string
}

// property writes before and then the value of a property; false if it is left out.
func (w *jsonWriter) property(holder value.Value, key string, v value.Value, before string) bool {
	w.m.step()
	v = w.prepare(holder, key, force(v))
	switch v.(type) {
	case value.Undefined, *function:
		return false
	}
	w.b.write(before)
	w.value(v, key)
	return true
}

// prepare applies toJSON and the replacer.
func (w *jsonWriter) prepare(holder value.Value, key string, v value.Value) value.Value {
	switch o := v.(type) {
	case *value.Object:
		if p, ok := o.Get("toJSON"); ok {
			if f, ok := force(p).(*function); ok {
				v = force(w.m.call(f, o, []value.Value{str(key)}))
			}
		}
	case *date:
		v = dateNatives["toJSON"](w.m, o, nil)
	}
	if w.replacer != nil {
		v = force(w.m.call(w.replacer, holder, []value.Value{str(key), v}))
	}
	return v
}

func (w *jsonWriter) value(v value.Value, key string) {
	switch v := v.(type) {
	case value.Null:
		w.b.write("null")
	case value.Bool:
		w.b.write(w.m.toString(v))
	case value.Number:
		if !isFinite(float64(v)) {
			w.b.write("null")
			return
		}
		w.b.write(numberText(float64(v)))
	case value.String:
		w.quote(string(v))
	case *value.Array:
		w.enter(v, key)
		w.array(v)
		w.leave()
	case *value.Object:
		w.enter(v, key)
		w.object(v, v)
		w.leave()
	case *value.Error:
		w.enter(v, key)
		w.object(v, v.Props)
		w.leave()
	case *collection, *regExp, *iterator:
		w.b.write("{}")
	default:
		w.m.unsupported("JSON.stringify of this kind of value")
	}
}

func (w *jsonWriter) quote(s string) {
	text, _, err := value.Stringify(value.String(s))
	w.m.check(err)
	w.b.write(text)
}

func (w *jsonWriter) array(a *value.Array) {
	w.list("[", "]", len(a.Elems), func(i int, before string) bool {
		key := ""
		if w.replacer != nil || w.gap == "" {
			key = numberText(float64(i))
		}
		if !w.property(a, key, a.At(i), before) {
			w.b.write(before)
			w.b.write("null")
		}
		return true
	})
}

func (w *jsonWriter) object(holder value.Value, o *value.Object) {
	if o == nil {
		w.b.write("{}")
		return
	}
	keys := o.Keys()
	if w.allow != nil {
		keys = w.allow
	}
	colon := ":"
	if w.gap != "" {
		colon = ": "
	}
	w.list("{", "}", len(keys), func(i int, before string) bool {
		v, ok := o.Get(keys[i])
		if !ok {
			if w.allow != nil && objectPrototype[keys[i]] {
				w.m.unsupported("the inherited property %q", keys[i])
			}
			if w.replacer == nil {
				return false
			}
			v = undefined
		}
		text, _, err := value.Stringify(value.String(keys[i]))
		w.m.check(err)
		return w.property(holder, keys[i], v, before+text+colon)
	})
}

// list writes n members, each of which writes what stands before it.
func (w *jsonWriter) list(open, end string, n int, member func(i int, before string) bool) {
	indent := ""
	if w.gap != "" {
		indent = "\n" + strings.Repeat(w.gap, len(w.open))
	}
	w.b.write(open)
	before, any := indent, false
	for i := 0; i < n; i++ {
		if member(i, before) {
			before, any = ","+indent, true
		}
	}
	if any && w.gap != "" {
		w.b.write("\n" + strings.Repeat(w.gap, len(w.open)-1))
	}
	w.b.write(end)
}

func (w *jsonWriter) enter(v value.Value, key string) {
	if slices.Contains(w.open, v) {
		w.cyclic()
	}
	if len(w.open) > 3000 {
		w.m.unsupported("JSON.stringify of a value nested this deeply")
	}
	w.open = append(w.open, v)
	w.keys = append(w.keys, key)
}

func (w *jsonWriter) leave() {
	w.open, w.keys = w.open[:len(w.open)-1], w.keys[:len(w.keys)-1]
}

// cyclic throws V8's TypeError, which draws the circle.
func (w *jsonWriter) cyclic() {
	if w.replacer != nil || w.allow != nil || !dataOnly(w.open[0], map[value.Value]bool{}) {
		w.m.unsupported("JSON.stringify of this cyclic value")
	}
	_, _, err := value.Stringify(w.open[0])
	w.m.check(err)
}

// dataOnly reports whether nothing reachable from v is internal.
func dataOnly(v value.Value, seen map[value.Value]bool) bool {
	if v = force(v); seen[v] {
		return true
	}
	if describe(v) != "" {
		return false
	}
	switch v := v.(type) {
	case *value.Array:
		seen[v] = true
		for _, e := range v.Elems {
			if e != nil && !dataOnly(e, seen) {
				return false
			}
		}
	case *value.Object:
		seen[v] = true
		for _, e := range v.All() {
			if !dataOnly(e, seen) {
				return false
			}
		}
	}
	return true
}
