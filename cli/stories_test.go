package cli_test

import (
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
