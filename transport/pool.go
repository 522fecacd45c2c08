package transport

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/conc"

	"github.com/casys-ai/pml/nodes"
)

// ServerConfig is one MCP server: a process on this machine, or one that URL leads to.
type ServerConfig struct {
	Name string
	// URL is that of a server over streamable HTTP; Headers go with every request to it. The rest is not used then.
	URL     string
	Headers map[string]string

	Command string
	Args    []string
	// Env is added to the few variables that are inherited; see PoolOptions.Environ.
	Env map[string]string
	// Dir is the working directory; "" is pml's own.
	Dir string
	// Tidies says that it ends its own children when it gets SIGTERM. Should pml be killed, the system then asks it to
	// end, where it kills others (on Linux): a killed server could not end what it has started.
	Tidies bool
	// Confine is what the process may do; nil for whatever pml may.
	Confine *Confinement
	// Check is called with the program's path before each start; an error of it is why the server is not started. nil for no
	// check.
	Check func(path string) error
	// Installed is a folder that remembers what npx has fetched for confined servers; "" to let it look each time.
	Installed string
}

// PoolOptions are what all servers of a Pool have in common. The zero value is ready to use.
type PoolOptions struct {
	Client Client
	Limits Limits
	Events Events
	// Logger gets warnings, the servers' log messages and, at debug level, their stderr; nil for nowhere.
	Logger *slog.Logger
	// Environ is pml's own environment ("NAME=value"), of which a server gets PATH, HOME, the locale and the like. The
	// package reads no environment itself, so without PATH here a command must be an absolute path.
	Environ []string
}

// Client is what the servers are told about us.
type Client struct {
	Name, Version string
	// Root is the workspace, an absolute path, which roots/list gives to servers that ask; "" for none.
	Root string
}

// Limits bound what a server may take. 0 is the default.
type Limits struct {
	// StartTimeout is for the start with the handshake: 20 s.
	StartTimeout time.Duration
	// CallTimeout is for one request, once the server runs: 30 s.
	CallTimeout time.Duration
	// MaxMessage is the longest message in bytes: 64 MB.
	MaxMessage int
}

// Events are callbacks. They run one after the other on a goroutine of the Pool and must not call Close.
type Events struct {
	// ToolsChanged is called when a server says that its tools are no longer what they were.
	ToolsChanged func(server string)
	// Asked answers what a server asks its client: sampling/createMessage and elicitation/create (MCP 2025-11-25), with the
	// result object. It may take its time, on a goroutine of its own; the context ends with the server. nil if nobody can.
	Asked func(ctx context.Context, server, method string, params []byte) ([]byte, error)
}

// Pool owns local MCP servers. Each is started on first use, restarted on the next use after a crash, and stopped with
// all its descendants by Close. A Pool is safe for concurrent use.
type Pool struct {
	opts    PoolOptions
	servers map[string]*server
	spawner *spawner
	events  *events
	ctx     context.Context // ends when the pool closes
	cancel  context.CancelFunc

	mu     sync.Mutex // guards closed, and owned against new goroutines while it is waited for
	closed bool
	owned  conc.WaitGroup // everything but the event goroutine
	last   conc.WaitGroup // the event goroutine
}

// NewPool returns a Pool of the servers. It starts nothing yet. The Pool must be closed.
func NewPool(configs []ServerConfig, opts PoolOptions) *Pool {
	p := &Pool{
		opts: opts.withDefaults(), servers: map[string]*server{}, spawner: newSpawner(), events: newEvents(),
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	for _, c := range configs {
		s := &server{pool: p, config: c, log: p.opts.Logger.With("server", c.Name)}
		if c.URL != "" {
			s.remote = NewRemote(RemoteConfig{Name: c.Name, URL: c.URL, Headers: c.Headers}, p.opts)
		}
		p.servers[c.Name] = s
	}
	p.last.Go(p.events.loop)
	return p
}

func (o PoolOptions) withDefaults() PoolOptions {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Client.Name == "" {
		o.Client.Name = "pml"
	}
	if o.Client.Version == "" {
		o.Client.Version = "0"
	}
	if o.Limits.StartTimeout <= 0 {
		o.Limits.StartTimeout = 20 * time.Second
	}
	if o.Limits.CallTimeout <= 0 {
		o.Limits.CallTimeout = 30 * time.Second
	}
	if o.Limits.MaxMessage <= 0 {
		o.Limits.MaxMessage = 64 << 20
	}
	return o
}

// Servers are the names of the configured servers, sorted.
func (p *Pool) Servers() []string { return slices.Sorted(maps.Keys(p.servers)) }

// Close stops all servers with all their descendants and returns when no process and no goroutine is left. Calls in
// flight end at once with CANCELLED. A server has a second to end after its stdin is closed, another after SIGTERM.
func (p *Pool) Close() {
	p.mu.Lock()
	first := !p.closed
	p.closed = true
	p.mu.Unlock()
	p.cancel()
	var remotes conc.WaitGroup
	for _, s := range p.servers {
		if s.remote != nil {
			remotes.Go(s.remote.Close)
		}
	}
	remotes.Wait()
	p.owned.Wait()
	if first {
		close(p.events.closed)
		p.spawner.close()
	}
	p.last.Wait()
}

// run starts a goroutine that Close waits for; false if the pool is closed.
func (p *Pool) run(f func()) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.owned.Go(f)
	return true
}

func (p *Pool) server(name, tool string) (*server, *Error) {
	if s := p.servers[name]; s != nil {
		return s, nil
	}
	hint := "no local server is configured"
	if names := p.Servers(); len(names) > 0 {
		hint = "configured: " + strings.Join(names, ", ")
	}
	return nil, &Error{
		Code: nodes.UnknownTool, Server: name, Tool: tool,
		Message: fmt.Sprintf("there is no server %q", name), Hint: hint,
	}
}
