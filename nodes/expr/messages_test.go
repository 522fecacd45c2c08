package expr_test

import (
	"os"
	"strings"
	"testing"

	"github.com/casys-ai/pml/planner/syntax"
)

// TestMessages holds V8's texts: one statement a line, most of which throw.
func TestMessages(t *testing.T) {
	raw, err := os.ReadFile("testdata/messages.txt")
	if err != nil {
		t.Fatal(err)
	}
	const prelude = "const n=null,u=undefined,o={y:{}},arr=[null],k='kk',f=()=>null,g=()=>({});"
	var list []snippet
	for _, line := range strings.Split(strings.TrimSpace(string(raw)), "\n") {
		source := prelude + line
		if _, diags := syntax.Parse(source); len(diags) > 0 && diags[0].Code == "PARSE_ERROR" {
			continue
		}
		list = append(list, snippet{source: source})
	}
	compare(t, list)
}
