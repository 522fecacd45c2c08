package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"sync"

	"github.com/casys-ai/pml/nodes"
)

// The headers of the transport.
const (
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "Mcp-Protocol-Version"
)

// excerptLimit is how much is read of an answer that is of no use.
const excerptLimit = 4 << 10

var (
	// errForgotten is the answer of a server that no longer knows the session.
	errForgotten = errors.New("the server has forgotten the session")
	// errLost is a connection that ended after the request was written: what came of it is not known.
	errLost = errors.New("the connection ended before the answer")
)

// statusError is an HTTP status that is no answer.
type statusError struct {
	code int
	// said is the body's own message, if it has one.
	said string
	// errorCode and hint are those of a gateway's error, "" otherwise.
	errorCode nodes.ErrorCode
	hint      string
}

// Error names the status, and what the server said of it.
func (e *statusError) Error() string {
	text := fmt.Sprintf("HTTP status %d %s", e.code, http.StatusText(e.code))
	if e.said != "" {
		text += ": " + e.said
	}
	return text
}

// meaning is the code of the error that a status stands for, and how to mend it.
func (e *statusError) meaning(unreachable nodes.ErrorCode) (nodes.ErrorCode, string) {
	switch {
	case e.errorCode != "":
		return e.errorCode, e.hint
	case e.code == http.StatusUnauthorized, e.code == http.StatusForbidden:
		return nodes.PermissionDenied, "check the key in its headers"
	case e.code == http.StatusTooManyRequests, e.code == http.StatusRequestEntityTooLarge:
		return nodes.LimitExceeded, "try again later, or with less at once"
	case e.code == http.StatusNotFound, e.code == http.StatusMethodNotAllowed:
		return nodes.ServerError, "the address must be that of an MCP server over streamable HTTP"
	case e.code >= http.StatusMultipleChoices && e.code < http.StatusBadRequest:
		return nodes.ServerError, "redirects are not followed; write the address that it leads to"
	}
	return unreachable, "try again later"
}

// httpRequest makes an HTTP request with the headers that all have.
func (r *Remote) httpRequest(ctx context.Context, method string, body []byte, s state) (*http.Request, error) {
	rq, err := http.NewRequestWithContext(ctx, method, r.config.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	rq.Header.Set("Content-Type", "application/json")
	rq.Header.Set("Accept", "application/json, text/event-stream")
	for name, text := range r.config.Headers {
		rq.Header.Set(name, text)
	}
	if s.session != "" {
		rq.Header.Set(sessionHeader, s.session)
	}
	if s.version != "" {
		rq.Header.Set(versionHeader, s.version)
	}
	return rq, nil
}

// post sends one JSON-RPC request and waits for its answer, which comes as JSON or as a stream of events.
func (r *Remote) post(ctx context.Context, rq request, s state) (message, error) {
	id := r.nextID.Add(1)
	text := appendRequest(nil, id, rq.method, rq.params(id))
	told := sync.OnceFunc(func() {
		if rq.sent != nil {
			rq.sent()
		}
	})
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(i httptrace.WroteRequestInfo) {
		if i.Err == nil {
			told()
		}
	}})
	h, err := r.httpRequest(ctx, http.MethodPost, text, s)
	if err != nil {
		return message{}, err
	}
	h.GetBody = nil // the transport must not send it twice of its own accord
	answer, err := r.http.Do(h)
	switch {
	case err != nil && ctx.Err() != nil:
		r.cancel(id, s, ctx.Err())
		return message{}, err
	case err != nil && !isDial(err):
		told()
		return message{}, fmt.Errorf("%w: %w", errLost, err)
	case err != nil:
		return message{}, err
	}
	told()
	defer answer.Body.Close()
	if rq.header != nil {
		rq.header(answer.Header)
	}
	m, err := r.read(ctx, answer, id, rq)
	if err != nil && ctx.Err() != nil {
		r.cancel(id, s, ctx.Err())
	}
	return m, err
}

