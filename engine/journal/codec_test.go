package journal

import (
	"math"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes/value"
)

func TestValuesAsTheyWere(t *testing.T) {
	o := value.NewObject(0)
	o.Set("b", value.Undefined{})
	o.Set("2", value.Number(math.Copysign(0, -1)))
	o.Set("1", value.Number(math.NaN()))
	o.Set("\xed\xa0\x80", value.String("lone \xed\xb0\x80"))
	props := value.NewObject(0)
	props.Set("code", value.String("TOOL_ERROR"))
	e := &value.Error{Name: "ToolError", Message: "no", Cause: value.NewError("Error", "why"), Props: props}
	list := value.NewArray(o, nil, value.Undefined{}, e, o, value.Null{}, value.Bool(true), value.Number(math.Inf(-1)))
	list.Elems = append(list.Elems, value.NewLazy([]byte(`{"lazy":[1,2]}`)))

	is := is.New(t)
	enc := encoder{same: map[value.Value]place{}}
	enc.values([]value.Value{list, o})
	d := decoder{buf: enc.buf}
	got := d.values()
	is.NoErr(d.err)
	is.Equal(value.Inspect(got[0]), value.Inspect(list))
	back := got[0].(*value.Array)
	is.True(back.Elems[1] == nil) // the hole
	is.Equal(back.Elems[0].(*value.Object).Keys(), []string{"1", "2", "b", "\xed\xa0\x80"})
	zero, _ := back.Elems[0].(*value.Object).Get("2")
	is.True(math.Signbit(float64(zero.(value.Number))))
	is.True(back.Elems[0] == back.Elems[4] && back.Elems[0] == got[1]) // one object is one object
	is.Equal(back.Elems[3].(*value.Error).Cause.(*value.Error).Message, "why")
	is.True(back.Elems[3].(*value.Error).Cause.(*value.Error).Cause == nil)
}

// TestInputsStayThemselves: what a script handed on of its inputs is the same value when it is read again.
func TestInputsStayThemselves(t *testing.T) {
	is := is.New(t)
	in := []value.Value{value.Number(1), value.NewLazy([]byte(`{"a":[{"b":1}]}`))}
	deep, _ := value.Force(in[1]).(*value.Object).Get("a")
	var enc encoder
	enc.inputs(in)
	enc.values([]value.Value{deep, value.NewArray(in[1])})
	d := decoder{buf: enc.buf, in: in}
	got := d.values()
	is.NoErr(d.err)
	is.True(got[0] == deep)
	is.True(got[1].(*value.Array).Elems[0] == value.Force(in[1]))
}

// TestCirclesAndSharedInputs: an input may lead back to itself, or hold one object many times over, and is looked at once.
func TestCirclesAndSharedInputs(t *testing.T) {
	is := is.New(t)
	page, links := value.NewObject(0), value.NewArray()
	page.Set("to", links)
	links.Elems = append(links.Elems, page)
	shared := value.NewArray()
	for range 64 {
		shared = value.NewArray(shared, shared)
	}
	in := []value.Value{page, shared}
	made := value.NewArray(links, shared.Elems[0])
	made.Elems = append(made.Elems, made)
	var enc encoder
	enc.inputs(in)
	enc.values([]value.Value{made})
	d := decoder{buf: enc.buf, in: in}
	got := d.values()
	is.NoErr(d.err)
	back := got[0].(*value.Array)
	is.True(back.Elems[0] == links && back.Elems[1] == shared.Elems[0] && back.Elems[2] == back)
}

func TestSecretsAreNotWritten(t *testing.T) {
	is := is.New(t)
	keys := []Secret{{"TOKEN", "s3cr3t\"x"}, {"OTHER", "other-key"}}
	o := value.NewObject(0)
	o.Set("other-key", value.String("a s3cr3t\"x b other-key s3cr3t\"x"))
	v := value.NewArray(o, value.NewLazy([]byte(`{"x":"s3cr3t\"x"}`)))
	enc := encoder{secrets: keys}
	enc.value(v)
	for _, part := range []string{"s3cr3t", "other-key"} {
		is.True(!strings.Contains(string(enc.buf), part))
	}
	d := decoder{buf: enc.buf, secrets: keys}
	is.Equal(value.Inspect(d.value()), value.Inspect(v))
	d = decoder{buf: enc.buf}
	is.True(strings.Contains(value.Inspect(d.value()), "a TOKEN b OTHER TOKEN"))
}

// TestDecodeIsBounded: bytes of a stranger take neither the stack nor more memory than they have bytes; what Encode makes
// of the deepest JSON is read.
func TestDecodeIsBounded(t *testing.T) {
	is := is.New(t)
	const deep = 100_000 // what value.ParseJSON allows
	v, err := value.ParseJSON(strings.Repeat("[", deep) + strings.Repeat("]", deep))
	is.NoErr(err)
	_, err = Decode(Encode([]value.Value{value.NewArray(v)}), nil)
	is.NoErr(err)
	for _, level := range []string{string([]byte{tagArray, 1}), string([]byte{tagError, tagNull, tagNull}), string([]byte{tagObject, 1, tagNull})} {
		_, err = Decode([]byte("\x01"+strings.Repeat(level, 4<<20)), nil)
		is.True(err != nil)
	}
	claims := string([]byte{tagArray, 0x80, 0x80, 0x04}) // 65,536 elements at each level
	d := decoder{buf: []byte("\x01" + strings.Repeat(claims, 1<<15))}
	d.values()
	is.True(d.err != nil)
	is.Equal(len(d.known), 2) // the second claim is more than there can be
}

func FuzzDecode(f *testing.F) {
	enc := encoder{same: map[value.Value]place{}}
	enc.value(value.NewArray(value.NewObject(0), value.String("x"), value.NewError("E", "m")))
	f.Add(enc.buf)
	f.Fuzz(func(_ *testing.T, data []byte) {
		d := decoder{buf: data}
		for d.err == nil && len(d.buf) > 0 {
			d.value()
		}
	})
}

// Decode hands every text to clean, whatever holds it.
func TestDecodeCleans(t *testing.T) {
	is := is.New(t)
	o := value.NewObject(1)
	o.Set("a key", value.NewArray(value.String("key"), value.NewLazy([]byte(`{"x":"key"}`)), &value.Error{Name: "E", Message: "key"}))
	list, err := Decode(Encode([]value.Value{o}), func(s string) string { return strings.ReplaceAll(s, "key", "gone") })
	is.NoErr(err)
	got := list[0].(*value.Object)
	text, _, _ := value.Stringify(got)
	is.Equal(text, `{"a gone":["gone",{"x":"gone"},{}]}`)
}
