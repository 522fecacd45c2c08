package cloud

import (
	"fmt"
	"strings"
)

// tools is the configuration of the test server, here and there: a read and a write that take no time.
const tools = `{"servers": {"here": {"tools": [
  {"name": "get", "effect": "read", "inputSchema": {"type": "object", "properties": {"key": {"type": "string"}}},
   "responses": [{"result": {"id": "{{key}}"}}]},
  {"name": "put", "effect": "write", "inputSchema": {"type": "object", "properties": {"key": {"type": "string"}}},
   "responses": [{"result": {"id": "{{key}}"}}]}]},
 "there": {"tools": [
  {"name": "get", "effect": "read", "inputSchema": {"type": "object", "properties": {"key": {"type": "string"}}},
   "responses": [{"result": {"id": "{{key}}"}}]}]}}}`

// Program is one program, with what it returns.
type Program struct{ Name, Source, Result string }

// Programs are the programs. Every call is awaited where it stands, as agents write.
func Programs() []Program {
	return []Program{
		{"chain of 8 server calls", chain(8), "start.1.2.3.4.5.6.7"},
		{"6 server calls in 2 groups, with local calls", groups, "file.a.2.3 b.2.3"},
		{"loop of 10 server calls, over what is local", loop, "file0 file1 file2 file3 file4 file5 file6 file7 file8 file9"},
	}
}

func chain(n int) string {
	var b strings.Builder
	b.WriteString("let x = await mcp.there.get({ key: \"start\" });\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "x = await mcp.there.get({ key: x.id + \".%d\" });\n", i)
	}
	b.WriteString("return x.id;\n")
	return b.String()
}

// groups are two chains of three calls that have nothing to do with each other, between local calls.
const groups = `const file = await mcp.here.get({ key: "file" });
const name = file.id + ".a";
const a1 = await mcp.there.get({ key: name });
const a2 = await mcp.there.get({ key: a1.id + ".2" });
const a3 = await mcp.there.get({ key: a2.id + ".3" });
const b1 = await mcp.there.get({ key: "b" });
const b2 = await mcp.there.get({ key: b1.id + ".2" });
const b3 = await mcp.there.get({ key: b2.id + ".3" });
const saved = await mcp.here.put({ key: a3.id + " " + b3.id });
return saved.id;
`

// loop goes round for what a local call gave.
const loop = `const file = await mcp.here.get({ key: "file" });
const names = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => file.id + i);
let text = "";
for (const key of names) {
  const r = await mcp.there.get({ key });
  text += r.id + " ";
}
const saved = await mcp.here.put({ key: text.trim() });
return saved.id;
`
