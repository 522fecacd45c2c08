package nodes_test

import (
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes"
)

// Two writes conflict if their scopes may be about the same thing.
func TestScopes(t *testing.T) {
	for _, c := range []struct {
		x, y      string
		conflicts bool
	}{
		{"crm", "crm", true}, {"crm", "billing", false}, {"crm", nodes.World, true},
		{"workspace:a.md", "workspace", true}, {"workspace:a.md", "workspace:b.md", false},
		{"workspace:a.md", "workspace:./A.md", true}, {"workspace:notes", "workspace:notes/a.md", true},
		{"workspace:notes", "workspace:notes2/a.md", false}, {"workspace:.", "workspace:a.md", true},
		{"workspace:/ws/a.md", "workspace:b.md", true}, {"workspace:../ws/b.md", "workspace:a.md", true},
		{"workspace:x/../../b.md", "workspace:a.md", true}, {`workspace:d\a.md`, "workspace:d", true},
		{"workspace:{path}", "workspace:a.md", true}, {"crm:a", "workspace:a", false},
	} {
		t.Run(c.x+" "+c.y, func(t *testing.T) {
			is := is.New(t)
			tool := func(scope string) *nodes.Tool { return &nodes.Tool{Effect: nodes.Write, Scopes: []string{scope}} }
			is.Equal(nodes.Conflicts(tool(c.x), tool(c.y)), c.conflicts)
			is.Equal(nodes.Conflicts(tool(c.y), tool(c.x)), c.conflicts)
		})
	}
}

// An argument that is not known stands for the whole resource.
func TestFillScopes(t *testing.T) {
	is := is.New(t)
	arg := func(name string) (string, bool) { return "notes/a.md", name == "path" }
	scopes := []string{"workspace:{path}", "db:{table}", "crm", "x:{unclosed"}
	is.Equal(nodes.FillScopes(scopes, arg), []string{"workspace:notes/a.md", "db", "crm", "x"})
	is.Equal(scopes[0], "workspace:{path}") // the tool's own scopes stay as they are
}
