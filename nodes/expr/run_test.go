package expr_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/expr"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/casys-ai/pml/planner/syntax"
)

func compile(t testing.TB, source string) (*expr.Program, *nodes.Code) {
	t.Helper()
	c, _ := snippet{source: source}.code(t)
	p, err := expr.Compile(c)
	if err != nil {
		t.Fatal(source, err)
	}
	return p, c
}

func TestBudgets(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED with -short: uses up whole budgets")
	}
	defer expr.LimitSteps(50_000_000)()
	for _, source := range []string{
		"for (;;) {}; return 1", "let s = []; for (;;) s.push(1, 2, 3, 4, 5, 6, 7, 8); return s", "let s = 'ab'; for (;;) s += s.slice(1); return s",
		"let s = 'x'.repeat(2 ** 28); return s + 'y'.repeat(2 ** 28 - 100)", "return Array.from({ length: 1e9 }, (_, i) => i)",
		"return new Array(4e9).length", "return new Array(1e8).fill('x').join('y').length", "return /(a+)+$/.test('a'.repeat(40) + 'b')",
		"let o = {}; for (let i = 0; ; i++) o['k' + i] = i; return o", "let m = new Map(); for (let i = 0; ; i++) m.set(i, i); return m.size",
		"const x = Array.from({ length: 1e5 }, (_, i) => i); for (;;) x.sort((a, b) => b - a); return x",
		"let s = 'x'; while (true) s = s.padEnd(s.length * 2, 'ab'); return s", "let a = [1]; while (true) a = a.concat(a); return a.length",
		"let a = [1]; while (true) a = [...a, ...a]; return a.length", "let n = null; for (let i = 0; i < 3e6; i++) n = { n }; return structuredClone(n)",
		"let s = 'a,'.repeat(1e6); for (;;) s.split(','); return s", "let t = JSON.stringify(Array(1e6).fill(1)); for (;;) JSON.parse(t); return t",
	} {
		p, _ := compile(t, source)
		start := time.Now()
		_, err := p.Run(nil)
		var limit *expr.Limit
		var late *expr.Unsupported
		var exception *expr.Exception
		if !errors.As(err, &limit) && !errors.As(err, &late) && !errors.As(err, &exception) {
			t.Errorf("%s\ngave %v", source, err)
		}
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("%s\ntook %v", source, d)
		}
	}
}

func TestContextEnds(t *testing.T) {
	is := is.New(t)
	p, _ := compile(t, "for (;;) {}; return 1")
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := p.RunContext(ctx, nil)
	is.True(errors.Is(err, context.DeadlineExceeded))
}

// TestOwned changes an owned input in place, and what is text inside it with it.
func TestOwned(t *testing.T) {
	is := is.New(t)
	c, _ := snippet{source: "users[0].tags.push('x'); return users.length"}.code(t)
	c.Owned[0] = true
	c.Vars = c.Params
	p, err := expr.Compile(c)
	is.NoErr(err)
	lazy := value.NewLazy([]byte(`{"tags":["a"]}`))
	in := value.NewArray(lazy)
	out, err := p.Run([]value.Value{in})
	is.NoErr(err)
	is.Equal(out[1], value.Value(in)) // the same array, not a copy
	is.Equal(encode(out[1]), `[{"tags":["a","x"]}]`)
	text, _, _ := value.Stringify(out[1])
	is.Equal(text, `[{"tags":["a","x"]}]`) // the text that arrived is not used any more
}

// TestLazyPasses does not decode what is only passed on.
func TestLazyPasses(t *testing.T) {
	is := is.New(t)
	p, _ := compile(t, "return { a: users, b: [users] }")
	lazy := value.NewLazy([]byte(`[1]`))
	out, err := p.Run([]value.Value{lazy})
	is.NoErr(err)
	v, _ := out[0].(*value.Object).Get("a")
	is.Equal(v, value.Value(lazy))
}

func TestPositions(t *testing.T) {
	is := is.New(t)
	prefix := 0
	for _, f := range fixtures {
		prefix += len("let " + f.name + ";")
	}
	p, _ := compile(t, "const f = x => x.a.b;\n\n  return f({})")
	_, err := p.Run(nil)
	var e *expr.Exception
	is.True(errors.As(err, &e))
	is.Equal(e.Pos.Line, 1)
	is.Equal(e.Pos.Offset, prefix+1+strings.Index("const f = x => x.a.b;", "b;"))
	var thrown *value.Throw
	is.True(errors.As(err, &thrown))
	is.Equal(err.Error(), "TypeError: Cannot read properties of undefined (reading 'b')")
}

