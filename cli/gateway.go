package cli

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/casys-ai/pml/cli/executor"
	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/policy"
	"github.com/casys-ai/pml/transport"
	"github.com/casys-ai/pml/transport/builtin"
	"github.com/casys-ai/pml/transport/gateway"
)

// gatewayFlags are the flags of `pml gateway`.
type gatewayFlags struct {
	data, listen string
	rate         float64
	private      bool
}

func (a *App) gatewayCommand() *cobra.Command {
	var f gatewayFlags
	cmd := &cobra.Command{
		Use:   "gateway",
		Short: "Serve the cloud side: tools, programs, registry",
		Long: `Serve the cloud side over HTTP: MCP at /mcp, the registry at /mcp/NAME, /catalog, /traces, /health and /metrics.

Its tools are the built-in ones (crypto, datetime, json, math) and those of the servers in .pml.json of the folder it is
started in. Every request needs an API key; pml gateway key create makes one. Clients set PML_API_KEY and PML_CLOUD_URL.`,
		Example: `  pml gateway key create --scope acme.shop
  pml gateway --listen :8080 --data /var/lib/pml`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.gateway(cmd, &f) },
	}
	cmd.PersistentFlags().StringVar(&f.data, "data", "", "the folder of its database (default: .pml in the workspace)")
	cmd.Flags().StringVar(&f.listen, "listen", "localhost:3004", "the address it listens at")
	cmd.Flags().Float64Var(&f.rate, "rate", 0, "how many requests a second one key may make (default 200)")
	cmd.Flags().BoolVar(&f.private, "allow-private", false, "let published http servers be in the gateway's own network")
	cmd.AddCommand(a.gatewayKeyCommand(&f))
	return cmd
}

// gatewayStore opens the database.
func (a *App) gatewayStore(cmd *cobra.Command, f *gatewayFlags) (*project, *gateway.Store, error) {
	p, err := a.project(cmd)
	if err != nil {
		return nil, nil, err
	}
	dir := f.data
	switch {
	case dir == "":
		dir = filepath.Join(p.Path, ".pml")
	case !filepath.IsAbs(dir):
		dir = filepath.Join(a.Dir, dir)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, nil, usage(err.Error(), "--data must name a folder that can be made")
	}
	store, err := gateway.OpenStore(cmd.Context(), filepath.Join(dir, "gateway.db"))
	if err != nil {
		return nil, nil, usage(err.Error(), "--data must name a folder that can be written")
	}
	return p, store, nil
}

// gatewayConfig is what the gateway's Session is made of: everything that it has runs here, and is allowed.
func (a *App) gatewayConfig(p *project) (runtime.Config, error) {
	c := a.runtimeConfig(p)
	c.Cloud, c.State = nil, ""
	c.Reporter = a.reporter(p, nil)
	c.Servers = nil
	all, err := policy.NewRule("*", "")
	if err != nil {
		return c, err
	}
	c.Rules = policy.Rules{Allow: []policy.Rule{all}, Effects: p.Rules.Effects}
	for _, s := range p.servers() {
		if !s.BuiltIn {
			s.Route = nodes.Server.String()
			if s.Confine != nil {
				s.Confine.Network = true // most of what is in the cloud is there to reach others
			}
			c.Servers = append(c.Servers, s)
		}
	}
	for _, name := range builtin.CloudNames() {
		c.Servers = append(c.Servers, runtime.ServerEntry{BuiltIn: true, Route: nodes.Server.String(), Pure: true,
			ServerConfig: transport.ServerConfig{Name: name}})
	}
	return c, nil
}

func (a *App) gateway(cmd *cobra.Command, f *gatewayFlags) error {
	p, store, err := a.gatewayStore(cmd, f)
	if err != nil {
		return err
	}
	defer store.Close()
	a.warn(p)
	config, err := a.gatewayConfig(p)
	if err != nil {
		return err
	}
	session, err := runtime.Open(cmd.Context(), config)
	if err != nil {
		return fmt.Errorf("cannot start: %w", err)
	}
	defer session.Close()
	upstream := gateway.NewUpstream(f.private)
	defer upstream.CloseIdleConnections()
	e := executor.New(cmd.Context(), session, store, upstream, a.explainServer)
	defer e.Close()
	g, err := gateway.New(cmd.Context(), gateway.Options{Store: store, Executor: e, Version: version(), Log: p.log, Upstream: upstream,
		Limits: gateway.Limits{Rate: f.rate}})
	if err != nil {
		return err
	}
	return a.listen(cmd.Context(), f.listen, g)
}

// listen serves until ctx ends.
func (a *App) listen(ctx context.Context, address string, h http.Handler) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return usage(err.Error(), "--listen is an address such as localhost:3004 or :8080, that nothing else listens at")
	}
	fmt.Fprintf(a.Err, "pml gateway at http://%s/mcp\n", l.Addr())
	return serveHTTP(ctx, l, &http.Server{Handler: h})
}
