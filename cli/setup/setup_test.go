package setup_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/cli/setup"
)

// project is a workspace with files.
func project(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func text(t *testing.T, dir, name string) string {
	t.Helper()
	out, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(out)
}

// apply makes the changes and gives how many there were.
func apply(t *testing.T, dir string, w setup.Wishes) int {
	t.Helper()
	changes, err := setup.Plan(dir, w)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		if _, err := c.Apply(); err != nil {
			t.Fatal(err)
		}
	}
	return len(changes)
}

// start starts pml as something that is there.
func start(t *testing.T) setup.Wishes {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return setup.Wishes{Command: self, Args: []string{"stdio"}, TakeOver: true}
}

// TestEdits: what is there stays as it is, to the byte, around what is added.
func TestEdits(t *testing.T) {
	w := start(t)
	own := `{
      "command": "` + w.Command + `",
      "args": [
        "stdio"
      ]
    }`
	for before, after := range map[string]string{
		"":                                   "{\n  \"mcpServers\": {\n    \"pml\": OWN\n  }\n}\n",
		"{}":                                 "{\n  \"mcpServers\": {\n    \"pml\": OWN\n  }\n}",
		"{\n  // mine\n  \"a\": [1,2],\n}\n": "{\n  // mine\n  \"a\": [1,2],\n  \"mcpServers\": {\n    \"pml\": OWN\n  }\n}\n",
		"{\n\t\"mcpServers\": {\n\t\t\"x\": {\"command\": \"y\", \"type\": \"sse\"} // old\n\t}\n}": "{\n\t\"mcpServers\": {\n\t\t\"x\": {\"command\": \"y\", \"type\": \"sse\"}, // old\n\t\t\"pml\": {\n\t\t\t\"command\": \"SELF\",\n\t\t\t\"args\": [\n\t\t\t\t\"stdio\"\n\t\t\t]\n\t\t}\n\t}\n}",
	} {
		t.Run(before, func(t *testing.T) {
			files := map[string]string{".pml.json": "{}"}
			if before != "" {
				files[".mcp.json"] = before
			}
			dir := project(t, files)
			apply(t, dir, w)
			if got, want := text(t, dir, ".mcp.json"), strings.NewReplacer("OWN", own, "SELF", w.Command).Replace(after); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if n := apply(t, dir, w); n != 0 {
				t.Errorf("a second time there are %d changes", n)
			}
			if before != "" && text(t, dir, ".mcp.json.backup") != before {
				t.Error("the backup is not what was there")
			}
		})
	}
}

// TestTakeOver: servers move with all they have; what pml has already is left alone; another wish leaves them.
func TestTakeOver(t *testing.T) {
	is := is.New(t)
	const mine = `{"mcpServers": {"wiki": {"command": "mine"}}}`
	client := `{"mcpServers": {"wiki": {"command": "theirs"}, "crm": {"command": "crm", "env": {"KEY": "${KEY}"}, "x": 1},
		"far": {"type": "http", "url": "https://example.org/mcp"}, "old": {"type": "sse", "url": "https://example.org"}}}`
	dir := project(t, map[string]string{".mcp.json": client, ".pml.json": mine, ".gitignore": "node_modules"})
	names, err := setup.Movable(dir)
	is.NoErr(err)
	is.Equal(names, []string{"crm", "far", "wiki"})
	w := start(t)
	w.APIKey = "k"
	is.Equal(apply(t, dir, w), 4)
	config := text(t, dir, ".pml.json")
	is.True(strings.Contains(config, `"wiki": {"command": "mine"}`)) // the user's own wins
	is.True(strings.Contains(config, `"KEY": "${KEY}"`) && strings.Contains(config, `"x": 1`))
	is.True(strings.Contains(text(t, dir, ".mcp.json"), `"old"`) && !strings.Contains(text(t, dir, ".mcp.json"), `"crm"`))
	is.Equal(text(t, dir, ".gitignore"), "node_modules\n.pml/\n.mcp.json.backup\n.env\n")
	is.Equal(text(t, dir, ".env"), "PML_API_KEY=k\n")
	info, err := os.Stat(filepath.Join(dir, ".env"))
	is.NoErr(err)
	is.Equal(info.Mode().Perm(), os.FileMode(0o600))
	info, err = os.Stat(filepath.Join(dir, ".mcp.json"))
	is.NoErr(err)
	is.Equal(info.Mode().Perm(), os.FileMode(0o640)) // as it was
	w.APIKey = "l"
	is.Equal(apply(t, dir, w), 1)
	is.Equal(text(t, dir, ".env"), "PML_API_KEY=l\n")

	other := project(t, map[string]string{".mcp.json": client})
	w.TakeOver = false
	apply(t, other, w)
	is.True(strings.Contains(text(t, other, ".mcp.json"), `"crm"`))
	w.URL = "http://localhost:1/mcp"
	apply(t, other, w)
	is.True(strings.Contains(text(t, other, ".mcp.json"), w.URL))
	is.True(strings.Contains(text(t, other, ".mcp.json.backup.1"), w.Command)) // the first backup is still there
}

