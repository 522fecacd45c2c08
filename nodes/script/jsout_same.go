package script

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/casys-ai/pml/nodes/value"
	"github.com/dop251/goja"
)

// written is an object that was written before.
type written struct {
	// start and end are where in the buffer.
	start, end int
	// size is how long it is with all that it refers to.
	size int
	// id is its number, 0 as long as nothing refers to it.
	id int
	// input says that it is an object of the host, which was not changed since it came in.
	input value.Value
}

// origins gives what an object was made of, nil if it did not come in.
func (a *arrivals) origins(obj *goja.Object) value.Value {
	if a == nil {
		return nil
	}
	return a.origin[obj]
}

// size is the length of the text if every object were written out where it occurs. The limit is for this: the host must
// not be handed a small text that means an enormous tree.
func (o *outgoing) size() int { return len(o.buf) + o.saved }

// note remembers the object that was just written. If the host has it already, its name replaces it.
func (o *outgoing) note(obj *goja.Object, w *written) {
	if o.written == nil {
		o.written = map[*goja.Object]*written{}
	}
	o.written[obj] = w
	if w.input != nil {
		o.saved += w.end - w.start
		o.buf = o.buf[:w.start]
		o.input(w.input)
	}
}

// again refers to what was written.
func (o *outgoing) again(w *written) {
	o.saved += w.size
	if w.input != nil {
		o.input(w.input)
		return
	}
	if w.id == 0 {
		o.named++
		w.id = o.named
	}
	o.ref(w.id)
}

func (o *outgoing) input(v value.Value) {
	if o.refs == nil {
		o.refs = o.r.arrived.refs()
	}
	o.tagged = true
	at := o.refs[v]
	o.text(`{"$":"in","arg":` + strconv.Itoa(at.arg) + `,"n":` + strconv.Itoa(at.n) + `}`)
}

// finish gives the objects that are referred to their numbers.
func (o *outgoing) finish() {
	if o.named == 0 {
		return
	}
	type insertion struct {
		at   int
		text string
	}
	var list []insertion
	for _, w := range o.written {
		if w.id > 0 {
			list = append(list, insertion{w.start, defHead(w.id)}, insertion{w.end, "}"})
		}
	}
	slices.SortFunc(list, func(a, b insertion) int { return cmp.Compare(a.at, b.at) })
	var out bytes.Buffer
	from := 0
	for _, i := range list {
		out.Write(o.buf[from:i.at])
		out.WriteString(i.text)
		from = i.at
	}
	out.Write(o.buf[from:])
	o.buf = out.Bytes()
}

// is reports whether v, which was just written, is what the host knows as old: the same primitive, or the object that
// was made of it and is unchanged.
func (o *outgoing) is(v goja.Value, old value.Value) bool {
	old = value.Force(old)
	switch x := v.(type) {
	case *goja.Object:
		w := o.written[x]
		return w != nil && w.input != nil && w.input == old
	case goja.String:
		s, ok := old.(value.String)
		return ok && wtf8(x) == string(s)
	case *goja.Symbol:
		return false
	}
	switch x := v.Export().(type) {
	case nil:
		return goja.IsNull(v) && old == value.Null{} || goja.IsUndefined(v) && old == value.Undefined{}
	case bool:
		return old == value.Bool(x)
	case int64:
		return sameNumber(float64(x), old)
	case float64:
		return sameNumber(x, old)
	}
	return false
}

func sameNumber(f float64, old value.Value) bool {
	n, ok := old.(value.Number)
	return ok && (math.Float64bits(f) == math.Float64bits(float64(n)) || f != f && n != n)
}
