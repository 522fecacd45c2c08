package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/casys-ai/pml/nodes/policy"
)

// Server is one entry of mcpServers. Env may hold secrets: it is handed to the server and never shown.
type Server struct {
	Name string `json:"-"`
	// From is the file that it stands in.
	From    string            `json:"-"`
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
	// Dir is the working directory; the workspace if empty.
	Dir string `json:"cwd"`
	// URL is that of a server over streamable HTTP, Headers go with every request to it; they may hold secrets too.
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Type    string            `json:"type"`
	// Trust says whether its annotations are believed; nil means yes.
	Trust *bool `json:"trust"`
	// Route is client or server; "" is client.
	Route    string `json:"route"`
	Disabled bool   `json:"disabled"`
	// Concurrency is how many calls of all runs may be there at once; 0 for as many as come.
	Concurrency int `json:"concurrency"`
	// Text names the tools whose texts are handed over as they are, with `*`: "result": "text", or a list of names.
	Text   []string        `json:"-"`
	Result json.RawMessage `json:"result"`
	// Keys are the environment variables that its tools need, by tool; "*" is for all: "keys": ["NAME"], or
	// {"tool": ["NAME"]}.
	Keys    map[string][]string `json:"-"`
	RawKeys json.RawMessage     `json:"keys"`
	// Paths are what its process may read, and read and write, outside the workspace; Network lets it use the network.
	Paths   Paths `json:"paths"`
	Network bool  `json:"network"`
	// Confine set to false lets its process do whatever pml may.
	Confine *bool `json:"confine"`
}

// Paths are files and folders, absolute, relative to the workspace, or from "~/".
type Paths struct {
	Read  []string `json:"read"`
	Write []string `json:"write"`
}

// Confined reports whether its process is kept within the workspace, and its Paths and Network.
func (s *Server) Confined() bool { return s.Command != "" && (s.Confine == nil || *s.Confine) }

func readServers(path string, list map[string]json.RawMessage, servers map[string]Server) error {
	for _, name := range slices.Sorted(maps.Keys(list)) {
		var s Server
		if err := json.Unmarshal(list[name], &s); err != nil {
			return &Error{path, fmt.Sprintf("mcpServers.%s: %s", name, plainJSONError(err)),
				`for example {"command": "npx", "args": ["-y", "package"], "env": {"KEY": "${KEY}"}}`}
		}
		s.Name, s.From = name, path
		if err := s.check(); err != nil {
			return err
		}
		servers[name] = s
	}
	return nil
}

func (s *Server) check() error {
	switch {
	case strings.Contains(s.Name, ":") || s.Name == "":
		return &Error{s.From, fmt.Sprintf("mcpServers: %q is no name for a server", s.Name),
			"a name must not be empty or hold a colon"}
	case s.Disabled:
		return nil
	case s.Type == "sse":
		return &Error{s.From, fmt.Sprintf("mcpServers.%s has the type sse", s.Name),
			`that transport is no longer part of MCP; use the server's address for streamable HTTP, with "type": "http"`}
	case s.URL != "" && s.Command != "":
		return &Error{s.From, fmt.Sprintf("mcpServers.%s has a command and a url", s.Name), "keep one of them"}
	case s.URL != "":
		if err := s.checkURL(); err != nil {
			return err
		}
	case s.Command == "":
		return &Error{s.From, fmt.Sprintf("mcpServers.%s has no command", s.Name),
			`add "command", the program to start, or "url", the address of a server over HTTP`}
	}
	if s.Route != "" {
		if _, err := policy.ParseRoute(s.Route); err != nil {
			return &Error{s.From, fmt.Sprintf("mcpServers.%s.route: %v", s.Name, err), ""}
		}
	}
	if s.Concurrency < 0 {
		return &Error{s.From, fmt.Sprintf("mcpServers.%s.concurrency is negative", s.Name), "leave it out for no limit"}
	}
	if err := s.readKeys(); err != nil {
		return err
	}
	return s.readResult()
}

// checkURL checks an address that holds no variables; one that does is checked when it is used.
func (s *Server) checkURL() error {
	u, err := url.Parse(s.URL)
	if strings.Contains(s.URL, "${") || err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
		return nil
	}
	return &Error{s.From, fmt.Sprintf("mcpServers.%s: the url is no address of HTTP", s.Name),
		`for example "https://example.com/mcp"`}
}

func (s *Server) readKeys() error {
	var all []string
	switch {
	case s.RawKeys == nil, json.Unmarshal(s.RawKeys, &s.Keys) == nil:
		return nil
	case json.Unmarshal(s.RawKeys, &all) == nil:
		s.Keys = map[string][]string{"*": all}
		return nil
	}
	return &Error{s.From, fmt.Sprintf("mcpServers.%s.keys is %s", s.Name, s.RawKeys),
		`write the names of environment variables, ["API_KEY"], or {"tool": ["API_KEY"]}`}
}

func (s *Server) readResult() error {
	var word string
	switch {
	case s.Result == nil, json.Unmarshal(s.Result, &s.Text) == nil:
		return nil
	case json.Unmarshal(s.Result, &word) == nil && word == "text":
		s.Text = []string{"*"}
		return nil
	}
	return &Error{s.From, fmt.Sprintf("mcpServers.%s.result is %s", s.Name, s.Result),
		`write "text", or a list of tools whose results are text: ["read_*"]`}
}

var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\}`)

// expand fills in ${NAME} and ${NAME:-default}, and returns the names that are not set and have no default.
func (s *Server) expand(getenv func(string) string) (missing []string) {
	fill := func(text string) string {
		return variable.ReplaceAllStringFunc(text, func(m string) string {
			parts := variable.FindStringSubmatch(m)
			v := getenv(parts[1])
			if v == "" && parts[2] == "" && !slices.Contains(missing, parts[1]) {
				missing = append(missing, parts[1])
			}
			if v == "" {
				v = strings.TrimPrefix(parts[2], ":-")
			}
			return v
		})
	}
	s.Command, s.Dir, s.URL = fill(s.Command), fill(s.Dir), fill(s.URL)
	for _, list := range [][]string{s.Args, s.Paths.Read, s.Paths.Write} {
		for i := range list {
			list[i] = fill(list[i])
		}
	}
	for _, list := range []map[string]string{s.Env, s.Headers} {
		for _, k := range slices.Sorted(maps.Keys(list)) {
			list[k] = fill(list[k])
		}
	}
	return missing
}
