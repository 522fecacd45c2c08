package cloud

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/casys-ai/pml/cli/executor"
	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/fixtures/relay"
	"github.com/casys-ai/pml/nodes/policy"
	"github.com/casys-ai/pml/transport"
	"github.com/casys-ai/pml/transport/gateway"
)

// place is a gateway behind a relay.
type place struct {
	options  Options
	dir      string
	key      string
	requests atomic.Int64 // POST /mcp
	relay    *relay.Relay
	closing  []func()
}

// close ends everything, the last first.
func (p *place) close() {
	for len(p.closing) > 0 {
		last := len(p.closing) - 1
		p.closing[last]()
		p.closing = p.closing[:last]
	}
}

func (p *place) later(f func()) { p.closing = append(p.closing, f) }

func newPlace(ctx context.Context, o Options) (p *place, err error) {
	p = &place{options: o}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	if p.dir, err = os.MkdirTemp("", "pml-bench"); err != nil {
		return nil, err
	}
	p.later(func() { _ = os.RemoveAll(p.dir) })
	if err = os.WriteFile(filepath.Join(p.dir, "tools.json"), []byte(tools), 0o600); err != nil {
		return nil, err
	}
	g, err := p.gateway(ctx)
	if err != nil {
		return nil, err
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			p.requests.Add(1)
		}
		g.ServeHTTP(w, r)
	}))
	p.later(web.Close)
	if p.relay, err = relay.New(strings.TrimPrefix(web.URL, "http://"), RoundTrip/2); err != nil {
		return nil, err
	}
	p.later(p.relay.Close)
	return p, nil
}

// gateway is a gateway whose server "there" is the test server, and a key for it.
func (p *place) gateway(ctx context.Context) (http.Handler, error) {
	store, err := gateway.OpenStore(ctx, filepath.Join(p.dir, "gateway.db"))
	if err != nil {
		return nil, err
	}
	p.later(func() { store.Close() })
	if _, p.key, err = store.CreateKey(ctx, "bench.bench"); err != nil {
		return nil, err
	}
	s, err := p.session(ctx, "there", func(c *runtime.Config) { c.Servers[0].Route = "server" })
	if err != nil {
		return nil, err
	}
	p.later(s.Close)
	failed := error(nil)
	e := executor.New(ctx, s, store, gateway.NewUpstream(true), func(_ string, err error) { failed = err })
	p.later(e.Close)
	if failed != nil {
		return nil, failed
	}
	return gateway.New(ctx, gateway.Options{Store: store, Executor: e, Limits: gateway.Limits{Rate: 1e6}})
}

// client makes a session with the server "here", whose gateway is behind the relay.
func (p *place) client(ctx context.Context) (*runtime.Session, error) {
	return p.session(ctx, "here", func(c *runtime.Config) {
		c.Cloud = transport.NewCloud(transport.CloudConfig{URL: "http://" + p.relay.Addr(), Key: p.key}, transport.PoolOptions{})
	})
}

// session makes a session with the test server under a name, and everything allowed.
func (p *place) session(ctx context.Context, name string, change func(*runtime.Config)) (*runtime.Session, error) {
	all, err := policy.NewRule("*", "")
	if err != nil {
		return nil, err
	}
	self := p.options.Self
	args := append(self[1:len(self):len(self)], "testserver", "-config", filepath.Join(p.dir, "tools.json"), "-server", name)
	c := runtime.Config{
		Workspace: p.dir, SelfCommand: self, Environ: os.Environ(), Rules: policy.Rules{Allow: []policy.Rule{all}},
		Servers: []runtime.ServerEntry{{ServerConfig: transport.ServerConfig{Name: name, Command: self[0], Args: args}}},
	}
	change(&c)
	return runtime.Open(ctx, c)
}
