package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/casys-ai/pml/nodes"
)

// CloudTool is a tool of the cloud, as its catalogue lists it.
type CloudTool struct {
	ID           nodes.ToolID    `json:"id"`
	Title        string          `json:"title,omitempty"`
	Description  string          `json:"description,omitempty"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
	// Effect is "pure", "read" or "write"; "" is write.
	Effect     string `json:"effect,omitempty"`
	Idempotent bool   `json:"idempotent,omitempty"`
	// Text says that its texts are handed over as they are, even where they look like JSON.
	Text bool `json:"text,omitempty"`
	// Keys are the variables that hold the caller's own keys for it.
	Keys []string `json:"keys,omitempty"`
	// Origin is "built-in" or "registry".
	Origin string `json:"origin,omitempty"`
}

// CloudCatalog is what a gateway tells its clients.
type CloudCatalog struct {
	// Routes are the platform's routes: client or server, by server name.
	Routes map[string]string `json:"routes"`
	Tools  []CloudTool       `json:"tools"`
	// Capabilities are the stored programs of the registry.
	Capabilities []CloudCapability `json:"capabilities,omitempty"`
}

// CloudCapability is a stored program of the registry, as the catalogue lists it.
type CloudCapability struct {
	ID          nodes.ToolID `json:"id"`
	FQDN        string       `json:"fqdn"`
	Description string       `json:"description,omitempty"`
	Parameters  []string     `json:"parameters,omitempty"`
}

// CloudConfig is how a gateway is reached.
type CloudConfig struct {
	// URL is the gateway's address without a path, Key the API key.
	URL, Key string
	// Cache is the file that keeps the catalogue between runs.
	Cache string
	HTTP  *http.Client
}

// CloudCall is one call of a tool of the cloud.
type CloudCall struct {
	Tool nodes.ToolID
	Args []byte
	// Key identifies the call: a gateway makes it once, however often it is asked to.
	Key string
	// Keys are the caller's own keys for this tool.
	Keys map[string]string
	Sent func()
	// Progress is told how the call gets on; nil for nobody. Patience is how long it may take, 0 for as long as any call.
	Progress func(Progress)
	Patience time.Duration
}

// CloudMemory is how long a gateway knows what calls came to: longer than the 30 days of a client's journal, by which it may
// ask for a call again. Who asks later than that makes the call again.
const CloudMemory = 35 * 24 * time.Hour

// Cloud is the client of a gateway.
type Cloud struct {
	config CloudConfig
	remote *Remote
	log    *slog.Logger

	mu   sync.Mutex // held while the catalogue is fetched
	kept *keptCatalog
}

// NewCloud returns a client. It connects on first use. Close it.
func NewCloud(c CloudConfig, opts PoolOptions) *Cloud {
	if c.HTTP == nil {
		c.HTTP = NewHTTPClient()
	}
	c.URL = strings.TrimSuffix(c.URL, "/")
	opts = opts.withDefaults()
	r := NewRemote(RemoteConfig{Name: "pml cloud", URL: c.URL + "/mcp", Stateless: true, HTTP: c.HTTP,
		Unreachable: nodes.CloudUnavailable, Headers: c.headers()}, opts)
	return &Cloud{config: c, remote: r, log: opts.Logger}
}

func (c CloudConfig) headers() map[string]string {
	return map[string]string{"X-Api-Key": c.Key, "X-Pml-Client": "package"}
}

// Close lets the connections go.
func (c *Cloud) Close() {
	c.remote.Close()
	c.config.HTTP.CloseIdleConnections()
}

// cloudMeta is _meta of what is sent to a gateway.
type cloudMeta struct {
	Key  string            `json:"pml/key,omitempty"`
	Keys map[string]string `json:"pml/keys,omitempty"`
}

// Call calls a tool. If the connection is lost it asks once more what the call came to: the gateway makes it once.
func (c *Cloud) Call(ctx context.Context, call CloudCall) (*Result, error) {
	meta, err := json.Marshal(cloudMeta{call.Key, call.Keys})
	if err != nil {
		return nil, err
	}
	q := Request{Tool: string(call.Tool), Args: call.Args, Meta: meta, Progress: call.Progress, Patience: call.Patience, Sent: sync.OnceFunc(func() {
		if call.Sent != nil {
			call.Sent()
		}
	})}
	r, err := c.remote.Call(ctx, q)
	if errors.Is(err, errLost) && call.Key != "" && ctx.Err() == nil {
		r, err = c.remote.Call(ctx, q)
	}
	if err != nil {
		return nil, err
	}
	if e := faultIn(r, call.Tool); e != nil {
		return nil, e
	}
	return r, nil
}

// FaultMeta is where a result of the gateway says in _meta that the call failed on its way, not the tool.
const FaultMeta = "pml/error"

// faultIn is the Error that a result stands for; nil if it is the tool's own.
func faultIn(r *Result, tool nodes.ToolID) *Error {
	var meta struct {
		Fault struct{ Code nodes.ErrorCode } `json:"pml/error"`
	}
	if !r.IsError || json.Unmarshal(r.Meta, &meta) != nil || meta.Fault.Code == "" {
		return nil
	}
	return &Error{Code: meta.Fault.Code, Tool: tool.Name(), Server: tool.Server(), Message: textOf(r)}
}

// Execute asks the gateway to execute a program as a whole; args are those of its tool execute.
func (c *Cloud) Execute(ctx context.Context, args []byte, keys map[string]string) (*Result, error) {
	return c.Call(ctx, CloudCall{Tool: "execute", Args: args, Keys: keys})
}

// Tell tells the gateway what runs came to, as JSON {traces: […]}.
func (c *Cloud) Tell(ctx context.Context, traces []byte) error {
	_, err := c.web(ctx, http.MethodPost, "/traces", traces, "")
	return err
}

func textOf(r *Result) string {
	var texts []string
	for _, b := range r.Content {
		texts = append(texts, b.Text)
	}
	return strings.Join(texts, "\n")
}

// catalogTimeout is how long planning waits for a gateway.
const catalogTimeout = 10 * time.Second

// Catalog is the gateway's catalogue: fetched if what is kept is too old, else, and where the gateway cannot be
// reached, as it was kept.
func (c *Cloud) Catalog(ctx context.Context) (*CloudCatalog, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		c.kept = readKept(c.config.Cache, c.config.URL)
	}
	if c.kept != nil && time.Now().Before(c.kept.Until) {
		return &c.kept.Catalog, nil
	}
	ctx, cancel := context.WithTimeout(ctx, catalogTimeout)
	defer cancel()
	fresh, err := c.fetchCatalog(ctx, c.kept)
	var refused *Error
	switch {
	case err == nil:
		fresh.write(c.config.Cache, c.log)
		c.kept = fresh
	case c.kept != nil && errors.As(err, &refused) && refused.Code == nodes.CloudUnavailable:
		c.log.Warn("the cloud cannot be reached; its tools are listed as they were", "error", err)
		c.kept.Until = time.Now().Add(offlineWait)
	default:
		return nil, err
	}
	return &c.kept.Catalog, nil
}

// offlineWait is how long after a failure the catalogue is not asked for again.
const offlineWait = 30 * time.Second

// fetchCatalog asks the gateway for its catalogue, unless it is still what was kept.
func (c *Cloud) fetchCatalog(ctx context.Context, kept *keptCatalog) (*keptCatalog, error) {
	etag := ""
	if kept != nil {
		etag = kept.ETag
	}
	a, err := c.get(ctx, "/catalog", etag)
	if err != nil {
		return nil, err
	}
	fresh := &keptCatalog{URL: c.config.URL, ETag: a.etag, Until: time.Now().Add(a.maxAge)}
	if a.status == http.StatusNotModified && kept != nil {
		fresh.Catalog = kept.Catalog
		return fresh, nil
	}
	if err := json.Unmarshal(a.body, &fresh.Catalog); err != nil {
		return nil, &Error{Code: nodes.CloudUnavailable, Message: fmt.Sprintf("%s gave no catalogue: %v", c.config.URL, err),
			Hint: "PML_CLOUD_URL must be the address of a pml gateway"}
	}
	return fresh, nil
}

// webAnswer is an answer of the gateway outside of MCP.
type webAnswer struct {
	status int
	body   []byte
	etag   string
	maxAge time.Duration
}

// get asks the gateway for a path. The status is 200 or 304; errors are of type *Error.
func (c *Cloud) get(ctx context.Context, path, etag string) (*webAnswer, error) {
	return c.web(ctx, http.MethodGet, path, nil, etag)
}

func (c *Cloud) web(ctx context.Context, method, path string, body []byte, etag string) (*webAnswer, error) {
	rq, err := http.NewRequestWithContext(ctx, method, c.config.URL+path, bytes.NewReader(body))
	if err != nil {
		return nil, &Error{Code: nodes.ConfigError, Message: "PML_CLOUD_URL is no address", Hint: "for example https://pml.casys.ai"}
	}
	for name, text := range c.config.headers() {
		rq.Header.Set(name, text)
	}
	if etag != "" {
		rq.Header.Set("If-None-Match", etag)
	}
	answer, err := c.config.HTTP.Do(rq)
	if err != nil {
		return nil, c.failed(err)
	}
	defer answer.Body.Close()
	text, err := readAll(answer.Body, c.remote.opts.Limits.MaxMessage)
	if err != nil {
		return nil, c.failed(err)
	}
	if answer.StatusCode >= http.StatusMultipleChoices && answer.StatusCode != http.StatusNotModified {
		return nil, c.failed(statusOf(answer.StatusCode, text))
	}
	return &webAnswer{answer.StatusCode, text, answer.Header.Get("ETag"), maxAge(answer.Header.Get("Cache-Control"))}, nil
}

// failed is the Error of a request that failed.
func (c *Cloud) failed(err error) *Error {
	e := c.remote.failed(err)
	e.Message = strings.Replace(e.Message, "server \"pml cloud\"", "the cloud", 1)
	return e
}

// maxAge is how long an answer may be kept without asking again (RFC 9111).
func maxAge(control string) time.Duration {
	for directive := range strings.SplitSeq(control, ",") {
		if text, ok := strings.CutPrefix(strings.TrimSpace(directive), "max-age="); ok {
			if d, err := time.ParseDuration(text + "s"); err == nil {
				return d
			}
		}
	}
	return 0
}
