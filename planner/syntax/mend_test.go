package syntax

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/casys-ai/pml/fixtures"
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/dop251/goja"
	"github.com/matryer/is"
	"golang.org/x/tools/txtar"
)

// snippets returns the programs of a file in testdata.
func snippets(t testing.TB, file string) []txtar.File {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return archive.Files
}

// lower is Lower of a program that is right.
func lower(t testing.TB, f txtar.File) string {
	t.Helper()
	js, _, diags := Lower(string(f.Data))
	if len(diags) > 0 {
		t.Fatalf("%s: %v", f.Name, diags)
	}
	return js
}

// compiles reports whether goja takes a program's body.
func compiles(js string) error {
	_, err := goja.Compile("program", "(async function (mcp, args) {\n"+js+"})", false)
	return err
}

// outcome turns the body of a program into one that returns its result as JSON, or the name of its error.
func outcome(js string) string {
	return "try { return JSON.stringify(await (async () => {\n" + js + "})()); } catch (e) { return e.name; }"
}

func TestGojaRunsModernSyntaxAsNodeDoes(t *testing.T) {
	for _, file := range []string{"modern.txtar", "patterns.txtar"} {
		files := snippets(t, file)
		cases := make([][]string, len(files))
		got := make([]string, len(files))
		for i, f := range files {
			original, err := StripTypes(string(f.Data))
			if err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
			js := lower(t, f)
			got[i] = "= '" + resultInGoja(js) + "'"
			cases[i] = []string{outcome(original), outcome(js)}
		}
		for i, out := range node(t, cases) {
			// util.inspect chooses its quotes by what is between them.
			want, lowered := quoted(out[0]), quoted(out[1])
			if want != got[i] || want != lowered {
				js, _, _ := Lower(string(files[i].Data))
				t.Errorf("%s\nnode:            %s\nlowered in node: %s\nlowered in goja: %s\n%s",
					files[i].Name, want, lowered, got[i], js)
			}
		}
	}
}

// resultInGoja runs a lowered program; what goja does not compile and its panics are results too.
func resultInGoja(js string) (result string) {
	defer func() {
		if r := recover(); r != nil {
			result = fmt.Sprint("panic: ", r)
		}
	}()
	vm := goja.New()
	v, err := vm.RunString(`Symbol.asyncIterator ??= Symbol.for("Symbol.asyncIterator");` +
		"(async function (args, mcp) {\n" + outcome(js) + "})({}, {})")
	if err != nil {
		return err.Error()
	}
	return v.Export().(*goja.Promise).Result().String()
}

// quoted undoes what util.inspect does to a string.
func quoted(shown string) string {
	inner := shown[len("= '") : len(shown)-1]
	return "= '" + strings.NewReplacer(`\\`, `\`, `\'`, `'`).Replace(inner) + "'"
}

// TestGojaStillRefuses notices when goja learns what mend is for.
func TestGojaStillRefuses(t *testing.T) {
	for _, f := range append(snippets(t, "modern.txtar"), snippets(t, "patterns.txtar")...) {
		program, _ := Parse(string(f.Data))
		if needsLowering(program.Body) {
			continue
		}
		err := compiles(strict + ast.PrintStmts(program.Body))
		if refused := strings.HasPrefix(f.Name, "refused "); refused != (err != nil) {
			t.Errorf("%s: %v", f.Name, err)
		}
		if strings.HasPrefix(f.Name, "wrong ") && resultInGoja(strict+ast.PrintStmts(program.Body)) == resultInGoja(lower(t, f)) {
			t.Errorf("%s: goja runs it right", f.Name)
		}
	}
}

// odd reports a program that goja refuses or runs wrongly.
func odd(name string) bool {
	return strings.HasPrefix(name, "refused ") || strings.HasPrefix(name, "wrong ")
}

func TestMendOnlyWhatGojaRefuses(t *testing.T) {
	for _, f := range append(snippets(t, "modern.txtar"), snippets(t, "patterns.txtar")...) {
		program, _ := Parse(string(f.Data))
		before := ast.PrintStmts(program.Body)
		after := ast.PrintStmts(mend(program.Body))
		is.New(t).Equal(ast.PrintStmts(program.Body), before) // the original stays as it is
		// Parentheses that were not needed; a finally of its own, which is harmless where it does not throw.
		harmless := strings.HasPrefix(f.Name, "private in") || strings.Contains(before, "finally") ||
			strings.Contains(f.Name, "dead branch") // which breaks goja only in some surroundings
		if !needsLowering(program.Body) && !harmless && odd(f.Name) != (before != after) {
			t.Errorf("%s\n%s%s", f.Name, before, after)
		}
	}
}

func TestFixturesCompileInGoja(t *testing.T) {
	cases, err := fixtures.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		js, _, diags := Lower(c.Program)
		if len(diags) > 0 {
			t.Errorf("%s: %v", c.Name, diags)
			continue
		}
		if err := compiles(js); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}

func TestMendedPatternsPrint(t *testing.T) {
	for source, want := range map[string]string{
		"const { a: [b = 1] = [] } = x, c = 2;":          "const [{ a: [b = 1] = [] }] = [x], c = 2;\n",
		"f((n, { a: [b = 1] = [] } = x, c, ...d) => b);": "f((n, ...[{ a: [b = 1] = [] } = x, c, ...d]) => b);\n",
		"for (let { a: [b = 1] = [] } of bound$1) b++;": "for (const bound$2 of bound$1) {\n" +
			"  let [{ a: [b = 1] = [] }] = [bound$2];\n  b++;\n}\n",
		"const { a: [b] = [], c: { d = 1 } = {} } = x;": "const { a: [b] = [], c: { d = 1 } = {} } = x;\n",
	} {
		js, _, _ := Lower(source)
		is.New(t).Equal(js, strict+want)
	}
}

func TestErrorsInMendedCodeLeadBackToTheSource(t *testing.T) {
	source := "const f = ({ a: [b = /*b*/missing] = [] }) => b;\n\n" +
		"for (const { c: [d = 1] = [] } of [{}]) {\n  f({ /*call*/d });\n}"
	js, mapping, _ := Lower(source)
	_, promise := inGoja(t, js)
	stack := promise.Result().(*goja.Object).Get("stack").String()
	for _, mark := range []string{"/*b*/", "/*call*/"} {
		i := strings.Index(stack, "<eval>:")
		line, col := 0, 0
		_, err := fmt.Sscanf(stack[i:], "<eval>:%d:%d", &line, &col)
		is.New(t).NoErr(err)
		is.New(t).Equal(mapping.Lookup(line-1, col).Line, newPositions(source).at(strings.Index(source, mark)).Line)
		stack = stack[i+1:]
	}
}
