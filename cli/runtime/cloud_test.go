package runtime_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/cli/executor"
	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/engine/trace"
	"github.com/casys-ai/pml/fixtures"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/casys-ai/pml/transport"
	"github.com/casys-ai/pml/transport/gateway"
)

// cloudSide is a gateway over HTTP in this process, whose servers are the test servers of a configuration.
type cloudSide struct {
	web      *httptest.Server
	key      string
	database string
	store    *gateway.Store
	// handBack says that the gateway executes no program as a whole.
	handBack bool
	// cut says that the gateway does what it is asked to, and its answer does not arrive.
	cut bool

	mu   sync.Mutex
	sent []string // the bodies of POST /mcp, parts in the clear
}

// tenant makes a key for a scope.
func (c *cloudSide) tenant(tb testing.TB, scope string) string {
	tb.Helper()
	_, key, err := c.store.CreateKey(tb.Context(), scope)
	if err != nil {
		tb.Fatal(err)
	}
	return key
}

func (c *cloudSide) note(body []byte) {
	var m struct {
		Params struct{ Arguments struct{ Part []byte } }
	}
	text := string(body)
	if json.Unmarshal(body, &m) == nil && m.Params.Arguments.Part != nil {
		var p struct{ Values []byte }
		_ = json.Unmarshal(m.Params.Arguments.Part, &p)
		text += string(m.Params.Arguments.Part) + string(p.Values)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent = append(c.sent, text)
}

func newCloudSide(tb testing.TB, tools string, change ...func(*runtime.Config)) *cloudSide {
	tb.Helper()
	c := &cloudSide{database: filepath.Join(tb.TempDir(), "gateway.db")}
	store, err := gateway.OpenStore(tb.Context(), c.database)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { store.Close() })
	c.store = store
	c.key = c.tenant(tb, "acme.shop")
	s := open(tb, tools, append([]func(*runtime.Config){func(c *runtime.Config) {
		for i := range c.Servers {
			c.Servers[i].Route = "server"
		}
	}}, change...)...)
	e := executor.New(tb.Context(), s, store, gateway.NewUpstream(true), func(name string, err error) { tb.Error(name, err) })
	tb.Cleanup(e.Close)
	g, err := gateway.New(tb.Context(), gateway.Options{Store: store, Executor: e, Limits: gateway.Limits{Rate: 1e6}})
	if err != nil {
		tb.Fatal(err)
	}
	c.web = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			c.note(body)
			if c.handBack && bytes.Contains(body, []byte(`"name":"execute"`)) {
				w.Header().Set("Content-Type", "application/json")
				io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"status":"execute_locally"}}}`)
				return
			}
		}
		if c.cut && r.Method == http.MethodPost {
			g.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		}
		g.ServeHTTP(w, r)
	}))
	tb.Cleanup(c.web.Close)
	return c
}

// client makes a session whose servers are all in the cloud. What sets limits of its own is not forwarded as a whole.
func (c *cloudSide) client(tb testing.TB, tools string, whole bool, change ...func(*runtime.Config)) *runtime.Session {
	return open(tb, tools, append(change, func(config *runtime.Config) {
		if !whole {
			config.Limits.Calls = 999
		}
		config.Servers = slices.DeleteFunc(config.Servers, func(e runtime.ServerEntry) bool { return !e.BuiltIn })
		config.Cloud = transport.NewCloud(transport.CloudConfig{URL: c.web.URL, Key: c.key}, transport.PoolOptions{})
	})...)
}

// made are the calls that the gateway has made for a run, by path.
func (c *cloudSide) made(tb testing.TB, run string) map[string]string {
	tb.Helper()
	db, err := sql.Open("sqlite", "file:"+c.database)
	if err != nil {
		tb.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT key, digest FROM calls")
	if err != nil {
		tb.Fatal(err)
	}
	defer rows.Close()
	calls := map[string]string{}
	for rows.Next() {
		var key, digest string
		if err := rows.Scan(&key, &digest); err != nil {
			tb.Fatal(err)
		}
		path, _ := strings.CutPrefix(key, run+"/")
		calls[path] = digest[:strings.LastIndexByte(digest, ' ')]
	}
	return calls
}

// TestFixturesInTheCloud runs every fixture with all its tools at a gateway, in parts where that can be: the result is what
// Node gave, and the writes that the gateway has made are those of the program, no more and no less.
func TestFixturesInTheCloud(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED with -short: starts hundreds of processes")
	}
	cases, err := fixtures.Load()
	if err != nil {
		t.Fatal(err)
	}
	parts, err := os.ReadFile(filepath.Join("..", "..", "planner", "testdata", "parts.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		if inParts := strings.Contains("\n"+string(parts), "\n"+c.Name+": "); !inParts && i%8 != 0 {
			continue // those that are sent in parts, and some others
		}
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			inTheCloud(t, c, false)
		})
		if i%8 == 0 {
			t.Run(c.Name+"/whole", func(t *testing.T) {
				t.Parallel()
				inTheCloud(t, c, true)
			})
		}
	}
}

func inTheCloud(t *testing.T, c *fixtures.Case, whole bool) {
	cloud := newCloudSide(t, string(c.Tools))
	s := cloud.client(t, string(c.Tools), whole)
	got, out := execute(t, s, c.Program, string(c.Args), runtime.PlanOptions{})
	want, ok := c.Section(fixtures.ResultSection)
	if !ok {
		want, _ = c.Section(fixtures.ErrorSection)
	}
	want = strings.TrimSpace(want)
	switch {
	case whole && out.Err != nil: // of an exception at the gateway its message comes back
		if message := strings.TrimPrefix(out.Err.Message, "ToolError: "); !strings.Contains(want, message) {
			t.Errorf("got the error %q, want %s", message, want)
		}
	case got != want:
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	compareWrites(t, out, cloud.made(t, out.RunID))
}

// A loop over tools of the cloud is one request, if the gateway executes the program; handed back, pml executes it, and the
// loop is one more.
func TestForwardedAsAWhole(t *testing.T) {
	is := is.New(t)
	const program = `const out = []; for (const x of [1, 2, 3]) { const r = await mcp.kv.put({ id: "x" + x }); out.push(r.id); }
