package serve

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

var (
	_ server.SessionWithLogging     = (*pipe)(nil)
	_ server.SessionWithClientInfo  = (*pipe)(nil)
	_ server.SessionWithElicitation = (*pipe)(nil)
	_ server.SessionWithSampling    = (*pipe)(nil)
	_ server.SessionWithRoots       = (*pipe)(nil)
)

// session is what a client has said about itself.
type session struct {
	state        sync.Mutex
	initialized  bool
	level        mcp.LoggingLevel
	info         mcp.Implementation
	capabilities mcp.ClientCapabilities
}

// with reads or changes the state.
func (s *session) with(f func()) {
	s.state.Lock()
	defer s.state.Unlock()
	f()
}

// Initialize implements server.ClientSession.
func (s *session) Initialize() { s.with(func() { s.initialized = true }) }

// Initialized implements server.ClientSession.
func (s *session) Initialized() (is bool) {
	s.with(func() { is = s.initialized })
	return is
}

// SetLogLevel implements server.SessionWithLogging.
func (s *session) SetLogLevel(level mcp.LoggingLevel) { s.with(func() { s.level = level }) }

// GetLogLevel implements server.SessionWithLogging.
func (s *session) GetLogLevel() (level mcp.LoggingLevel) {
	s.with(func() { level = s.level })
	return level
}

// SetClientInfo implements server.SessionWithClientInfo.
func (s *session) SetClientInfo(info mcp.Implementation) { s.with(func() { s.info = info }) }

// GetClientInfo implements server.SessionWithClientInfo.
func (s *session) GetClientInfo() (info mcp.Implementation) {
	s.with(func() { info = s.info })
	return info
}

// SetClientCapabilities implements server.SessionWithClientInfo.
func (s *session) SetClientCapabilities(c mcp.ClientCapabilities) {
	s.with(func() { s.capabilities = c })
}

// GetClientCapabilities implements server.SessionWithClientInfo.
func (s *session) GetClientCapabilities() (c mcp.ClientCapabilities) {
	s.with(func() { c = s.capabilities })
	return c
}

// SessionID implements server.ClientSession: a pair of pipes has one client.
func (p *pipe) SessionID() string { return "stdio" }

// NotificationChannel implements server.ClientSession.
func (p *pipe) NotificationChannel() chan<- mcp.JSONRPCNotification { return p.notices }

// RequestElicitation implements server.SessionWithElicitation.
func (p *pipe) RequestElicitation(ctx context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	return ask[mcp.ElicitationResult](ctx, p, string(mcp.MethodElicitationCreate), r.Params)
}

// RequestSampling implements server.SessionWithSampling.
func (p *pipe) RequestSampling(ctx context.Context, r mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	return ask[mcp.CreateMessageResult](ctx, p, string(mcp.MethodSamplingCreateMessage), r.CreateMessageParams)
}

// ListRoots implements server.SessionWithRoots.
func (p *pipe) ListRoots(ctx context.Context, _ mcp.ListRootsRequest) (*mcp.ListRootsResult, error) {
	return ask[mcp.ListRootsResult](ctx, p, string(mcp.MethodListRoots), nil)
}

// response is what a client answers to a request of ours; as JSON it is the error of one.
type response struct {
	Message string
	result  json.RawMessage
	failed  bool
}

// ask sends the client a request and waits for its answer. The end of ctx takes the request back.
func ask[T any](ctx context.Context, p *pipe, method string, params any) (*T, error) {
	reply := make(chan response, 1)
	p.mu.Lock()
	p.last++
	id := p.last
	p.waiting[id] = reply
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.waiting, id)
	}()
	p.send(struct {
		JSONRPC string `json:"jsonrpc"`
		ID      int64  `json:"id"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{mcp.JSONRPC_VERSION, id, method, params})
	select {
	case r := <-reply:
		if r.failed {
			return nil, errors.New("the client answered: " + r.Message)
		}
		out := new(T)
		return out, json.Unmarshal(r.result, out)
	case <-ctx.Done():
		p.notify(string(mcp.MethodNotificationCancelled), map[string]any{"requestId": id})
		return nil, ctx.Err()
	}
}

// answered hands the client's answer to whoever waits for it.
func (p *pipe) answered(m *envelope) {
	id, err := strconv.ParseInt(string(m.ID), 10, 64)
	if err != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	reply := p.waiting[id]
	if reply == nil {
		return
	}
	delete(p.waiting, id)
	r := response{result: m.Result}
	if m.Error != nil {
		r = response{Message: m.Error.Message, failed: true}
	}
	reply <- r
}
