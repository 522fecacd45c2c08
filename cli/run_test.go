package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// TestResult: a string is printed as it is, undefined not at all, the rest as JSON.
func TestResult(t *testing.T) {
	w := newWorkspace(t, shop, allowShop)
	for program, want := range map[string]string{
		`return "two\nlines"`:          "two\nlines\n",
		`return ""`:                    "\n",
		`return`:                       "",
		`await mcp.audit.note({})`:     "",
		`return null`:                  "null\n",
		`return { b: ["<é>"], a: [] }`: "{\n  \"b\": [\n    \"<é>\"\n  ],\n  \"a\": []\n}\n",
		`return await mcp.shop.buy({ item: "x" })`: "bought x\n",
		`return args`: "{}\n",
	} {
		t.Run(program, func(t *testing.T) {
			is := is.New(t)
			for _, mode := range []string{"native", "script"} {
				got := w.pml("", "run", "--mode", mode, "-e", program)
				is.Equal(got, finished{stdout: want})
			}
		})
	}
}

// TestExitCodes: each, with the code of the error as it is printed with and without --json.
func TestExitCodes(t *testing.T) {
	w := newWorkspace(t, shop, allowShop)
	w.write("bad.txt", "return '\xff'")
	for _, c := range []struct {
		name  string
		args  []string
		exit  int
		code  string
		texts []string // what standard error says without --json
	}{
		{"success", []string{"-e", "return 1"}, 0, "", nil},
		{"thrown", []string{"-e", "throw new TypeError('no')"}, 1, "CODE_ERROR",
			[]string{"error CODE_ERROR 1:1: TypeError: no", "   1 | throw", "     | ^", "no call was done"}},
		{"tool failed", []string{"-e", "await mcp.shop.buy({item: 'a'});\nawait mcp.shop.price({item: 'missing'})"}, 1,
			"TOOL_ERROR", []string{"error TOOL_ERROR 2:7: no such item: missing", "   2 | await mcp.shop.price", "hint: ",
				"tool: shop:price (n2)", "1 call done, of them 1 write: shop:buy (n1)"}},
		{"plan errors", []string{"-e", "mcp.shop.prise({}); mcp.shop.price({})"}, 2, "UNKNOWN_TOOL",
			[]string{"1:10: server \"shop\" has no tool \"prise\"", "did you mean `price`?", "INVALID_ARGUMENTS 1:36"}},
		{"forbidden", []string{"-e", "await mcp.shop.ship({})"}, 2, "PERMISSION_DENIED", []string{"shop:ship"}},
		{"empty", []string{"-e", " // nothing\n"}, 2, "EMPTY_CODE", []string{"hint: "}},
		{"no such file", []string{"nope.ts"}, 2, "USAGE_ERROR", []string{"there is no file nope.ts", "hint: "}},
		{"not UTF-8", []string{"bad.txt"}, 2, "PARSE_ERROR", []string{"UTF-8"}},
		{"two programs", []string{"a.ts", "b.ts"}, 2, "USAGE_ERROR", []string{"--args"}},
		{"unknown flag", []string{"--frobnicate"}, 2, "USAGE_ERROR", []string{"pml run --help"}},
		{"bad mode", []string{"--mode", "fast", "-e", "return 1"}, 2, "USAGE_ERROR", []string{"native or script"}},
		{"bad args", []string{"--args", "{", "-e", "return 1"}, 2, "USAGE_ERROR", []string{"not valid JSON", "hint: "}},
		{"denied at run time", []string{"-e", `const name = "ship"; await mcp.shop[name + ""]({})`}, 4, "PERMISSION_DENIED",
			[]string{"deny"}},
		{"run too long", []string{"--timeout", "200ms", "-e", "await mcp.shop.hang({})"}, 5, "EXECUTION_TIMEOUT",
			[]string{"hint: raise"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			text := w.pml("", append([]string{"run"}, c.args...)...)
			is.Equal(text.code, c.exit)
			for _, want := range c.texts {
				if !strings.Contains(text.stderr, want) {
					t.Errorf("standard error lacks %q:\n%s", want, text.stderr)
				}
			}
			if c.exit != 0 {
				is.Equal(text.stdout, "") // errors are no result
			}
			machine := w.pml("", append([]string{"run", "--json"}, c.args...)...)
			var envelope struct {
				Status string
				Error  struct{ Code, Message string }
			}
			w.decode(machine, &envelope)
			is.Equal(machine.code, c.exit)
			is.Equal(envelope.Error.Code, c.code)
			is.Equal(envelope.Status == "success", c.exit == 0)
		})
	}
}

func TestCallTimeout(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop+`, "limits": {"call": "200ms"}`)
	got := w.pml("", "run", "-e", "await mcp.shop.hang({})")
	is.Equal(got.code, 5)
	is.True(strings.Contains(got.stderr, "RPC_TIMEOUT 1:7"))
}

