package script

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// run executes one fragment in a child of its own.
func run(t *testing.T, f Fragment) (Completion, error) {
	t.Helper()
	if f.Call == nil {
		f.Call = echo
	}
	return acquire(t, newPool(t, Limits{}, 0)).Execute(within(t, 10*time.Second), f)
}

// TestValuesCross: values come back from the child as they went there.
func TestValuesCross(t *testing.T) {
	object := func(pairs ...any) *value.Object {
		o := value.NewObject(len(pairs) / 2)
		for i := 0; i < len(pairs); i += 2 {
			o.Set(pairs[i].(string), pairs[i+1].(value.Value))
		}
		return o
	}
	long := `{"a":[1,2,{"b":"` + strings.Repeat("é", 600) + `"}]}`
	in := []value.Value{
		value.Undefined{}, value.Null{}, value.Bool(true), value.Number(1.5), value.Number(math.Copysign(0, -1)),
		value.Number(math.NaN()), value.Number(math.Inf(1)), value.Number(math.Inf(-1)), value.Number(1e21),
		value.Number(9007199254740993), value.String(""), value.String("a\"\\\n\x00\u2028é😀"),
		value.String("lone \xed\xa0\x80 here"), value.NewArray(), value.NewArray(value.Undefined{}, value.Number(1)),
		object("b", value.Number(1), "10", value.Null{}, "2", value.Undefined{}, "a", object()),
		object("$", value.String("NaN")), object("$", value.Undefined{}, "v", object("$", value.Number(1))),
		&value.Error{Name: "TypeError", Message: "m"},
		&value.Error{Name: "ToolError", Message: "m",
			Props: object("code", value.String("C"), "tool", value.String("a:b"))},
		&value.Error{Name: "Odd", Message: "m", Cause: &value.Error{Name: "Error", Message: "c"}},
		value.NewLazy([]byte(long)),
	}
	c, err := run(t, Fragment{JS: "return xs", Params: []string{"xs"}, In: []value.Value{value.NewArray(in...)}})
	if err != nil {
		t.Fatal(err)
	}
	out := value.Force(c.Value).(*value.Array)
	for i := range in {
		got, want := value.Force(out.At(i)), value.Force(in[i])
		if !same(got, want) {
			t.Errorf("%d: %s came back as %s", i, value.Inspect(want), value.Inspect(got))
		}
	}
}

// same compares values in everything that a program can see.
func same(a, b value.Value) bool {
	a, b = value.Force(a), value.Force(b)
	switch x := a.(type) {
	case value.Number:
		y, ok := b.(value.Number)
		return ok && math.Float64bits(float64(x)) == math.Float64bits(float64(y)) || x != x && y != y
	case *value.Array:
		y, ok := b.(*value.Array)
		if !ok || x.Len() != y.Len() {
			return false
		}
		for i := range x.Elems {
			if !same(x.Elems[i], y.Elems[i]) {
				return false
			}
		}
		return true
	case *value.Object:
		y, ok := b.(*value.Object)
		if !ok || !reflect.DeepEqual(x.Keys(), y.Keys()) {
			return false
		}
		for k, v := range x.All() {
			if w, _ := y.Get(k); !same(v, w) {
				return false
			}
		}
		return true
	case *value.Error:
		y, ok := b.(*value.Error)
		return ok && x.Name == y.Name && x.Message == y.Message && same(orUndefined(x.Cause), orUndefined(y.Cause)) &&
			(x.Props == nil) == (y.Props == nil) && (x.Props == nil || same(x.Props, y.Props))
	}
	return a == b
}

func orUndefined(v value.Value) value.Value {
	if v == nil {
		return value.Undefined{}
	}
	return v
}

// TestPlainResultsStayText: a long result that nobody looks into is passed on as its text.
func TestPlainResultsStayText(t *testing.T) {
	c, err := run(t, Fragment{JS: "return Array.from({ length: 1000 }, (_, i) => ({ i }))"})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := c.Value.(*value.Lazy); !ok {
		t.Errorf("got %T", c.Value)
	}
}

