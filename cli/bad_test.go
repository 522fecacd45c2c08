package cli_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/fixtures"
	"github.com/casys-ai/pml/fixtures/testserver"
)

// TestBad: every bad program is reported with exactly the text in its `errors` section, by plan and run; one with an
// error in it is refused, one with warnings alone is planned.
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
			if strings.HasPrefix(plan.stderr, "error ") || strings.Contains(plan.stderr, "\nerror ") {
				is.Equal(plan.code, 2)
				is.Equal(plan.stdout, "")
				is.Equal(w.pml(c.Program, "run", "--yes", "-"), plan)
			} else {
				is.Equal(plan.code, 0)
				is.True(strings.HasPrefix(plan.stderr, "warning "))
			}
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
