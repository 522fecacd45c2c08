package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/matryer/is"
)

// inGoja runs a lowered program in goja and returns the promise it makes.
func inGoja(t *testing.T, js string) (*goja.Runtime, *goja.Promise) {
	t.Helper()
	vm := goja.New()
	if _, err := vm.RunString(`Symbol.asyncIterator ??= Symbol.for("Symbol.asyncIterator")`); err != nil {
		t.Fatal(err)
	}
	v, err := vm.RunString("(async function (args, mcp) {\n" + js + "})({}, {})")
	if err != nil {
		t.Fatalf("%v\n%s", err, js)
	}
	return vm, v.Export().(*goja.Promise)
}

func TestLoweredSyntaxRunsInGoja(t *testing.T) {
	var cases [][]string
	got := map[string]string{}
	var names []string
	for _, f := range corpus(t) {
		program, _ := Parse(string(f.Data))
		if !needsLowering(program.Body) {
			continue
		}
		js, _, _ := Lower(string(f.Data))
		vm, promise := inGoja(t, js)
		if promise.State() != goja.PromiseStateFulfilled {
			t.Fatalf("%s: %v", f.Name, promise.Result())
		}
		vm.Set("result", promise.Result())
		text, err := vm.RunString("JSON.stringify(result)")
		if err != nil {
			t.Fatal(err)
		}
		got[f.Name] = text.String()
		names = append(names, f.Name)
		cases = append(cases, []string{"return JSON.stringify(await (async () => {" + js + "})())"})
	}
	is.New(t).True(len(names) >= 4)
	for i, out := range node(t, cases) {
		quoted := strings.TrimSuffix(strings.TrimPrefix(out[0], "= '"), "'")
		is.New(t).Equal(got[names[i]], quoted)
	}
}

func TestErrorsInGojaLeadBackToTheSource(t *testing.T) {
	for name, source := range map[string]string{
		"plain": "const é: string = '😀';\nconst f = (x: any) => x.y./*here*/z();\n\nreturn f({ y: {} });",
		"fence": "```ts\n\nreturn (null as any)./*here*/x;\n```",
		"generator": "type T = 1;\nasync function* g() {\n  yield 1;\n  const z = 1;\n  /*here*/missing(z);\n}\n" +
			"for await (const x of g()) { }",
		"non-ascii": "enum E { A }\nlet s = '😀é' + \n  ('ü' as any)./*here*/nope(E.A);",
		"template":  "const s = `a\n${1}\n${/*here*/missing}`;",
		"class":     "class A { static async *g() { yield /*here*/missing; } }\nfor await (const x of A.g());",
	} {
		t.Run(name, func(t *testing.T) {
			js, mapping, diags := Lower(source)
			is.New(t).Equal(len(diags), 0)
			_, promise := inGoja(t, js)
			thrown, ok := promise.Result().(*goja.Object)
			if !ok {
				t.Fatalf("nothing was thrown: %v\n%s", promise.Result(), js)
			}
			line, col := 0, 0
			stack := thrown.Get("stack").String()
			frame := stack[strings.Index(stack, "<eval>:"):]
			if _, err := fmt.Sscanf(frame, "<eval>:%d:%d", &line, &col); err != nil {
				t.Fatal(err, stack)
			}
			want := newPositions(source).at(strings.Index(source, "/*here*/"))
			if pos := mapping.Lookup(line-1, col); pos.Line != want.Line {
				t.Errorf("%d:%d led to %+v, want line %d\n%s\n%s", line, col, pos, want.Line, js, stack)
			}
		})
	}
}

func TestMappingIsPrecise(t *testing.T) {
	is := is.New(t)
	source := "```ts\nconst é: any = mcp;  return é.first( é , é.second.third )\n```"
	js, mapping, _ := Lower(source)
	line := strings.Split(js, "\n")[2]
	is.Equal(line, "return é.first(é, é.second.third);")
	for _, word := range []string{"return", "first", "second", "third"} {
		pos := mapping.Lookup(3, strings.Index(line, word)+1)
		is.Equal(source[pos.Offset:][:len(word)], word)
		is.Equal(mapping.Lookup(3, strings.Index(line, word)+2), pos) // inside the word too
	}
	is.Equal(mapping.Lookup(3, 0).Offset, strings.Index(source, "return")) // column 0: the line's first
}

func TestStripTypes(t *testing.T) {
	is := is.New(t)
	js, err := StripTypes("enum E { A = 1 }\nif (args.x as any) return E.A;\nreturn await mcp.a.b<number>({})!;")
	is.NoErr(err)
	is.Equal(js, strict+"var E = /* @__PURE__ */ ((E) => {\n  E[E[\"A\"] = 1] = \"A\";\n  return E;\n})(E || {});\n"+
		"if (args.x) return 1 /* A */;\nreturn await mcp.a.b({});\n")
	_, err = StripTypes("let x = ;")
	is.True(err != nil)
}
