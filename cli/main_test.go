package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/casys-ai/pml/fixtures/testserver"
)

var update = flag.Bool("update", false, "write the goldens anew")

// binary is the real pml, built once.
var binary string

// TestMain builds the binary. The test binary itself is the test server when it is started as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "testserver" {
		os.Exit(testserver.Main(os.Args[2:]))
	}
	if len(os.Args) > 1 && os.Args[1] == "outsider" {
		serveOutsider()
		os.Exit(0)
	}
	if len(os.Args) > 1 && os.Args[1] == "suite" {
		if err := serveSuite(); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	flag.Parse()
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "pml-cli-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "pml")
	build := exec.Command("go", "build", "-o", binary, "./pml")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%s%v\n", out, err)
		return 1
	}
	return m.Run()
}

// shop is the configuration of the test servers that most tests use.
const shop = `{"servers": {
  "shop": {"tools": [
    {"name": "price", "effect": "read", "description": "Price of an item.",
     "inputSchema": {"type": "object", "properties": {"item": {"type": "string"}}, "required": ["item"]},
     "responses": [{"when": {"item": "missing"}, "error": "no such item: {{item}}"},
       {"result": {"item": "{{item}}", "eur": 3}}]},
    {"name": "buy", "effect": "write", "description": "Buy an item.",
     "inputSchema": {"type": "object", "properties": {"item": {"type": "string"}}, "required": ["item"]},
     "responses": [{"result": "bought {{item}}"}]},
    {"name": "ship", "effect": "write", "permission": "deny", "description": "Ship it.",
     "responses": [{"result": "shipped"}]},
    {"name": "wait", "behaviour": "sleep", "effect": "read"},
    {"name": "hang", "effect": "read", "responses": [{"fault": "hang"}]}]},
  "audit": {"tools": [
    {"name": "note", "effect": "write", "description": "Write a note.", "responses": [{"result": "noted"}]},
    {"name": "refund", "effect": "write", "description": "Refund.", "responses": [{"result": "refunded"}]}]}}}`

// allowShop lets everything happen unasked but refunds; shipping is forbidden.
const allowShop = `"permissions": {"allow": ["shop:*", "audit:note"], "deny": ["shop:ship"]}`

// workspace is a temporary project.
type workspace struct {
	tb  testing.TB
	dir string
	env []string // of its commands, beside the usual
}

// newWorkspace makes a project with the test servers of a configuration; more is put into its .pml.json.
func newWorkspace(tb testing.TB, tools, more string) *workspace {
	tb.Helper()
	w := &workspace{tb: tb, dir: tb.TempDir()}
	w.write("tools.json", tools)
	parsed, err := testserver.ParseConfig([]byte(tools))
	if err != nil {
		tb.Fatal(err)
	}
	servers := map[string]any{}
	for name := range parsed.Servers {
		servers[name] = map[string]any{"command": self(tb),
			"args": []string{"testserver", "-config", filepath.Join(w.dir, "tools.json"), "-server", name,
				"-log", filepath.Join(w.dir, name+".jsonl")}}
	}
	text, err := json.Marshal(servers)
	if err != nil {
		tb.Fatal(err)
	}
	if more != "" {
		more = ",\n" + more
	}
	w.write(".pml.json", fmt.Sprintf("{\"mcpServers\": %s%s}\n", text, more))
	return w
}

func self(tb testing.TB) string {
	path, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	return path
}

func (w *workspace) path(name string) string { return filepath.Join(w.dir, name) }

// bytes are those of a file; nil if there is none.
func (w *workspace) bytes(name string) []byte {
	data, _ := os.ReadFile(w.path(name))
	return data
}

func (w *workspace) write(name, text string) {
	w.tb.Helper()
	if err := os.WriteFile(w.path(name), []byte(text), 0o600); err != nil {
		w.tb.Fatal(err)
	}
}

// finished is a command that has ended.
type finished struct {
	code           int
	stdout, stderr string
}

// pml runs the binary in the workspace, with input as its standard input.
func (w *workspace) pml(input string, args ...string) finished {
	w.tb.Helper()
	var out, errs bytes.Buffer
	cmd := w.command(args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.tb.Fatal(err)
	}
	return finished{code: cmd.ProcessState.ExitCode(), stdout: out.String(), stderr: errs.String()}
}

func (w *workspace) command(args ...string) *exec.Cmd {
	cmd := exec.Command(binary, args...)
	cmd.Dir = w.dir
	own := slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "PML_") || strings.HasPrefix(kv, "OTEL_") })
	cmd.Env = append(append(own, "TERM=dumb"), w.env...)
	return cmd
}

// decode reads the standard output of a command as one JSON object, and nothing besides.
func (w *workspace) decode(f finished, into any) {
	w.tb.Helper()
	decoder := json.NewDecoder(strings.NewReader(f.stdout))
	if err := decoder.Decode(into); err != nil {
		w.tb.Fatalf("stdout is not JSON: %v\n%s%s", err, f.stdout, f.stderr)
	}
	if decoder.More() {
		w.tb.Fatalf("stdout holds more than one value:\n%s", f.stdout)
	}
}

// golden compares text with a file in testdata.
func golden(tb testing.TB, name, text string) {
	tb.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			tb.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	if text != string(want) {
		tb.Errorf("%s has changed (-update writes it anew):\n--- got\n%s\n--- want\n%s", path, text, want)
	}
}