func TestRefusals(t *testing.T) {
	for source, reason := range map[string]string{
		"return new Map()":                            "a Map may leave the computation",
		"return { f: x => x }":                        "a function may leave the computation",
		"return Date.now()":                           "`Date.now` is not evaluated natively",
		"return new Date()":                           "`new Date` with 0 arguments is not evaluated natively",
		"return Math.random()":                        "`Math.random` is not evaluated natively",
		"return new Foo()":                            "`new Foo` is not evaluated natively",
		"return fetch('x')":                           "`fetch` is not evaluated natively",
		"return text.localeCompare('a')":              "`.localeCompare()` is not evaluated natively",
		"class A {}; return 1":                        "a class is not evaluated natively",
		"return (async () => 1)()":                    "an async function is not evaluated natively",
		"return Math.sin(1)":                          "`Math.sin` is not evaluated natively",
		"return String":                               "a function may leave the computation",
		"return text.match(/a/)":                      "a match with its index and groups may leave the computation",
		"const m = new Map(); return [m.get(1)]":      "",
		"return [...nums].map(Math.sqrt)":             "",
		"const p = nums.push; return p.call(nums, 1)": "",
	} {
		c, _ := snippet{source: source}.code(t)
		err := expr.Check(c)
		var u *expr.Unsupported
		switch {
		case reason == "" && err != nil:
			t.Errorf("%s\nis refused: %v", source, err)
		case reason != "" && (!errors.As(err, &u) || u.Reason != reason):
			t.Errorf("%s\ngives %v, not %q", source, err, reason)
		}
	}
}

func TestProgramsAreShared(t *testing.T) {
	p, c := compile(t, "const g = {}; for (const i of items) (g[i.cat] ??= []).push(i.id); return JSON.stringify(g)")
	_ = c
	in := inputs(t, []string{"items"})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				out, err := p.Run(in)
				if err != nil || encode(out[0]) != `"{\"tools\":[1,3],\"toys\":[2,5],\"misc\":[4]}"` {
					t.Error(err, out)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestHeavy(t *testing.T) {
	is := is.New(t)
	for source, heavy := range map[string]bool{
		"return num + 1": false, "return { a: obj.a, b: `x${num}` }": false, "return nums.map(x => x)": true,
		"for (const x of nums) {}": true, "return JSON.parse(json)": true, "return text.split(',')": true,
	} {
		c, _ := snippet{source: source}.code(t)
		is.Equal(expr.Heavy(c), heavy) // source
	}
}

// TestFreeInputs takes free names of the program, such as args, as inputs that may be changed.
func TestFreeInputs(t *testing.T) {
	is := is.New(t)
	prog, _ := syntax.Parse("const l = args.on ? args.list : []; l.push(1); return [l, args[args.key], args.list.length]")
	c := &nodes.Code{Body: prog.Body[:2], Result: prog.Body[2].(*ast.Return).X}
	c.Params = []*ast.Symbol{freeName(t, prog, "args")}
	p, err := expr.Compile(c)
	is.NoErr(err)
	in, err := value.ParseJSON(`{"on":true,"list":[7],"key":"on"}`)
	is.NoErr(err)
	out, err := p.Run([]value.Value{in})
	is.NoErr(err)
	is.Equal(encode(out[0]), "[[7,1],true,2]")
	is.Equal(encode(in), `{"on":true,"list":[7],"key":"on"}`) // a copy was changed
}

func freeName(t *testing.T, prog *ast.Program, name string) *ast.Symbol {
	d := prog.Body[0].(*ast.VarDecl)
	sym := d.Decls[0].Init.(*ast.Conditional).Test.(*ast.Member).Object.(*ast.Ident).Sym
	if sym.Name != name {
		t.Fatal("not", name)
	}
	return sym
}

// TestRunReuses: what a Run needs besides its values is there from the Run before.
func TestRunReuses(t *testing.T) {
	is := is.New(t)
	p, _ := compile(t, "return num * 1.5")
	in := []value.Value{value.Number(2001)}
	allocs := testing.AllocsPerRun(1000, func() {
		if _, err := p.Run(in); err != nil {
			t.Fatal(err)
		}
	})
	is.True(allocs < 5) // the list of outputs and the number in it; the race detector empties pools at random
}
