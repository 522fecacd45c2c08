package cli_test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/matryer/is"
)

// ledger is a server of the gateway that writes.
const ledger = `{"servers": {"ledger": {"tools": [
	{"name": "book", "effect": "write", "responses": [{"result": {"booked": "{{item}}"}}]},
	{"name": "wait", "effect": "write", "latencyMs": 100, "responses": [{"result": {"booked": "{{item}}"}}]}]}}}`

// The gateway is stopped in the middle of a run: what runs here has been done, the error names the node. Started again,
// the run goes on from there, and nothing is done twice.
func TestGatewayStoppedMidRun(t *testing.T) {
	is := is.New(t)
	c := startCloud(t, ledger, "")
	w := c.client(newWorkspace(t, shop, `"permissions": {"allow": ["*"]}`))
	address := strings.TrimPrefix(c.url, "http://")
	c.pass = func(n int, _ http.ResponseWriter, r *http.Request, next http.Handler) {
		if n == 1 {
			c.stop()
			panic(http.ErrAbortHandler)
		}
		next.ServeHTTP(nil, r)
	}
	c.pass = func(n int, rw http.ResponseWriter, r *http.Request, next http.Handler) {
		if n > 0 {
			c.stop()
		}
		next.ServeHTTP(rw, r)
	}
	program := `await mcp.ledger.book({ item: "a" });
const mine = await mcp.shop.buy({ item: "b" });
const theirs = await mcp.ledger.book({ item: "c" });
return [mine, theirs.booked];`
	var failed struct {
		RunID string `json:"run_id"`
		Error struct{ Code, Node, Tool string }
		Done  struct{ Calls int }
	}
	w.decode(w.pml("", "run", "--json", "-e", program), &failed)
	is.Equal([]string{failed.Error.Code, failed.Error.Node, failed.Error.Tool}, []string{"CLOUD_UNAVAILABLE", "n3", "ledger:book"})
	is.Equal(failed.Done.Calls, 2)

	c.pass = nil
	c.start(address)
	got := w.pml("", "runs", "resume", failed.RunID)
	is.Equal(strings.Join(strings.Fields(got.stdout), ""), `["boughtb","c"]`)
	is.Equal(bookings(t, c), []string{"a", "c"})
}

// bookings are the items that the gateway's ledger was called with, in order.
func bookings(t *testing.T, c *cloud) (items []string) {
	t.Helper()
	log, err := os.ReadFile(c.home.path("ledger.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(log)) {
		if _, rest, ok := strings.Cut(line, `"item":"`); ok && strings.Contains(line, `"start"`) {
			item, _, _ := strings.Cut(rest, `"`)
			items = append(items, item)
		}
	}
	return items
}

// The connection is cut in the middle of a part: pml asks again, and the gateway makes no call twice.
func TestConnectionCutMidPart(t *testing.T) {
	is := is.New(t)
	c := startCloud(t, ledger, "")
	w := newWorkspace(t, `{"servers": {}}`, `"permissions": {"allow": ["ledger:*"]}`)
	wire := newWire(t, strings.TrimPrefix(c.url, "http://"), "notifications/progress")
	w.env = append(w.env, "PML_API_KEY="+c.key, "PML_CLOUD_URL=http://"+wire.Addr().String())
	got := w.pml("", "run", "-e", `const a = await mcp.ledger.book({ item: "a" });
const b = await mcp.ledger.wait({ item: a.booked + "b" });
const d = await mcp.ledger.book({ item: b.booked + "c" });
return d.booked;`)
	is.Equal(got.stdout+got.stderr, "abc\n")
	is.Equal(bookings(t, c), []string{"a", "ab", "abc"})
	is.Equal(wire.cuts.Load(), int64(1))
}

// wire passes bytes on, and cuts the first connection on which the gateway's answer holds a text.
type wire struct {
	net.Listener
	cuts atomic.Int64
}

func newWire(t *testing.T, to, at string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{Listener: l}
	var all sync.WaitGroup
	t.Cleanup(func() { l.Close(); all.Wait() })
	all.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() { w.pass(client, to, at) })
		}
	})
	return w
}

func (w *wire) pass(client net.Conn, to, at string) {
	defer client.Close()
	server, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer server.Close()
	go func() { _, _ = io.Copy(server, client); server.Close() }()
	buf := make([]byte, 64<<10)
	for {
		n, err := server.Read(buf)
		if bytes.Contains(buf[:n], []byte(at)) && w.cuts.CompareAndSwap(0, 1) {
			return
		}
		if _, failed := client.Write(buf[:n]); err != nil || failed != nil {
			return
		}
	}
}