// cancel tells the server that an answer is no longer wanted, without waiting for long.
func (r *Remote) cancel(id int64, s state, why error) {
	if r.config.Stateless {
		return // the end of the connection says it
	}
	ctx, end := context.WithTimeout(context.Background(), closeTimeout)
	defer end()
	text := notification("notifications/cancelled",
		`{"requestId":`+strconv.FormatInt(id, 10)+`,"reason":`+quoteJSON(why.Error())+`}`)
	if h, err := r.httpRequest(ctx, http.MethodPost, text, s); err == nil {
		if answer, err := r.http.Do(h); err == nil {
			answer.Body.Close()
		}
	}
}

// read takes the answer to request id from an HTTP response.
func (r *Remote) read(ctx context.Context, answer *http.Response, id int64, rq request) (message, error) {
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	switch {
	case answer.StatusCode == http.StatusNotFound && answer.Request.Header.Get(sessionHeader) != "":
		return message{}, errForgotten
	case answer.StatusCode != http.StatusOK && kind != "application/json":
		return message{}, readStatus(answer)
	case kind == "text/event-stream":
		return r.readStream(ctx, answer.Body, id, rq)
	}
	text, err := readAll(answer.Body, r.opts.Limits.MaxMessage)
	if err != nil {
		return message{}, err
	}
	var found message
	if parseLine(text, func(m message) {
		if n, ok := m.number(); ok && n == id && m.method == "" || answer.StatusCode != http.StatusOK && m.failure != nil {
			found = m
		}
	}) && (found.result != nil || found.failure != nil) && !ownError(text) {
		return found, nil
	}
	if answer.StatusCode != http.StatusOK {
		return message{}, statusOf(answer.StatusCode, text)
	}
	return message{}, &Error{Code: nodes.ServerError, Server: r.config.Name,
		Message: fmt.Sprintf("server %q answered with what is no MCP message: %s", r.config.Name, excerpt(text)),
		Hint:    "the address must be that of an MCP server over streamable HTTP"}
}

// readStream reads events until the answer is among them.
func (r *Remote) readStream(ctx context.Context, body io.Reader, id int64, rq request) (message, error) {
	events := newEventReader(body, r.opts.Limits.MaxMessage)
	for {
		data, err := events.next()
		if err != nil {
			if errors.Is(err, errTooLong) || ctx.Err() != nil {
				return message{}, err
			}
			return message{}, fmt.Errorf("%w: %w", errLost, err)
		}
		var found *message
		parseLine(data, func(m message) {
			if n, ok := m.number(); ok && m.method == "" && n == id {
				found = &m
				return
			}
			r.receive(ctx, m, rq)
		})
		if found != nil {
			return *found, nil
		}
	}
}

// receive handles what a server asks and tells beside its answer.
func (r *Remote) receive(ctx context.Context, m message, rq request) {
	switch {
	case m.id != nil && m.method != "":
		if err := r.tell(ctx, reply(m, r.opts.Client.Root)); err != nil {
			r.logger().Debug("answer not delivered", "method", m.method, "error", err)
		}
	case m.method == "notifications/progress" && rq.progress != nil:
		if p, _, ok := parseProgress(m.params); ok {
			rq.progress(p)
		}
	case m.method == "notifications/message":
		logMessage(r.logger(), m.params)
	}
}

// readAll reads a body of at most most bytes.
func readAll(body io.Reader, most int) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(body, int64(most)+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errLost, err)
	case len(text) > most:
		return nil, errTooLong
	}
	return text, nil
}

// gatewayError is the body of an HTTP error of a gateway.
type gatewayError struct {
	Error struct {
		Code    nodes.ErrorCode `json:"code"`
		Message string          `json:"message"`
		Hint    string          `json:"hint"`
	} `json:"error"`
}

// ownError reports whether a body is the error of a gateway, whose code is a name, and no JSON-RPC error.
func ownError(text []byte) bool {
	var e gatewayError
	return json.Unmarshal(text, &e) == nil && e.Error.Code != ""
}

func readStatus(answer *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(answer.Body, excerptLimit))
	return statusOf(answer.StatusCode, text)
}

func statusOf(code int, text []byte) error {
	var e gatewayError
	if json.Unmarshal(text, &e) == nil && e.Error.Code != "" {
		return &statusError{code: code, said: e.Error.Message, errorCode: e.Error.Code, hint: e.Error.Hint}
	}
	return &statusError{code: code}
}
