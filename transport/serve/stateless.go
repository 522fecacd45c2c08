package serve

import (
	"net/http"

	"github.com/mark3labs/mcp-go/server"
)

// Stateless serves clients over HTTP without sessions and without a handshake: each request stands for itself. Whoever
// puts it behind something checks where requests come from.
func (s *Server) Stateless() http.Handler {
	return server.NewStreamableHTTPServer(s.mcp, server.WithStateLess(true), server.WithDisableStreaming(true),
		server.WithDisableLocalhostProtection(true), server.WithStreamableHTTPLogger(s.log))
}
