package runtime_test

import (
	"strings"
	"testing"

	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/fixtures"
)

// TestFixtures runs every fixture over real pipes, natively and as one script, and compares with what Node gave.
func TestFixtures(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED with -short: starts hundreds of processes")
	}
	cases, err := fixtures.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		for _, mode := range []string{"native", "script"} {
			t.Run(c.Name+"/"+mode, func(t *testing.T) {
				t.Parallel()
				s := open(t, string(c.Tools))
				got, _ := execute(t, s, c.Program, string(c.Args), runtime.PlanOptions{Script: mode == "script"})
				want, ok := c.Section(fixtures.ResultSection)
				if !ok {
					want, _ = c.Section(fixtures.ErrorSection)
				}
				want = strings.TrimSpace(want)
				if got != want {
					t.Errorf("got:\n%s\nwant:\n%s", got, want)
				}
			})
		}
	}
}
