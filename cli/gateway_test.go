package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/cli/executor"
	"github.com/casys-ai/pml/nodes"
)

// cloud is a real gateway process, with something in between that sees all that is sent to it.
type cloud struct {
	tb   testing.TB
	home *workspace
	url  string
	key  string
	cmd  *exec.Cmd
	// between is where clients connect.
	between *httptest.Server

	mu      sync.Mutex
	bodies  []string // of POST /mcp, in the order of arrival
	headers []http.Header
	told    []string // the bodies of POST /traces
	// pass decides about a request of POST /mcp before it is forwarded; nil forwards. It may keep it waiting.
	pass func(n int, w http.ResponseWriter, r *http.Request, next http.Handler)
}

// startCloud starts a gateway whose servers are those of a configuration of test servers.
func startCloud(tb testing.TB, tools, more string) *cloud {
	tb.Helper()
	c := &cloud{tb: tb, home: newWorkspace(tb, tools, more)}
	made := c.home.pml("", "gateway", "key", "create", "--scope", "acme.shop")
	c.key = strings.TrimSpace(made.stdout)
	c.start("localhost:0")
	target, err := url.Parse(c.url)
	if err != nil {
		tb.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }
	c.between = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { c.forward(w, r, proxy) }))
	tb.Cleanup(c.between.Close)
	return c
}

// start starts the process; it is stopped when the test ends.
func (c *cloud) start(address string) {
	c.tb.Helper()
	c.cmd = c.home.command("gateway", "--listen", address, "--rate", "100000", "--allow-private")
	stderr, err := c.cmd.StderrPipe()
	if err != nil {
		c.tb.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		c.tb.Fatal(err)
	}
	lines := bufio.NewReader(stderr)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			c.tb.Fatalf("the gateway does not start: %v %s", err, line)
		}
		if _, at, ok := strings.Cut(line, "pml gateway at "); ok {
			c.url = strings.TrimSuffix(strings.TrimSpace(at), "/mcp")
			break
		}
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	c.tb.Cleanup(c.stop)
}

// stop ends the process, if it still runs.
func (c *cloud) stop() {
	if c.cmd.ProcessState != nil {
		return
	}
	_ = c.cmd.Process.Signal(syscall.SIGTERM)
	_ = c.cmd.Wait()
}

func (c *cloud) forward(w http.ResponseWriter, r *http.Request, proxy http.Handler) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	if r.URL.Path == "/traces" {
		c.mu.Lock()
		c.told = append(c.told, string(body))
		c.mu.Unlock()
	}
	if r.Method != http.MethodPost || r.URL.Path != "/mcp" {
		proxy.ServeHTTP(w, r)
		return
	}
	c.mu.Lock()
	n := len(c.bodies)
	c.bodies = append(c.bodies, string(body))
	c.headers = append(c.headers, r.Header.Clone())
	pass := c.pass
	c.mu.Unlock()
	if pass == nil {
		proxy.ServeHTTP(w, r)
		return
	}
	pass(n, w, r, proxy)
}

// sent are the bodies that went to the gateway since the last look.
func (c *cloud) sent() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := c.bodies
	c.bodies, c.headers = nil, nil
	return out
}

// traces are the bodies of POST /traces so far.
func (c *cloud) traces() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.told)
}

// client makes w use the gateway.
func (c *cloud) client(w *workspace) *workspace {
	w.env = append(w.env, "PML_API_KEY="+c.key, "PML_CLOUD_URL="+c.between.URL)
	return w
}

// reply is what execute answers.
type reply struct {
	Status          string
	Result          json.RawMessage
	ExecutedLocally bool `json:"executed_locally"`
	Error           struct {
		Code           nodes.ErrorCode
		Message, Hint  string
		Line           int
		ClientTools    []string `json:"client_tools"`
		InstallCommand string   `json:"install_command"`
	}
	Code        string
	DAG         executor.Dag
	ToolsUsed   []string          `json:"tools_used"`
	ClientTools []string          `json:"client_tools"`
	FQDNs       map[string]string `json:"fqdns"`
	WorkflowID  string            `json:"workflow_id"`
}

// execute asks the gateway to execute a program; pkg says that the client is pml.
func (c *cloud) execute(code string, pkg bool) (r reply) {
	c.tb.Helper()
	var answer struct {
		Result struct{ StructuredContent reply }
	}
	status, body := c.post(c.key, "execute", map[string]any{"code": code}, pkg)
	if status != http.StatusOK || json.Unmarshal(body, &answer) != nil {
		c.tb.Fatalf("%d %s", status, body)
	}
	return answer.Result.StructuredContent
}

