package planner_test

import (
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/planner"
)

// A read waits for the writes before it that may touch the same file, where a rule takes the scope from an argument.
func TestScopesFromArguments(t *testing.T) {
	scope := []string{"workspace:{path}"}
	c := catalog{"fs": {
		{ID: "fs:list", Effect: nodes.Read, Permission: nodes.Allow, Scopes: []string{nodes.Workspace}},
		{ID: "fs:read", Effect: nodes.Read, Permission: nodes.Allow, Scopes: scope},
		{ID: "fs:write", Effect: nodes.Write, Permission: nodes.Allow, Scopes: scope},
	}}
	for _, x := range []struct {
		read  string
		waits bool
	}{
		{`mcp.fs.read({ path: "b.md" })`, false},
		{`mcp.fs.read({ path: "./a.md" })`, true},
		{`mcp.fs.read({ path: file })`, true},
		{`mcp.fs.read({ path: other })`, false},
		{`mcp.fs.read({ path: args.path })`, true},
		{`mcp.fs.read({ path: "b.md", ...args })`, true},
		{`mcp.fs.list({})`, true},
	} {
		t.Run(x.read, func(t *testing.T) {
			is := is.New(t)
			g, _ := planner.Parse(`const file = "a.md", other = "b.md"; await mcp.fs.write({ path: file }); return await `+x.read).
				Plan(c, planner.Options{})
			waits := false
			g.Root.Walk(func(n *nodes.Node) { waits = waits || n.Kind == nodes.KindCall && len(n.After) > 0 })
			is.Equal(waits, x.waits)
		})
	}
}
