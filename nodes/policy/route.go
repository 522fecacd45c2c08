package policy

import (
	"fmt"
	"strings"

	"github.com/casys-ai/pml/nodes"
)

// cloudServers is the built-in routing table: the servers whose tools run in the cloud; all others run here.
var cloudServers = map[string]bool{
	"tavily": true, "exa": true, "brave_search": true, "github": true, "slack": true, "memory": true, "fetch": true,
	"http": true, "api": true, "json": true, "math": true, "datetime": true, "crypto": true, "context7": true,
	"sequential_thinking": true, "magic": true, "pml": true,
}

// ownTools are the tools of pml itself that are always here.
var ownTools = map[string]bool{"execute": true, "plan": true, "discover": true, "resume": true, "cancel": true}

// Route says where a tool is executed. user holds what the user says, by server name or tool id: "client", "server" or
// their synonyms "local" and "cloud". The user's own servers are in there, as "client" unless marked. What is unknown
// stays here.
func Route(server, tool string, user map[string]string) nodes.Route {
	for _, key := range [...]string{server + ":" + tool, server} {
		if r, err := ParseRoute(user[key]); err == nil {
			return r
		}
	}
	name := strings.ToLower(strings.ReplaceAll(server, "-", "_"))
	if cloudServers[name] && !(name == "pml" && ownTools[tool]) {
		return nodes.Server
	}
	return nodes.Client
}

// ParseRoute reads a route as users and registries write it.
func ParseRoute(s string) (nodes.Route, error) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "client", "local":
		return nodes.Client, nil
	case "server", "cloud":
		return nodes.Server, nil
	}
	return nodes.Client, fmt.Errorf("unknown route %q; there are client and server", s)
}
