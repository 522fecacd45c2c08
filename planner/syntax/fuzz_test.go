package syntax

import (
	"strings"
	"testing"

	"github.com/casys-ai/pml/nodes/ast"
)

// FuzzParse holds that no text makes Parse panic, and that what it reads prints as a program again.
func FuzzParse(f *testing.F) {
	for _, file := range corpus(f) {
		f.Add(string(file.Data))
	}
	for _, text := range crashers {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, source string) {
		checkRoundTrip(t, source)
	})
}

// crashers are texts that once broke something; each stays.
var crashers = []string{
	"", "```", "```\n```", "\ufeff", "a?.b`c`", "\xff", "`${", "async () => {", "export default",
	"[...a, b] = c", "({a: 1} = 2)",
	"for (let of of of);", "x\u2028y", "\"\\ud800\"", "0..x", "a\r\nb\rc", "#!x",
	"<!-- x", "let let = 1",
	"class { #a; #a }", "label: function f() {}", "if (a) function f() {}", "new.target", "super()", "import.meta",
	"export = 1", "import a = b.c; a",
}

func TestCrashers(t *testing.T) {
	for _, source := range crashers {
		checkRoundTrip(t, source)
	}
}

func checkRoundTrip(t *testing.T, source string) {
	program, diags := Parse(source)
	if program == nil && len(diags) == 0 {
		t.Fatalf("neither program nor diagnostic: %q", source)
	}
	for _, d := range diags {
		if d.Pos.Line < 1 || d.Pos.Column < 1 || strings.Contains(d.Message, "cannot parse this program") {
			t.Fatalf("bad diagnostic %+v for %q", d, source)
		}
		d.Render(source)
	}
	if len(diags) > 0 {
		return
	}
	ast.WalkAll(program.Body, func(n ast.Node) bool {
		if p := n.Position(); p.Line < 1 || p.Column < 1 || p.Offset > len(source) {
			t.Fatalf("%T at %+v in %q", n, p, source)
		}
		return true
	})
	printed := ast.PrintStmts(program.Body)
	again, diags := Parse(printed)
	if len(diags) > 0 {
		if again != nil && len(again.Body) == 0 {
			return // the program was only `;` or only a wrapper
		}
		t.Fatalf("%q printed as\n%s\nwhich is no program: %v", source, printed, diags)
	}
	if _, _, err := LowerStmts(program.Body); err != nil {
		t.Fatalf("%q: %v", source, err)
	}
}
