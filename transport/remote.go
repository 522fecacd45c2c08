package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/casys-ai/pml/nodes"
)

// RemoteConfig is one MCP server that is reached over streamable HTTP (MCP 2025-06-18, "Transports").
type RemoteConfig struct {
	Name string
	URL  string
	// Headers go with every request; their values may be secrets and never appear in an error.
	Headers map[string]string
	// Stateless says that the server wants no handshake: a call is one round trip, the first one too.
	Stateless bool
	// Unreachable is the code of errors of the network; "" means SERVER_ERROR.
	Unreachable nodes.ErrorCode
	// HTTP sends the requests; nil for a client of its own.
	HTTP *http.Client
}

// Remote is an MCP client over streamable HTTP. It is safe for concurrent use and holds no goroutine between calls.
type Remote struct {
	config RemoteConfig
	opts   PoolOptions
	http   *http.Client
	own    bool // http is the Remote's own
	nextID atomic.Int64

	mu      sync.Mutex // held during the handshake
	ready   bool
	session string
	version string
}

// NewRemote returns a Remote. It connects on first use. Close it.
func NewRemote(c RemoteConfig, opts PoolOptions) *Remote {
	if c.Unreachable == "" {
		c.Unreachable = nodes.ServerError
	}
	r := &Remote{config: c, opts: opts.withDefaults(), http: c.HTTP}
	if r.http == nil {
		r.own = true
		r.http = NewHTTPClient()
	}
	return r
}

// idleConnections is how many connections to one host are kept: as many as a run has calls in flight.
const idleConnections = 64

// NewHTTPClient returns a client that follows no redirect: it would carry keys to where they were not meant for.
func NewHTTPClient() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = idleConnections
	return &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// Call calls a tool and waits for its result, as Pool.Do does.
func (r *Remote) Call(ctx context.Context, q Request) (*Result, error) {
	rq, bad := q.encode(r.config.Name)
	if bad != nil {
		return nil, bad
	}
	m, err := r.request(ctx, q.Tool, rq)
	if err != nil {
		return nil, err
	}
	return resultOf(m, r.config.Name, q.Tool)
}

// Tools lists the tools, all pages; bad ones are left out.
func (r *Remote) Tools(ctx context.Context) ([]ToolInfo, []Quarantine, error) {
	entries, err := listTools(r.config.Name, func(rq request) (message, error) { return r.request(ctx, "", rq) })
	if err != nil {
		return nil, nil, err
	}
	tools, bad := sortOut(entries)
	return tools, bad, nil
}

// closeTimeout is how long a server has to take leave.
const closeTimeout = time.Second

// Close takes leave of the server and lets the connections go. It returns soon.
func (r *Remote) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.session != "" {
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		if rq, err := r.httpRequest(ctx, http.MethodDelete, nil, r.state()); err == nil {
			if answer, err := r.http.Do(rq); err == nil {
				answer.Body.Close()
			}
		}
		r.session = ""
	}
	if r.own {
		r.http.CloseIdleConnections()
	}
}

// request sends a request, after a handshake if there was none, and returns the answer, which is no JSON-RPC error. A
// server that has forgotten the session has not executed the request: it is sent again in a new one, once.
func (r *Remote) request(ctx context.Context, tool string, rq request) (message, error) {
	patience := r.opts.Limits.CallTimeout
	if rq.patience > 0 {
		patience = rq.patience
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var m message
	var err error
	for range 2 {
		var s state
		if s, err = r.connected(limited); err != nil {
			break
		}
		if m, err = r.post(limited, rq, s); !errors.Is(err, errForgotten) {
			break
		}
		r.forget(s.session)
	}
	switch {
	case err == nil && m.failure != nil:
		return m, rpcFailure(r.config.Name, tool, rq.method, m.rpcError())
	case err == nil:
		return m, nil
	case ctx.Err() != nil:
		return m, stopped(ctx, r.config.Name, tool, 0)
	case limited.Err() != nil:
		return m, stopped(limited, r.config.Name, tool, patience)
	}
	return m, r.failed(err).about(tool)
}

// state is what the handshake has agreed on; every request carries it.
type state struct{ session, version string }

func (r *Remote) state() state { return state{r.session, r.version} }

// connected shakes hands if that was not done yet.
func (r *Remote) connected(ctx context.Context) (state, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ready || r.config.Stateless {
		return r.state(), nil
	}
	if err := r.handshake(ctx); err != nil {
		return state{}, err
	}
	r.ready = true
	return r.state(), nil
}

func (r *Remote) forget(session string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.session == session {
		r.ready, r.session = false, ""
	}
}

// handshake asks for one version after the other until the server takes one.
func (r *Remote) handshake(ctx context.Context) error {
	todo, asked := []string{firstVersion, mcp.LATEST_LEGACY_PROTOCOL_VERSION, mcp.ProtocolVersion20241105}, []string{}
	for {
		version := todo[0]
		todo, asked = todo[1:], append(asked, version)
		r.session, r.version = "", ""
		m, err := r.post(ctx, request{method: "initialize",
			params: func(int64) []byte { return hello(r.opts.Client, version, ownCapabilities) },
			header: func(h http.Header) { r.session = h.Get(sessionHeader) }}, state{})
		var status *statusError
		switch {
		case err == nil && m.failure == nil:
			info, err := readHello(r.config.Name, m.result)
			if err != nil {
				return err
			}
			r.version = info.ProtocolVersion
			return r.tell(ctx, notification("notifications/initialized", "{}"))
		case err == nil:
			if v := supported(m.rpcError().Data); v != "" && !slices.Contains(asked, v) {
				todo = []string{v}
			}
			if len(todo) == 0 {
				return rpcFailure(r.config.Name, "", "initialize", m.rpcError())
			}
		case errors.As(err, &status) && status.code == http.StatusBadRequest && len(todo) > 0:
		default:
			return err
		}
	}
}

// tell sends a message that has no answer.
func (r *Remote) tell(ctx context.Context, text []byte) error {
	rq, err := r.httpRequest(ctx, http.MethodPost, text, r.state())
	if err != nil {
		return err
	}
	answer, err := r.http.Do(rq)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, excerptLimit))
	if answer.StatusCode >= http.StatusBadRequest {
		return &statusError{code: answer.StatusCode}
	}
	return nil
}

// failed makes an Error of what went wrong on the way.
func (r *Remote) failed(err error) *Error {
	var known *Error
	var status *statusError
	e := &Error{Code: r.config.Unreachable, Server: r.config.Name, cause: err}
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &status):
		e.Message = fmt.Sprintf("server %q answered with %s", r.config.Name, status)
		e.Code, e.Hint = status.meaning(r.config.Unreachable)
	case errors.Is(err, errTooLong):
		e.Code, e.Hint = nodes.LimitExceeded, "ask the tool for less at once"
		e.Message = fmt.Sprintf("server %q sent a message of more than %d bytes", r.config.Name, r.opts.Limits.MaxMessage)
	case errors.Is(err, errLost):
		e.Message, e.Hint = fmt.Sprintf("the connection to server %q ended before it answered", r.config.Name), "try again later"
	default:
		e.Message, e.Hint = fmt.Sprintf("server %q cannot be reached: %s", r.config.Name, plainNetError(err)),
			"is the address right, and the network there?"
	}
	return e
}

func (r *Remote) logger() *slog.Logger { return r.opts.Logger.With("server", r.config.Name) }
