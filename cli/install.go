package cli

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/casys-ai/pml/cli/config"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/transport"
)

func (a *App) installCommand() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "install NAME",
		Short: "Take a server from the registry, to be started on this machine",
		Long: `Look a server up in the registry, show what would be started, ask, and keep it for this project. From then on programs
can call its tools; it is started when one does. What was approved is what is started: a record that changes later changes
nothing here until it is installed again.`,
		Example: "  pml install filesystem",
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.install(cmd, args[0], yes) },
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

func (a *App) install(cmd *cobra.Command, name string, yes bool) error {
	p, err := a.project(cmd)
	if err != nil {
		return err
	}
	r, err := a.findServer(cmd, p, name)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.Err, "%s\n  starts: %s\n", r.FQDN, strings.Join(append([]string{r.Install.Command}, r.Install.Args...), " "))
	if env := r.Install.EnvRequired; len(env) > 0 {
		fmt.Fprintf(a.Err, "  gets:   %s\n", strings.Join(env, ", "))
	}
	if !yes && !a.agreed("start this on your machine when a program calls it?") {
		return &exitError{exit: exitApproval, code: nodes.ApprovalRequired, message: "nothing was installed",
			hint: "answer y on a terminal, or pass --yes"}
	}
	deps, err := config.LoadDeps(p.Path)
	if err != nil {
		return err
	}
	deps[r.Name] = config.Dep{FQDN: r.FQDN, Command: r.Install.Command, Args: r.Install.Args, Env: r.Install.EnvRequired,
		Integrity: r.Integrity}
	if err := config.SaveDeps(p.Path, deps); err != nil {
		return usage(err.Error(), "the project's folder must be writable")
	}
	fmt.Fprintf(a.Err, "installed %s; programs call it as mcp.%s\n", r.FQDN, r.Name)
	return nil
}

// findServer finds a server of the registry that runs on this machine.
func (a *App) findServer(cmd *cobra.Command, p *project, name string) (*transport.Record, error) {
	cloud := a.cloud(p)
	if cloud == nil {
		return nil, &exitError{exit: exitUsage, code: nodes.MissingAPIKey, message: "the registry requires PML_API_KEY",
			hint: "or write the server into mcpServers of .pml.json"}
	}
	defer cloud.Close()
	r, err := cloud.Record(cmd.Context(), name)
	switch {
	case err != nil:
		return nil, err
	case r == nil:
		return nil, usage(fmt.Sprintf("the registry has no %q", name), "pml tools lists what can be called already")
	case r.Type != transport.RecordStdio:
		return nil, usage(fmt.Sprintf("%s needs no installing", r.FQDN), "a program can call it as it is")
	}
	return r, r.Check()
}

// agreed asks on the terminal; without one nobody agrees.
func (a *App) agreed(question string) bool {
	if !a.InTerminal {
		return false
	}
	fmt.Fprintf(a.Err, "%s [y/N] ", question)
	line, _ := bufio.NewReader(a.In).ReadString('\n')
	return strings.EqualFold(strings.TrimSpace(line), "y")
}
