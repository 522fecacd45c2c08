// Package cli is pml's command line: flags, configuration, wiring, what people see. Logic lives in the other rooms.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// Version is the version of the binary; a release build sets it with -ldflags "-X".
var Version = ""

// App is one invocation's surroundings.
type App struct {
	In       io.Reader
	Out, Err io.Writer
	// Dir is the working directory, Environ the environment, Self the path of this binary.
	Dir, Self string
	Environ   []string
	// InTerminal and ErrTerminal say whether a person sits at standard input and reads standard error; Width is how many
	// characters fit on a line there, 0 if that is not known.
	InTerminal, ErrTerminal bool
	Width                   int

	screen *screen
}

// Main runs the command line in the process's own surroundings and returns the exit code.
func Main(args []string) int {
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, "pml:", err)
		return exitUsage
	}
	self, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, "pml:", err)
		return exitUsage
	}
	errFile := int(os.Stderr.Fd())
	app := &App{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Dir: dir, Self: self, Environ: os.Environ(),
		InTerminal: term.IsTerminal(int(os.Stdin.Fd())), ErrTerminal: term.IsTerminal(errFile)}
	app.Width, _, _ = term.GetSize(errFile)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	return app.Run(ctx, args)
}

// Run runs one command and returns its exit code.
func (a *App) Run(ctx context.Context, args []string) int {
	a.screen = &screen{out: a.Err, terminal: a.ErrTerminal, width: a.Width}
	a.Err = a.screen
	root := a.root()
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	exit := asExit(err)
	if exit.code == usageError && exit.hint == "" {
		exit.hint = cmd.CommandPath() + " --help shows how it is used"
	}
	a.complain(exit, wantsJSON(cmd, args))
	return exit.exit
}

// wantsJSON tells from the arguments whether errors go to standard output as JSON: flags may not have been parsed.
func wantsJSON(cmd *cobra.Command, args []string) bool {
	if cmd.Flags().Lookup("json") == nil {
		return false
	}
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.Contains(args, "--json") || slices.Contains(args, "--json=true")
}

const rootHelp = `pml turns a TypeScript program that calls tools as mcp.server.tool(args) into a task graph and
executes the graph itself: independent calls run in parallel, side effects keep their order.

The servers that a program can call are those of mcpServers in .pml.json and the built-in ones:
filesystem, git, shell, sqlite.`

const rootExample = `  pml plan program.ts     show what the program would do; nothing is called
  pml run program.ts      do it
  pml tools               list the tools that a program can call
  pml doctor              check the set-up`

func (a *App) root() *cobra.Command {
	root := &cobra.Command{
		Use: "pml", Short: "Plan and execute the programs that AI agents write", Long: rootHelp, Example: rootExample,
		SilenceErrors: true, SilenceUsage: true, Version: version(), SuggestionsMinimumDistance: 2,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
		Args:              knownCommand,
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetVersionTemplate("pml {{.Version}}\n")
	root.PersistentFlags().Bool("verbose", false, "log what happens to standard error")
	root.AddCommand(a.runCommand(), a.planCommand(), a.toolsCommand(), a.typesCommand(), a.doctorCommand(),
		a.runsCommand(), a.traceCommand(), a.initCommand(), a.stdioCommand(), a.serveCommand(), a.gatewayCommand(),
		a.capabilityCommand(), a.installCommand(), a.builtinCommand(), a.benchCommand(), a.benchJobCommand(), a.scriptChildCommand())
	return root
}

// knownCommand refuses a command that there is not, and suggests those that are like it.
func knownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "pml --help lists the commands"
	if near := root.SuggestionsFor(args[0]); len(near) > 0 {
		hint = "did you mean pml " + strings.Join(near, ", or pml ") + "?"
	}
	return usage(fmt.Sprintf("there is no command %q", args[0]), hint)
}

func version() string {
	if Version != "" {
		return Version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// getenv looks a variable up in the invocation's environment.
func (a *App) getenv(name string) string {
	for _, kv := range a.Environ {
		if k, v, _ := strings.Cut(kv, "="); k == name {
			return v
		}
	}
	return ""
}
