package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/transport"
)

func openStore(t *testing.T) *Store {
	t.Helper()
	s, err := OpenStore(t.Context(), filepath.Join(t.TempDir(), "gateway.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func codeOf(err error) nodes.ErrorCode {
	var e *transport.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// counter is a call that says how often it was made.
func counter(n *atomic.Int64, wait chan struct{}) Doing {
	return Doing{Run: func(ctx context.Context) (*transport.Result, error) {
		n.Add(1)
		if wait != nil {
			select {
			case <-wait:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return transport.TextResult("made"), nil
	}}
}

func TestOnce(t *testing.T) {
	is := is.New(t)
	s := openStore(t)
	m := NewMemory(s, time.Minute)
	var n atomic.Int64
	call := Call{Tool: "a:b", Args: []byte(`{"x": 1}`), Key: "run/n1"}
	for range 2 { // asked again, it says what came of it
		r, err := m.Once(t.Context(), "a.b", call, counter(&n, nil))
		is.NoErr(err)
		is.Equal(r.Content[0].Text, "made")
	}
	is.Equal(n.Load(), int64(1))
	_, err := m.Once(t.Context(), "other.b", call, counter(&n, nil)) // a tenant of its own
	is.NoErr(err)
	is.Equal(n.Load(), int64(2))
	spaced := Call{Tool: "a:b", Args: []byte(`{"x":1}`), Key: "run/n1"}
	_, err = m.Once(t.Context(), "a.b", spaced, counter(&n, nil))
	is.NoErr(err)
	other := Call{Tool: "a:b", Args: []byte(`{"x":2}`), Key: "run/n1"}
	_, err = m.Once(t.Context(), "a.b", other, counter(&n, nil))
	is.Equal(codeOf(err), nodes.InvalidArguments)
	is.Equal(n.Load(), int64(2))
	m.Close()
	again := NewMemory(s, time.Minute) // the gateway was started again
	defer again.Close()
	_, err = again.Once(t.Context(), "a.b", call, counter(&n, nil))
	is.NoErr(err)
	is.Equal(n.Load(), int64(2))
}

// What a call came to is known for longer than a client can ask for it again, and not for ever.
func TestForget(t *testing.T) {
	is := is.New(t)
	s := openStore(t)
	m := NewMemory(s, time.Minute)
	defer m.Close()
	var n atomic.Int64
	ask := func(days int) {
		_, err := m.Once(t.Context(), "a.b", Call{Tool: "a:b", Key: "run/n1"}, counter(&n, nil))
		is.NoErr(err)
		_, err = s.db.ExecContext(t.Context(), "UPDATE calls SET at = ?", time.Now().AddDate(0, 0, -days).Unix())
		is.NoErr(err)
		is.NoErr(s.forget(t.Context()))
	}
	ask(31)
	ask(36)
	is.Equal(n.Load(), int64(1))
	ask(0)
	is.Equal(n.Load(), int64(2))
}

// Whoever asks while the call is under way waits for it, and the call goes on when they are gone.
func TestOnceWhileUnderWay(t *testing.T) {
	is := is.New(t)
	m := NewMemory(openStore(t), time.Minute)
	defer m.Close()
	var n atomic.Int64
	wait := make(chan struct{})
	call := Call{Tool: "a:b", Key: "run/n1"}
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err := m.Once(gone, "a.b", call, counter(&n, wait))
	is.True(errors.Is(err, context.Canceled))
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if _, err := m.Once(t.Context(), "a.b", call, counter(&n, wait)); err != nil {
				t.Error(err)
			}
		})
	}
	close(wait)
	all.Wait()
	is.Equal(n.Load(), int64(1))
}

// What a gateway that was stopped was about to write is not known afterwards; a read is made again.
func TestOnceAfterTheEnd(t *testing.T) {
	is := is.New(t)
	s := openStore(t)
	m := NewMemory(s, time.Minute)
	var n atomic.Int64
	call := Call{Tool: "a:b", Key: "run/n1"}
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, _ = m.Once(gone, "a.b", call, counter(&n, make(chan struct{})))
	for n.Load() == 0 { // it has begun
		time.Sleep(time.Millisecond)
	}
	m.Close()
	_, err := m.Once(t.Context(), "a.b", call, counter(&n, nil))
	is.Equal(codeOf(err), nodes.CloudUnavailable)
	again := NewMemory(s, time.Minute)
	defer again.Close()
	_, err = again.Once(t.Context(), "a.b", call, counter(&n, nil))
	is.Equal(codeOf(err), nodes.ServerError)
	is.True(strings.Contains(err.Error(), "not known"))
	read := counter(&n, nil)
	read.Repeatable = true
	_, err = again.Once(t.Context(), "a.b", call, read)
	is.NoErr(err)
}

// idle is an Executor that does nothing.
type idle struct{ Executor }

func (idle) Tools(context.Context) ([]transport.CloudTool, error) {
	return []transport.CloudTool{{ID: "a:b", InputSchema: []byte(`{"type":"object"}`)}}, nil
}

func (idle) Execute(context.Context, Caller, []byte) *transport.Result {
	return transport.TextResult("ok")
}

func TestLimits(t *testing.T) {
	is := is.New(t)
	s := openStore(t)
	_, key, err := s.CreateKey(t.Context(), "a.b")
	is.NoErr(err)
	g, err := New(t.Context(), Options{Store: s, Executor: idle{}, Limits: Limits{Body: 1000, Rate: 2}})
	is.NoErr(err)
	post := func(body string) (int, string) {
		rq := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body))
		rq.Header.Set("X-Api-Key", key)
		rq.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		g.ServeHTTP(w, rq)
		text, _ := io.ReadAll(w.Body)
		return w.Code, string(text)
	}
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute","arguments":{"code":"return 1"}}}`
	status, text := post(call)
	is.Equal(status, http.StatusOK)
	is.True(strings.Contains(text, "ok"))
	status, text = post(`{"x":"` + strings.Repeat("y", 1000) + `"}`)
	is.Equal(status, http.StatusRequestEntityTooLarge)
	is.True(strings.Contains(text, "LIMIT_EXCEEDED"))
	for range 5 {
		status, _ = post(call)
	}
	is.Equal(status, http.StatusTooManyRequests)
}

