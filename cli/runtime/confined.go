package runtime

import (
	"regexp"
	"strings"

	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/transport"
)

// What a program says that the system has refused something. Without the network names cannot be looked up either.
var (
	refusedPath    = regexp.MustCompile(`(?i)EACCES|EPERM|permission denied|operation not permitted|access is denied`)
	refusedNetwork = regexp.MustCompile(`(?i)EAI_AGAIN|EAI_FAIL|ENOTFOUND|getaddrinfo|name resolution|lookup .* (dial|socket)|connect EACCES|fetch failed|socket: permission denied|could not resolve`)
)

// confinedHint says why a confined server may have been refused something, and what allows it; "" if it was not.
func confinedHint(c transport.ServerConfig, text string) string {
	if c.Confine == nil || transport.Confinable() != "" {
		return ""
	}
	network := !c.Confine.Network && refusedNetwork.MatchString(text)
	if !network && !refusedPath.MatchString(text) {
		return ""
	}
	var hints []string
	if !c.Confine.Network {
		hints = append(hints, `has no network ("network": true allows it)`)
	}
	if !network {
		hints = append(hints, `reaches no files outside the workspace ("paths": {"read": […], "write": […]} adds some)`)
	}
	return "pml confines the server " + c.Name + ", which " + strings.Join(hints, " and ") + ": see mcpServers." + c.Name +
		" in .pml.json"
}

// confined adds to what a tool failed with that its server is confined, if that may be why.
func (s *Session) confined(server string, r call.Reply, err error) (call.Reply, error) {
	v := s.servers[server]
	if v == nil || err != nil || !r.IsError {
		return r, err
	}
	for i, b := range r.Content {
		if hint := confinedHint(v.entry.ServerConfig, b.Text); b.Type == "text" && hint != "" {
			r.Content[i].Text += "\n" + hint
			break
		}
	}
	return r, err
}
