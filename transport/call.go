package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/casys-ai/pml/nodes"
)

// Request is one tool call.
type Request struct {
	Tool string
	// Args is the JSON text of an object; empty or null stands for {}.
	Args []byte
	// Meta is the JSON text of an object to be sent as _meta; nil for none.
	Meta []byte
	// Sent is called exactly once if the request may have reached the server: right after its bytes were written, and
	// before Do returns. Calls on one server call it in the order in which they are written. It runs on the writer of
	// the connection: it must be quick and must not call the Pool.
	Sent func()
	// Progress is called for progress notifications, from Do's own goroutine; some may be dropped.
	Progress func(Progress)
	// Patience is how long a Remote waits instead of Limits.CallTimeout; 0 for that.
	Patience time.Duration
}

// Call calls a tool; see Do and WithProgress.
func (p *Pool) Call(ctx context.Context, server, tool string, args []byte, sent func()) (*Result, error) {
	told, _ := ctx.Value(progressKey{}).(func(Progress))
	return p.Do(ctx, server, Request{Tool: tool, Args: args, Sent: sent, Progress: told})
}

type progressKey struct{}

// WithProgress makes the calls that are made with the context tell how they get on; see Request.Progress.
func WithProgress(ctx context.Context, told func(Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, told)
}

// Do calls a tool and waits for its result. A result with IsError is no error. The end of ctx, or of the time for one
// call, sends notifications/cancelled and returns at once. Errors are of type *Error. A request is repeated only if
// the connection ended before it was written.
func (p *Pool) Do(ctx context.Context, server string, r Request) (*Result, error) {
	s, missing := p.server(server, r.Tool)
	if missing != nil {
		return nil, missing
	}
	rq, bad := r.encode(server)
	if bad != nil {
		return nil, bad
	}
	m, err := s.request(ctx, r.Tool, rq)
	if err != nil {
		return nil, err
	}
	return resultOf(m, server, r.Tool)
}

// resultOf reads the answer to tools/call.
func resultOf(m message, server, tool string) (*Result, error) {
	result, malformed := ParseResult(m.result)
	if malformed != nil {
		return nil, &Error{
			Code: nodes.ServerError, Server: server, Tool: tool,
			Message: fmt.Sprintf("server %q answered with %v", server, malformed),
		}
	}
	return result, nil
}

// request sends a request to the server, started if need be, and returns its answer, which is no JSON-RPC error.
func (s *server) request(ctx context.Context, tool string, rq request) (message, error) {
	if s.remote != nil {
		ctx, end := context.WithCancel(ctx)
		defer end()
		defer context.AfterFunc(s.pool.ctx, end)()
		return s.remote.request(ctx, tool, rq)
	}
	for attempt := 1; ; attempt++ {
		x, err := s.acquire(ctx)
		if err != nil {
			return message{}, asError(err, s.config.Name).about(tool)
		}
		m, err := s.once(ctx, x, tool, rq)
		if err == nil || !errors.Is(err, errNotSent) || attempt > crashLimit {
			return m, err
		}
	}
}

func (s *server) once(ctx context.Context, x *session, tool string, rq request) (message, error) {
	limit := s.pool.opts.Limits.CallTimeout
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	said := x.said.Load()
	m, err := x.conn.call(limited, rq)
	if x.said.Load() != said {
		x.caughtUp(limited)
	}
	var known *Error
	switch {
	case err == nil:
		if failure := m.rpcError(); failure != nil {
			return m, rpcFailure(s.config.Name, tool, rq.method, failure)
		}
		return m, nil
	case errors.Is(err, errNotSent):
		return m, &Error{Code: nodes.ServerError, Server: s.config.Name, Tool: tool, Message: err.Error(), cause: err}
	case errors.As(err, &known):
		return m, known.about(tool)
	case ctx.Err() != nil:
		return m, stopped(ctx, s.config.Name, tool, 0)
	}
	return m, stopped(limited, s.config.Name, tool, limit)
}

// encode checks the arguments and prepares the request.
func (r Request) encode(server string) (request, *Error) {
	args := bytes.TrimSpace(r.Args)
	if len(args) == 0 || string(args) == "null" {
		args = []byte("{}")
	}
	if !isObject(args) || r.Meta != nil && !isObject(r.Meta) {
		return request{}, &Error{
			Code: nodes.InvalidArguments, Server: server, Tool: r.Tool,
			Message: "arguments must be a JSON object, not " + excerpt(args),
		}
	}
	args = oneLine(args)
	name := quoteJSON(r.Tool)
	params := func(id int64) []byte {
		out := make([]byte, 0, len(args)+len(name)+len(r.Meta)+64)
		out = append(append(out, `{"name":`...), name...)
		out = append(append(out, `,"arguments":`...), args...)
		if meta := r.meta(id); meta != nil {
			out = append(append(out, `,"_meta":`...), meta...)
		}
		return append(out, '}')
	}
	return request{method: "tools/call", params: params, sent: r.Sent, progress: r.Progress, patience: r.Patience}, nil
}

// meta is the _meta of the request: the caller's, with a progress token if progress is wanted.
func (r Request) meta(id int64) []byte {
	if r.Progress == nil {
		return oneLine(r.Meta)
	}
	token := []byte(`{"progressToken":` + strconv.FormatInt(id, 10))
	rest := bytes.TrimSpace(oneLine(r.Meta))
	if len(rest) == 0 || skipSpace(rest, 1) == len(rest)-1 {
		return append(token, '}')
	}
	return append(append(token, ','), rest[1:]...)
}

// asError makes an *Error of any error.
func asError(err error, server string) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Code: nodes.ServerError, Server: server, Message: fmt.Sprintf("server %q: %v", server, err), cause: err}
}