// TestBroken: what cannot be read is not touched.
func TestBroken(t *testing.T) {
	is := is.New(t)
	for _, bad := range []string{"{", `{"mcpServers": []}`, "[]"} {
		dir := project(t, map[string]string{".mcp.json": bad})
		_, err := setup.Plan(dir, start(t))
		is.True(err != nil)
		is.Equal(text(t, dir, ".mcp.json"), bad)
	}
	_, err := setup.Plan(project(t, nil), setup.Wishes{APIKey: "a b"})
	is.True(err != nil)
}

// TestCheck: each usual mistake is found.
func TestCheck(t *testing.T) {
	w := start(t)
	for client, want := range map[string]string{
		"none":                         "there is no .mcp.json",
		`{`:                            "is not valid",
		`{"mcpServers": {}}`:           "no entry for pml",
		`{"mcpServers": {"pml": {}}}`:  "has no command",
		`{"mcpServers": {"pml": "x"}}`: "cannot be read",
		`{"mcpServers": {"pml": {"command": "/nowhere/pml", "args": ["stdio"]}}}`: "which is not there",
		`{"mcpServers": {"pml": {"url": "http://localhost:1/mcp"}}}`:              "nobody listens",
		`{"mcpServers": {"pml": {"url": "no"}}}`:                                  "is no address",
		`{"mcpServers": {"pml": {"command": "SELF"}, "wiki": {"command": "x"}}}`:  "it is started twice",
		`{"mcpServers": {"pml": {"command": "SELF"}}}`:                            ".pml/ is not in .gitignore",
	} {
		t.Run(client, func(t *testing.T) {
			files := map[string]string{".pml.json": `{"mcpServers": {"wiki": {"command": "x"}}}`, ".git": ""}
			if client != "none" {
				files[".mcp.json"] = strings.ReplaceAll(client, "SELF", w.Command)
			}
			found := setup.Check(project(t, files))
			if len(found) == 0 || !strings.Contains(found[0].Message, want) {
				t.Errorf("got %v, want %q", found, want)
			}
		})
	}
	dir := project(t, nil)
	apply(t, dir, w)
	if found := setup.Check(dir); len(found) > 0 {
		t.Errorf("after pml init: %v", found)
	}
}

// TestIgnoredBelow: a key stays out of git in a folder of a repository too, and where there is none yet.
func TestIgnoredBelow(t *testing.T) {
	is := is.New(t)
	w := start(t)
	w.APIKey = "key"
	alone := project(t, nil)
	apply(t, alone, w)
	is.True(strings.Contains(text(t, alone, ".gitignore"), ".env\n"))
	top := project(t, nil)
	is.NoErr(os.Mkdir(filepath.Join(top, ".git"), 0o700))
	below := filepath.Join(top, "services", "shop")
	is.NoErr(os.MkdirAll(below, 0o700))
	w.APIKey = ""
	apply(t, below, w)
	is.Equal(text(t, below, ".gitignore"), ".pml/\n.mcp.json.backup\n")
	is.Equal(len(setup.Check(below)), 0)
	is.NoErr(os.Remove(filepath.Join(below, ".gitignore")))
	is.Equal(len(setup.Check(below)), 1) // it is looked for above too
	is.NoErr(os.WriteFile(filepath.Join(top, ".gitignore"), []byte(".pml/\n"), 0o600))
	is.Equal(len(setup.Check(below)), 0)
}