// post calls a tool of the gateway as any MCP client would.
func (c *cloud) post(key, tool string, args any, pkg bool) (int, []byte) {
	c.tb.Helper()
	text, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": args}})
	rq, _ := http.NewRequest(http.MethodPost, c.url+"/mcp", bytes.NewReader(text))
	rq.Header.Set("Content-Type", "application/json")
	rq.Header.Set("X-Api-Key", key)
	if pkg {
		rq.Header.Set("X-Pml-Client", "package")
	}
	answer, err := http.DefaultClient.Do(rq)
	if err != nil {
		c.tb.Fatal(err)
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	return answer.StatusCode, body
}

// AC1 to AC3, and test cases 1 to 3, 6, 7, 10 of the tech-spec: what the gateway does with a program.
func TestGatewayExecutes(t *testing.T) {
	is := is.New(t)
	c := startCloud(t, `{"servers": {}}`, "")
	r := c.execute(`return await mcp.json.parse({ data: '{"a":1}' })`, false) // AC1, server-only-tools
	is.Equal([]string{r.Status, string(r.Result)}, []string{"success", `{"a":1}`})
	is.True(!r.ExecutedLocally)

	mixed := `const f = await mcp.filesystem.read_file({ path: "d.json" }); return await mcp.json.parse({ data: f })`
	r = c.execute(mixed, true) // AC2, client-tools-with-package
	is.Equal([]string{r.Status, r.Code}, []string{"execute_locally", mixed})
	is.Equal(r.ToolsUsed, []string{"filesystem:read_file", "json:parse"})
	is.Equal(r.ClientTools, []string{"filesystem:read_file"})
	is.Equal(len(r.DAG.Tasks), 2)
	is.Equal(r.DAG.Tasks[1].DependsOn, []string{"n1"})
	is.True(strings.HasPrefix(r.WorkflowID, "wf_"))

	r = c.execute(mixed, false) // AC3, client-tools-without-package: the missing header
	is.Equal(r.Error.Code, nodes.ClientToolsNeedClient)
	is.Equal(r.Error.ClientTools, []string{"filesystem:read_file"})
	is.Equal(r.Error.InstallCommand, executor.InstallCommand)

	is.Equal(c.execute("  ", false).Error.Code, nodes.EmptyCode)         // empty-code
	is.Equal(c.execute("const = 1", false).Error.Code, nodes.ParseError) // syntax-error
	r = c.execute("\nreturn await mcp.json.parze({ data: '' })", false)  // unknown-tool
	is.Equal([]any{r.Error.Code, r.Error.Line}, []any{nodes.UnknownTool, 2})
	is.True(strings.Contains(r.Error.Hint, "parse"))
	r = c.execute(`return process.env`, false) // permission-denied: a program reaches nothing
	is.Equal(r.Status, "error")
}

func TestGatewayKeys(t *testing.T) {
	is := is.New(t)
	c := startCloud(t, `{"servers": {}}`, "")
	code := map[string]any{"code": "return 1"}
	for _, key := range []string{"", "pml_wrong"} {
		status, body := c.post(key, "execute", code, false)
		is.Equal(status, http.StatusUnauthorized)
		is.True(strings.Contains(string(body), `"hint"`))
	}
	list := c.home.pml("", "gateway", "key", "list")
	is.True(strings.Contains(list.stdout, "acme.shop") && strings.Contains(list.stdout, "valid"))
	is.True(!strings.Contains(list.stdout, c.key))
	id := strings.Fields(strings.Split(list.stdout, "\n")[1])[0]
	is.Equal(c.home.pml("", "gateway", "key", "revoke", id).code, 0)
	status, _ := c.post(c.key, "execute", code, false)
	is.Equal(status, http.StatusUnauthorized)
	is.Equal(c.home.pml("", "gateway", "key", "revoke", id).code, 2)
	is.Equal(c.home.pml("", "gateway", "key", "create", "--scope", "Bad").code, 2)
	db, err := os.ReadFile(c.home.path(".pml/gateway.db"))
	is.NoErr(err)
	is.True(!bytes.Contains(db, []byte(c.key)))
}

// AC4 to AC8, and test cases 4, 5 and 12: what pml does with a program that has tools here and in the cloud.
func TestMixedProgram(t *testing.T) {
	is := is.New(t)
	c := startCloud(t, `{"servers": {}}`, "")
	w := c.client(newWorkspace(t, `{"servers": {}}`, `"permissions": {"allow": ["json:*", "math:*", "filesystem:read_*"]}`))
	w.write("d.json", `{"n":[1,2]}`) // the file is on the client's side only
	program := `const f = await mcp.filesystem.read_text_file({ path: "d.json" });
		const d = await mcp.json.parse({ data: f });
		return (await mcp.math.sum({ numbers: d.n })).value;`
	got := w.pml("", "run", "-e", program)
	is.Equal([]any{got.stdout, got.stderr}, []any{"3\n", ""})
	for _, h := range c.headers {
		is.Equal([]string{h.Get("X-Pml-Client"), h.Get("X-Api-Key")}, []string{"package", c.key}) // AC8
	}
	for _, body := range c.sent() {
		is.True(!strings.Contains(body, "d.json")) // the client tool's arguments stay here
	}
	c.stop() // network-error
	got = w.pml("", "run", "--json", "-e", program)
	var failed struct {
		Error struct{ Code, Node, Tool string }
	}
	w.decode(got, &failed)
	is.Equal(failed.Error.Code, "CLOUD_UNAVAILABLE")
	is.Equal(failed.Error.Tool, "json:parse")
	is.True(failed.Error.Node != "")
	// What runs here still does: the catalogue was kept.
	got = w.pml("", "run", "-e", `return await mcp.filesystem.read_text_file({ path: "d.json" })`)
	is.Equal(got.stdout, `{"n":[1,2]}`+"\n")
	got = w.pml("", "run", "-e", `try { await mcp.json.parse({ data: "1" }) } catch (e) { return e.code }`)
	is.Equal(got.stdout, "CLOUD_UNAVAILABLE\n")
}

func TestLocalOnly(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, `{"servers": {}}`, "")
	got := w.pml("", "run", "--yes", "-e", `return await mcp.json.parse({ data: "1" })`)
	is.Equal(got.code, 2)
	is.True(strings.Contains(got.stderr, "error MISSING_API_KEY 1:18: Cloud mode requires PML_API_KEY"))
}
