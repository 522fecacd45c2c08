package syntax

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/casys-ai/pml/nodes/ast"
	"github.com/dop251/goja"
	"github.com/evanw/esbuild/pkg/api"
	"github.com/matryer/is"
	"golang.org/x/tools/txtar"
)

// needsNewNode are programs whose original Node 20 cannot run; only what we lower is run.
var needsNewNode = map[string]bool{"using.ts": true, "decorators.ts": true}

// corpus returns the programs of testdata/corpus.txtar.
func corpus(t testing.TB) []txtar.File {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "corpus.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return archive.Files
}

// runner runs every variant of every case in Node and writes what came out: console lines and result or error.
const runner = `
const util = require("util");
const AsyncFunction = (async () => {}).constructor;
const show = (v) => util.inspect(v, { depth: 9, maxArrayLength: null, maxStringLength: null, breakLength: Infinity });
async function run(code) {
  const log = [];
  const console = { log: (...a) => log.push(a.map(show).join(" ")) };
  try {
    const f = new AsyncFunction("args", "mcp", "console", "require", code);
    log.push("= " + show(await f({ limit: undefined }, {}, console, undefined)));
  } catch (e) { log.push("! " + (e && e.name) + ": " + (e && e.message)); }
  return log.join("\n");
}
let text = "";
process.stdin.on("data", (d) => (text += d)).on("end", async () => {
  const out = [];
  for (const codes of JSON.parse(text)) out.push(await Promise.all(codes.map(run)));
  process.stdout.write(JSON.stringify(out));
});`

// node runs all cases in one process.
func node(t *testing.T, cases [][]string) [][]string {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node")
	}
	in, _ := json.Marshal(cases)
	cmd := exec.Command("node", "-e", runner)
	cmd.Stdin = strings.NewReader(string(in))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, stderr.String())
	}
	var results [][]string
	if err := json.Unmarshal(out, &results); err != nil {
		t.Fatal(err)
	}
	return results
}

func TestPrintedProgramsRunAsTheOriginal(t *testing.T) {
	files := corpus(t)
	cases := make([][]string, len(files))
	for i, f := range files {
		original, err := StripTypes(string(f.Data))
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		program, _ := Parse(string(f.Data))
		lowered, _, diags := Lower(string(f.Data))
		if len(diags) > 0 {
			t.Fatalf("%s: %v", f.Name, diags)
		}
		printed := strict + ast.PrintStmts(program.Body)
		if needsNewNode[f.Name] {
			original, printed = lowered, lowered
		}
		copied := strict + ast.PrintStmts(ast.Rewrite{}.Stmts(program.Body))
		is.New(t).Equal(copied, strict+ast.PrintStmts(program.Body)) // a copy prints the same
		cases[i] = []string{original, printed, lowered, transformed(t, f, lowered)}
	}
	for i, out := range node(t, cases) {
		for k, variant := range []string{"printed", "lowered", "transformed by the released esbuild"} {
			if out[k+1] != out[0] {
				t.Errorf("%s: %s differs\n-- original --\n%s\n-- %s --\n%s\n-- code --\n%s", files[i].Name, variant,
					out[0], variant, out[k+1], cases[i][k+1])
			}
		}
		if strings.Contains(out[0], "! SyntaxError") {
			t.Errorf("%s: %s", files[i].Name, out[0])
		}
		if testing.Verbose() {
			t.Logf("%s\n%s", files[i].Name, out[0])
		}
	}
}

// transformed is the program as the released esbuild makes JavaScript of it, inside a function; lowered where that
// cannot be: namespaces must not stand in functions.
func transformed(t *testing.T, f txtar.File, lowered string) string {
	if f.Name == "namespaces.ts" || needsNewNode[f.Name] {
		return lowered
	}
	result := api.Transform("async function program() {\n"+string(f.Data)+"\n}", api.TransformOptions{
		Loader: api.LoaderTS, Target: api.ESNext, TsconfigRaw: `{"compilerOptions":{"verbatimModuleSyntax":true}}`,
	})
	if len(result.Errors) > 0 {
		if strings.Contains(result.Errors[0].Text, "export") {
			return lowered
		}
		t.Fatalf("%s: %s", f.Name, result.Errors[0].Text)
	}
	return strict + string(result.Code) + "return await program();"
}

func TestPrintIsStable(t *testing.T) {
	for _, f := range corpus(t) {
		program, _ := Parse(string(f.Data))
		once := ast.PrintStmts(program.Body)
		again, diags := Parse(once)
		if len(diags) > 0 {
			t.Fatalf("%s: %v\n%s", f.Name, diags, once)
		}
		if twice := ast.PrintStmts(again.Body); twice != once {
			t.Errorf("%s\n-- once --\n%s\n-- twice --\n%s", f.Name, once, twice)
		}
	}
}

func TestGojaAcceptsLoweredPrograms(t *testing.T) {
	for _, f := range corpus(t) {
		js, _, _ := Lower(string(f.Data))
		if _, err := goja.Compile(f.Name, "(async function (args, mcp) {\n"+js+"})", false); err != nil {
			t.Errorf("%s: %v\n%s", f.Name, err, js)
		}
	}
}
