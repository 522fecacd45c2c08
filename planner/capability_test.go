package planner_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/planner"
)

// A capability's graph is part of the caller's: no script, no call of its own, wherever and however it is called.
func TestCapabilitiesAreInlined(t *testing.T) {
	const tools = `{"servers": {"s": {"tools": [{"name": "get", "effect": "read"}]}}}`
	const code = "const r = await mcp.s.get({ key: args.key });\nif (!r) return null;\nreturn r.rows.length;"
	for _, source := range []string{
		`const n = await mcp.my.count({ key: "a" }); return n + await mcp.my.count({ key: "b" });`,
		"```ts\nreturn await mcp.my.count({ key: \"a\" })\n```",
		`return await mcp["my"]["count"]()`,
		`async function main() { return await mcp.my.count({ key: "c" }) } await main();`,
	} {
		is := is.New(t)
		linked := planner.Link(source, "my:count", code)
		g, diags := planner.Parse(linked).Plan(newCatalog(t, []byte(tools)), planner.Options{})
		for _, d := range diags {
			is.True(d.Severity != nodes.SeverityError)
		}
		calls := 0
		g.Root.Walk(func(n *nodes.Node) {
			is.True(n.Kind != nodes.KindScript)
			if n.Kind == nodes.KindCall {
				calls++
				is.Equal(n.Call.Tool, nodes.ToolID("s:get"))
			}
		})
		is.Equal(calls, strings.Count(source, "count"))
	}
}

func TestParameters(t *testing.T) {
	is := is.New(t)
	is.Equal(planner.Parameters(`const { a, b: c } = args; return args.d + args.a`), []string{"a", "b", "d"})
	body, diags := planner.Body("```ts\nasync () => { return 1 }\n```")
	is.Equal(len(diags), 0)
	is.Equal(strings.TrimSpace(body), "return 1;")
}
