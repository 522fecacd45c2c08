package serve

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/casys-ai/pml/transport"
)

// Client is whoever made a call: a way to talk back while it runs.
type Client struct {
	server *Server
	ctx    context.Context
	token  mcp.ProgressToken
}

// WantsProgress reports whether the client asked to be told how the call gets on.
func (c *Client) WantsProgress() bool { return c.token != nil }

// Progress tells the client how its call gets on, if it asked for that (MCP 2025-11-25, progress: the numbers must grow).
func (c *Client) Progress(p transport.Progress) {
	if c.token == nil {
		return
	}
	params := map[string]any{"progressToken": c.token, "progress": p.Progress}
	if p.Total > 0 {
		params["total"] = p.Total
	}
	if p.Message != "" {
		params["message"] = p.Message
	}
	const method = "notifications/progress"
	if p, ok := server.ClientSessionFromContext(c.ctx).(*pipe); ok {
		p.notify(method, params)
		return
	}
	if err := c.server.mcp.SendNotificationToClient(c.ctx, method, params); err != nil {
		c.server.log.Debug("progress was not delivered", "error", err)
	}
}

// Log sends the client a log message, if its level is one that the client wants.
func (c *Client) Log(level slog.Level, logger, text string) {
	message := logMessage(level, logger, text)
	if p, ok := server.ClientSessionFromContext(c.ctx).(*pipe); ok {
		p.log(message)
		return
	}
	if err := c.server.mcp.SendLogMessageToClient(c.ctx, message); err != nil {
		c.server.log.Debug("a log message was not delivered", "error", err)
	}
}

// CanElicit reports whether the client can put a form to its user.
func (c *Client) CanElicit() bool { return c.can(string(mcp.MethodElicitationCreate)) }

// can reports whether the client said that it answers requests of a method.
func (c *Client) can(method string) bool {
	s, ok := server.ClientSessionFromContext(c.ctx).(server.SessionWithClientInfo)
	if !ok {
		return false
	}
	can := s.GetClientCapabilities()
	switch mcp.MCPMethod(method) {
	case mcp.MethodElicitationCreate:
		return can.Elicitation != nil
	case mcp.MethodSamplingCreateMessage:
		return can.Sampling != nil
	}
	return false
}

// Relay passes on what a server asks its client, elicitation/create or sampling/createMessage, and gives the result
// object. The error is ErrCannot if the client does not do that.
func (c *Client) Relay(ctx context.Context, method string, params []byte) ([]byte, error) {
	if !c.can(method) {
		return nil, ErrCannot
	}
	ctx = c.server.mcp.WithContext(ctx, server.ClientSessionFromContext(c.ctx))
	if mcp.MCPMethod(method) == mcp.MethodElicitationCreate {
		r := mcp.ElicitationRequest{Request: mcp.Request{Method: method}}
		return relayed(params, &r.Params, func() (any, error) { return c.server.mcp.RequestElicitation(ctx, r) })
	}
	r := mcp.CreateMessageRequest{Request: mcp.Request{Method: method}}
	//lint:ignore SA1019 servers and clients of the protocols before 2026-07-28 have it
	return relayed(params, &r.CreateMessageParams, func() (any, error) { return c.server.mcp.RequestSampling(ctx, r) })
}

// relayed reads the parameters, asks, and writes the result.
func relayed(params []byte, into any, ask func() (any, error)) ([]byte, error) {
	if err := json.Unmarshal(params, into); err != nil {
		return nil, err
	}
	result, err := ask()
	if err != nil {
		return nil, err
	}
	return json.Marshal(result)
}

// ErrCannot is the error of asking a client for what it does not do.
var ErrCannot = errors.New("the client cannot do that")

// Form is what a client's user is asked to fill in (MCP 2025-11-25, elicitation in form mode).
type Form struct {
	Message string
	// Schema is the JSON Schema of a flat object.
	Schema map[string]any
}

// FormReply is what came of a Form.
type FormReply struct {
	Action FormAction
	// Content is what was filled in, if Action is Accepted.
	Content map[string]any
}

// FormAction is what the user did with a form.
type FormAction string

// The actions, as they are on the wire.
const (
	Accepted  FormAction = "accept"
	Declined  FormAction = "decline"
	Dismissed FormAction = "cancel"
)

// Elicit asks the client's user, and waits for the answer.
func (c *Client) Elicit(ctx context.Context, f Form) (FormReply, error) {
	if session := server.ClientSessionFromContext(c.ctx); session != nil {
		ctx = c.server.mcp.WithContext(ctx, session)
	}
	r, err := c.server.mcp.RequestElicitation(ctx, mcp.ElicitationRequest{
		Request: mcp.Request{Method: string(mcp.MethodElicitationCreate)},
		Params:  mcp.ElicitationParams{Message: f.Message, RequestedSchema: f.Schema}})
	if err != nil {
		return FormReply{}, err
	}
	content, _ := r.Content.(map[string]any)
	return FormReply{FormAction(r.Action), content}, nil
}

func logMessage(level slog.Level, logger, text string) mcp.LoggingMessageNotification {
	return mcp.NewLoggingMessageNotification(levelName(level), logger, text)
}

// Log sends a log message to every client that wants its level.
func (s *Server) Log(level slog.Level, logger, text string) {
	s.mu.Lock()
	ids := slices.Collect(maps.Keys(s.sessions))
	s.mu.Unlock()
	for _, id := range ids {
		// A client that has gone, or does not log, misses nothing.
		_ = s.mcp.SendLogMessageToSpecificClient(id, logMessage(level, logger, text))
	}
}

func levelName(level slog.Level) mcp.LoggingLevel {
	switch {
	case level >= slog.LevelError:
		return mcp.LoggingLevelError
	case level >= slog.LevelWarn:
		return mcp.LoggingLevelWarning
	case level >= slog.LevelInfo:
		return mcp.LoggingLevelInfo
	}
	return mcp.LoggingLevelDebug
}

// opened is told of a new session. A client that sets no level gets what is worth knowing.
func (s *Server) opened(_ context.Context, session server.ClientSession) {
	if l, ok := session.(server.SessionWithLogging); ok {
		l.SetLogLevel(mcp.LoggingLevelInfo)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions[session.SessionID()] = session
}

func (s *Server) closed(_ context.Context, session server.ClientSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sessions, session.SessionID())
}
