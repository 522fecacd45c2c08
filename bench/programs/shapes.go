// Package programs measures what users feel: whole programs, as agents write them, over a real stdio server. Each runs
// natively, as one script, and in Node as it is written.
package programs

import (
	"fmt"
	"strings"
)

// Shape is one program.
type Shape struct {
	Name, Source string
	// Calls is how many calls it makes, Depth how many of them stand on its longest path.
	Calls, Depth int
}

// tools is the configuration of the test server: reads and a write of 20 ms, and some that answer at once.
const tools = `{"servers": {"t": {"tools": [
  {"name": "get", "effect": "read", "latencyMs": 20,
   "inputSchema": {"type": "object", "properties": {"key": {"type": "string"}}, "required": ["key"]},
   "responses": [{"result": {"id": "{{key}}", "size": 3}}]},
  {"name": "put", "effect": "write", "latencyMs": 20,
   "inputSchema": {"type": "object", "properties": {"key": {"type": "string"}, "value": {}}, "required": ["key"]},
   "responses": [{"result": {"stored": "{{key}}"}}]},
  {"name": "look", "behaviour": "echo", "effect": "read"},
  {"name": "note", "behaviour": "echo", "effect": "write"},
  {"name": "echo", "behaviour": "echo",
   "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}},
  {"name": "big", "behaviour": "big"}]}}}`

// Shapes are the five programs. Every call is awaited where it stands, as agents write.
func Shapes() []Shape {
	return []Shape{
		{Name: "5 parallel", Calls: 5, Depth: 1, Source: reads(5) + "return [r0.id, r1.id, r2.id, r3.id, r4.id];\n"},
		{Name: "mixed", Calls: 5, Depth: 3, Source: mixed},
		{Name: "chain of 5", Calls: 5, Depth: 5, Source: chain(5)},
		{Name: "10 mixed", Calls: 10, Depth: 4, Source: tenMixed},
		{Name: "fan-in of 12", Calls: 13, Depth: 2, Source: fanIn(12)},
	}
}

// reads are n reads that have nothing to do with each other.
func reads(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "const r%d = await mcp.t.get({ key: \"k%d\" });\n", i, i)
	}
	return b.String()
}

func chain(n int) string {
	var b strings.Builder
	b.WriteString("const r0 = await mcp.t.get({ key: \"start\" });\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "const r%d = await mcp.t.get({ key: r%d.id + \".%d\" });\n", i, i-1, i)
	}
	fmt.Fprintf(&b, "return r%d.id;\n", n-1)
	return b.String()
}

// fanIn writes what n reads gave.
func fanIn(n int) string {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("r%d.id", i))
	}
	return reads(n) + "const done = await mcp.t.put({ key: \"all\", value: [" + strings.Join(names, ", ") + "] });\n" +
		"return done.stored;\n"
}

const mixed = `const user = await mcp.t.get({ key: "user" });
const config = await mcp.t.get({ key: "config" });
const orders = await mcp.t.get({ key: "orders of " + user.id });
const rates = await mcp.t.get({ key: "rates of " + config.id });
const total = orders.size * rates.size;
const saved = await mcp.t.put({ key: "total", value: { user: user.id, total } });
return saved.stored;
`

const tenMixed = `const user = await mcp.t.get({ key: "user" });
const team = await mcp.t.get({ key: "team" });
const stock = await mcp.t.get({ key: "stock" });
const orders = await mcp.t.get({ key: "orders of " + user.id });
const members = await mcp.t.get({ key: "members of " + team.id });
const prices = await mcp.t.get({ key: "prices of " + stock.id });
const last = await mcp.t.get({ key: "last of " + orders.id });
const lead = await mcp.t.get({ key: "lead of " + members.id });
const news = await mcp.t.get({ key: "news" });
const summary = [last.id, lead.id, prices.id, news.id].join("; ");
const saved = await mcp.t.put({ key: "summary", value: summary });
return saved.stored;
`

// long is a program of n lines, a third of them calls, for the time that planning takes.
func long(n int) string {
	var b strings.Builder
	b.WriteString("let sum = 0;\n")
	for i := 0; i < n-2; i += 3 {
		fmt.Fprintf(&b, "const a%d = await mcp.t.get({ key: \"k%d\" });\n", i, i)
		fmt.Fprintf(&b, "const n%d = a%d.id.toUpperCase() + \" has \" + a%d.size;\n", i, i, i)
		fmt.Fprintf(&b, "if (n%d.length > 4) sum += a%d.size;\n", i, i)
	}
	b.WriteString("return sum;\n")
	return b.String()
}
