package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// The acceptance criteria of the stories about permissions and keys. Those about missing keys are in secrets_test.go.

// TestStory142PermissionsOfTheProject: permissions of .pml.json, when present, are the only source: what the server says
// of itself and what is built in decide nothing.
func TestStory142PermissionsOfTheProject(t *testing.T) {
	for _, c := range []struct {
		name, permissions, program string
		exit                       int
	}{
		{"allow", `{"allow": ["filesystem:*"]}`, `await mcp.filesystem.write_file({ path: "a", content: "" })`, 0},
		{"default is ask", `{}`, `await mcp.filesystem.read_file({ path: ".pml.json" })`, 3},
		{"deny before allow", `{"allow": ["*"], "deny": ["filesystem:write_*"]}`,
			`await mcp.filesystem.write_file({ path: "a", content: "" })`, 2},
		{"allow before ask", `{"allow": ["filesystem:read_file"], "ask": ["filesystem:*"]}`,
			`await mcp.filesystem.read_file({ path: ".pml.json" })`, 0},
		{"ask", `{"ask": ["filesystem:*"]}`, `await mcp.filesystem.read_file({ path: ".pml.json" })`, 3},
		{"condition", `{"allow": [{"tool": "filesystem:write_file", "when": "args.path startsWith 'out'"}]}`,
			`await mcp.filesystem.write_file({ path: "out.txt", content: "" })`, 0},
		{"condition does not hold", `{"allow": [{"tool": "filesystem:write_file", "when": "args.path startsWith 'out'"}]}`,
			`await mcp.filesystem.write_file({ path: "in.txt", content: "" })`, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorkspace(t, `{"servers": {}}`, `"permissions": `+c.permissions)
			if got := w.pml("", "run", "--no-input", "-e", c.program); got.code != c.exit {
				t.Errorf("exit %d, not %d:\n%s", got.code, c.exit, got.stderr)
			}
		})
	}
}

// TestStory145Sandbox: local tools work inside the workspace and nowhere else; what they are refused is in the audit log;
// a shell works there too, and only after a person has agreed.
func TestStory145Sandbox(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, `{"servers": {}}`, `"permissions": {"allow": ["filesystem:*"]}`)
	outside := filepath.Join(t.TempDir(), "secret")
	is.NoErr(os.WriteFile(outside, []byte("x"), 0o600))
	for _, program := range []string{`mcp.filesystem.read_file({ path: args.p })`,
		`mcp.filesystem.write_file({ path: args.p, content: "y" })`} {
		got := w.pml("", "run", "--json", "--args", `{"p": "`+filepath.ToSlash(outside)+`"}`, "-e", "await "+program)
		is.True(strings.Contains(got.stdout, "PATH_OUTSIDE_WORKSPACE"))
	}
	is.Equal(w.pml("", "run", "-e", `await mcp.filesystem.write_file({ path: "in.txt", content: "z" });
return await mcp.filesystem.read_file({ path: "in.txt" })`).stdout, "z\n")
	audit, err := os.ReadFile(w.path(".pml/audit.jsonl"))
	is.NoErr(err)
	is.Equal(strings.Count(string(audit), `"decision":"refused","by":"PATH_OUTSIDE_WORKSPACE"`), 2)

	pwd := `return (await mcp.shell.exec({ command: "pwd" })).stdout.trim()`
	is.Equal(w.pml("", "run", "--no-input", "-e", pwd).code, 3)
	code, out, _ := w.atTerminal([]string{"y"}, "run", "-e", pwd)
	is.Equal(code, 0)
	here, err := filepath.EvalSymlinks(w.dir)
	is.NoErr(err)
	is.Equal(strings.TrimSpace(out), here)
}

// TestStory146LocalOnly: without PML_API_KEY a tool of the cloud says so, and local ones work.
func TestStory146LocalOnly(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	got := w.pml("", "run", "-e", `await mcp.tavily.search({ query: "x" })`)
	is.True(got.code != 0)
	is.True(strings.Contains(got.stderr, "Cloud mode requires PML_API_KEY"))
	is.Equal(w.pml("", "run", "-e", `return (await mcp.shop.price({ item: "a" })).eur`).stdout, "3\n")
}

// TestADR059Scenario4: a dangerous command asks a person, and is executed when he approves; not a moment before.
func TestADR059Scenario4(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, `{"servers": {}}`, "")
	is.NoErr(os.Mkdir(w.path("test"), 0o700))
	remove := `await mcp.shell.exec({ command: 'rm -rf test' })`
	is.Equal(w.pml("", "run", "--no-input", "-e", remove).code, 3)
	_, err := os.Stat(w.path("test"))
	is.NoErr(err)
	code, _, shown := w.atTerminal([]string{"y"}, "run", "-e", remove)
	is.Equal(code, 0)
	is.True(strings.Contains(shown, `"command": "rm -rf test"`)) // what exactly is approved
	_, err = os.Stat(w.path("test"))
	is.True(os.IsNotExist(err))
}

