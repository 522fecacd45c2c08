package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/casys-ai/pml/nodes/script"
	"github.com/casys-ai/pml/transport/builtin"
)

// builtinCommand is what pml starts its built-in servers with; any MCP client can do the same.
func (a *App) builtinCommand() *cobra.Command {
	var options builtin.Options
	cmd := &cobra.Command{
		Use:       "builtin NAME",
		Short:     "Serve a built-in MCP server on standard input and output",
		Long:      "Serve a built-in MCP server on standard input and output: filesystem, git, shell or sqlite.",
		Args:      cobra.ExactArgs(1),
		ValidArgs: builtin.Names(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if options.Workspace == "" {
				options.Workspace = a.Dir
			}
			if err := builtin.Serve(cmd.Context(), args[0], options, a.In, a.Out); err != nil && cmd.Context().Err() == nil {
				return &exitError{exitUsage, err.Error()}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&options.Workspace, "workspace", "", "the folder it may work in (default: the working directory)")
	cmd.Flags().StringArrayVar(&options.Read, "read", nil, "a folder or file outside the workspace that it may read")
	cmd.Flags().StringArrayVar(&options.Write, "write", nil, "a folder or file outside the workspace that it may read and write")
	return cmd
}

// scriptChildCommand is the process in which script nodes run.
func (a *App) scriptChildCommand() *cobra.Command {
	return &cobra.Command{
		Use: "script-child", Hidden: true, Args: cobra.NoArgs,
		Short: "Run script nodes (started by pml itself)",
		RunE: func(*cobra.Command, []string) error {
			if err := script.Serve(a.In, a.Out); err != nil {
				fmt.Fprintln(os.Stderr, err)
				return &exitError{code: exitProgram}
			}
			return nil
		},
	}
}
