package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// TestInit: it says what it does, does it once, and what it sets up works.
func TestInit(t *testing.T) {
	is := is.New(t)
	w := &workspace{tb: t, dir: t.TempDir()}
	w.write(".mcp.json", `{"mcpServers": {"ghost": {"command": "/no/such/program"}}}`)
	refused := w.pml("y\n", "init")
	is.Equal(refused.code, 2) // nobody can be asked
	is.True(strings.Contains(refused.stderr, "--yes"))

	got := w.pml("", "init", "--yes", "--take-over=false", "--api-key", "sesame")
	is.Equal(got.code, 0)
	is.Equal(got.stderr, "")
	is.True(!strings.Contains(got.stdout, "sesame"))
	for _, want := range []string{".pml.json ", ".mcp.json ", ".env ", ".mcp.json.backup keeps .mcp.json", "pml doctor"} {
		is.True(strings.Contains(got.stdout, want))
	}
	is.True(strings.Contains(w.pml("", "init", "--yes", "--take-over=false").stdout, "Nothing to do"))
	is.True(strings.Contains(w.pml("", "init", "--yes").stdout, "take over ghost"))
	is.True(strings.Contains(w.pml("", "doctor").stdout, "✓ client "))
	is.Equal(w.pml("", "init", "--port", "0", "--yes").code, 2)

	text, err := os.ReadFile(filepath.Join(w.dir, ".mcp.json"))
	is.NoErr(err)
	is.True(strings.Contains(string(text), `"command": "`+binary+`"`))
	is.True(strings.Contains(w.pml("", "tools").stderr, "ghost"))
}