console.log("done"); return { out, none: undefined, big: -0 };`
	for _, handBack := range []bool{false, true} {
		cloud := newCloudSide(t, echoTools)
		cloud.handBack = handBack
		got, out := execute(t, cloud.client(t, echoTools, true), program, "", runtime.PlanOptions{})
		is.Equal(strings.Join(strings.Fields(got), ""), `{"out":["x1","x2","x3"],"big":0}`)
		is.Equal(len(out.Spans) >= 3, true)
		is.Equal(out.Logs, []runtime.Log{{Level: "log", Text: "done"}})
		is.Equal(len(cloud.made(t, out.RunID)), 3)
		if want := map[bool]int{false: 1, true: 2}[handBack]; len(cloud.sent) != want {
			t.Errorf("%d requests, want %d", len(cloud.sent), want)
		}
		o, ok := out.Value.(*value.Object)
		is.True(ok)
		none, has := o.Get("none") // JSON would lose it
		is.True(has && none == value.Undefined{})
	}
}

func compareWrites(t *testing.T, out *runtime.Outcome, made map[string]string) {
	t.Helper()
	write := func(id nodes.ToolID) bool { return out.Planned.Catalog.Tool(id).Effect == nodes.Write }
	for path, tool := range made {
		known := slices.ContainsFunc(out.Spans, func(s trace.Span) bool { return s.Path == path && string(s.Tool) == tool })
		if write(nodes.ToolID(tool)) && !known {
			t.Errorf("the gateway has called %s (%s), and the program has not", tool, path)
		}
	}
	for _, s := range out.Spans {
		if s.Tool != "" && s.Err == nil && !s.End.IsZero() && write(s.Tool) && made[s.Path] != string(s.Tool) {
			t.Errorf("the program has called %s (%s), and the gateway has not", s.Tool, s.Path)
		}
	}
}

// What the cloud says is cleaned of the user's own keys, whichever way it comes: alone, in a part, of a whole program.
func TestOwnKeysInCloudAnswers(t *testing.T) {
	const program = `const a = await mcp.kv.put({ id: args.key }); const b = await mcp.kv.put({ id: "2" });
console.log(a.id); return { [a.id]: b.id };`
	keyed := func(value string) func(*runtime.Config) {
		return func(c *runtime.Config) {
			c.Keys = func() map[string]string { return map[string]string{"PAID_KEY": value} }
			for i := range c.Servers {
				c.Servers[i].Keys = map[string][]string{"*": {"PAID_KEY"}}
			}
		}
	}
	cloud := newCloudSide(t, echoTools, keyed("key-of-the-gateway"))
	for _, whole := range []bool{false, true} {
		is := is.New(t)
		s := cloud.client(t, echoTools, whole, keyed("key-of-the-user"))
		got, out := execute(t, s, program, `{"key":"key-of-the-user"}`, runtime.PlanOptions{})
		is.Equal(strings.Join(strings.Fields(got), ""), `{"[PAID_KEY]":"2"}`)
		is.Equal(out.Logs, []runtime.Log{{Level: "log", Text: "[PAID_KEY]"}})
	}
}

// What Send gives, be it a result or an error, does not show the keys of the Session.
func TestSendIsClean(t *testing.T) {
	is := is.New(t)
	s := open(t, `{"servers": {"vault": {"tools": [{"name": "env", "behaviour": "env"},
		{"name": "fail", "responses": [{"rpcError": {"code": -32000, "message": "the key key-of-the-gateway is bad"}}]}]}}}`, func(c *runtime.Config) {
		c.Servers[len(c.Servers)-1].Env = map[string]string{"VAULT_KEY": "key-of-the-gateway"}
	})
	r, err := s.Send(t.Context(), "vault:env", []byte("{}"))
	is.NoErr(err)
	text := string(r.JSON())
	is.True(strings.Contains(text, "[VAULT_KEY]") && !strings.Contains(text, "key-of-the-gateway"))
	_, err = s.Send(t.Context(), "vault:fail", []byte("{}"))
	is.True(err != nil && strings.Contains(err.Error(), "[VAULT_KEY] is bad"))
}