// TestEnvelope: the shapes, key by key.
func TestEnvelope(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	got := w.pml("", "run", "--json", "-e", `console.log("a", { b: 1 }); console.error("c");
try { await mcp.shop.price({ item: "missing" }) } catch (e) { return [e.code, e.tool, e.message] }`)
	var success map[string]any
	w.decode(got, &success)
	is.True(strings.HasPrefix(success["run_id"].(string), "run_"))
	delete(success, "run_id")
	delete(success["tool_failures"].([]any)[0].(map[string]any), "node")
	is.Equal(success, map[string]any{
		"status": "success", "executed_locally": true,
		"result": []any{"TOOL_ERROR", "shop:price", "no such item: missing"},
		"tool_failures": []any{map[string]any{"tool": "shop:price", "code": "TOOL_ERROR",
			"message": "no such item: missing"}},
		"logs": []any{map[string]any{"level": "log", "text": "a { b: 1 }"}, map[string]any{"level": "error", "text": "c"}},
	})

	var failure struct{ Error, Done map[string]any }
	w.decode(w.pml("", "run", "--json", "-e", `await mcp.shop.price({ item: "missing" })`), &failure)
	delete(failure.Error, "hint")
	is.Equal(failure.Error, map[string]any{"code": "TOOL_ERROR", "message": "no such item: missing", "tool": "shop:price",
		"node": "n1", "line": 1.0, "column": 7.0,
		"source": "   1 | await mcp.shop.price({ item: \"missing\" })\n     |       ^\n"})
	is.Equal(failure.Done, map[string]any{"calls": 0.0})

	var refused struct {
		Error       map[string]any
		Diagnostics []map[string]any
	}
	w.decode(w.pml("", "run", "--json", "-e", "mcp.shop.prise({}); mcp.shop.price({})"), &refused)
	is.Equal(refused.Error["code"], "UNKNOWN_TOOL")
	is.Equal(len(refused.Diagnostics), 2) // all of them
}

// TestApprovals: where nobody can be asked, all open questions are reported together.
func TestApprovals(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	program := `await mcp.audit.note({});
await Promise.all([mcp.audit.refund({ id: 1 }), mcp.audit.refund({ id: 2 })])`
	got := w.pml("", "run", "--json", "--mode", "script", "-e", program)
	is.Equal(got.code, 3)
	var waiting struct {
		Status     string
		WorkflowID string `json:"workflow_id"`
		Approvals  []struct {
			ID, Tool, Reason string
			Args             json.RawMessage
		}
	}
	w.decode(got, &waiting)
	is.Equal(waiting.Status, "approval_required")
	is.True(waiting.WorkflowID != "")
	is.Equal(len(waiting.Approvals), 2)
	is.Equal(waiting.Approvals[1].Tool, "audit:refund")
	is.Equal(string(waiting.Approvals[1].Args), `{"id":2}`)
	is.True(waiting.Approvals[0].ID != waiting.Approvals[1].ID)

	text := w.pml("", "run", "--no-input", "-e", program)
	is.Equal(text.code, 3)
	is.Equal(text.stdout, "")
	for _, want := range []string{"audit:refund: ", `"id": 1`, "--yes", `"allow": ["audit:refund"]`,
		"1 write: audit:note (n1)"} {
		is.True(strings.Contains(text.stderr, want))
	}
	is.Equal(w.pml("", "run", "--yes", "-e", program), finished{})
	is.Equal(w.pml("", "run", "--yes", "--no-input", "-e", program).code, 2)
}

// TestSources: a file, standard input, -e, and parameters.
func TestSources(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	w.write("p.ts", "return (args.n ?? 1) + 1")
	w.write("args.json", `{"n": 41}`)
	is.Equal(w.pml("", "run", "p.ts").stdout, "2\n")
	is.Equal(w.pml("return 3", "run").stdout, "3\n")
	is.Equal(w.pml("return 4", "run", "-").stdout, "4\n")
	is.Equal(w.pml("", "run", "--args", `{"n": 6}`, "p.ts").stdout, "7\n")
	is.Equal(w.pml("", "run", "p.ts", "--args", "@args.json").stdout, "42\n")
}

// TestConsole: what the program writes to its console goes to standard error, the result alone to standard output.
func TestConsole(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	got := w.pml("", "run", "-e", `console.log("one"); console.warn("two", [3]); return "r"`)
	is.Equal(got, finished{stdout: "r\n", stderr: "one\ntwo [ 3 ]\n"})
}

func TestPlainProgress(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	got := w.pml("", "run", "--progress", "plain", "-e",
		`await mcp.shop.buy({ item: "a" }); try { await mcp.shop.price({ item: "missing" }) } catch {}; return 1`)
	is.Equal(got.stdout, "1\n")
	lines := strings.Split(strings.TrimSpace(got.stderr), "\n")
	is.Equal(len(lines), 2)
	first := strings.Fields(lines[0])
	is.Equal([]string{first[0], first[1], first[3]}, []string{"n1", "shop:buy", "ok"})
	is.True(strings.Contains(lines[1], "failed: ToolError: no such item: missing"))
}
