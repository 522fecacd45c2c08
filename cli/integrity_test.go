package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// TestServerThatWasReplaced: a server whose program is not what it was when it was first used is not started, until a person
// says that it may be; one that lies in the workspace is the user's own work.
func TestServerThatWasReplaced(t *testing.T) {
	const program = `return await mcp.shop.buy({ item: "a" })`
	script := func(more string) string {
		return fmt.Sprintf("#!/bin/sh\n%sexec %q testserver -config \"$1\" -server shop\n", more, self(t))
	}
	for _, how := range []string{"a program", "a script", "a package", "in the workspace"} {
		t.Run(how, func(t *testing.T) {
			is := is.New(t)
			w := newWorkspace(t, shop, "")
			outside := t.TempDir()
			file, command, args := filepath.Join(outside, "server"), "", []string{}
			changed := file
			switch how {
			case "a program":
				command = file
			case "a script":
				command, args = "sh", []string{file}
			case "a package":
				dir := filepath.Join(outside, "node_modules", "@a", "b", "dist")
				is.NoErr(os.MkdirAll(dir, 0o700))
				file, changed = filepath.Join(dir, "main"), filepath.Join(outside, "node_modules", "@a", "b", "package.json")
				is.NoErr(os.WriteFile(changed, []byte("{}"), 0o600))
				command, args = "sh", []string{file}
			case "in the workspace":
				file, changed, command, args = w.path("server"), w.path("server"), "sh", []string{"server"}
			}
			is.NoErr(os.WriteFile(file, []byte(script("")), 0o700))
			entry := func(args []string) {
				quoted := ""
				for _, a := range append(args, w.path("tools.json")) {
					quoted += fmt.Sprintf("%q,", a)
				}
				w.write(".pml.json", fmt.Sprintf(`{"mcpServers": {"shop": {"command": %q, "args": [%s], "confine": false}},
					"permissions": {"allow": ["*"]}}`, command, strings.TrimSuffix(quoted, ",")))
			}
			entry(args)
			for range 2 {
				is.Equal(w.pml("", "run", "-e", program).stdout, "bought a\n")
			}
			lock := string(w.bytes(".pml/mcp.lock"))
			is.Equal(strings.Contains(lock, `"path": "`), how != "in the workspace")
			text, err := os.ReadFile(changed)
			is.NoErr(err)
			is.NoErr(os.WriteFile(changed, append([]byte("#!/bin/sh\n# another\n"), text...), 0o700))
			got := w.pml("", "run", "--json", "-e", program)
			if how == "in the workspace" {
				is.Equal(got.code, 0)
				return
			}
			is.Equal(got.code, 2)
			for _, want := range []string{"INTEGRITY_MISMATCH", "is not started", "pml tools --accept shop"} {
				is.True(strings.Contains(got.stdout, want))
			}
			is.True(strings.Contains(w.pml("", "tools").stderr, "pml tools --accept shop"))
			is.Equal(w.pml("", "run", "-e", program).code, 2) // to look changes nothing
			is.True(strings.Contains(w.pml("", "tools", "--accept", "shop").stdout, "shop:buy"))
			is.Equal(w.pml("", "run", "-e", program).stdout, "bought a\n")
			is.Equal(w.pml("", "tools", "--accept", "nobody").code, 2)
		})
	}
}
