package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/casys-ai/pml/nodes/script"
	"github.com/casys-ai/pml/transport/builtin"
)

// builtinCommand is what pml starts its built-in servers with; any MCP client can do the same.
func (a *App) builtinCommand() *cobra.Command {
	var o builtin.Options
	cmd := &cobra.Command{
		Use:   "builtin NAME",
		Short: "Serve a built-in MCP server on standard input and output",
		Long: `Serve one of the MCP servers that are part of pml on standard input and output: ` + names() + `.
pml starts them itself; this is for other MCP clients.`,
		Example: `  pml builtin filesystem --workspace ~/project
  pml builtin git --read ~/other-repository`,
		ValidArgs: append(builtin.Names(), builtin.CloudNames()...),
		Args:      oneBuiltin,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Workspace == "" {
				o.Workspace = a.Dir
			}
			err := builtin.Serve(cmd.Context(), args[0], o, a.In, a.Out)
			if err != nil && cmd.Context().Err() == nil {
				return usage(err.Error(), "")
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Workspace, "workspace", "", "the folder it may work in (default: the working directory)")
	flags.StringArrayVar(&o.Read, "read", nil, "a folder or file outside the workspace that it may read")
	flags.StringArrayVar(&o.Write, "write", nil, "a folder or file outside the workspace that it may read and write")
	return cmd
}

func names() string { return strings.Join(append(builtin.Names(), builtin.CloudNames()...), ", ") }

func oneBuiltin(_ *cobra.Command, args []string) error {
	switch {
	case len(args) != 1:
		return usage("which server?", "pml builtin NAME; there are "+names())
	case !slices.Contains(append(builtin.Names(), builtin.CloudNames()...), args[0]):
		return usage(fmt.Sprintf("there is no built-in server %q", args[0]), "there are "+names())
	}
	return nil
}

// scriptChildCommand is the process in which script nodes run.
func (a *App) scriptChildCommand() *cobra.Command {
	return &cobra.Command{
		Use: "script-child", Hidden: true, Args: cobra.NoArgs,
		Short: "Run script nodes (started by pml itself)",
		RunE: func(*cobra.Command, []string) error {
			if err := script.Serve(a.In, a.Out); err != nil {
				return &exitError{exit: exitProgram, message: "script-child: " + err.Error()}
			}
			return nil
		},
	}
}
