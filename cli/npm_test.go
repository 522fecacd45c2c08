package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes/declare"
)

// npm is the path of something that npm installed; the test is left out, and says so, where it did not.
func npm(t *testing.T, parts ...string) string {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("SKIPPED, NOT TESTED WITH REAL CLIENTS AND SERVERS: there is no node in PATH")
	}
	path, err := filepath.Abs(filepath.Join(append([]string{"..", "fixtures", "npm", "node_modules"}, parts...)...))
	if err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(path)
	if err != nil || len(found) == 0 {
		t.Skipf("SKIPPED, NOT TESTED WITH REAL CLIENTS AND SERVERS: there is no %s; make npm installs it", path)
	}
	return found[0]
}

// sixServers is a project with four servers from npm beside the built-in git and sqlite.
func sixServers(t *testing.T) *workspace {
	t.Helper()
	w := &workspace{tb: t, dir: t.TempDir()}
	servers := map[string]any{}
	for _, name := range []string{"filesystem", "memory", "sequential-thinking", "everything"} {
		args := []string{npm(t, "@modelcontextprotocol", "server-"+name, "dist", "index.js")}
		if name == "filesystem" {
			args = append(args, w.dir)
		}
		servers[name] = map[string]any{"command": "node", "args": args,
			"env": map[string]string{"MEMORY_FILE_PATH": w.path("memory.json")}}
	}
	text, err := json.Marshal(map[string]any{"mcpServers": servers, "builtin": []string{"git", "sqlite"},
		"permissions": map[string]any{"allow": []string{"*"}}})
	if err != nil {
		t.Fatal(err)
	}
	w.write(".pml.json", string(text))
	for _, args := range [][]string{{"init", "-q"}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "first"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = w.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return w
}

// useAll is a program that uses all six servers at once.
const useAll = `const [file, graph, thought, sum, log, rows, image] = await Promise.all([
  mcp.filesystem.write_file({ path: args.dir + "/note.txt", content: "hello" }).then(() => mcp.filesystem.read_text_file({ path: args.dir + "/note.txt" })),
  mcp.memory.create_entities({ entities: [{ name: "pml", entityType: "tool", observations: ["fast"] }] }),
  mcp["sequential-thinking"].sequentialthinking({ thought: "done", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }),
  mcp.everything["get-sum"]({ a: 2, b: 3 }),
  mcp.git.log({ max_count: 1 }),
  mcp.sqlite.execute({ database: "x.db", sql: "create table t (n)" }).then(() => mcp.sqlite.query({ database: "x.db", sql: "select 6 * 7 as answer" })),
  mcp.everything["get-tiny-image"]({}),
]);
return { file, entity: graph.entities[0].name, thoughts: thought.thoughtHistoryLength, sum, subject: log.commits[0].subject,
  answer: rows.rows[0].answer, image };`

// TestSixServers: six servers side by side are listed and used at once; an image arrives as one; their declarations compile
// under TypeScript, and so does the program; and all of it takes few tokens.
func TestSixServers(t *testing.T) {
	t.Parallel()
	is := is.New(t)
	w := sixServers(t)
	c := w.stdio("{}", nil)
	r := c.call("execute", map[string]any{"code": useAll, "args": map[string]any{"dir": w.dir}})
	got := r.object(t)
	if got["status"] != "success" {
		t.Fatalf("%s", r.StructuredContent)
	}
	result := got["result"].(map[string]any)
	is.Equal(result["file"], "hello")
	is.Equal(result["entity"], "pml")
	is.Equal(result["thoughts"], 1.0)
	is.True(strings.Contains(result["sum"].(string), "5"))
	is.Equal(result["subject"], "first")
	is.Equal(result["answer"], 42.0)
	images := 0
	for _, block := range r.Content {
		if block.Type == "image" {
			images++
			is.Equal(block.MIMEType, "image/png")
			is.True(strings.HasPrefix(block.Data, "iVBOR")) // PNG
		}
	}
	is.Equal(images, 1)

	types := w.pml("", "types")
	is.Equal(types.code, 0)
	w.write("pml.d.ts", types.stdout)
	w.write("program.ts", "/// <reference path=\"pml.d.ts\" />\nexport {};\nconst main = async () => {\n"+useAll+"\n};\nvoid main();\n")
	tsc := exec.Command("node", npm(t, "typescript", "bin", "tsc"), "--noEmit", "--strict", "--target", "es2022", "program.ts")
	tsc.Dir = w.dir
	if out, err := tsc.CombinedOutput(); err != nil {
		t.Errorf("tsc: %v\n%s", err, out)
	}
	countTokens(t, c, w)
}

// countTokens compares what a client reads of pml with what it would read of the servers themselves.
func countTokens(t *testing.T, c *client, w *workspace) {
	is := is.New(t)
	var hello struct{ Instructions string }
	is.NoErr(json.Unmarshal(c.hello, &hello))
	ours := declare.Tokens(string(c.request("tools/list", map[string]any{}))) + declare.Tokens(hello.Instructions)
	var all struct {
		Tools []struct {
			ID, Title, Description string
			Input                  json.RawMessage `json:"input_schema"`
			Output                 json.RawMessage `json:"output_schema"`
		}
	}
	w.decode(w.pml("", "tools", "--json"), &all)
	theirs := 0
	for _, tool := range all.Tools {
		entry, err := json.Marshal(map[string]any{"name": tool.ID, "title": tool.Title, "description": tool.Description,
			"inputSchema": tool.Input, "outputSchema": tool.Output})
		is.NoErr(err)
		theirs += declare.Tokens(string(entry))
	}
	t.Logf("%d tools: %d tokens listed directly, %d through pml: %.1f %%", len(all.Tools), theirs, ours,
		100*float64(ours)/float64(theirs))
	if ours*10 > theirs {
		t.Errorf("pml takes %d tokens, more than a tenth of %d", ours, theirs)
	}
}

// TestInspector: the Inspector's command line lists every tool and calls each of them.
func TestInspector(t *testing.T) {
	t.Parallel()
	is := is.New(t)
	inspector := npm(t, ".bin", "mcp-inspector")
	w := newWorkspace(t, shop, allowShop+`, "expose": ["shop:price"]`)
	inspect := func(args ...string) map[string]any {
		t.Helper()
		cmd := exec.Command("node", append([]string{inspector, "--cli", binary, "stdio"}, args...)...)
		cmd.Dir, cmd.Env = w.dir, append(os.Environ(), "PML_WORKSPACE="+w.dir)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		var answer map[string]any
		is.NoErr(json.Unmarshal(out, &answer))
		return answer
	}
	call := func(tool string, args ...string) map[string]any {
		t.Helper()
		list := []string{"--method", "tools/call", "--tool-name", tool}
		for _, a := range args {
			list = append(list, "--tool-arg", a)
		}
		return inspect(list...)["structuredContent"].(map[string]any)
	}
	var names []string
	for _, tool := range inspect("--method", "tools/list")["tools"].([]any) {
		names = append(names, tool.(map[string]any)["name"].(string))
	}
	is.Equal(names, []string{"cancel", "discover", "execute", "plan", "resume", "shop_price"})
	is.Equal(call("execute", "code=return 1 + 1")["result"], 2.0)
	is.Equal(call("plan", "code=return await mcp.shop.buy({ item: 'a' })")["summary"].(map[string]any)["calls"], 1.0)
	is.Equal(len(call("discover", "query=price")["tools"].([]any)), 1)
	waiting := call("execute", "code=return await mcp.audit.refund({})")
	decisions := fmt.Sprintf(`decisions=[{"id": %q, "decision": "approve"}]`, waiting["approvals"].([]any)[0].(map[string]any)["id"])
	is.Equal(call("resume", "workflow_id="+waiting["workflow_id"].(string), decisions)["result"], "refunded")
	is.Equal(call("cancel", "workflow_id="+waiting["workflow_id"].(string))["status"], "success") // it was over before
	priced := inspect("--method", "tools/call", "--tool-name", "shop_price", "--tool-arg", "item=x")
	is.True(strings.Contains(priced["content"].([]any)[0].(map[string]any)["text"].(string), `"eur":3`))
}

// TestClaudeCode: after pml init, the real client connects.
func TestClaudeCode(t *testing.T) {
	t.Parallel()
	is := is.New(t)
	claude := npm(t, "@anthropic-ai", "claude-code-*-*", "claude")
	w := &workspace{tb: t, dir: t.TempDir()}
	is.Equal(w.pml("", "init", "--yes").code, 0)
	home := t.TempDir()
	// What a person does once: to trust the folder, and this server of it.
	trust, err := json.Marshal(map[string]any{"projects": map[string]any{w.dir: map[string]any{
		"hasTrustDialogAccepted": true, "enabledMcpjsonServers": []string{"pml"}}}})
	is.NoErr(err)
	is.NoErr(os.WriteFile(filepath.Join(home, ".claude.json"), trust, 0o600))
	for _, args := range [][]string{{"mcp", "list"}, {"mcp", "get", "pml"}} {
		cmd := exec.Command(claude, args...)
		cmd.Dir = w.dir
		cmd.Env = append(os.Environ(), "HOME="+home, "CLAUDE_CONFIG_DIR="+home, "PML_WORKSPACE=",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1")
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "Connected") {
			t.Errorf("claude %v: %v\n%s", args, err, out)
		}
	}
}
