// Package agent is what an MCP client gets of a project: programs are planned and executed, tools are found, and called
// directly. It is the serve.Handler of `pml stdio` and `pml serve`.
//
//	serve.Server ── Agent ─┬─ execute, plan, direct calls ──▶ runtime.Session
//	                       ├─ discover, declarations ───────▶ catalog: what the servers said they have
//	                       └─ results that are too long ────▶ kept, in .pml/results
package agent

import (
	"context"
	"log/slog"
	"path/filepath"
	"sync"

	"github.com/casys-ai/pml/cli/config"
	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/transport"
	"github.com/casys-ai/pml/transport/serve"
)

// Config is what an Agent is made of.
type Config struct {
	Session *runtime.Session
	// State is the project's state folder, in which long results are kept.
	State string
	// Shapes are what results looked like.
	Shapes *Shapes
	// ShowPlan shows a plan: as text, and as a JSON object.
	ShowPlan func(*runtime.Planned) (text string, structured []byte, err error)
	Settings Settings
	Log      *slog.Logger
}

// Settings are the project's wishes.
type Settings struct {
	Version string
	Expose  []config.Expose
	// ResultBytes is the longest result that is handed over whole; 0 is 64 KB.
	ResultBytes int
	// DeclarationTokens is about how many tokens the declarations in the description of execute may take; 0 is 300, with
	// which it stays below the 2 KB at which clients cut descriptions.
	DeclarationTokens int
	// NoSpeculation makes reads wait until everything before them has succeeded.
	NoSpeculation bool
}

// Agent serves one project. Start it, and stop it before the Session is closed.
type Agent struct {
	config  Config
	session *runtime.Session
	log     *slog.Logger
	server  *serve.Server
	catalog *catalog
	kept    *kept
	present *presence
	live    *Live

	ready chan struct{} // closed when the servers have been asked for their tools
	once  sync.Once
	stop  context.CancelFunc
	done  sync.WaitGroup
}

// New makes an Agent. It starts nothing yet.
func New(c Config) *Agent {
	if c.Settings.ResultBytes <= 0 {
		c.Settings.ResultBytes = 64 << 10
	}
	if c.Settings.DeclarationTokens <= 0 {
		c.Settings.DeclarationTokens = 300
	}
	a := &Agent{config: c, session: c.Session, log: c.Log, catalog: newCatalog(c.Session.Capabilities()), live: newLive(),
		present: &presence{users: map[string][]*visit{}}, kept: &kept{dir: filepath.Join(c.State, "results")},
		ready: make(chan struct{})}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	a.server = serve.New(a, serve.Options{Name: "pml", Version: c.Settings.Version, Instructions: instructions,
		Resources: resultResources, Log: a.log})
	return a
}

// Server is the MCP server that the Agent answers for.
func (a *Agent) Server() *serve.Server { return a.server }

// Live is what the Agent's runs are doing.
func (a *Agent) Live() *Live { return a.live }

// Start starts the servers of the project and learns what tools they have, until Stop.
func (a *Agent) Start() {
	ctx, cancel := context.WithCancel(context.Background())
	a.stop = cancel
	a.done.Go(func() { a.watch(ctx) })
}

// Stop ends what Start began.
func (a *Agent) Stop() {
	a.stop()
	a.done.Wait()
	a.catalog.close()
}

// Call implements serve.Handler.
func (a *Agent) Call(ctx context.Context, c serve.Call) *transport.Result {
	switch c.Tool {
	case "execute":
		return a.execute(ctx, c)
	case "plan":
		return a.plan(ctx, c)
	case "discover":
		return a.discover(ctx, c)
	case "resume":
		return a.resume(ctx, c)
	case "cancel":
		return a.cancel(c)
	}
	return a.direct(ctx, c)
}
