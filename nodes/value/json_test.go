package value

import (
	"errors"
	"strings"
	"testing"

	"github.com/matryer/is"
)

func TestCanonical(t *testing.T) {
	yes := []string{`null`, `true`, `1`, `-1`, `0`, `1.5`, `-0.5`, `0.000001`, `1e-7`, `1e+21`, `123456789012345680000`,
		`0.1`, `0.30000000000000004`, `5e-324`, `1.7976931348623157e+308`, `9007199254740993`[:15], `""`, `"é😀"`,
		`"\n\"\\"`,
		`"\u001f"`, `[]`, `{}`, `[[],{}]`, `{"a":1,"b":[1,{"c":"d"}]}`, `[{"a":1},{"a":1}]`, `{"01":1,"1.5":2}`, `"/"`}
	no := []string{``, ` 1`, `1 `, `[1, 2]`, `1.0`, `1e5`, `-0`, `0.0`, `01`, `1E+21`, `0.0000001`, `9007199254740993`,
		`100000000000000000000000`, `1e400`, `"\/"`, `"\u0041"`, `"\u000a"`, `"\u001F"`, `"\ud800"`, "\"\xed\xa0\x80\"",
		"\"\xff\"", `{"a":1,"a":2}`, `{"1":1}`, `{"b":1,"0":1}`, `{"a":1,}`, `[1,]`, `[`, `{"a"}`, `{"a":}`,
		`{a:1}`, `nul`,
		`tru`, `"`, `"\`, `"\u00`, `[1]]`, `{]`, `[}`, "\"\n\"", `1.`, `-`, `.5`, `1e`, `+1`, `NaN`,
		`{"a":{"b":1,"b":1}}`,
		`1.10`, `0.1e-6`, `"\u007f"`, strings.Repeat("[", 100) + strings.Repeat("]", 100)}
	for _, text := range yes {
		if !Canonical([]byte(text)) {
			t.Errorf("%s is canonical", text)
		}
		v, err := ParseJSON(text)
		if again, _, _ := Stringify(v); err != nil || again != text {
			t.Errorf("%s became %s (%v)", text, again, err)
		}
	}
	for _, text := range no {
		if Canonical([]byte(text)) {
			t.Errorf("%q is not canonical", text)
		}
	}
}

func TestCanonicalAllocatesNothing(t *testing.T) {
	raw := []byte(megabyte[:strings.Index(megabyte, "},{")] + "}]")
	if !Canonical(raw) {
		t.Fatal("not canonical")
	}
	if n := testing.AllocsPerRun(10, func() { Canonical(raw) }); n != 0 {
		t.Fatalf("%v allocations", n)
	}
}

func TestDeepNesting(t *testing.T) {
	is := is.New(t)
	for _, text := range []string{strings.Repeat("[", 10_000_000), strings.Repeat(`{"a":`, 2_000_000)} {
		_, err := ParseJSON(text)
		var thrown *Throw
		is.True(errors.As(err, &thrown))
		is.Equal(thrown.Error(), "RangeError: Maximum call stack size exceeded")
	}
	deep := strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth)
	v, err := ParseJSON(deep)
	is.NoErr(err)
	text, ok, err := Stringify(v)
	is.NoErr(err)
	is.True(ok && text == deep)
	_, _, err = Stringify(NewArray(v))
	is.True(err != nil)
}

func TestStringifyValues(t *testing.T) {
	failed := NewError("ToolError", "no such file")
	failed.Props = object("code", "tool")
	many := NewObject(0)
	many.Set("b", Undefined{})
	many.Set("f", Bool(false))
	many.Set("1", mustNumber("-0"))
	for _, c := range []struct {
		v    Value
		want string
	}{
		{NewArray(Undefined{}, mustNumber("NaN"), mustNumber("-Infinity"), mustNumber("-0"), nil),
			`[null,null,null,0,null]`},
		{many, `{"1":0,"f":false}`},
		{NewError("Error", "gone"), `{}`},
		{failed, `{"code":0,"tool":1}`},
		{String("\xed\xa0\xbd\u2028\x7f"), "\"\\ud83d\u2028\x7f\""},
		{NewArray(NewLazy([]byte(`{"a":1}`)), NewObject(3)), `[{"a":1},{}]`},
	} {
		got, ok, err := Stringify(c.v)
		is := is.New(t)
		is.NoErr(err)
		is.True(ok)
		is.Equal(got, c.want)
	}
	_, ok, err := Stringify(Undefined{})
	if ok || err != nil {
		t.Error("undefined has no text")
	}
	got, _, _ := StringifyIndent(NewLazy([]byte(`{"a":[1,{}],"b":2}`)), "--", nil)
	is.New(t).Equal(got, "{\n--\"a\": [\n----1,\n----{}\n--],\n--\"b\": 2\n}")
}

