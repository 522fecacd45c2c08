package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tailscale/hujson"

	"github.com/casys-ai/pml/nodes/policy"
)

// File is the name of the configuration in the workspace.
const File = ".pml.json"

// ServersFile holds servers only, as other MCP clients keep them.
const ServersFile = ".mcp-servers.json"

// Config is what a project says about itself.
type Config struct {
	// Servers are the user's own servers, sorted by name.
	Servers []Server
	// BuiltIn are the names of the built-in servers that are switched on; nil means all.
	BuiltIn []string
	Rules   policy.Rules
	Limits  Limits
	// NoSpeculation is `"speculate": false`.
	NoSpeculation bool
	// Files are the files that were read.
	Files []string
}

// Server is one entry of mcpServers.
type Server struct {
	Name string `json:"-"`
	// From is the file that it stands in.
	From    string            `json:"-"`
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
	// Dir is the working directory; the workspace if empty.
	Dir string `json:"cwd"`
	// URL is that of a remote server; not yet supported for local use.
	URL  string `json:"url"`
	Type string `json:"type"`
	// Trust says whether its annotations are believed; nil means yes.
	Trust *bool `json:"trust"`
	// Route is client or server; Result is "text" if its texts are handed over as they are.
	Route    string `json:"route"`
	Result   string `json:"result"`
	Disabled bool   `json:"disabled"`
}

// Limits are `limits` of .pml.json; zero means the default.
type Limits struct {
	Run, Call   time.Duration
	Calls       int
	Concurrency int
	// MemoryMB is what a script may use.
	MemoryMB int
}

// Error is something wrong with the configuration.
type Error struct{ File, Message, Hint string }

// Error implements error.
func (e *Error) Error() string { return e.File + ": " + e.Message }

type document struct {
	MCPServers  map[string]json.RawMessage `json:"mcpServers"`
	BuiltIn     json.RawMessage            `json:"builtin"`
	Permissions json.RawMessage            `json:"permissions"`
	Effects     json.RawMessage            `json:"effects"`
	Speculate   *bool                      `json:"speculate"`
	Limits      *limitsDocument            `json:"limits"`
}

type limitsDocument struct {
	Run         string `json:"run"`
	Call        string `json:"call"`
	Calls       int    `json:"calls"`
	Concurrency int    `json:"concurrency"`
	MemoryMB    int    `json:"memoryMB"`
}

// Load reads the configuration of a workspace. getenv fills in ${NAME} in the servers' env, args and command. A missing
// file is an empty one.
func Load(workspace string, getenv func(string) string) (*Config, error) {
	c := &Config{}
	servers := map[string]Server{}
	for _, name := range []string{ServersFile, File} {
		path := filepath.Join(workspace, name)
		text, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, &Error{path, err.Error(), ""}
		}
		c.Files = append(c.Files, path)
		if err := c.read(path, text, servers, getenv); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		if !servers[name].Disabled {
			c.Servers = append(c.Servers, servers[name])
		}
	}
	return c, nil
}

func (c *Config) read(path string, text []byte, servers map[string]Server, getenv func(string) string) error {
	standard, err := hujson.Standardize(bytes.TrimPrefix(text, []byte("\ufeff")))
	if err != nil {
		return &Error{path, "is not valid JSON: " + strings.TrimPrefix(err.Error(), "hujson: "), "comments and trailing commas are fine; quotes are needed"}
	}
	var d document
	if err := json.Unmarshal(standard, &d); err != nil {
		return &Error{path, plainJSONError(err), ""}
	}
	if filepath.Base(path) == ServersFile && d.MCPServers == nil {
		if err := json.Unmarshal(standard, &d.MCPServers); err != nil {
			return &Error{path, plainJSONError(err), `it should be {"mcpServers": {"name": {"command": "…"}}}`}
		}
	}
	if err := readServers(path, d.MCPServers, servers, getenv); err != nil {
		return err
	}
	return c.rules(path, &d)
}

// plainJSONError says in plain words what encoding/json complains about.
func plainJSONError(err error) string {
	var t *json.UnmarshalTypeError
	if errors.As(err, &t) {
		return fmt.Sprintf("%q must not be a %s", t.Field, t.Value)
	}
	return err.Error()
}

