package cli

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/casys-ai/pml/cli/agent"
	"github.com/casys-ai/pml/cli/config"
	"github.com/casys-ai/pml/cli/runtime"
)

func (a *App) stdioCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "stdio",
		Short: "Serve MCP on standard input and output, for Claude Code and other clients",
		Long: `Serve this project's tools to an MCP client on standard input and output: execute runs a whole program, plan
shows what it would do, discover finds tools, cancel ends a run. Clients start it themselves; pml init writes their
configuration.

Standard output carries the protocol and nothing else. It ends when standard input does, with all servers.`,
		Example: `  pml stdio                                  what "command": "pml", "args": ["stdio"] in .mcp.json starts
  npx @modelcontextprotocol/inspector --cli pml stdio --method tools/list`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.stdio(cmd) },
	}
}

func (a *App) stdio(cmd *cobra.Command) error {
	served, err := a.openAgent(cmd)
	if err != nil {
		return err
	}
	defer served.close()
	if err := served.agent.Server().Pipe(cmd.Context(), a.In, a.Out); err != nil {
		return &exitError{exit: exitProgram, message: err.Error()}
	}
	return nil
}

// served is a project that is served to MCP clients.
type served struct {
	agent   *agent.Agent
	session *runtime.Session
}

func (s *served) close() {
	s.agent.Stop()
	s.session.Close()
}

// openAgent opens the project for MCP clients and starts its servers. The caller closes it.
func (a *App) openAgent(cmd *cobra.Command) (*served, error) {
	p, err := a.project(cmd)
	if err != nil {
		return nil, err
	}
	a.warn(p)
	s := &served{}
	forward := agent.NewLog(p.log.Handler())
	c := a.runtimeConfig(p)
	c.ToolsChanged = func(server string) { s.agent.Refresh(server) }
	first := func(ctx context.Context, server, method string, params []byte) ([]byte, error) {
		return s.agent.Asked(ctx, server, method, params)
	}
	_, c.Asked = a.sampled(p, first, func() *runtime.Session { return s.session })
	c.Log = forward.Logger()
	if s.session, err = runtime.Open(context.WithoutCancel(cmd.Context()), c); err != nil {
		return nil, err
	}
	state := filepath.Join(p.Path, config.StateDir)
	s.agent = agent.New(agent.Config{
		Session: s.session, State: state, Shapes: agent.ReadShapes(state), Log: c.Log,
		ShowPlan: func(planned *runtime.Planned) (string, []byte, error) {
			structured, err := planJSON(planned, p.Rules)
			return planText(newPlanView(planned, p.Rules), false), structured, err
		},
		Settings: agent.Settings{Version: version(), Expose: p.Expose, ResultBytes: p.Limits.ResultKB << 10,
			DeclarationTokens: p.Limits.DeclarationTokens, NoSpeculation: p.NoSpeculation},
	})
	forward.To(s.agent)
	s.agent.Start()
	return s, nil
}
