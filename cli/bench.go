package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/casys-ai/pml/bench"
)

// benchJob is the command with which pml bench starts itself, a process a figure.
const benchJob = "bench-job"

func (a *App) benchCommand() *cobra.Command {
	o := bench.Options{Self: []string{a.Self, benchJob}}
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "bench [WORD...]",
		Short: "Measure the engine on task graphs",
		Long: `Measure what pml's engine costs a task, beside a bare serial loop over the same graph: chains, fans, diamonds, trees
and random layers of tasks that do nothing, that compute, and that take 1 ms. Each figure is a median, and measured in a
process of its own. WORDs keep what has them all in its name; the first may name a section:
` + strings.Join(bench.Sections(), ", ") + `.

The same in a clone of pml's repository, with other engines beside it: make bench.`,
		Example: `  pml bench                      all of it, some minutes
  pml bench --max 10000 noop     tasks that do nothing, up to 10,000 of them
  pml bench shapes tree --json`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Only = strings.Join(args, " ")
			return a.bench(cmd.Context(), o, asJSON)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&o.MaxNodes, "max", 1_000_000, "the largest graph, in `tasks`")
	flags.IntVar(&o.Runs, "runs", 5, "of how many runs each figure is the median")
	flags.BoolVar(&asJSON, "json", false, "print all figures as JSON")
	return cmd
}

func (a *App) bench(ctx context.Context, o bench.Options, asJSON bool) error {
	if o.Runs < 1 || o.MaxNodes < 1 {
		return usage("--runs and --max must be 1 at least", "")
	}
	report, err := bench.Run(ctx, o, func(what string) { fmt.Fprintln(a.Err, what) })
	switch {
	case err != nil:
		return err
	case len(report.Sections) == 0:
		hint := "the sections are " + strings.Join(bench.Sections(), ", ") + "; the smallest graph has 1000 tasks"
		return usage(fmt.Sprintf("no figure has %q in its name", o.Only), hint)
	case asJSON:
		return report.JSON(a.Out)
	}
	_, err = io.WriteString(a.Out, report.Text())
	return err
}

// benchJobCommand measures one figure.
func (a *App) benchJobCommand() *cobra.Command {
	return &cobra.Command{
		Use: benchJob, Hidden: true, Args: cobra.NoArgs,
		Short: "Measure one figure (started by pml bench)",
		RunE:  func(*cobra.Command, []string) error { return bench.Child(a.In, a.Out) },
	}
}
