package cli

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/casys-ai/pml/cli/agent"
	"github.com/casys-ai/pml/transport/serve"
)

func (a *App) serveCommand() *cobra.Command {
	var host string
	var port int
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve MCP over HTTP, with a page that shows runs live",
		Long: `Serve this project's tools over streamable HTTP, as pml stdio does on pipes, at http://localhost:3003/mcp. Several
clients share it. The page at http://localhost:3003/ shows what runs.

Only this machine can reach it unless --host says otherwise; pages of other sites are refused. Whoever reaches it can do
what .pml.json allows.`,
		Example: `  pml serve
  pml serve --port 4000
  pml init --http --port 4000      lets clients find it`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd, host, port) },
	}
	cmd.Flags().StringVar(&host, "host", "localhost", "the name or address to listen at")
	cmd.Flags().IntVar(&port, "port", defaultPort, "the port to listen at; 0 for any that is free")
	return cmd
}

func (a *App) serve(cmd *cobra.Command, host string, port int) error {
	listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return usage(err.Error(), "another pml serve may be running; --port takes another port")
	}
	served, err := a.openAgent(cmd)
	if err != nil {
		listener.Close()
		return err
	}
	defer served.close()
	at := net.JoinHostPort(host, strconv.Itoa(listener.Addr().(*net.TCPAddr).Port))
	fmt.Fprintf(a.Err, "pml: MCP at http://%s/mcp, runs at http://%[1]s/\n", at)
	// Requests end with the command, those that clients listen on too.
	ctx := cmd.Context()
	return serveHTTP(ctx, listener, &http.Server{Handler: serve.LocalOnly(pages(served.agent), host),
		BaseContext: func(net.Listener) context.Context { return ctx }})
}

//go:embed live.html
var livePage []byte

// pages is what is served: MCP, the page, and what the page listens to.
func pages(a *agent.Agent) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/mcp", a.Server().HTTP())
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'self' 'unsafe-inline'; frame-ancestors 'none'")
		_, _ = w.Write(livePage) // a browser that has gone misses nothing
	})
	mux.HandleFunc("GET /events", func(w http.ResponseWriter, r *http.Request) { live(w, r, a.Live()) })
	return mux
}

// liveEvery is how often the page hears of changes at most.
const liveEvery = 200 * time.Millisecond

// live sends the runs that have changed, as they change, as server-sent events.
func live(w http.ResponseWriter, r *http.Request, runs *agent.Live) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	control := http.NewResponseController(w)
	for version := -1; ; {
		list, now, changed := runs.Since(version)
		version = now
		text, err := json.Marshal(list)
		if err == nil && len(list) > 0 {
			_, err = fmt.Fprintf(w, "data: %s\n\n", text)
		}
		if err = errors.Join(err, control.Flush()); err != nil {
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
		select {
		case <-time.After(liveEvery):
		case <-r.Context().Done():
			return
		}
	}
}
