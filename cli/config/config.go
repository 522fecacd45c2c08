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
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/casys-ai/pml/nodes"
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
	// Expose are the tools that `pml stdio` and `pml serve` list beside their own.
	Expose []Expose
	// Sampling is who answers what servers ask of a language model where no client does.
	Sampling Sampling
	// NoSpeculation is `"speculate": false`.
	NoSpeculation bool
	// NoTraces is `"traces": false`: the gateway is not told what runs came to.
	NoTraces bool
	// Files are the files that were read.
	Files []string
	// Warnings are about what was read but looks like a mistake.
	Warnings []string
}

// Error is something wrong with the configuration. Hint says how to mend it; it may be empty.
type Error struct{ File, Message, Hint string }

// Error implements error.
func (e *Error) Error() string { return e.File + ": " + e.Message }

// document is .pml.json.
type document struct {
	MCPServers  map[string]json.RawMessage `json:"mcpServers"`
	BuiltIn     json.RawMessage            `json:"builtin"`
	Permissions json.RawMessage            `json:"permissions"`
	Effects     json.RawMessage            `json:"effects"`
	Expose      []json.RawMessage          `json:"expose"`
	Speculate   *bool                      `json:"speculate"`
	Traces      *bool                      `json:"traces"`
	Limits      *limitsDocument            `json:"limits"`
	Sampling    Sampling                   `json:"sampling"`
}

// Sampling names a provider, "anthropic" or "openai", and a model; "" for the one whose key is set, and its usual one.
type Sampling struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
}

// keys are those of document; other keys are left alone, for other versions of pml.
var keys = []string{"mcpServers", "builtin", "permissions", "effects", "expose", "speculate", "traces", "limits", "sampling"}

// Load reads the configuration of a workspace. getenv fills in ${NAME} in the servers' env, args and command. A missing
// file is an empty one. Errors are of type *Error.
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
		if err := c.read(path, text, servers); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		s := servers[name]
		if s.Disabled {
			continue
		}
		for _, missing := range s.expand(getenv) {
			c.warn(s.From, "mcpServers.%s uses ${%s}, which is not set", name, missing)
		}
		c.Servers = append(c.Servers, s)
	}
	return c, nil
}

func (c *Config) warn(path, format string, a ...any) {
	c.Warnings = append(c.Warnings, path+": "+fmt.Sprintf(format, a...))
}

func (c *Config) read(path string, text []byte, servers map[string]Server) error {
	standard, err := hujson.Standardize(bytes.TrimPrefix(text, []byte("\ufeff")))
	if err != nil {
		return &Error{path, "not valid JSON: " + strings.TrimPrefix(err.Error(), "hujson: "),
			"names and strings stand in double quotes; comments and trailing commas are allowed"}
	}
	var d document
	if err := json.Unmarshal(standard, &d); err != nil {
		return &Error{path, plainJSONError(err), "see the section on configuration in the README"}
	}
	if filepath.Base(path) == ServersFile && d.MCPServers == nil {
		if err := json.Unmarshal(standard, &d.MCPServers); err != nil {
			return &Error{path, plainJSONError(err), `it should be {"mcpServers": {"name": {"command": "…"}}}`}
		}
	} else {
		c.misspelt(path, standard)
	}
	if err := readServers(path, d.MCPServers, servers); err != nil {
		return err
	}
	if !slices.Contains([]string{"", "anthropic", "openai"}, d.Sampling.Provider) {
		return &Error{path, fmt.Sprintf("sampling.provider is %q", d.Sampling.Provider), `it is "anthropic" or "openai"`}
	}
	if d.Sampling != (Sampling{}) {
		c.Sampling = d.Sampling
	}
	return c.apply(path, &d)
}

// misspelt warns of keys that are nearly, but not quite, those that are known.
func (c *Config) misspelt(path string, text []byte) {
	var all map[string]json.RawMessage
	if json.Unmarshal(text, &all) != nil {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		known := func(k string) bool { return strings.EqualFold(key, k) } // encoding/json takes keys whatever their case
		if slices.ContainsFunc(keys, known) {
			continue
		}
		if near := nodes.Nearest(key, keys); near != "" {
			c.warn(path, "%q is not a known key: did you mean %q?", key, near)
		}
	}
}

// plainJSONError says in plain words what encoding/json complains about.
func plainJSONError(err error) string {
	var t *json.UnmarshalTypeError
	if !errors.As(err, &t) {
		return strings.TrimPrefix(err.Error(), "json: ")
	}
	if t.Field == "" {
		return "it must not be " + article(t.Value)
	}
	return fmt.Sprintf("%q must not be %s", t.Field, article(t.Value))
}

func article(noun string) string {
	if strings.HasPrefix(noun, "a") || strings.HasPrefix(noun, "o") {
		return "an " + noun
	}
	return "a " + noun
}

// apply takes over everything but the servers.
func (c *Config) apply(path string, d *document) error {
	if d.Permissions != nil {
		rules, err := policy.ParseRules(d.Permissions)
		if err != nil {
			return &Error{path, err.Error(), `for example {"allow": ["filesystem:read_*"], "ask": ["shell:*"]}`}
		}
		rules.Effects = c.Rules.Effects
		c.Rules = rules
	}
	if d.Effects != nil {
		effects, err := policy.ParseEffects(d.Effects)
		if err != nil {
			return &Error{path, err.Error(), `for example [{"tool": "crm:get_*", "effect": "read"}]`}
		}
		c.Rules.Effects = effects
	}
	if d.Speculate != nil {
		c.NoSpeculation = !*d.Speculate
	}
	if d.Traces != nil {
		c.NoTraces = !*d.Traces
	}
	if d.BuiltIn != nil {
		if err := c.builtIn(d.BuiltIn); err != nil {
			return &Error{path, "builtin: " + err.Error(), `for example ["filesystem", "git"], or false`}
		}
	}
	if err := c.expose(d.Expose); err != nil {
		return &Error{path, err.Error(), `for example ["crm:get_*", {"tool": "wiki:*", "prefix": false}]`}
	}
	return c.limits(path, d.Limits)
}

func (c *Config) builtIn(raw json.RawMessage) error {
	var on bool
	if json.Unmarshal(raw, &on) == nil {
		if c.BuiltIn = nil; !on {
			c.BuiltIn = []string{}
		}
		return nil
	}
	if err := json.Unmarshal(raw, &c.BuiltIn); err != nil {
		return errors.New("it must be a list of names, or true or false")
	}
	return nil
}
