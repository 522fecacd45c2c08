package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes"
)

// echoServer is a real MCP server over HTTP with the tools echo and slow. echo, asked for progress, waits until its
// client has heard of it: the library drops what it has not yet sent when a call ends. slow says when it started, and
// waits for its caller to give up.
func echoServer(told, slow chan struct{}) *mcpserver.MCPServer {
	s := mcpserver.NewMCPServer("echo", "1", mcpserver.WithToolCapabilities(false))
	s.AddTool(mcp.NewTool("echo", mcp.WithString("text", mcp.Required())),
		func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if r.Params.Meta != nil && r.Params.Meta.ProgressToken != nil {
				_ = mcpserver.ServerFromContext(ctx).SendNotificationToClient(ctx, "notifications/progress",
					map[string]any{"progressToken": r.Params.Meta.ProgressToken, "progress": 1})
				select {
				case <-told:
				case <-ctx.Done():
				}
			}
			return mcp.NewToolResultText(r.GetString("text", "") + r.Header.Get("X-Key")), nil
		})
	s.AddTool(mcp.NewTool("slow"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		close(slow)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	return s
}

func remotePool(t *testing.T, url string) *Pool {
	t.Helper()
	p := NewPool([]ServerConfig{{Name: "r", URL: url, Headers: map[string]string{"X-Key": "k1"}}}, PoolOptions{})
	t.Cleanup(p.Close)
	return p
}

func TestRemoteServers(t *testing.T) {
	for name, option := range map[string]mcpserver.StreamableHTTPOption{
		"stateless": mcpserver.WithStateLess(true), "stateful": mcpserver.WithStateful(true),
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			told := make(chan struct{})
			web := httptest.NewServer(mcpserver.NewStreamableHTTPServer(echoServer(told, nil), option))
			defer web.Close()
			p := remotePool(t, web.URL)
			tools, err := p.Tools(t.Context(), "r")
			is.NoErr(err)
			is.Equal(len(tools), 2)
			sent := 0
			got, err := p.Do(t.Context(), "r", Request{Tool: "echo", Args: []byte(`{"text":"hi "}`),
				Sent: func() { sent++ }, Progress: func(Progress) { close(told) }})
			is.NoErr(err)
			is.Equal(got.Content[0].Text, "hi k1")
			is.Equal(sent, 1)
			_, err = p.Call(t.Context(), "r", "nothing", nil, nil)
			is.Equal(codeOf(err), nodes.UnknownTool)
		})
	}
}

func codeOf(err error) nodes.ErrorCode {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// A server that has forgotten the session gets the request again in a new one.
func TestRemoteSessionForgotten(t *testing.T) {
	is := is.New(t)
	first := mcpserver.NewStreamableHTTPServer(echoServer(nil, nil), mcpserver.WithStateful(true))
	second := mcpserver.NewStreamableHTTPServer(echoServer(nil, nil), mcpserver.WithStateful(true))
	var mu sync.Mutex
	handler := first
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		h := handler
		mu.Unlock()
		if id := r.Header.Get(sessionHeader); h == second && id == "old" {
			http.Error(w, "no such session", http.StatusNotFound)
			return
		}
		h.ServeHTTP(w, r)
	}))
	defer web.Close()
	p := remotePool(t, web.URL)
	_, err := p.Call(t.Context(), "r", "echo", []byte(`{"text":"a"}`), nil)
	is.NoErr(err)
	p.servers["r"].remote.session = "old"
	mu.Lock()
	handler = second
	mu.Unlock()
	_, err = p.Call(t.Context(), "r", "echo", []byte(`{"text":"b"}`), nil)
	is.NoErr(err)
}

func TestRemoteCancelReachesTheServer(t *testing.T) {
	is := is.New(t)
	started, told := make(chan struct{}), make(chan struct{})
	inner := mcpserver.NewStreamableHTTPServer(echoServer(nil, started), mcpserver.WithStateful(true))
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), "notifications/cancelled") {
			close(told)
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		inner.ServeHTTP(w, r)
	}))
	defer web.Close()
	p := remotePool(t, web.URL)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-started; cancel() }()
	_, err := p.Call(ctx, "r", "slow", nil, nil)
	is.Equal(codeOf(err), nodes.Cancelled)
	<-told
}

// scripted answers initialize as the Go SDK's strict server does, and everything else with a function.
func scripted(t *testing.T, answer http.HandlerFunc) *Pool {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ ProtocolVersion string }
		}
		_ = json.NewDecoder(r.Body).Decode(&m)
		w.Header().Set("Content-Type", "application/json")
		switch {
		case m.Method == "initialize" && m.Params.ProtocolVersion != mcp.ProtocolVersion20241105:
			http.Error(w, "unsupported protocol version", http.StatusBadRequest)
		case m.Method == "initialize":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2024-11-05","capabilities":{},`+
				`"serverInfo":{"name":"s","version":"1"}}}`, m.ID)
		case m.ID == nil:
			w.WriteHeader(http.StatusAccepted)
		default:
			answer(w, r)
		}
	}))
	t.Cleanup(web.Close)
	return remotePool(t, web.URL)
}

func TestRemoteFailures(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		code   nodes.ErrorCode
		says   string
	}{
		{"key", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusUnauthorized) }, nodes.PermissionDenied, "401"},
		{"rate", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusTooManyRequests) }, nodes.LimitExceeded, "429"},
		{"redirect", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x", http.StatusTemporaryRedirect) }, nodes.ServerError, "307"},
		{"gateway", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(403)
			io.WriteString(w, `{"error":{"code":"MISSING_API_KEY","message":"who are you?"}}`)
		}, nodes.MissingAPIKey, "who are you?"},
		{"page", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>") }, nodes.ServerError, "no MCP message"},
		{"lost", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, nodes.ServerError, "connection"},
		{"cut off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, "data: {\"jsonrpc\"")
		}, nodes.ServerError, "connection"},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			_, err := scripted(t, c.answer).Call(t.Context(), "r", "echo", nil, nil)
			is.Equal(codeOf(err), c.code)
			is.True(strings.Contains(err.Error(), c.says))
			is.True(!strings.Contains(err.Error(), "k1"))
		})
	}
}

func TestRemoteUnreachable(t *testing.T) {
	is := is.New(t)
	web := httptest.NewServer(http.NotFoundHandler())
	web.Close()
	sent := false
	_, err := remotePool(t, web.URL+"/?key=secret").Call(t.Context(), "r", "echo", nil, func() { sent = true })
	is.Equal(codeOf(err), nodes.ServerError)
	is.True(strings.Contains(err.Error(), "cannot be reached"))
	is.True(!strings.Contains(err.Error(), "secret"))
	is.True(!sent)
}

func TestRemoteTimeout(t *testing.T) {
	is := is.New(t)
	p := scripted(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	p.servers["r"].remote.opts.Limits.CallTimeout = 50 * time.Millisecond
	_, err := p.Call(t.Context(), "r", "echo", nil, nil)
	is.Equal(codeOf(err), nodes.RPCTimeout)
}

func TestEvents(t *testing.T) {
	is := is.New(t)
	e := newEventReader(strings.NewReader(": hi\r\nevent: x\r\n\r\ndata: a\ndata:b\n\ndata: c\n"), 10)
	data, err := e.next()
	is.NoErr(err)
	is.Equal(string(data), "a\nb")
	_, err = e.next()
	is.Equal(err, io.EOF)
	_, err = newEventReader(strings.NewReader("data: 12345678901\n\n"), 10).next()
	is.True(errors.Is(err, errTooLong))
}
