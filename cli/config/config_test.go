package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/cli/config"
	"github.com/casys-ai/pml/nodes"
)

// load reads files as the configuration of a project.
func load(t *testing.T, files map[string]string) (*config.Config, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{"KEY": "secret", "HOME": "/home/ada"}
	return config.Load(dir, func(name string) string { return env[name] })
}

func TestLoad(t *testing.T) {
	is := is.New(t)
	c, err := load(t, map[string]string{
		".mcp-servers.json": `{"mcpServers": {"crm": {"command": "old"}, "wiki": {"command": "wiki"}}}`,
		".pml.json": "\ufeff" + `{
			// comments and trailing commas are fine
			"mcpServers": {
				"crm": {"command": "${HOME}/crm", "args": ["--key", "${KEY}", "${NONE:-x}"], "env": {"K": "${KEY}"},
					"route": "cloud", "trust": false, "result": "text", "cwd": "sub"},
				"off": {"command": "x", "disabled": true},
			},
			"builtin": ["git"], "speculate": false,
			"permissions": {"deny": ["shell:*"]},
			"effects": [{"tool": "crm:get", "effect": "read"}],
			"limits": {"run": "10m", "call": "5s", "calls": 7, "concurrency": 3, "memoryMB": 64},
		}`,
	})
	is.NoErr(err)
	is.Equal(len(c.Servers), 2)
	crm := c.Servers[0]
	is.Equal(crm.Command, "/home/ada/crm") // .pml.json wins
	is.Equal(crm.Args, []string{"--key", "secret", "x"})
	is.Equal(crm.Env["K"], "secret")
	is.Equal(crm.Text, []string{"*"})
	is.True(crm.Trust != nil && !*crm.Trust)
	is.Equal(c.BuiltIn, []string{"git"})
	is.True(c.NoSpeculation)
	is.Equal(c.Limits, config.Limits{Run: 10 * time.Minute, Call: 5 * time.Second, Calls: 7, Concurrency: 3, MemoryMB: 64})
	is.Equal(c.Rules.Static(&nodes.Tool{ID: "shell:exec"}).Permission, nodes.Deny)
	is.Equal(len(c.Rules.Effects), 1)
	is.Equal(len(c.Files), 2)
	is.Equal(len(c.Warnings), 0)
}

func TestNothing(t *testing.T) {
	is := is.New(t)
	c, err := load(t, nil)
	is.NoErr(err)
	is.True(c.BuiltIn == nil && len(c.Servers) == 0)
}

// TestBareServers: .mcp-servers.json may list the servers without "mcpServers" around them.
func TestBareServers(t *testing.T) {
	is := is.New(t)
	c, err := load(t, map[string]string{".mcp-servers.json": `{"wiki": {"command": "wiki"}}`})
	is.NoErr(err)
	is.Equal(c.Servers[0].Name, "wiki")
}

func TestWarnings(t *testing.T) {
	is := is.New(t)
	c, err := load(t, map[string]string{".pml.json": `{"permisions": {}, "$schema": "x", "expose": [], "cloud": {},
		"mcpServers": {"a": {"command": "a", "env": {"T": "${NOT_SET}"}}}}`})
	is.NoErr(err)
	is.Equal(len(c.Warnings), 2)
	is.True(strings.Contains(c.Warnings[0], `did you mean "permissions"?`))
	is.True(strings.Contains(c.Warnings[1], "${NOT_SET}, which is not set"))
}

// TestErrors: each names the file and the place.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"mcpServers": {`:                          "not valid JSON: line 1, column",
		`[]`:                                        "must not be an array",
		`{"mcpServers": []}`:                        `"mcpServers" must not be an array`,
		`{"mcpServers": {"a": {"command": 1}}}`:     `mcpServers.a: "command" must not be a number`,
		`{"mcpServers": {"a": {}}}`:                 "mcpServers.a has no command",
		`{"mcpServers": {"a:b": {"command": "x"}}}`: `"a:b" is no name for a server`,
		`{"mcpServers": {"a": {"url": "x"}}}`:       "the url is no address of HTTP",
		`{"mcpServers": {"a": {"url": "https://x", "type": "sse"}}}`:   "mcpServers.a has the type sse",
		`{"mcpServers": {"a": {"url": "https://x", "command": "x"}}}`:  "mcpServers.a has a command and a url",
		`{"mcpServers": {"a": {"command": "x", "route": "up"}}}`:       "mcpServers.a.route: unknown route",
		`{"mcpServers": {"a": {"command": "x", "result": 1}}}`:         "mcpServers.a.result is 1",
		`{"permissions": {"alow": []}}`:                                `unknown key "alow"`,
		`{"permissions": {"allow": [{"tool": "a:b", "when": "1 +"}]}}`: "permissions.allow[0]: condition",
		`{"effects": [{"tool": "a:b", "effect": "hmm"}]}`:              "effects[0]: unknown effect",
		`{"builtin": 3}`:            "builtin: it must be a list",
		`{"limits": {"run": "5"}}`:  `limits.run is "5"`,
		`{"limits": {"calls": -1}}`: "limits.calls is negative",
		`{"mcpServers": {"a": {"command": "x", "concurrency": -1}}}`: "mcpServers.a.concurrency is negative",
		`{"limits": {"memoryMB": "1"}}`:                              `"limits.memoryMB" must not be a string`,
	} {
		t.Run(text, func(t *testing.T) {
			_, err := load(t, map[string]string{".pml.json": text})
			var conf *config.Error
			if !errors.As(err, &conf) || !strings.Contains(conf.Message, want) || !strings.HasSuffix(conf.File, ".pml.json") {
				t.Errorf("got %v, want %q", err, want)
			}
		})
	}
}

func TestFindWorkspace(t *testing.T) {
	is := is.New(t)
	top, err := filepath.EvalSymlinks(t.TempDir())
	is.NoErr(err)
	deep := filepath.Join(top, "a", "b")
	is.NoErr(os.MkdirAll(deep, 0o700))
	is.NoErr(os.WriteFile(filepath.Join(top, "a", "go.mod"), nil, 0o600))

	got, err := config.FindWorkspace(deep, "")
	is.NoErr(err)
	is.Equal(got, config.Workspace{Path: filepath.Join(top, "a"), Marker: "go.mod"})
	is.Equal(got.Warning(), "")

	got, err = config.FindWorkspace(deep, top)
	is.NoErr(err)
	is.Equal(got, config.Workspace{Path: top, Marker: "PML_WORKSPACE"})

	_, err = config.FindWorkspace(deep, filepath.Join(top, "nowhere"))
	is.True(err != nil && strings.HasPrefix(err.Error(), "PML_WORKSPACE: "))
	is.True(config.Workspace{Path: "/x"}.Warning() != "")
}