// TestStory141And148: from nothing to work in three steps. init sets the project up, with the key in .env; serve answers a
// client over HTTP; tools of this machine run here, those of the cloud there, with the user's own key for a service; without
// the network what runs here still does.
func TestStory141And148(t *testing.T) {
	is := is.New(t)
	cloud := startCloud(t, `{"servers": {}}`, "")
	url, seen := searchServer(t)
	cloud.offer(url)
	w := &workspace{tb: t, dir: t.TempDir()}
	got := w.pml("", "init", "--yes", "--http", "--api-key", cloud.key)
	is.Equal([]any{got.code, got.stderr}, []any{0, ""})
	is.True(strings.Contains(string(w.bytes(".mcp.json")), `"url": "http://localhost:3003/mcp"`))
	w.write(".pml.json", `{"permissions": {"allow": ["*"]}}`)
	w.write("words.txt", "apples")
	w.env = append(w.env, "PML_CLOUD_URL="+cloud.between.URL, "SEARCH_KEY=key-of-the-user")
	is.True(strings.Contains(w.pml("", "doctor").stdout, "PML_API_KEY is set")) // it is in .env

	address := w.served()
	_, session := post(t, address, "", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",
		"capabilities":{},"clientInfo":{"name":"claude-code","version":"2"}}}`)
	list, _ := post(t, address, session, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	is.True(strings.Contains(string(list), `"name":"execute"`))
	execute := func(code string) string {
		call, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 3, "method": "tools/call",
			"params": map[string]any{"name": "execute", "arguments": map[string]string{"code": code}}})
		is.NoErr(err)
		answer, _ := post(t, address, session, string(call))
		return string(answer)
	}
	answer := execute(`const word = await mcp.filesystem.read_text_file({ path: "words.txt" });
const h = await mcp.crypto.hash({ text: word }); return [word, h.length, await mcp.search.find({ q: word })]`)
	is.True(strings.Contains(answer, `"result":["apples",64,"apples found"]`))
	is.Equal(seen(), []string{"Bearer key-of-the-user"})
	cloud.stop()
	is.True(strings.Contains(execute(`return await mcp.filesystem.read_text_file({ path: "words.txt" })`), `"result":"apples"`))
	is.True(strings.Contains(execute(`return await mcp.crypto.hash({ text: "x" })`), "CLOUD_UNAVAILABLE"))
}

// TestStory144Offline: what the registry has is used without the network once it was used with it; what is not kept is an
// error that says how to get it, with the place of the call.
func TestStory144Offline(t *testing.T) {
	is := is.New(t)
	cloud := startCloud(t, `{"servers": {}}`, "")
	status, _, _ := cloud.registry("PUT", "fs:read_json", `{"type":"deno","code":"return JSON.parse(args.text)","parameters":["text"]}`, "")
	is.Equal(status, 200)
	w := cloud.client(newWorkspace(t, `{"servers": {}}`, ""))
	program := `return (await mcp.fs.read_json({ text: '{"n": 4}' })).n`
	is.Equal(w.pml("", "run", "-e", program).stdout, "4\n")
	cloud.stop()
	cloud.between.Close()
	got := w.pml("", "run", "-e", program)
	is.Equal(got.stdout, "4\n")
	got = w.pml("", "run", "-e", "\nreturn await mcp.data.transform({})")
	is.Equal(got.code, 2)
	is.True(strings.Contains(got.stderr, `error CLOUD_UNAVAILABLE 2:18: there is no server "data" here, and the registry was not asked`))
	is.True(strings.Contains(got.stderr, "hint: connect again; a capability that was used once, and a server after pml install data, work"))
	got = w.pml("", "run", "-e", "return await mcp.filesytem.read_file({})") // a mistake, wherever one is
	is.True(strings.Contains(got.stderr, "did you mean `filesystem`?"))
}

// TestStory149: servers of .mcp-servers.json are called and found beside those of the registry, marked custom; one that is
// named like one of the registry takes its place; they run here, under the project's rules; one that does not start is
// reported, and the others work.
func TestStory149(t *testing.T) {
	is := is.New(t)
	cloud := startCloud(t, `{"servers": {}}`, "")
	w := cloud.client(newWorkspace(t, `{"servers": {"shop": {"tools": [{"name": "price", "effect": "read", "description": "Digest prices.",
		"responses": [{"result": "3"}]}]}, "math": {"tools": [{"name": "sum", "effect": "read", "responses": [{"result": "mine"}]}]}}}`, ""))
	server := func(name string) string {
		args, err := json.Marshal([]string{"testserver", "-config", w.path("tools.json"), "-server", name})
		is.NoErr(err)
		return fmt.Sprintf(`%q: {"command": %q, "args": %s}`, name, self(t), args)
	}
	w.write(".mcp-servers.json", `{"mcpServers": {`+server("shop")+`, `+server("math")+`, "broken": {"command": "/no/such/program"}}}`)
	w.write(".pml.json", `{"permissions": {"allow": ["shop:*", "math:*", "crypto:*"], "deny": ["crypto:random"]}}`)
	got := w.pml("", "run", "-e", `return [await mcp.shop.price({}), await mcp.math.sum({}), (await mcp.crypto.hash({ text: "x" })).length]`)
	is.Equal(got.stderr, "")
	is.Equal(strings.Join(strings.Fields(got.stdout), ""), `["3","mine",64]`)
	is.Equal(len(cloud.sent()), 1) // for crypto alone
	client := w.stdio("{}", nil)
	found := map[string]any{}
	answer := client.call("discover", map[string]any{"query": "digest", "limit": 10}).object(t)
	for _, x := range answer["tools"].([]any) {
		tool := x.(map[string]any)
		found[tool["id"].(string)] = []any{tool["origin"], tool["route"]}
	}
	is.Equal(found["shop:price"], []any{"custom", "client"})
	is.Equal(found["crypto:hash"], []any{"registry", "server"})
	is.True(strings.Contains(fmt.Sprint(answer["unavailable"]), "broken"))
	is.True(strings.Contains(w.pml("", "tools").stderr, "broken"))
}
