package syntax

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/casys-ai/pml/nodes/ast"
	"golang.org/x/tools/txtar"
)

// TestManyReturns parses every fixture with and without many returns behind it: what stands before them is the same, up to
// the places and the names.
func TestManyReturns(t *testing.T) {
	files, err := filepath.Glob("../../fixtures/*.txtar")
	if err != nil || len(files) < 100 {
		t.Fatal(len(files), err)
	}
	bodies := 0
	for _, file := range append(files, "") {
		source := "let a = await f();\nconst { b } = a; // é\nif (b) return;\nfunction g() { return this; }\nreturn g.call(a);"
		if file != "" {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			source = string(txtar.Parse(data).Files[0].Data)
		}
		text := prepare(source) + "\n" + strings.Repeat("return;\n", manyReturns)
		at := newPositions(text)
		tree, ok := parseBody(text)
		if !ok {
			continue
		}
		bodies++
		c := newConverter(text, at, tree)
		c.shift, c.list = len(bodyStart), bodyOf(tree)
		plain, msgs, ok := parseTree(text, true)
		if diags := diagnostics(text, at, msgs); !ok || len(diags) > 0 {
			t.Errorf("%s: parses as a body only: %v", file, diags)
			continue
		}
		got, want := places(c.program()), places(newConverter(text, at, plain).program())
		if got != want {
			t.Errorf("%s: as a body it is\n%s\n, else\n%s", file, got, want)
		}
	}
	if bodies < len(files)*3/4 {
		t.Errorf("%d of %d were parsed as bodies", bodies, len(files))
	}
}

// places prints statements with the places of all that is in them.
func places(body []ast.Stmt) string {
	var b strings.Builder
	code, mapping := ast.PrintMapped(body)
	fmt.Fprintf(&b, "%s\n%v\n", code, mapping)
	ast.WalkAll(body, func(n ast.Node) bool {
		fmt.Fprintf(&b, "%T %v ", n, n.Position())
		if id, ok := n.(*ast.Ident); ok {
			fmt.Fprintf(&b, "%s %d %v", id.Sym.Unique, id.Sym.Kind, id.Sym.Decl)
		}
		return true
	})
	return b.String()
}

// TestManyReturnsAreWrong: what is wrong with a program of many returns is said as of any other.
func TestManyReturnsAreWrong(t *testing.T) {
	for _, source := range []string{"function f() {} function f() {}", "const a = 1; a = 2;", "import x from 'y';", "let x = ;",
		"export const y = 1;", "} async () => {"} {
		few, many := source+"\nawait f();\nreturn;", source+"\nawait f();\n"+strings.Repeat("return;\n", manyReturns)
		_, want := Parse(few)
		_, got := Parse(many)
		if len(want) == 0 || len(got) == 0 || got[0].Message != want[0].Message || got[0].Pos != want[0].Pos {
			t.Errorf("%s: %v, of few returns %v", source, got, want)
		}
	}
}
