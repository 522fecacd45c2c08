package runtime_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/nodes"
)

const fileTools = `{"servers": {
  "fs": {"tools": [
    {"name": "read_file", "effect": "read", "latencyMs": 20,
     "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
     "responses": [
       {"when": {"path": "missing"}, "error": "no such file: {{path}}"},
       {"when": {"path": "list"}, "result": ["a.txt", "b.txt"]},
       {"result": "content of {{path}}"}]}]},
  "db": {"tools": [{"name": "get", "behaviour": "kv_get"}, {"name": "append", "behaviour": "kv_append"}]}}}`

var programs = []struct{ name, source, args, want string }{
	{"one call", `return await mcp.fs.read_file({ path: "a" });`, "", `"content of a"`},
	{"arguments", `return (await mcp.fs.read_file({ path: args.p })).length;`, `{"p":"xy"}`, `13`},
	{"map", `const names = await mcp.fs.read_file({ path: "list" });
const texts = await Promise.all(names.map((path) => mcp.fs.read_file({ path })));
return texts.map((t) => t.toUpperCase());`, "", "[\n  \"CONTENT OF A.TXT\",\n  \"CONTENT OF B.TXT\"\n]"},
	{"writes in order", `for (const v of [1, 2, 3]) await mcp.db.append({ key: "k", value: v });
return (await mcp.db.get({ key: "k" })).value;`, "", "[\n  1,\n  2,\n  3\n]"},
	{"caught", `try { await mcp.fs.read_file({ path: "missing" }); } catch (e) { return [e.message, e.code, e.tool]; }`, "",
		"[\n  \"no such file: missing\",\n  \"TOOL_ERROR\",\n  \"fs:read_file\"\n]"},
	{"uncaught", "const a = 1;\nawait mcp.fs.read_file({ path: \"missing\" });", "",
		"ToolError: no such file: missing\ncode: TOOL_ERROR\ntool: fs:read_file"},
	{"invalid arguments",
		`try { await mcp.fs.read_file({ path: args.n }); } catch (e) { return e.code + " " + e.message; }`,
		`{"n":1}`, `"INVALID_ARGUMENTS invalid arguments for fs:read_file: /path: expected string, got number"`},
	{"dynamic", `const name = "read_" + "file"; const server = args.s;
return await mcp[server][name]({ path: "dyn" });`, `{"s":"fs"}`, `"content of dyn"`},
	{"unknown at run time", `try { await mcp.fs[args.t]({}); } catch (e) { return e.code + " " + e.message; }`,
		`{"t":"raed_file"}`, `"UNKNOWN_TOOL unknown tool fs:raed_file; did you mean fs:read_file?"`},
	{"type error", "const o = await mcp.db.get({ key: \"none\" });\nreturn o.other.deep;", "",
		"TypeError: Cannot read properties of undefined (reading 'deep')"},
	{"undefined", `await mcp.fs.read_file({ path: "a" });`, "", "undefined"},
}

func TestNativeAndScriptAgree(t *testing.T) {
	s := open(t, fileTools)
	for _, c := range programs {
		for _, mode := range []bool{false, true} {
			name := c.name + "/native"
			if mode {
				name = c.name + "/script"
			}
			t.Run(name, func(t *testing.T) {
				source := strings.ReplaceAll(c.source, `"k"`, `"k `+name+`"`)
				got, out := execute(t, s, source, c.args, runtime.PlanOptions{Script: mode})
				is.New(t).Equal(got, c.want)
				is.New(t).True(strings.HasPrefix(out.RunID, "run_"))
			})
		}
	}
}

func TestFailurePositions(t *testing.T) {
	s := open(t, fileTools)
	for _, c := range []struct {
		name, source string
		line, column int
		tool         nodes.ToolID
	}{
		{"tool", "const a = 1;\nawait mcp.fs.read_file({ path: \"missing\" });", 2, 7, "fs:read_file"},
		{"expression", "const o = await mcp.db.get({ key: \"none\" });\nreturn /* é */ o.other.deep;", 2, 24, ""},
	} {
		for _, mode := range []bool{false, true} {
			t.Run(c.name, func(t *testing.T) {
				_, out := execute(t, s, c.source, "", runtime.PlanOptions{Script: mode})
				is := is.New(t)
				is.True(out.Err != nil)
				t.Logf("script=%v %d:%d", mode, out.Err.Pos.Line, out.Err.Pos.Column)
				is.Equal(out.Err.Pos.Line, c.line)
				if !mode || c.tool != "" {
					is.Equal(out.Err.Pos.Column, c.column)
				}
				is.Equal(out.Err.Tool, c.tool)
			})
		}
	}
}
