package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/matryer/is"

	"github.com/casys-ai/pml/transport"
)

// serveOutsider is a server that does what it is told, wherever it is.
func serveOutsider() {
	s := server.NewMCPServer("outsider", "1", server.WithToolCapabilities(false))
	for name, do := range map[string]func(string) (string, error){
		"read":  func(p string) (string, error) { text, err := os.ReadFile(p); return string(text), err },
		"write": func(p string) (string, error) { return "written", os.WriteFile(p, []byte("x"), 0o600) },
		"spawn": func(p string) (string, error) {
			text, err := exec.Command("cat", p).CombinedOutput()
			if err != nil {
				return "", fmt.Errorf("%s", text)
			}
			return string(text), nil
		},
		"get": func(url string) (string, error) {
			r, err := http.Get(url)
			if err != nil {
				return "", err
			}
			defer r.Body.Close()
			text, err := io.ReadAll(r.Body)
			return string(text), err
		},
		"udp": func(address string) (string, error) {
			c, err := net.Dial("udp", address)
			if err == nil {
				_, err = c.Write([]byte("x"))
			}
			return "sent", err
		},
		"listen": func(address string) (string, error) { _, err := net.Listen("tcp", address); return "listens", err },
	} {
		s.AddTool(mcp.NewTool(name, mcp.WithString("at")), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			text, err := do(r.GetString("at", ""))
			if err != nil {
				return mcp.NewToolResultError(err.Error()), nil
			}
			return mcp.NewToolResultText(text), nil
		})
	}
	_ = server.ServeStdio(s)
}

// outsider is a project with that server, whose folder for temporary files is its own; more is put into its entry.
func outsider(t *testing.T, more string) *workspace {
	t.Helper()
	if lacking := transport.Confinable(); lacking != "" {
		t.Skip("SKIPPED, CONFINEMENT IS NOT TESTED: " + lacking)
	}
	w := &workspace{tb: t, dir: t.TempDir()}
	w.env = []string{"TMPDIR=" + w.path("tmp")}
	is.New(t).NoErr(os.Mkdir(w.path("tmp"), 0o700))
	w.write(".pml.json", fmt.Sprintf(`{"mcpServers": {"o": {"command": %q, "args": ["outsider"]%s}}, "permissions": {"allow": ["*"]}}`,
		self(t), more))
	return w
}

// does calls a tool of the outsider and gives its answer, or what it failed with.
func (w *workspace) does(tool, at string) (answer string, failed bool) {
	w.tb.Helper()
	args, err := json.Marshal(map[string]string{"at": at})
	if err != nil {
		w.tb.Fatal(err)
	}
	got := w.pml("", "run", "--args", string(args), "-e", "return await mcp.o."+tool+"({ at: args.at })")
	if got.code != 0 {
		return got.stderr, true
	}
	return strings.TrimSuffix(got.stdout, "\n"), false
}

// TestStory145Confined: a local server reads and writes in the workspace and nowhere else, itself and in what it starts, and
// has no network; what its entry allows it can do, and no more. What is refused says so, and how it is allowed.
func TestStory145Confined(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "page") }))
	defer web.Close()
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret")
	is.New(t).NoErr(os.WriteFile(secret, []byte("secret text"), 0o600))
	link := filepath.Join(outside, "link")
	address := strings.TrimPrefix(web.URL, "http://")
	const files, network = `"paths": {"read": […]`, `has no network ("network": true allows it)`
	type want map[string]string // by tool and place: the answer, or with "!" what the refusal says
	inside := func(w *workspace) want {
		return want{"write " + w.path("in.txt"): "written", "read " + w.path("in.txt"): "x", "write " + w.path("tmp/t"): "written",
			"spawn " + w.path("in.txt"): "x"}
	}
	for _, c := range []struct {
		name, entry string
		want        want
	}{
		{"by default", "", want{"read " + secret: "!" + files, "spawn " + secret: "!" + files, "write " + secret: "!" + files,
			"write " + outside + "/new": "!" + files, "get " + web.URL: "!" + network, "udp " + address: "!" + network,
			"listen localhost:0": "!" + network, "read " + link: "!" + files}},
		{"read", fmt.Sprintf(`, "paths": {"read": [%q]}`, outside), want{"read " + secret: "secret text",
			"write " + secret: "!" + files, "get " + web.URL: "!" + network}},
		{"read a file", fmt.Sprintf(`, "paths": {"read": [%q]}`, secret), want{"read " + secret: "secret text", "read " + link: "!" + files}},
		{"write", fmt.Sprintf(`, "paths": {"write": [%q]}`, outside), want{"write " + outside + "/new": "written", "read " + secret: "secret text"}},
		{"network", `, "network": true`, want{"get " + web.URL: "page", "udp " + address: "sent", "read " + secret: "!" + files}},
		{"not confined", `, "confine": false`, want{"read " + secret: "secret text", "get " + web.URL: "page"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := outsider(t, c.entry)
			_ = os.Remove(link)
			is.New(t).NoErr(os.Symlink("/proc/1/environ", link))
			for _, wanted := range []want{inside(w), c.want} {
				for _, what := range []string{"write", "read", "spawn", "get", "udp", "listen"} { // written before it is read
					for call, answer := range wanted {
						tool, at, _ := strings.Cut(call, " ")
						if tool != what {
							continue
						}
						got, failed := w.does(tool, at)
						text, refused := strings.CutPrefix(answer, "!")
						if failed != refused || failed && !strings.Contains(got, text) || !failed && got != text {
							t.Errorf("%s: %s", call, got)
						}
					}
				}
			}
		})
	}
}

// TestConfinedNpx: a server that npx has to fetch is fetched once, with the network, and runs without it.
func TestConfinedNpx(t *testing.T) {
	if _, err := exec.LookPath("npx"); err != nil {
		t.Skip("SKIPPED, NPX IS NOT TESTED: there is none in PATH")
	}
	is := is.New(t)
	w := outsider(t, "")
	w.write(".pml.json", `{"mcpServers": {"memory": {"command": "npx", "env": {"MEMORY_FILE_PATH": "`+w.path("memory.json")+`"},
		"args": ["-y", "@modelcontextprotocol/server-memory@2026.8.31"]}}, "permissions": {"allow": ["*"]}}`)
	for range 2 {
		got := w.pml("", "run", "--verbose", "-e", `return (await mcp.memory.read_graph({})).entities.length`)
		if strings.Contains(got.stderr, "could not be installed") {
			t.Skip("SKIPPED, NPX IS NOT TESTED: the registry of npm cannot be reached: " + got.stderr)
		}
		is.Equal(got.stdout, "0\n")
	}
	done, err := os.ReadDir(w.path(".pml/installed"))
	is.NoErr(err)
	is.Equal(len(done), 1)
}

// TestConfinedDoctor: the doctor says who is confined, and who is not.
func TestConfinedDoctor(t *testing.T) {
	is := is.New(t)
	is.True(strings.Contains(outsider(t, "").pml("", "doctor").stdout, "1 server kept to the workspace, and off the network"))
	is.True(strings.Contains(outsider(t, `, "confine": false`).pml("", "doctor").stdout, "not confined: o"))
}
