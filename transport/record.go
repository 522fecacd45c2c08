package transport

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/casys-ai/pml/nodes"
)

// The types of a Record.
const (
	RecordCapability = "deno"  // a stored program: its code becomes part of the caller's graph
	RecordStdio      = "stdio" // an MCP server to start on the caller's machine
	RecordHTTP       = "http"  // an MCP server that the gateway calls with the caller's own key
)

// Record is an entry of the registry.
type Record struct {
	// FQDN is org.project.namespace.action.hash4, given when it is published; Name is namespace:action, or a server's name.
	FQDN string `json:"fqdn,omitempty"`
	Name string `json:"name"`
	Type string `json:"type"`
	// Routing is client or server; local and cloud are read as such.
	Routing     string `json:"routing,omitempty"`
	Description string `json:"description,omitempty"`
	// Code is that of a capability, the body of an async function that sees args; Parameters are the members of args it reads.
	// CodeURL is where the code is when it is published: what is there then is the code from then on.
	Code       string         `json:"code,omitempty"`
	CodeURL    string         `json:"codeUrl,omitempty"`
	Parameters []string       `json:"parameters,omitempty"`
	ToolsUsed  []nodes.ToolID `json:"tools_used,omitempty"`
	// Install is how a stdio server is started.
	Install *Install `json:"install,omitempty"`
	// ProxyTo is the address of an http server, Headers go with each request: ${NAME} in them is the caller's own key.
	ProxyTo string            `json:"proxyTo,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	// Tools are those of an http server.
	Tools []CloudTool `json:"tools,omitempty"`
	// Integrity is the hash of all the rest, but for FQDN.
	Integrity string `json:"integrity,omitempty"`
}

// Install is how a stdio server is started.
type Install struct {
	Command     string   `json:"command"`
	Args        []string `json:"args,omitempty"`
	EnvRequired []string `json:"envRequired,omitempty"`
}

var recordName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}(:[A-Za-z0-9_-]{1,64})?$`)

// toolName is how MCP wants tools to be named (2025-11-25), and /, which servers have.
var toolName = regexp.MustCompile(`^[A-Za-z0-9_./-]{1,128}$`)

// ownServer is pml's own: the gateway's tools stand there.
const ownServer = "pml"

// Check says what is wrong with a record, and normalises its routing. Errors are of type *Error.
func (r *Record) Check() error {
	bad := func(format string, a ...any) error {
		return &Error{Code: nodes.InvalidArguments, Message: "the record " + fmt.Sprintf(format, a...)}
	}
	switch strings.ToLower(r.Routing) {
	case "", "client", "local":
		r.Routing = "client"
	case "server", "cloud":
		r.Routing = "server"
	default:
		return bad("has the routing %q; there are client and server", r.Routing)
	}
	switch {
	case !recordName.MatchString(r.Name):
		return bad("has the name %q; write namespace:action, or a server's name", r.Name)
	case nodes.ToolID(r.Name).Server() == ownServer:
		return bad("has the name %q; pml is pml's own", r.Name)
	case r.Type == RecordCapability && (r.Code == "" || !strings.Contains(r.Name, ":")):
		return bad("is a capability: it needs code or codeUrl, and a name such as fs:read_json")
	case r.Type == RecordStdio && (r.Install == nil || r.Install.Command == "" || r.Routing != "client"):
		return bad("is a stdio server: it needs install.command, and runs on the client")
	case r.Type == RecordHTTP && (strings.Contains(r.Name, ":") || !isHTTP(r.ProxyTo)):
		return bad("is an http server: it needs a server's name, and proxyTo, an address of HTTP")
	case !slices.Contains([]string{RecordCapability, RecordStdio, RecordHTTP}, r.Type):
		return bad("has the type %q; there are deno, stdio and http", r.Type)
	}
	for _, t := range r.Tools {
		if t.ID.Server() != r.Name || !toolName.MatchString(t.ID.Name()) {
			return bad("has the tool %q; write %s:, and a name of letters, digits and _-./", t.ID, r.Name)
		}
	}
	if r.Type == RecordHTTP {
		r.Routing = "server"
	}
	return nil
}

func isHTTP(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// Hash is the hash of a record's content.
func (r Record) Hash() string {
	r.FQDN, r.Integrity = "", ""
	text, _ := json.Marshal(r)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// integrityPrefix begins Integrity.
const integrityPrefix = "sha256-"

// Seal gives a record its name and its hash.
func (r *Record) Seal(scope string) {
	hash := r.Hash()
	namespace, action, ok := strings.Cut(r.Name, ":")
	if !ok {
		action = "server"
	}
	r.Integrity = integrityPrefix + hash
	r.FQDN = strings.Join([]string{scope, namespace, action, hash[:4]}, ".")
}

// Intact reports whether a record is what was published: its hash is that of its content, and its FQDN the one that this
// content has in its scope.
func (r Record) Intact() bool {
	sealed := r
	sealed.Seal(scopeOf(r.FQDN))
	return sealed.Integrity == r.Integrity && sealed.FQDN == r.FQDN
}

// The parts of an FQDN: org.project, namespace.action, hash4.
const (
	scopeParts = 2
	fqdnParts  = 5
)

// scopeOf is the scope in an FQDN; "" if it has none.
func scopeOf(fqdn string) string {
	parts := strings.Split(fqdn, ".")
	if len(parts) != fqdnParts {
		return ""
	}
	return strings.Join(parts[:scopeParts], ".")
}

// IsFQDN reports whether a name is a whole FQDN: what it names never changes.
func IsFQDN(name string) bool { return strings.Count(name, ".") == fqdnParts-1 }

// Answers reports whether a record is one that has this name: its FQDN, that without the hash, or its short name.
func (r Record) Answers(name string) bool {
	return name == r.FQDN || name == r.Name || IsFQDN(name+".") && strings.HasPrefix(r.FQDN, name+".")
}

var keyPattern = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// Keys are the variables that hold the caller's own keys.
func (r *Record) Keys() (names []string) {
	for _, text := range r.Headers {
		for _, m := range keyPattern.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(names, m[1]) {
				names = append(names, m[1])
			}
		}
	}
	slices.Sort(names)
	return names
}

// WithKeys are the headers with the caller's own keys; missing names the first that is not there.
func (r *Record) WithKeys(keys map[string]string) (headers map[string]string, missing string) {
	headers = map[string]string{}
	for name, text := range r.Headers {
		headers[name] = keyPattern.ReplaceAllStringFunc(text, func(m string) string {
			key := keyPattern.FindStringSubmatch(m)[1]
			if keys[key] == "" {
				missing = key
			}
			return keys[key]
		})
	}
	return headers, missing
}

// Publish puts a record into the registry, under the scope of the key, and gives it as it stands there.
func (c *Cloud) Publish(ctx context.Context, r Record) (*Record, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	a, err := c.web(ctx, http.MethodPut, "/mcp/"+url.PathEscape(r.Name), body, "")
	if err != nil {
		return nil, err
	}
	c.keep(r.Name, nil) // what was kept of it is no longer the latest
	var out Record
	return &out, json.Unmarshal(a.body, &out)
}
