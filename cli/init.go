package cli

import (
	"bufio"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/casys-ai/pml/cli/config"
	"github.com/casys-ai/pml/cli/setup"
)

// initFlags are the flags of `pml init`.
type initFlags struct {
	yes, http, takeOver bool
	apiKey              string
	port                int
}

// defaultPort is where `pml serve` listens unless it is told otherwise.
const defaultPort = 3003

func (a *App) initCommand() *cobra.Command {
	var f initFlags
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Set a project up for Claude Code and other MCP clients",
		Long: `Set the project up: .pml.json says what programs may do, .mcp.json gets an entry for pml, .gitignore the lines for
what is this machine's own. Servers that are in .mcp.json already can be taken over: programs then call them through
pml, and the client no longer starts them itself.

Everything is shown and asked about before it is written. What is there stays as it is, comments included;
.mcp.json.backup keeps the file as it was. A second time there is nothing to do.`,
		Example: `  pml init
  pml init --yes                      ask nothing, as in a script
  pml init --yes --take-over=false    leave the servers in .mcp.json where they are
  pml init --http --port 3003         for pml serve, instead of starting pml for each client`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.init(&f) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.yes, "yes", false, "answer yes to every question")
	flags.BoolVar(&f.takeOver, "take-over", true, "take over the servers that are in .mcp.json")
	flags.StringVar(&f.apiKey, "api-key", "", "the key of the cloud, kept in .env; without it everything stays on this machine")
	flags.BoolVar(&f.http, "http", false, "an entry for pml serve, over HTTP")
	flags.IntVar(&f.port, "port", defaultPort, "with --http: the port of pml serve")
	return cmd
}

func (a *App) init(f *initFlags) error {
	if f.port < 1 || f.port > 65535 {
		return usage(fmt.Sprintf("--port %d is no port", f.port), "for example --port 3003")
	}
	if !f.yes && !a.InTerminal {
		return usage("nobody can be asked here", "pml init --yes answers yes to every question")
	}
	ws, err := config.FindWorkspace(a.Dir, a.getenv("PML_WORKSPACE"))
	if err != nil {
		return usage(err.Error(), "PML_WORKSPACE must name a folder that exists")
	}
	ask := a.asker(f.yes)
	fmt.Fprintf(a.Out, "Project: %s\n", ws.Path)
	wishes, err := a.wishes(ws.Path, f, ask)
	if err != nil {
		return err
	}
	changes, err := setup.Plan(ws.Path, wishes)
	if err != nil {
		return usage(err.Error(), "")
	}
	if len(changes) == 0 {
		fmt.Fprintln(a.Out, "Nothing to do: it is set up.")
		return nil
	}
	for _, c := range changes {
		fmt.Fprintf(a.Out, "  %-14s %s\n", filepath.Base(c.Path), c.Why)
	}
	if !ask("Write these files?") {
		fmt.Fprintln(a.Out, "Nothing was written.")
		return nil
	}
	return a.apply(changes, f)
}

// wishes asks what is to be done.
func (a *App) wishes(workspace string, f *initFlags, ask func(string) bool) (setup.Wishes, error) {
	w := setup.Wishes{Command: a.command(), Args: []string{"stdio"}, APIKey: f.apiKey}
	if f.http {
		w.URL = fmt.Sprintf("http://localhost:%d/mcp", f.port)
	}
	names, err := setup.Movable(workspace)
	if err != nil {
		return w, usage(err.Error(), "")
	}
	if f.takeOver && len(names) > 0 {
		fmt.Fprintf(a.Out, "In .mcp.json there are already: %s.\n", strings.Join(names, ", "))
		w.TakeOver = ask("Shall pml take them over, so that programs can call them?")
	}
	return w, nil
}

// command is how clients start pml: by its name if that finds this binary, else by its path.
func (a *App) command() string {
	found, err := exec.LookPath("pml")
	if err == nil {
		one, err1 := filepath.EvalSymlinks(found)
		other, err2 := filepath.EvalSymlinks(a.Self)
		if err1 == nil && err2 == nil && one == other {
			return "pml"
		}
	}
	return a.Self
}

// asker asks questions with yes or no on the terminal; yes is what an empty line means.
func (a *App) asker(yes bool) func(string) bool {
	lines := bufio.NewScanner(a.In)
	return func(question string) bool {
		if yes {
			return true
		}
		for {
			fmt.Fprintf(a.Out, "%s [Y/n] ", question)
			if !lines.Scan() {
				fmt.Fprintln(a.Out)
				return false
			}
			switch strings.ToLower(strings.TrimSpace(lines.Text())) {
			case "", "y", "yes":
				return true
			case "n", "no":
				return false
			}
		}
	}
}

func (a *App) apply(changes []setup.Change, f *initFlags) error {
	for _, c := range changes {
		backup, err := c.Apply()
		if err != nil {
			return &exitError{exit: exitProgram, message: err.Error(), hint: "make the folder writable"}
		}
		if backup != "" {
			fmt.Fprintf(a.Out, "  %s keeps %s as it was\n", filepath.Base(backup), filepath.Base(c.Path))
		}
	}
	fmt.Fprintln(a.Out, "Done. Next:")
	if f.http {
		fmt.Fprintf(a.Out, "  pml serve --port %d    and leave it running\n", f.port)
	}
	fmt.Fprintln(a.Out, "  pml doctor     checks that everything works\n  claude         Claude Code, in this folder, asks once whether to trust pml")
	return nil
}
