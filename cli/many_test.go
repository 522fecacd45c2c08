package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

// logged counts the events of a test server's log.
func logged(t *testing.T, path string) map[string]int {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	count := map[string]int{}
	for line := range strings.Lines(string(text)) {
		var e struct{ Event, Tool string }
		if json.Unmarshal([]byte(line), &e) == nil {
			count[e.Event+" "+e.Tool]++
		}
	}
	return count
}

// await waits until a server's log holds what it should.
func await(t *testing.T, path, event string, want int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if got := logged(t, path)[event]; got == want {
			return
		} else if time.Now().After(deadline) {
			t.Fatalf("%q is logged %d times, want %d", event, got, want)
		}
	}
}

// TestManyAtOnce: of 200 execute calls with 20 tool calls each, half are taken back: their calls are cancelled at the
// server, and the others, in the same server, come to their end meanwhile. Memory stays bounded.
func TestManyAtOnce(t *testing.T) {
	is := is.New(t)
	const half, calls = 100, 20
	w := newWorkspace(t, `{"tools": [{"name": "hang", "effect": "read", "responses": [{"fault": "hang"}]},
		{"name": "add", "effect": "read", "behaviour": "echo"}]}`, "")
	log := w.path("log")
	w.write(".pml.json", fmt.Sprintf(`{"mcpServers": {"test": {"command": %q, "args": ["testserver", "-config", %q, "-log", %q]}},
		"builtin": false, "permissions": {"allow": ["*"]}}`, self(t), w.path("tools.json"), log))
	c := w.stdio("{}", nil)
	begin := func(code string, n int) (int, <-chan message) {
		return c.begin("tools/call", map[string]any{"name": "execute", "arguments": map[string]any{"code": code, "args": map[string]any{"n": n}}})
	}
	all := func(tool string) string {
		return fmt.Sprintf("const out = await Promise.all(Array.from({ length: %d }, (_, i) => mcp.test.%s({ n: args.n, i })));"+
			" return out.reduce((sum, x) => sum + x.n * x.i, 0)", calls, tool)
	}
	var hanging []int
	var replies []<-chan message
	for n := range half {
		id, _ := begin(all("hang"), n)
		hanging = append(hanging, id)
		_, reply := begin(all("add"), n)
		replies = append(replies, reply)
	}
	for n, reply := range replies {
		is.Equal(c.result(c.wait(reply).Result).object(t)["result"], float64(n*calls*(calls-1)/2))
	}
	await(t, log, "start hang", half*calls) // all of them are at the server
	is.True(memory(t, c.cmd.Process.Pid) < 400<<20)
	for _, id := range hanging {
		c.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": map[string]any{"requestId": id}})
	}
	await(t, log, "cancelled ", half*calls)
	_, got := c.execute("return 1")
	is.Equal(got["result"], 1.0)
	is.Equal(logged(t, log)["end add"], half*calls)
}

// memory is the resident memory of a process, in bytes; 0 where the system does not tell.
func memory(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("/proc", fmt.Sprint(pid), "statm"))
	if err != nil {
		return 0
	}
	var size, resident int
	if _, err := fmt.Sscan(string(text), &size, &resident); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d MB", resident*os.Getpagesize()>>20)
	return resident * os.Getpagesize()
}