func TestCycles(t *testing.T) {
	is := is.New(t)
	o := object("x")
	o.Set("a", o)
	_, _, err := Stringify(o)
	is.Equal(err.Error(),
		"TypeError: Converting circular structure to JSON\n    --> starting at object with constructor "+
			"'Object'\n    --- property 'a' closes the circle")
	inner := NewArray()
	top := object()
	top.Set("list", NewArray(Null{}, inner))
	inner.Elems = append(inner.Elems, object("y"), top)
	_, _, err = Stringify(top)
	is.Equal(err.Error(),
		"TypeError: Converting circular structure to JSON\n    --> starting at object with constructor "+
			"'Object'\n    |     property 'list' -> object with constructor 'Array'\n    |     index 1 -> object with "+
			"constructor 'Array'\n    --- index 1 closes the circle")
	s, err := ToString(NewArray(Number(1), inner))
	is.NoErr(err)
	is.Equal(s, "1,[object Object],[object Object]")
	loop := NewArray(Number(1))
	loop.Elems = append(loop.Elems, loop, Number(2))
	s, err = ToString(loop)
	is.NoErr(err)
	is.Equal(s, "1,,2")
	is.True(len(Inspect(loop)) < 300)
	is.True(SizeOf(loop) > 0)
}

func TestLazy(t *testing.T) {
	is := is.New(t)
	text := `{"list":["` + strings.Repeat("x", 600) + `"]}`
	v, err := FromJSON([]byte(text))
	is.NoErr(err)
	is.Equal(v.Kind(), KindLazy)
	is.True(Force(v) == Force(v))
	is.True(StrictEqual(v, Force(v)))
	is.Equal(TypeOf(v), "object")
	out, ok, err := Stringify(v)
	is.NoErr(err)
	is.True(ok)
	is.Equal(out, text)
	for _, eager := range []string{`{"a":1}`, `{"1":"` + strings.Repeat("x", 600) + `"}`, strings.Repeat(" ", 600) + "1"} {
		v, err := FromJSON([]byte(eager))
		is.NoErr(err)
		is.True(v.Kind() != KindLazy)
	}
	_, err = FromJSON([]byte("{\xff"))
	is.Equal(err.Error(), "SyntaxError: Expected property name or '}' in JSON at position 1")
	is.True(Force(nil) == Undefined{})
}

func TestErrors(t *testing.T) {
	is := is.New(t)
	is.Equal(Throwf("TypeError", "%s is not %d", "x", 3).Error(), "TypeError: x is not 3")
	is.Equal((&Throw{Value: String("plain")}).Error(), "plain")
	is.Equal((&Throw{Value: object("a")}).Error(), "{ a: 0 }")
	e := NewError("Error", "m")
	e.Props = NewObject(1)
	e.Props.Set("name", String("Custom"))
	is.Equal(e.String(), "Custom: m")
	_, err := Add(e, NewLazy([]byte(`{"toString":1}`)))
	is.Equal(err.Error(), "TypeError: Cannot convert object to primitive value")
}

func TestEqual(t *testing.T) {
	is := is.New(t)
	a, _ := ParseJSON(`{"a":[1,null,"x"],"b":{}}`)
	b, _ := ParseJSON(`{"b":{},"a":[1,null,"x"]}`)
	is.True(Equal(a, NewLazy([]byte(`{"a":[1,null,"x"],"b":{}}`))))
	is.True(!Equal(a, b))
	is.True(!Equal(mustNumber("-0"), Number(0)))
	is.True(Equal(mustNumber("NaN"), mustNumber("NaN")))
	is.True(Equal(nil, Undefined{}))
	is.True(!Equal(NewError("A", "m"), NewError("B", "m")))
	is.True(Equal(NewError("A", "m"), &Error{Name: "A", Message: "m", Props: &Object{}}))
}

func TestInspect(t *testing.T) {
	for _, c := range []struct {
		v    Value
		want string
	}{
		{String("it's"), `"it's"`},
		{NewArray(), `[]`},
		{NewArray(Number(1), String("a"), Undefined{}, mustNumber("-0")), `[ 1, 'a', undefined, -0 ]`},
		{NewLazy([]byte(`{"a":{"b-c":null},"d":true}`)), `{ a: { 'b-c': null }, d: true }`},
		{NewError("Error", "no"), `[Error: no]`},
		{&Object{}, `{}`},
	} {
		is.New(t).Equal(Inspect(c.v), c.want)
	}
	long := &Array{}
	for range 10_000 {
		long.Elems = append(long.Elems, String("some text"))
	}
	if n := len(Inspect(NewArray(long, long, String(strings.Repeat("é", 5000))))); n > 400 {
		t.Errorf("%d bytes", n)
	}
}
