package journal

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"

	"github.com/casys-ai/pml/nodes/value"
)

// errDamaged says that a record is not what was written.
var errDamaged = errors.New("journal: a damaged record")

// decoder reads what an encoder made. The first problem stays in err; what is read after it is zero.
type decoder struct {
	buf     []byte
	secrets []Secret
	clean   func(string) string // what becomes of a text; nil for nothing
	in      []value.Value
	inside  map[int][]value.Value // what an input holds, once it was asked for
	known   []value.Value
	// depth is how deep the value that is read nests, owed how many announced things are still to come: one byte each at least.
	depth, owed int
	err         error
}

// maxDepth is how deep what is read may nest: twice as deep as value.ParseJSON and value.Stringify allow, and no danger for
// the stack.
const maxDepth = 200_000

func (d *decoder) fail() { d.err, d.buf = errDamaged, nil }

func (d *decoder) byte() byte {
	if len(d.buf) == 0 {
		d.fail()
		return 0
	}
	b := d.buf[0]
	d.buf = d.buf[1:]
	return b
}

// number reads a count or index, which is never more than there are bytes in a record.
func (d *decoder) number() int {
	n, size := binary.Uvarint(d.buf)
	if size <= 0 || n > maxRecord {
		d.fail()
		return 0
	}
	d.buf = d.buf[size:]
	return int(n)
}

// big reads a number that is no count.
func (d *decoder) big() int64 {
	n, size := binary.Uvarint(d.buf)
	if size <= 0 {
		d.fail()
		return 0
	}
	d.buf = d.buf[size:]
	return int64(n)
}

func (d *decoder) text() string {
	n := d.number()
	if n > len(d.buf) {
		d.fail()
		return ""
	}
	s := string(d.buf[:n])
	d.buf = d.buf[n:]
	return s
}

// length reads how many things follow, each at least one byte long; got counts each.
func (d *decoder) length() int {
	n := d.number()
	if n > len(d.buf)-d.owed {
		d.fail()
		return 0
	}
	d.owed += n
	return n
}

// got notes that the next of the things that were announced is read.
func (d *decoder) got() { d.owed-- }

func (d *decoder) values() []value.Value {
	list := make([]value.Value, d.length())
	for i := range list {
		d.got()
		list[i] = d.value()
	}
	return list
}

// value reads one value; nil for a hole.
func (d *decoder) value() value.Value {
	switch tag := d.byte(); tag {
	case tagUndefined:
		return value.Undefined{}
	case tagNull:
		return value.Null{}
	case tagFalse:
		return value.Bool(false)
	case tagTrue:
		return value.Bool(true)
	case tagNumber:
		return d.float()
	case tagString:
		return value.String(d.cleaned())
	case tagSecret:
		return value.String(d.parts())
	case tagLazy:
		return value.NewLazy([]byte(d.cleaned()))
	case tagArray, tagObject, tagError:
		return d.nested(tag)
	case tagAgain:
		return d.again(d.known)
	case tagInput:
		return d.input()
	case tagHole:
		return nil
	}
	d.fail()
	return nil
}

func (d *decoder) cleaned() string {
	if d.clean == nil {
		return d.text()
	}
	return d.clean(d.text())
}

func (d *decoder) float() value.Value {
	if len(d.buf) < 8 {
		d.fail()
		return nil
	}
	bits := binary.LittleEndian.Uint64(d.buf)
	d.buf = d.buf[8:]
	return value.Number(math.Float64frombits(bits))
}

// string reads a string that is no value of its own.
func (d *decoder) string() string {
	s, _ := d.value().(value.String)
	return string(s)
}

// parts puts keys back in their places; a key that is not known any more leaves its name.
func (d *decoder) parts() string {
	var b strings.Builder
	for i := range d.length() {
		d.got()
		part := d.text()
		if i%2 == 1 {
			part = d.key(part)
		}
		b.WriteString(part)
	}
	return b.String()
}

func (d *decoder) key(name string) string {
	for _, k := range d.secrets {
		if k.Name == name {
			return k.Value
		}
	}
	return name
}

// nested reads a value that holds others.
func (d *decoder) nested(tag byte) (v value.Value) {
	if d.depth++; d.depth > maxDepth {
		d.fail()
	}
	switch tag {
	case tagArray:
		v = d.array()
	case tagObject:
		v = d.object()
	case tagError:
		v = d.error()
	}
	d.depth--
	return v
}

func (d *decoder) array() value.Value {
	a := value.NewArray()
	d.known = append(d.known, a)
	a.Elems = d.values()
	return a
}

func (d *decoder) object() value.Value {
	n := d.length()
	o := value.NewObject(n)
	d.known = append(d.known, o)
	for range n {
		d.got()
		k := d.string()
		o.Set(k, d.value())
	}
	return o
}

func (d *decoder) error() value.Value {
	e := &value.Error{}
	d.known = append(d.known, e)
	e.Name, e.Message = d.string(), d.string()
	e.Cause = d.value()
	e.Props, _ = d.value().(*value.Object)
	return e
}

func (d *decoder) again(list []value.Value) value.Value {
	n := d.number()
	if n >= len(list) {
		d.fail()
		return nil
	}
	return list[n]
}

func (d *decoder) input() value.Value {
	i := d.number()
	if i >= len(d.in) {
		d.fail()
		return nil
	}
	list, known := d.inside[i]
	if !known {
		walk(d.in[i], func(_ int, v value.Value) { list = append(list, v) })
		if d.inside == nil {
			d.inside = map[int][]value.Value{}
		}
		d.inside[i] = list
	}
	return d.again(list)
}

// Encode writes values so that Decode gives them back as they are: what they share, or lead round to, stays so.
func Encode(list []value.Value) []byte {
	e := encoder{}
	e.inputs(nil)
	e.values(list)
	return e.buf
}

// Decode reads what Encode wrote. clean is given every text, be it a string or JSON; nil to leave them as they are.
func Decode(data []byte, clean func(string) string) ([]value.Value, error) {
	d := decoder{buf: data, clean: clean}
	list := d.values()
	if d.err == nil && len(d.buf) > 0 {
		d.fail()
	}
	return list, d.err
}
