package gateway

import (
	"context"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/transport"
	"github.com/casys-ai/pml/transport/serve"
)

// Caller is who sends a request.
type Caller struct {
	// Scope is the tenant, org.project.
	Scope string
	// Package says that the client is pml, which can execute a program itself (the header X-PML-Client).
	Package bool
	// Run names the run that a program belongs to: its calls are remembered by run and path. "" if they are not.
	Run string
	// Keys are the caller's own keys for the tools of this request, by name of the variable. They are never kept.
	Keys map[string]string
}

// Call is one tool call.
type Call struct {
	Tool nodes.ToolID
	// Args is the JSON text of an object.
	Args []byte
	// Key identifies the call among all of its scope; "" if it is not remembered.
	Key string
}

// Executor does what is asked for. Its methods are called by many goroutines at once.
type Executor interface {
	// Tools are the tools that run here, for everybody.
	Tools(ctx context.Context) ([]transport.CloudTool, error)
	// Execute plans and executes a program, or says that the caller must.
	Execute(ctx context.Context, c Caller, args []byte) *transport.Result
	// Call calls one tool.
	Call(ctx context.Context, c Caller, call Call) (*transport.Result, error)
	// Part executes a part of a program, bytes as the caller's pml has made them, and gives what its calls came to. came is
	// told of each as it does, by many goroutines at once.
	Part(ctx context.Context, c Caller, body []byte, came func(transport.PartOutcome)) ([]transport.PartOutcome, error)
}

// Limits bound requests; 0 is the default.
type Limits struct {
	// Body is the longest request in bytes: 8 MB.
	Body int64
	// Rate is how many requests a second a key may make, with bursts of twice as many: 200.
	Rate float64
	// InFlight is how many requests are worked on at once; more wait: 256.
	InFlight int
	// Wait is how long they wait: 30 s.
	Wait time.Duration
	// Arrive is how long a request may take to arrive, and each piece of its answer to be taken: 30 s.
	Arrive time.Duration
}

func (l Limits) withDefaults() Limits {
	if l.Body <= 0 {
		l.Body = 8 << 20
	}
	if l.Rate <= 0 {
		l.Rate = 200
	}
	if l.InFlight <= 0 {
		l.InFlight = 256
	}
	if l.Wait <= 0 {
		l.Wait = 30 * time.Second
	}
	if l.Arrive <= 0 {
		l.Arrive = 30 * time.Second
	}
	return l
}

// Options are what a Gateway is made of.
type Options struct {
	Store    *Store
	Executor Executor
	Limits   Limits
	// Upstream calls the servers of http records; see NewUpstream.
	Upstream *http.Client
	// Version is pml's.
	Version string
	// Log gets what goes wrong; never arguments, results or keys. nil for nowhere.
	Log *slog.Logger
}

// Gateway serves the cloud side.
type Gateway struct {
	store    *Store
	executor Executor
	limits   Limits
	log      *slog.Logger
	started  time.Time
	seats    chan struct{}
	held     atomic.Int64 // bytes of requests without a seat
	rates    rates
	metrics  metrics
	mcp      *serve.Server
	upstream *http.Client
	handler  http.Handler
	tools    []transport.CloudTool
}

// New makes a Gateway. It asks the Executor for its tools.
func New(ctx context.Context, o Options) (*Gateway, error) {
	g := &Gateway{store: o.Store, executor: o.Executor, limits: o.Limits.withDefaults(), log: o.Log, upstream: o.Upstream, started: time.Now()}
	if g.log == nil {
		g.log = slog.New(slog.DiscardHandler)
	}
	g.seats = make(chan struct{}, g.limits.InFlight)
	g.rates.perSecond = g.limits.Rate
	var err error
	if g.tools, err = o.Executor.Tools(ctx); err != nil {
		return nil, err
	}
	g.mcp = serve.New(protocol{g}, serve.Options{Name: "pml-gateway", Version: o.Version, Log: g.log,
		Instructions: "execute runs a TypeScript program that calls tools as mcp.server.tool(args)."})
	g.mcp.Changed()
	g.handler = g.routesOf()
	return g, nil
}

// routesOf is what is served where.
func (g *Gateway) routesOf() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /mcp", g.admit(g.mcp.Stateless()))
	mux.Handle("GET /mcp/{name...}", g.admit(http.HandlerFunc(g.getRecord)))
	mux.Handle("PUT /mcp/{name...}", g.admit(http.HandlerFunc(g.putRecord)))
	mux.Handle("GET /catalog", g.admit(http.HandlerFunc(g.getCatalog)))
	mux.Handle("POST /traces", g.admit(http.HandlerFunc(g.putTraces)))
	mux.Handle("GET /traces/{id}", g.admit(http.HandlerFunc(g.getTrace)))
	mux.HandleFunc("GET /health", g.health)
	mux.HandleFunc("GET /metrics", g.metrics.write)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, "NOT_FOUND", "there is nothing here",
			"POST /mcp is for MCP, GET /mcp/{name} for the registry, /catalog, /traces, /health and /metrics are the rest")
	})
	return g.metrics.count(mux)
}

// ServeHTTP implements http.Handler.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) { g.handler.ServeHTTP(w, r) }