func TestCatalogIsCached(t *testing.T) {
	is := is.New(t)
	s := openStore(t)
	_, key, err := s.CreateKey(t.Context(), "a.b")
	is.NoErr(err)
	g, err := New(t.Context(), Options{Store: s, Executor: idle{}})
	is.NoErr(err)
	web := httptest.NewServer(g)
	file := filepath.Join(t.TempDir(), ".pml", "cloud.json")
	connect := func() *transport.Cloud {
		c := transport.NewCloud(transport.CloudConfig{URL: web.URL, Key: key, Cache: file}, transport.PoolOptions{})
		t.Cleanup(c.Close)
		return c
	}
	fresh, err := connect().Catalog(t.Context())
	is.NoErr(err)
	is.Equal(fresh.Routes, map[string]string{"a": "server"})
	web.Close() // offline: what was kept serves
	kept, err := connect().Catalog(t.Context())
	is.NoErr(err)
	is.Equal(kept, fresh)
	nowhere := transport.NewCloud(transport.CloudConfig{URL: web.URL, Key: key}, transport.PoolOptions{})
	defer nowhere.Close()
	_, err = nowhere.Catalog(t.Context())
	is.Equal(codeOf(err), nodes.CloudUnavailable)
}

// What a tenant publishes takes no name from the gateway or from another tenant.
func TestRecordsDoNotShadow(t *testing.T) {
	is := is.New(t)
	s := openStore(t)
	_, key, err := s.CreateKey(t.Context(), "a.b")
	is.NoErr(err)
	g, err := New(t.Context(), Options{Store: s, Executor: idle{}})
	is.NoErr(err)
	put := func(name, id string) int {
		body := `{"type":"http","proxyTo":"https://x.example","tools":[{"id":"` + id + `"}]}`
		rq := httptest.NewRequest(http.MethodPut, "/mcp/"+name, strings.NewReader(body))
		rq.Header.Set("X-Api-Key", key)
		w := httptest.NewRecorder()
		g.ServeHTTP(w, rq)
		return w.Code
	}
	is.Equal(put("search", "search:find"), http.StatusOK)
	for name, id := range map[string]string{"search": "pml:execute", "pml": "pml:execute", "a": "a:b", "find": "find:", "x": "x:y z"} {
		is.Equal(put(name, id), http.StatusBadRequest)
	}
	for _, r := range []transport.Record{ // of another tenant, and of one who published before that was refused
		{Name: "search", Tools: []transport.CloudTool{{ID: "search:look"}}},
		{Name: "a", Tools: []transport.CloudTool{{ID: "a:b"}, {ID: "a:c"}}},
		{Name: "old", Tools: []transport.CloudTool{{ID: "pml:execute"}}},
	} {
		r.Type, r.ProxyTo = transport.RecordHTTP, "https://x.example"
		r.Seal("c.d")
		is.NoErr(s.publish(t.Context(), "c.d", &r))
	}
	var names []string
	for _, tool := range (protocol{g}).proxied() {
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	is.Equal(names, []string{"a:c", "search:find", "search:look"})
}

// A version that would take another one's FQDN is refused: what has a hash in its name never changes.
func TestFQDNIsTaken(t *testing.T) {
	is := is.New(t)
	s := openStore(t)
	first := transport.Record{Name: "a:b", Type: transport.RecordCapability, Code: "return 0"}
	first.Seal("a.b")
	is.NoErr(s.publish(t.Context(), "a.b", &first))
	is.NoErr(s.publish(t.Context(), "a.b", &first))
	other := first
	for i := 1; other.FQDN != first.FQDN || i == 1; i++ {
		other.Code = fmt.Sprint("return ", i)
		other.Seal("a.b")
	}
	is.Equal(s.publish(t.Context(), "a.b", &other), errTaken)
	kept, err := s.Record(t.Context(), "a.b", first.FQDN)
	is.NoErr(err)
	is.Equal(kept.Code, "return 0")
}