func readServers(path string, list map[string]json.RawMessage, servers map[string]Server, getenv func(string) string) error {
	for _, name := range slices.Sorted(maps.Keys(list)) {
		var s Server
		if err := json.Unmarshal(list[name], &s); err != nil {
			return &Error{path, fmt.Sprintf("mcpServers.%s: %s", name, plainJSONError(err)), ""}
		}
		s.Name, s.From = name, path
		switch {
		case strings.Contains(name, ":") || name == "":
			return &Error{path, fmt.Sprintf("mcpServers: %q is no name for a server", name), "a name must not be empty or hold a colon"}
		case s.URL != "" || s.Command == "":
			return &Error{path, fmt.Sprintf("mcpServers.%s has no command", name), "only servers that are started with a command are supported so far"}
		case s.Result != "" && s.Result != "text":
			return &Error{path, fmt.Sprintf("mcpServers.%s.result is %q", name, s.Result), `the only value is "text"`}
		}
		if s.Route != "" {
			if _, err := policy.ParseRoute(s.Route); err != nil {
				return &Error{path, fmt.Sprintf("mcpServers.%s.route: %v", name, err), ""}
			}
		}
		s.expand(getenv)
		servers[name] = s
	}
	return nil
}

var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\}`)

// expand fills in ${NAME} and ${NAME:-default}.
func (s *Server) expand(getenv func(string) string) {
	fill := func(text string) string {
		return variable.ReplaceAllStringFunc(text, func(m string) string {
			parts := variable.FindStringSubmatch(m)
			if v := getenv(parts[1]); v != "" {
				return v
			}
			return strings.TrimPrefix(parts[2], ":-")
		})
	}
	s.Command = fill(s.Command)
	for i := range s.Args {
		s.Args[i] = fill(s.Args[i])
	}
	for k, v := range s.Env {
		s.Env[k] = fill(v)
	}
}

func (c *Config) rules(path string, d *document) error {
	if d.Permissions != nil {
		rules, err := policy.ParseRules(d.Permissions)
		if err != nil {
			return &Error{path, "permissions: " + err.Error(), `for example {"allow": ["filesystem:read_*"], "ask": ["shell:*"]}`}
		}
		rules.Effects = c.Rules.Effects
		c.Rules = rules
	}
	if d.Effects != nil {
		effects, err := policy.ParseEffects(d.Effects)
		if err != nil {
			return &Error{path, "effects: " + err.Error(), `for example [{"tool": "crm:get_*", "effect": "read"}]`}
		}
		c.Rules.Effects = effects
	}
	if d.Speculate != nil {
		c.NoSpeculation = !*d.Speculate
	}
	if d.BuiltIn != nil {
		if err := c.builtIn(d.BuiltIn); err != nil {
			return &Error{path, "builtin: " + err.Error(), `for example ["filesystem", "git"], or false`}
		}
	}
	return c.limits(path, d.Limits)
}

func (c *Config) builtIn(raw json.RawMessage) error {
	var on bool
	if json.Unmarshal(raw, &on) == nil {
		if !on {
			c.BuiltIn = []string{}
		}
		return nil
	}
	if err := json.Unmarshal(raw, &c.BuiltIn); err != nil {
		return errors.New("it must be a list of names, or true or false")
	}
	return nil
}

func (c *Config) limits(path string, d *limitsDocument) error {
	if d == nil {
		return nil
	}
	for _, x := range []struct {
		name, text string
		to         *time.Duration
	}{{"run", d.Run, &c.Limits.Run}, {"call", d.Call, &c.Limits.Call}} {
		if x.text == "" {
			continue
		}
		v, err := time.ParseDuration(x.text)
		if err != nil || v <= 0 {
			return &Error{path, fmt.Sprintf("limits.%s is %q", x.name, x.text), `write a duration, such as "90s" or "5m"`}
		}
		*x.to = v
	}
	for _, x := range []struct {
		name string
		from int
		to   *int
	}{{"calls", d.Calls, &c.Limits.Calls}, {"concurrency", d.Concurrency, &c.Limits.Concurrency}, {"memoryMB", d.MemoryMB, &c.Limits.MemoryMB}} {
		if x.from < 0 {
			return &Error{path, fmt.Sprintf("limits.%s is negative", x.name), ""}
		}
		*x.to = x.from
	}
	return nil
}
