package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/casys-ai/pml/nodes"
)

// firstVersion is asked for first: with it a round trip costs less than with newer ones, and every server knows it.
const firstVersion = mcp.ProtocolVersion20250618

// ServerInfo is what a server said about itself in the handshake.
type ServerInfo struct {
	Name, Version   string
	ProtocolVersion string
	Instructions    string
}

type initializeResult struct {
	ProtocolVersion string `json:"protocolVersion"`
	ServerInfo      struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"serverInfo"`
	Instructions string `json:"instructions"`
}

// handshake agrees with the server on a protocol version; if that fails the session is stopped.
func (x *session) handshake() error {
	ctx, cancel := x.handshakeContext()
	defer cancel()
	err := x.initialize(ctx)
	if err == nil {
		x.conn.send(notification("notifications/initialized", "{}"))
		return nil
	}
	ended := x.ended()
	x.stop()
	<-x.dead
	var failed *Error
	switch {
	case errors.As(err, &failed) && ended && failed.Code == nodes.ServerError:
		failed = failed.about("")
		failed.Message = fmt.Sprintf("server %q ended while starting (%s)", x.server.config.Name, x.proc.status)
		failed.Hint = "its stderr may say why"
	case failed != nil:
	case x.server.pool.ctx.Err() != nil:
		return x.verdict(nil, true)
	case errors.Is(err, context.DeadlineExceeded):
		failed = &Error{Code: nodes.ServerError, Server: x.server.config.Name, cause: err}
		failed.Message = fmt.Sprintf("server %q did not answer initialize within %s", x.server.config.Name,
			x.server.pool.opts.Limits.StartTimeout)
		failed.Hint = "is it an MCP server that speaks over stdio?"
		failed.Stderr = x.proc.tail.String()
	default:
		failed = asError(err, x.server.config.Name)
	}
	return x.atStart(failed)
}

// atStart adds to an error what helps with a server that does not start.
func (x *session) atStart(e *Error) *Error {
	out := *e
	if printed := x.printed(); printed != "" {
		out.Message += "; it printed on stdout: " + printed
		out.Hint = "only MCP messages may be printed on stdout; logs belong on stderr"
	}
	return &out
}

// initialize asks for one version after the other until the server takes one.
func (x *session) initialize(ctx context.Context) error {
	name := x.server.config.Name
	asked := []string{}
	todo := x.server.versions()
	for len(todo) > 0 {
		version := todo[0]
		todo, asked = todo[1:], append(asked, version)
		m, err := x.conn.call(ctx, request{method: "initialize", params: func(int64) []byte {
			return hello(x.server.pool.opts.Client, version, x.capabilities())
		}})
		if err != nil {
			return err
		}
		refused := m.rpcError()
		if refused == nil {
			return x.accept(m.result)
		}
		if v := supported(refused.Data); v != "" && !slices.Contains(asked, v) {
			todo = []string{v}
		}
		if len(todo) == 0 {
			return rpcFailure(name, "", "initialize", refused)
		}
	}
	return nil
}

// versions are the protocol versions to ask for, in order.
func (s *server) versions() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := []string{firstVersion, mcp.LATEST_LEGACY_PROTOCOL_VERSION, mcp.ProtocolVersion20241105}
	if s.version != "" {
		out = append([]string{s.version}, slices.DeleteFunc(out, func(v string) bool { return v == s.version })...)
	}
	return out
}

// What a client can do: what pml answers itself, and what it can have answered too; see Events.Asked.
const (
	ownCapabilities     = `{"roots":{}}`
	relayedCapabilities = `{"roots":{},"sampling":{},"elicitation":{}}`
)

func (x *session) capabilities() string {
	if x.server.pool.opts.Events.Asked != nil {
		return relayedCapabilities
	}
	return ownCapabilities
}

// hello is the params of initialize.
func hello(c Client, version, capabilities string) []byte {
	return []byte(`{"protocolVersion":` + quoteJSON(version) + `,"capabilities":` + capabilities + `,"clientInfo":{"name":` +
		quoteJSON(c.Name) + `,"version":` + quoteJSON(c.Version) + `}}`)
}

// accept takes the server's answer if it names a version with a handshake that we know.
func (x *session) accept(raw []byte) error {
	info, err := readHello(x.server.config.Name, raw)
	if err != nil {
		return err
	}
	x.info = info
	x.server.mu.Lock()
	x.server.version = info.ProtocolVersion
	x.server.mu.Unlock()
	return nil
}

// readHello reads the answer to initialize, which must name a version with a handshake that we know.
func readHello(name string, raw []byte) (ServerInfo, error) {
	var r initializeResult
	if err := json.Unmarshal(raw, &r); err != nil {
		return ServerInfo{}, &Error{Code: nodes.ServerError, Server: name,
			Message: fmt.Sprintf("server %q answered initialize with %s", name, excerpt(raw))}
	}
	if !mcp.IsValidProtocolVersion(r.ProtocolVersion) || mcp.IsModernProtocol(r.ProtocolVersion) {
		return ServerInfo{}, &Error{Code: nodes.ServerError, Server: name,
			Message: fmt.Sprintf("server %q speaks MCP version %q, which pml does not", name, r.ProtocolVersion),
			Hint:    "try another version of the server, or of pml"}
	}
	return ServerInfo{r.ServerInfo.Name, r.ServerInfo.Version, r.ProtocolVersion, r.Instructions}, nil
}

// supported is the newest version with a handshake that an "unsupported version" error offers; "" if none.
func supported(data []byte) string {
	var d struct {
		Supported []string `json:"supported"`
	}
	_ = json.Unmarshal(data, &d)
	known := slices.DeleteFunc(d.Supported, func(v string) bool {
		return !mcp.IsValidProtocolVersion(v) || mcp.IsModernProtocol(v)
	})
	return mcp.NegotiateMutuallySupportedVersion(known)
}