// TestNotPlain: what cannot be copied out of the realm is named.
func TestNotPlain(t *testing.T) {
	for js, want := range map[string]string{
		"return () => 1":                                   "a function at result",
		"return { a: [0, new Map()] }":                     "a Map at result.a[1]",
		"return [new Date(0)]":                             "a Date at result[0]",
		"return new Set()":                                 "a Set at result",
		"return { p: Promise.resolve() }":                  "a Promise at result.p",
		"return [Symbol('x')]":                             "a symbol at result[0]",
		"return 1n":                                        "a bigint at result",
		"return /x/":                                       "a RegExp at result",
		"class P { x = 1 } return { p: new P() }":          "an instance of P at result.p",
		"const o = { a: {} }; o.a.o = o; return o":         "a cyclic structure at result.a.o",
		"return 'ab'.match(/b/)":                           `an array with a property "groups" at result`,
		"class E extends Error {} return [new E('x')]":     "an instance of E at result[0]",
		"return new Uint8Array(2)":                         "a Uint8Array at result",
		"return { [Symbol('s')]: 1 }":                      "an object with symbols at result",
		"return [new Proxy({}, {})]":                       "a Proxy at result[0]",
		"return mcp.x":                                     "a Proxy at result",
		"return mcp.x.y":                                   "a function at result",
		"return new URL('http://a/')":                      "a URL at result",
		"return Object.create({ inherited: 1 })":           "an instance of Object at result",
		"return [function named() {}].map((f) => ({ f }))": "a function at result[0].f",
	} {
		_, err := run(t, Fragment{JS: js})
		var np *NotPlain
		if !errors.As(err, &np) || np.What+" at "+np.Where != want {
			t.Errorf("%s\n got %v\nwant %s", js, err, want)
		}
	}
}

// TestPositions: an exception names the innermost place in the fragment, columns in UTF-16 code units.
func TestPositions(t *testing.T) {
	for _, c := range []struct {
		js           string
		line, column int
	}{
		{"throw new Error('x')", 1, 7},
		{"const s = 'é😀'; throw new Error(s)", 1, 24},
		{"\n\n  null.x", 3, 8},
		{"await null\nconst u = undefined\nreturn u.name", 3, 10},
		{"const f = (o) => o.a.b\nreturn f({})", 1, 22},
		{"await null;\n  throw 'text'", 2, 9},
		{"return [1].map((x) =>\n x.y.z)", 2, 6},
		{"return missing", 1, 8},
		{"await mcp.t.fail()", 1, 7},
		{"const o = {}\no.f()", 2, 4},
		{"try { null.x } catch (e) { throw e }", 1, 12},
		{"JSON.parse('{')", 1, 11},
	} {
		_, err := run(t, Fragment{JS: c.js})
		var ex *Exception
		if !errors.As(err, &ex) || ex.Line != c.line || ex.Column != c.column {
			t.Errorf("%q: %v, got %d:%d, want %d:%d", c.js, err, ex.Line, ex.Column, c.line, c.column)
		}
	}
}

// TestOneRealm: fragments of a realm share its globals and prototypes, and an exception does not end it.
func TestOneRealm(t *testing.T) {
	r := acquire(t, newPool(t, Limits{}, 0))
	ctx := within(t, 10*time.Second)
	for _, step := range []struct{ js, want string }{
		{"globalThis.m = new Map([['k', 1]]); globalThis.inc = () => m.set('k', m.get('k') + 1)", "undefined"},
		{"inc(); return m.get('k')", "2"},
		{"throw new Error('no harm')", "Error: no harm"},
		{"return m.get('k') + 40", "42"},
		{"const f = () => f(); f()", "RangeError: Maximum call stack size exceeded"},
		{"return [typeof m, a, b]", "[ 'object', 1, 'x' ]"},
	} {
		c, err := r.Execute(ctx, Fragment{JS: step.js, Params: []string{"a", "b"},
			In: []value.Value{value.Number(1), value.String("x")}})
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = value.Inspect(c.Value)
		}
		if got != step.want {
			t.Errorf("%s: got %s, want %s", step.js, got, step.want)
		}
	}
}

// TestCalls: calls leave at once, in program order, with the arguments of that moment, and are all awaited.
func TestCalls(t *testing.T) {
	var mu sync.Mutex
	var sent []string
	ended := 0
	call := func(ctx context.Context, k int, server, tool string, args []byte) (value.Value, error) {
		mu.Lock()
		for len(sent) <= k {
			sent = append(sent, "")
		}
		sent[k] = server + ":" + tool + string(args)
		mu.Unlock()
		time.Sleep(time.Duration(30-k*10) * time.Millisecond)
		mu.Lock()
		ended++
		mu.Unlock()
		return nil, value.Throwf("ToolError", "ignored")
	}
	c, err := run(t, Fragment{Call: call, JS: `
		const o = { n: 1 }; mcp.a.x(o); o.n = 2; mcp['b c']['d.e'](o); mcp.a.then2()
		return 'done'`})
	if err != nil || value.Inspect(c.Value) != "'done'" || c.Calls != 3 || ended != 3 {
		t.Errorf("got %v %v, %d calls ended", c, err, ended)
	}
	if want := []string{`a:x{"n":1}`, `b c:d.e{"n":2}`, `a:then2`}; !reflect.DeepEqual(sent, want) {
		t.Errorf("sent %q, want %q", sent, want)
	}
}

