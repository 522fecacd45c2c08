package cli

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/casys-ai/pml/cli/agent"
	"github.com/casys-ai/pml/cli/config"
	"github.com/casys-ai/pml/nodes/declare"
)

func (a *App) typesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "types [QUERY]",
		Short: "Print the TypeScript declarations of the tools that a program can call",
		Long: `Print what a program can call as TypeScript declarations: mcp with all servers and their tools, and args. They are
made from the tools' schemas; the results of tools that declare none are declared as they were seen before. QUERY keeps
the tools that have to do with it.`,
		Example: `  pml types > pml.d.ts     for an editor, or tsc
  pml types git`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return a.types(cmd, strings.Join(args, " ")) },
	}
}

func (a *App) types(cmd *cobra.Command, query string) error {
	l, err := a.listTools(cmd, query, "")
	if err != nil {
		return err
	}
	l.byID()
	a.explainServers(l.failures)
	shapes := agent.ReadShapes(filepath.Join(l.project.Path, config.StateDir))
	if _, err := io.WriteString(a.Out, declare.Module(l.found, shapes.Of)); err != nil {
		return err
	}
	return l.err()
}
