package serve

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/server"
)

// heartbeat keeps the connections on which clients listen from being closed by what lies between.
const heartbeat = 25 * time.Second

// idleSession is how long the session of a client that says nothing is remembered.
const idleSession = 24 * time.Hour

// HTTP serves clients over streamable HTTP (MCP 2025-11-25, transports). Wrap it, and what else is served beside it, with
// LocalOnly.
func (s *Server) HTTP() http.Handler {
	return server.NewStreamableHTTPServer(s.mcp, server.WithStateful(true), server.WithHeartbeatInterval(heartbeat),
		server.WithSessionIdleTTL(idleSession), server.WithEventStore(newReplay()),
		server.WithStreamableHTTPLogger(s.log))
}

// LocalOnly lets through what comes from this machine's own programs and pages: a page of another site must not get at
// pml, not even under a name that it has made to mean this machine (MCP 2025-11-25, transports, security warning). names
// are further hosts under which the server is meant to be reached.
func LocalOnly(next http.Handler, names ...string) http.Handler {
	known := func(host string) bool {
		if IsLoopback(host) {
			return true
		}
		for _, name := range names {
			if strings.EqualFold(name, host) {
				return true
			}
		}
		return false
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if host := hostOf(r.Host); !known(host) {
			http.Error(w, fmt.Sprintf("pml is not reached under the name %q", host), http.StatusForbidden)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" {
			if u, err := url.Parse(origin); err != nil || !known(u.Hostname()) {
				http.Error(w, "pml does not answer pages of other sites", http.StatusForbidden)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// hostOf is the name in a Host header, without the port.
func hostOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.Trim(host, "[]")
}

// IsLoopback reports whether a host's name or address is that of this machine.
func IsLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}