// TestMcpObject: looking at the tools object does no harm.
func TestMcpObject(t *testing.T) {
	c, err := run(t, Fragment{JS: `
		const s = await mcp.srv
		let frozen; try { mcp.x = 1 } catch (e) { frozen = e.message }
		return [String(mcp), JSON.stringify(mcp), typeof mcp.x, typeof mcp.x.y, 'x' in mcp, mcp.then === undefined,
			mcp.a === mcp.a, mcp.a.b === mcp.a.b, frozen, mcp.a.b.name, Object.keys(mcp), s === mcp.srv]`})
	want := "[ '[object mcp]', '{}', 'object', 'function', true, true, true, true, 'mcp is read-only', 'b', [], " +
		"true ]"
	if err != nil || strings.Join(strings.Fields(value.Inspect(c.Value)), " ") != want {
		t.Errorf("got %v %v", value.Inspect(c.Value), err)
	}
}

// TestHints: what programs do not have is named, with what to do instead.
func TestHints(t *testing.T) {
	for js, want := range map[string]string{
		"fetch('x')":                   "programs have no network: call a tool",
		"require('fs')":                "programs have no modules: call a tool",
		"return process.env":           "programs have no access to the system: call a tool",
		"return Buffer.from('x')":      "use Uint8Array, TextEncoder, atob and btoa instead of Buffer",
		"return new WeakRef({})":       "this is missing from the script engine",
		"return new AbortController()": "this is missing from the script engine",
		"return somethingElse":         "",
	} {
		_, err := run(t, Fragment{JS: js})
		var ex *Exception
		if !errors.As(err, &ex) || ex.Hint != want {
			t.Errorf("%s: got %v", js, err)
		}
	}
	_, err := run(t, Fragment{JS: "return /x/v.test('x')"})
	var mine *Error
	if !errors.As(err, &mine) || mine.Code != nodes.ParseError || !strings.Contains(err.Error(), "flag 'v'") {
		t.Errorf("v flag: %v", err)
	}
}

// TestLogLevels: console lines arrive in order with their level.
func TestLogLevels(t *testing.T) {
	var got []string
	_, err := run(t, Fragment{
		JS:  "console.log('a'); console.error('b', 1); console.warn(); console.info({}); console.debug('z')",
		Log: func(level, text string) { got = append(got, level+"="+text) }})
	if want := "log=a error=b 1 warn= info={} debug=z"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("got %q %v", got, err)
	}
}

// TestRelationalChains: goja's parser gets a < b < c wrong; ours does not.
func TestRelationalChains(t *testing.T) {
	c, err := run(t, Fragment{JS: `return [1 < 2 < 3, 3 > 2 > 1, 1 < (2 < 3), 3 > (2 > (1 > 0)), (1) < (2) < (3),
		1 < ((2) < (3)), 5 > 4 > 3 < 2 > 0, 'a' in {} in { false: 1 }, ({}) instanceof Object instanceof Object]`})
	want := "[ true, false, false, true, true, false, true, true, false ]"
	if err != nil || strings.Join(strings.Fields(value.Inspect(c.Value)), " ") != want {
		t.Errorf("got %v %v", value.Inspect(c.Value), err)
	}
}

// TestManyFragments: a thousand fragments, one after another, in one realm.
func TestManyFragments(t *testing.T) {
	r := acquire(t, newPool(t, Limits{}, 0))
	ctx := within(t, 20*time.Second)
	began := time.Now()
	for i := range 1000 {
		c, err := r.Execute(ctx, Fragment{JS: "globalThis.n = (globalThis.n ?? 0) + i; return n", Params: []string{"i"},
			In: []value.Value{value.Number(i)}})
		if err != nil || i == 999 && c.Value != value.Number(499500) {
			t.Fatal(i, c, err)
		}
	}
	t.Logf("%s a fragment", time.Since(began)/1000)
}

// TestManyCalls: many calls in flight at once.
func TestManyCalls(t *testing.T) {
	c, err := run(t, Fragment{JS: `const all = await Promise.all(Array.from({ length: 500 }, (_, n) => mcp.a.b({ n })))
		return all.every((x, i) => x.n === i)`})
	if err != nil || c.Value != value.Bool(true) {
		t.Error(c, err)
	}
}

// TestRoom: a program may use most of its memory.
func TestRoom(t *testing.T) {
	c, err := run(t, Fragment{JS: `
		const keep = []
		for (let i = 0; i < 40; i++) keep.push(new Uint8Array(2 ** 23).fill(i))
		return keep.length`})
	if err != nil || c.Value != value.Number(40) {
		t.Error(c, err)
	}
}

// TestTimeZone: programs see the zone that the pool names.
func TestTimeZone(t *testing.T) {
	p := NewPool(Options{Command: []string{exe(), childArg}, TZ: "America/New_York"})
	defer p.Close()
	r := acquire(t, p)
	c, err := r.Execute(within(t, 5*time.Second), Fragment{JS: "return new Date('2024-07-01T12:00:00Z').getHours()"})
	r.Close()
	if err != nil || c.Value != value.Number(8) {
		t.Error(c, err)
	}
}
