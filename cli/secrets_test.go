package cli_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// keyed is a server that tells everything it knows, keys included, in every way there is.
const keyed = `{"servers": {
  "vault": {"tools": [
    {"name": "env", "behaviour": "env"},
    {"name": "echo", "behaviour": "echo"},
    {"name": "ask", "effect": "write", "responses": [{"result": "ok"}]},
    {"name": "fail", "effect": "read", "responses": [{"error": "cannot: {{why}}"}]}]},
  "other": {"tools": [{"name": "env", "behaviour": "env"}, {"name": "free", "effect": "read", "responses": [{"result": 1}]},
    {"name": "paid", "effect": "read", "responses": [{"result": "paid"}]}]}}}`

// keys adds "keys" to the servers of .pml.json, and permissions.
func (w *workspace) keys(server, keys, permissions string) {
	w.tb.Helper()
	text, err := os.ReadFile(w.path(".pml.json"))
	if err != nil {
		w.tb.Fatal(err)
	}
	changed := strings.Replace(string(text), `"`+server+`":{`, `"`+server+`":{"keys": `+keys+`, `, 1)
	if permissions != "" {
		changed = strings.TrimSuffix(strings.TrimSpace(changed), "}") + `, "permissions": ` + permissions + "}"
	}
	w.write(".pml.json", changed)
}

// TestSecretsGoNowhere: whatever a server says, no output, file or message of a run holds the value of a key.
func TestSecretsGoNowhere(t *testing.T) {
	secrets := []string{"planted-secret-1", `planted"secret\2`}
	for _, mode := range []string{"native", "script"} {
		is := is.New(t)
		w := newWorkspace(t, keyed, "")
		w.keys("vault", `["VAULT_KEY", "VAULT_TOKEN"]`, `{"allow": ["vault:env", "vault:echo", "vault:fail", "other:*"]}`)
		w.write(".env", "VAULT_KEY="+secrets[0]+"\nVAULT_TOKEN='"+secrets[1]+"'\n")
		program := `const env = await mcp.vault.env({});
console.log("env", env);
const other = await mcp.other.env({});
let failed;
try { await mcp.vault.fail({ why: env.VAULT_KEY }) } catch (e) { failed = e.message }
const echo = await mcp.vault.echo({ env });
const asked = await mcp.vault.ask({ env, failed });
throw new Error(JSON.stringify([env, other, failed, echo, asked]));`
		run := w.pml("", "run", "--verbose", "--no-input", "--progress", "plain", "--mode", mode, "-e", program)
		is.Equal(run.code, 3)
		is.True(strings.Contains(run.stderr, "[VAULT_KEY]"))
		id := w.newest()
		outputs := []finished{run, w.pml("", "runs", "show", id), w.pml("", "runs", "show", "--json", id),
			w.pml("", "runs", "resume", "--json", id), w.pml("", "runs", "resume", id, "--approve", "all"),
			w.pml("", "runs", "list", "--json"), w.pml("", "trace", id), w.pml("", "trace", "--format", "html", id),
			w.pml("", "tools", "--json"), w.pml("", "doctor")}
		is.Equal(outputs[4].code, 1) // the program's own error
		is.True(strings.Contains(outputs[4].stderr, "VAULT_KEY"))
		for _, secret := range append(secrets, `planted\"secret\\2`) {
			for i, o := range outputs {
				if strings.Contains(o.stdout+o.stderr, secret) {
					t.Errorf("output %d holds %s:\n%s%s", i, secret, o.stdout, o.stderr)
				}
			}
			w.grep(secret)
		}
	}
}

// newest is the id of the only run.
func (w *workspace) newest() string {
	w.tb.Helper()
	list, _ := filepath.Glob(w.path(".pml/runs/*"))
	if len(list) != 1 {
		w.tb.Fatalf("%d runs", len(list))
	}
	return filepath.Base(list[0])
}

// grep looks into every file but .env.
func (w *workspace) grep(secret string) {
	w.tb.Helper()
	err := filepath.WalkDir(w.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == ".env" {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte(secret)) {
			w.tb.Errorf("%s holds %s", path, secret)
		}
		return err
	})
	if err != nil {
		w.tb.Fatal(err)
	}
}

// TestKeysOfTheirServerOnly (story 14.6, BYOK): a server gets the keys that it declares and no others.
func TestKeysOfTheirServerOnly(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, keyed, "")
	w.keys("vault", `["VAULT_KEY"]`, `{"allow": ["*"]}`)
	w.write(".env", "VAULT_KEY=planted-secret\nOTHER=planted-other\n")
	got := w.pml("", "run", "-e", `const [a, b] = await Promise.all([mcp.vault.env({}), mcp.other.env({})]);
return [a.VAULT_KEY, a.OTHER, b.VAULT_KEY].map(String).join(" ")`)
	is.Equal(got.stdout, "[VAULT_KEY] undefined undefined\n")
}

// TestMissingKey (story 14.6): a missing key pauses the call and names the variable; when .env has it, resume goes on.
func TestMissingKey(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, keyed, "")
	w.keys("other", `{"paid": ["PAID_API_KEY"]}`, `{"allow": ["*"]}`)
	program := `return [await mcp.other.free({}), await mcp.other.paid({})].join(" ")`
	got := w.pml("", "run", "--no-input", "-e", program)
	is.Equal(got.code, 3)
	is.True(strings.Contains(got.stderr, "PAID_API_KEY, which is not set: put it into .env"))
	plan := w.pml("", "plan", "-e", program)
	is.True(strings.Contains(plan.stdout+plan.stderr, "PAID_API_KEY"))
	id := w.newest()
	got = w.pml("", "runs", "resume", "--approve", "all", id)
	is.Equal(got.code, 3) // it is still not there
	w.write(".env", "PAID_API_KEY=planted-secret\n")
	got = w.pml("", "runs", "resume", id)
	is.Equal(got.stdout, "1 paid\n")
	w.write(".env", "")
	got = w.pml("", "run", "--no-input", "--json", "-e", `try { await mcp.other.paid({}) } catch (e) { return e.code }`)
	is.Equal(got.code, 3)
}

// TestQuietServers: what a server tells and asks the client while a call is under way does not hold the value of a key either.
func TestQuietServers(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, `{"servers": {"vault": {"tools": [{"name": "tell", "behaviour": "notify"}, {"name": "ask", "behaviour": "client"}]}}}`, "")
	w.keys("vault", `["VAULT_KEY"]`, `{"allow": ["*"]}`)
	w.write(".env", "VAULT_KEY=planted-secret\n")
	asked := make(chan string, 1)
	c := w.stdio(`{"elicitation": {}}`, func(m message) any {
		asked <- string(m.Params)
		return map[string]any{"action": "decline"}
	})
	call := func(tool, method, params string) {
		c.request("tools/call", map[string]any{"name": tool, "_meta": map[string]any{"progressToken": 7},
			"arguments": map[string]any{"method": method, "params": json.RawMessage(params)}})
	}
	call("vault:tell", "notifications/progress", `{"progressToken": "PROGRESS_TOKEN", "progress": 3, "message": "with planted-secret"}`)
	told := string(c.note(method("notifications/progress", "with")).Params)
	is.True(strings.Contains(told, "with [VAULT_KEY]"))
	call("vault:ask", "elicitation/create", `{"message": "is planted-secret right?", "requestedSchema": {"type": "object", "properties": {}}}`)
	is.True(strings.Contains(<-asked, "is [VAULT_KEY] right?"))
}
