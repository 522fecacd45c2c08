package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/casys-ai/pml/engine/journal"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/nodes/script"
	"github.com/casys-ai/pml/transport"
)

// Session is one project with its servers. It may be used from several goroutines. Close it.
type Session struct {
	config     Config
	log        *slog.Logger
	pool       *transport.Pool
	scripts    *script.Pool
	caller     *call.Caller
	secrets    secrets
	audit      audit
	pins       pins
	latencies  latencies
	store      *journal.Store // nil if nothing is kept
	servers    map[string]*server
	cloudSeats *seats // nil for no limit
	names      []string

	cloudKnown sync.Map // the JSON of a transport.CloudTool → *nodes.Tool

	mu     sync.Mutex
	closed bool
	vars   map[string]string // the variables that keys are among
	always map[nodes.ToolID]call.Verdict
	active map[string]context.CancelCauseFunc // the runs under way, by id
	runs   sync.WaitGroup
	ctx    context.Context // ends with Close
	stop   context.CancelFunc
}

// Open makes a Session. It starts nothing yet.
func Open(_ context.Context, c Config) (*Session, error) {
	if len(c.SelfCommand) == 0 {
		return nil, errors.New("runtime: no command to start this binary with")
	}
	c.Limits = c.Limits.withDefaults()
	s := &Session{config: c, log: c.Log, servers: map[string]*server{}, cloudSeats: newSeats(c.InCloud),
		active: map[string]context.CancelCauseFunc{}, always: map[nodes.ToolID]call.Verdict{}}
	if c.State != "" {
		s.store = journal.NewStore(c.State, journal.Limits{}, s.secrets.all)
		s.audit.dir, s.pins.dir = c.State, c.State
		s.latencies.path = filepath.Join(c.State, LatenciesFile)
	}
	if s.log == nil {
		s.log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	s.log = slog.New(quietLog{s.log.Handler(), &s.secrets})
	configs, err := s.addServers()
	if err != nil {
		return nil, err
	}
	confined := func(c transport.ServerConfig) bool { return c.Confine != nil }
	if lacking := transport.Confinable(); lacking != "" && slices.ContainsFunc(configs, confined) {
		s.log.Warn("servers are not confined: " + lacking)
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.pool = transport.NewPool(configs, transport.PoolOptions{
		Client:  transport.Client{Name: "pml", Version: orDev(c.Version), Root: c.Workspace},
		Limits:  transport.Limits{CallTimeout: max(c.Limits.Call, listTimeout)},
		Events:  transport.Events{ToolsChanged: s.forget, Asked: c.Asked},
		Logger:  s.log,
		Environ: c.Environ,
	})
	s.scripts = script.NewPool(script.Options{
		Command: s.self("script-child"), Limits: c.Limits.Script, TZ: variable(c.Environ, "TZ"),
	})
	s.caller = call.New(call.Options{
		Rules: c.Rules, Transport: pipes{s.pool, s}, Timeout: c.Limits.Call,
		Warn: func(tool nodes.ToolID, message string) { s.log.Warn(message, "tool", string(tool)) },
	})
	return s, nil
}

// now is the time.
func (s *Session) now() time.Time {
	if s.config.Now != nil {
		return s.config.Now()
	}
	return time.Now()
}

// addServers fills servers and names and gives the Pool's view of them.
func (s *Session) addServers() ([]transport.ServerConfig, error) {
	var configs []transport.ServerConfig
	for _, e := range s.config.Servers {
		if s.servers[e.Name] != nil {
			return nil, fmt.Errorf("runtime: two servers are called %q", e.Name)
		}
		s.servers[e.Name] = &server{entry: e, seats: newSeats(e.InFlight)}
		s.names = append(s.names, e.Name)
	}
	sort.Strings(s.names)
	s.readKeys()
	for _, name := range s.names {
		configs = append(configs, s.serverConfig(s.servers[name].entry))
	}
	return configs, nil
}

// serverConfig is how a server is started: in the workspace unless it says otherwise.
func (s *Session) serverConfig(e ServerEntry) transport.ServerConfig {
	c := e.ServerConfig
	c.Env = maps.Clone(e.Env)
	for _, name := range e.keyNames() {
		if v := s.key(name); v != "" {
			if c.Env == nil {
				c.Env = map[string]string{}
			}
			c.Env[name] = v
		}
	}
	if c.Dir == "" {
		c.Dir = s.config.Workspace
	}
	if !e.BuiltIn && c.URL == "" {
		c.Check = func(path string) error {
			return s.pins.verify(e, substanceOf(c, path, s.config.Workspace, variable(s.config.Environ, "HOME")))
		}
	}
	if s.config.State != "" {
		c.Installed = filepath.Join(s.config.State, "installed")
	}
	if e.BuiltIn {
		argv := append(s.self("builtin", e.Name), e.Args...)
		c.Command, c.Args, c.Tidies = argv[0], argv[1:], true
	}
	return c
}

// self is the command line that starts this binary with args.
func (s *Session) self(args ...string) []string {
	own := s.config.SelfCommand
	return append(own[:len(own):len(own)], args...)
}

// Close ends everything: runs under way, servers with their descendants, script children. It returns when no process
// and no goroutine of the Session is left.
func (s *Session) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.stop()
	s.runs.Wait()
	var both sync.WaitGroup
	if s.config.Reporter != nil {
		s.config.Reporter.Close() // while there is a way to the cloud
	}
	both.Go(s.pool.Close)
	both.Go(s.scripts.Close)
	if s.config.Cloud != nil {
		both.Go(s.config.Cloud.Close)
	}
	both.Wait()
	s.audit.close()
	if s.store != nil {
		_ = s.store.Tidy() // what cannot be removed now is tried again the next time
	}
}

// ErrClosed is the error of a Session that was closed.
var ErrClosed = errors.New("runtime: the session is closed")

// enter notes that something is under way, which Close waits for, and gives a context that ends with the Session.
func (s *Session) enter(ctx context.Context) (context.Context, func(), error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, nil, ErrClosed
	}
	s.runs.Add(1)
	ctx, cancel := context.WithCancel(ctx)
	detach := context.AfterFunc(s.ctx, cancel)
	return ctx, func() { detach(); cancel(); s.runs.Done() }, nil
}

func orDev(version string) string {
	if version == "" {
		return "dev"
	}
	return version
}

// variable looks a variable up in an environment.
func variable(environ []string, name string) string {
	for _, kv := range environ {
		if k, v, _ := strings.Cut(kv, "="); k == name {
			return v
		}
	}
	return ""
}
