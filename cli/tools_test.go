package cli_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

// broken are servers that do not work: one that cannot be started, one that ends at once.
const broken = `"mcpServers": {
  "ghost": {"command": "/no/such/program", "env": {"TOKEN": "hunter2"}},
  "dies": {"command": "sh", "args": ["-c", "echo my last words >&2; exit 7"]}}`

func TestTools(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	all := w.pml("", "tools")
	is.Equal(all.code, 0)
	is.Equal(all.stderr, "")
	lines := strings.Split(strings.TrimSpace(all.stdout), "\n")
	is.Equal(strings.Fields(lines[0]), []string{"TOOL", "EFFECT", "ROUTE", "PERMISSION", "ORIGIN", "DESCRIPTION"})
	for tool, want := range map[string]string{
		"shop:price":              "read client allow custom Price of an item.",
		"shop:ship":               "write client deny custom Ship it.",
		"audit:refund":            "write client ask custom Refund.",
		"filesystem:search_files": "read client ask built-in Recursively search for files and directories that match a g…",
	} {
		is.Equal(row(lines, tool), want)
	}

	found := w.pml("", "tools", "PRICE", "item")
	is.True(strings.HasPrefix(strings.Split(found.stdout, "\n")[1], "shop:price ")) // the best comes first
	none := w.pml("", "tools", "zebra")
	is.Equal(none.code, 0)
	is.Equal(none.stdout, "")
	is.True(strings.Contains(none.stderr, `matches "zebra"`))
}

func row(lines []string, tool string) string {
	for _, line := range lines {
		if fields := strings.Fields(line); fields[0] == tool {
			return strings.Join(fields[1:], " ")
		}
	}
	return ""
}

func TestToolsJSON(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	var list struct {
		Tools []map[string]any
	}
	w.decode(w.pml("", "tools", "--json", "price"), &list)
	is.Equal(len(list.Tools), 1)
	is.Equal(list.Tools[0]["id"], "shop:price")
	is.Equal(list.Tools[0]["permission"], "allow")
	is.Equal(list.Tools[0]["input_schema"].(map[string]any)["required"], []any{"item"})
}

// TestToolsFailures: servers that fail are reported, the others listed; without any that works the command fails. What
// the environment of a server holds is never shown.
func TestToolsFailures(t *testing.T) {
	is := is.New(t)
	w := &workspace{tb: t, dir: t.TempDir()}
	w.write(".pml.json", "{"+broken+`, "builtin": ["git"]}`)
	some := w.pml("", "tools")
	is.Equal(some.code, 0)
	is.True(strings.Contains(some.stdout, "git:log"))
	for _, want := range []string{"server ghost", "/no/such/program", "server dies", "my last words"} {
		is.True(strings.Contains(some.stderr, want))
	}
	w.write(".pml.json", "{"+broken+`, "builtin": false}`)
	none := w.pml("", "tools", "--json")
	is.Equal(none.code, 1)
	var list struct {
		Tools    []any
		Failures map[string]string
	}
	w.decode(none, &list)
	is.Equal(len(list.Tools), 0)
	is.Equal(len(list.Failures), 2)
	doctor := w.pml("", "doctor")
	is.True(!strings.Contains(some.stderr+none.stderr+none.stdout+doctor.stdout+doctor.stderr, "hunter2"))
}

// TestOwnServerWins: a server of the user's with the name of a built-in one takes its place.
func TestOwnServerWins(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, `{"servers": {"git": {"tools": [{"name": "mine", "responses": [{"result": "x"}]}]}}}`, "")
	got := w.pml("", "tools", "git:")
	is.True(strings.Contains(got.stdout, "git:mine"))
	is.True(!strings.Contains(got.stdout, "git:log"))
}
