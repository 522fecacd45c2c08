package script

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// parsed reads JSON into a tree.
func parsed(t *testing.T, text string) value.Value {
	t.Helper()
	v, err := value.ParseJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// lazyRows is a Lazy array of n objects.
func lazyRows(n int) *value.Lazy {
	return value.NewLazy([]byte("[" + strings.TrimSuffix(strings.Repeat(`{"a":[1],"$":2},`, n), ",") + "]"))
}

// TestSharingIn: what is one object outside is one object in the realm, across all arguments.
func TestSharingIn(t *testing.T) {
	items := parsed(t, `[{"sku":"a","$":[1]},{"sku":"b"}]`).(*value.Array)
	lazy := lazyRows(100)
	inner := lazy.Force().(*value.Array).At(7)
	fault := value.NewError("TypeError", "m")
	untouched := lazyRows(3)
	in := []value.Value{
		items, value.NewArray(items.At(0), items.At(1), items.At(0)), lazy, value.NewArray(lazy, inner), fault,
		value.NewArray(fault, untouched), untouched,
	}
	c, err := run(t, Fragment{Params: strings.Split("items refs lazy mixed fault list untouched", " "), In: in, JS: `
		return [refs[0] === items[0], refs[2] === items[0], refs[1] === items[1], mixed[0] === lazy,
			mixed[1] === lazy[7], lazy[6] !== lazy[7], list[0] === fault, list[1] === untouched,
			untouched[0] !== untouched[1], refs[0].$[0] === 1].every(Boolean)`})
	if err != nil || c.Value != value.Bool(true) {
		t.Errorf("got %v %v", c.Value, err)
	}
}

// TestSharingOut: what is one object in the realm is one outside, and an input that was not changed is that input.
func TestSharingOut(t *testing.T) {
	items := parsed(t, `[{"n":1,"deep":{"x":[]}},{"n":2},{"n":3},{"$":-0,"u":"é"},[null,true,1.5]]`).(*value.Array)
	fault := value.NewError("TypeError", "m")
	fault.Cause, fault.Props = items.At(0), value.NewObject(1)
	fault.Props.Set("at", items.At(1))
	holes := value.NewArray(nil, value.Undefined{}, nil)
	lazy := lazyRows(50)
	in := []value.Value{items, fault, holes, lazy}
	c, err := run(t, Fragment{Params: []string{"items", "fault", "holes", "lazy"}, In: in, JS: `
		const fresh = { $: 1 }, twice = [fresh, { fresh }]
		items[1].n = 20; items[2].n = 30; items[2].n = 3
		return [items, items[0], items[1], items[2], items[3], items[4], fault, holes, lazy, lazy[5], fresh, twice,
			{ ...items[0] }, items[0].deep.x, items[1]]`})
	if err != nil {
		t.Fatal(err)
	}
	out := value.Force(c.Value).(*value.Array)
	is := func(i int, want value.Value) {
		t.Helper()
		if got := value.Force(out.At(i)); got != value.Force(want) {
			t.Errorf("%d: %s is not the one that went in", i, value.Inspect(got))
		}
	}
	is(1, items.At(0))
	is(3, items.At(2))
	is(4, items.At(3))
	is(5, items.At(4))
	is(7, holes)
	is(8, lazy)
	is(9, lazy.Force().(*value.Array).At(5))
	first := out.At(0).(*value.Array)
	switch {
	case first == items, out.At(2) == items.At(1):
		t.Error("a changed object came back as the old one")
	case first.At(0) != items.At(0), first.At(1) != out.At(2), out.At(14) != out.At(2):
		t.Error("the parts of a changed array lost their identity")
	case out.At(6) == value.Value(fault), out.At(6).(*value.Error).Cause != items.At(0):
		t.Error("an error with a changed part")
	case out.At(12) == items.At(0), out.At(12).(*value.Object).Len() != 2:
		t.Error("a copy is not the original")
	}
	is(13, field(field(first.At(0), "deep"), "x"))
	twice := out.At(11).(*value.Array)
	if held, _ := twice.At(1).(*value.Object).Get("fresh"); twice.At(0) != out.At(10) || held != out.At(10) {
		t.Error("a new object lost its identity")
	}
}

// TestSharingOfExceptions: an Error that came in and is thrown is that Error.
func TestSharingOfExceptions(t *testing.T) {
	e := value.NewError("ToolError", "m")
	e.Props = value.NewObject(1)
	e.Props.Set("code", value.String("C"))
	_, err := run(t, Fragment{JS: "throw e", Params: []string{"e"}, In: []value.Value{e}})
	var ex *Exception
	if !errors.As(err, &ex) || ex.Throw.Value != value.Value(e) {
		t.Errorf("got %v", err)
	}
}

// TestSharingIsBounded: a small text must not stand for an enormous tree.
func TestSharingIsBounded(t *testing.T) {
	const js = "let a = x; for (let i = 0; i < 60; i++) a = [a, a]; return a"
	for _, in := range []value.Value{value.NewArray(), value.Number(1)} {
		_, err := run(t, Fragment{JS: js, Params: []string{"x"}, In: []value.Value{in}})
		var mine *Error
		if !errors.As(err, &mine) || mine.Code != nodes.LimitExceeded {
			t.Errorf("got %v", err)
		}
	}
	var b strings.Builder
	b.WriteString("[1")
	for i := range 60 {
		b.WriteString(`,{"$":"def","n":` + value.NumberToString(float64(i+1)) + `,"v":[`)
		for range 2 {
			b.WriteString(`{"$":"ref","n":` + value.NumberToString(float64(i)) + `},`)
		}
		b.WriteString("0]}")
	}
	body := strings.Replace(b.String(), `{"$":"ref","n":0}`, "0", -1) + "]"
	if _, err := decodeValue([]byte(body), true, nil, nil); !errors.Is(err, errProtocol) {
		t.Errorf("decoded: %v", err)
	}
}

// TestHoles: a missing element stays missing.
func TestHoles(t *testing.T) {
	in := value.NewArray(nil, value.Number(1), value.Undefined{}, nil)
	c, err := run(t, Fragment{Params: []string{"xs"}, In: []value.Value{in}, JS: `
		const sparse = [, 'a', , undefined]
		sparse.length = 6
		return [0 in xs, 1 in xs, 2 in xs, 3 in xs, xs.length, Object.keys(xs).join(), xs, sparse, new Array(3)]`})
	if err != nil {
		t.Fatal(err)
	}
	out := value.Force(c.Value).(*value.Array)
	if got := value.Inspect(value.NewArray(out.Elems[:6]...)); got != "[ false, true, true, false, 4, '1,2' ]" {
		t.Errorf("in the realm: %s", got)
	}
	if out.At(6) != value.Value(in) {
		t.Error("the array came back as another")
	}
	missing := func(v value.Value) (list string) {
		for _, e := range v.(*value.Array).Elems {
			list += map[bool]string{true: "-", false: "x"}[e == nil]
		}
		return list
	}
	if a, b := missing(out.At(7)), missing(out.At(8)); a != "-x-x--" || b != "---" {
		t.Errorf("out of the realm: %s %s", a, b)
	}
}

func field(v value.Value, key string) value.Value {
	f, _ := v.(*value.Object).Get(key)
	return f
}

// TestRich: Map, Set and Date objects cross in both directions, with their identity and that of what they hold.
func TestRich(t *testing.T) {
	key, when := value.NewObject(0), carry(value.Parts{Class: "Date", Time: 5})
	byKey := carry(value.Parts{Class: "Map", Held: []value.Value{key, when, value.Number(math.NaN()), value.Undefined{}}})
	seen := carry(value.Parts{Class: "Set", Held: []value.Value{key, byKey}})
	bad := carry(value.Parts{Class: "Date", Time: math.NaN()})
	f := Fragment{Params: strings.Split("key when byKey seen bad", " "), In: []value.Value{key, when, byKey, seen, bad}, JS: `
		if (byKey.get(key) !== when || when.getTime() !== 5 || !byKey.has(NaN) || !seen.has(byKey) || !isNaN(bad)) throw 1
		const fresh = new Date(7)
		seen.add(fresh)
		return [byKey, when, bad, seen, fresh, new Map([[fresh, key], ['-0', -0]]), [new Set()]]`}
	if _, err := run(t, f); !errors.As(err, new(*NotPlain)) {
		t.Errorf("unasked for: %v", err)
	}
	f.Rich = carry
	c, err := run(t, f)
	if err != nil {
		t.Fatal(err)
	}
	out := c.Value.(*value.Array)
	held := func(i int) []value.Value { return out.At(i).(value.Rich).Parts().Held }
	switch now, pairs := held(3), held(5); {
	case out.At(0) != byKey, out.At(1) != when, out.At(2) != bad:
		t.Error("what was not changed came back as another")
	case out.At(3) == seen, len(now) != 3, now[0] != value.Value(key), now[1] != byKey, now[2] != out.At(4):
		t.Errorf("the changed Set: %v", now)
	case out.At(4).(value.Rich).Parts().Time != 7, len(pairs) != 4, pairs[0] != out.At(4), pairs[1] != value.Value(key):
		t.Errorf("the new Map: %v", pairs)
	}
	for _, text := range []string{`{"$":"Map","v":[1]}`, `{"$":"Date","v":[]}`, `{"$":"Set","v":[{"$":"hole"}]}`, `{"$":"Set"}`} {
		if _, err := decodeValue([]byte(text), true, nil, carry); !errors.Is(err, errProtocol) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestCircles: what holds itself crosses to the realm, and not back.
func TestCircles(t *testing.T) {
	root, list := value.NewObject(2), value.NewArray(nil, nil, value.Undefined{}, nil)
	root.Set("$", value.Number(1))
	root.Set("list", list)
	list.Elems[0] = carry(value.Parts{Class: "Map", Held: []value.Value{value.String("up"), root}})
	list.Elems[2] = list
	f := Fragment{Params: []string{"root", "list"}, In: []value.Value{root, list}, JS: `
		return [root.$, root.list === list, list[0].get('up') === root, list[2] === list, list.length, 1 in list]`}
	c, err := run(t, f)
	if err != nil {
		t.Fatal(err)
	}
	if got := value.Inspect(c.Value); got != "[ 1, true, true, true, 4, false ]" {
		t.Errorf("got %s", got)
	}
	f.JS, f.Rich = "return [root]", carry
	if _, err := run(t, f); !errors.As(err, new(*NotPlain)) {
		t.Errorf("given back: %v", err)
	}
	const body = `{"$":"def","n":1,"v":[{"$":"ref","n":1}]}`
	if _, err := decodeValue([]byte(body), true, nil, carry); !errors.Is(err, errProtocol) {
		t.Errorf("decoded: %v", err)
	}
}
