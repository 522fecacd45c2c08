package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/casys-ai/pml/cli/answer"
	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// runFlags are the flags of `pml run`.
type runFlags struct {
	source         sourceFlags
	asJSON         bool
	args           string
	yes, noInput   bool
	concurrency    int
	timeout        time.Duration
	mode, progress string
}

func (a *App) runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [FILE | - | -e CODE]",
		Short: "Plan and execute a program",
		Long: `Plan a program and execute its graph. Errors that planning finds are all reported before anything is called.

The result goes to standard output: a string as it is, anything else as JSON, undefined not at all. What the
program writes to the console, progress and questions go to standard error.

A call that no rule allows is asked about on the terminal. Where nobody can be asked it ends the run (exit code 3)
unless --yes is given.

Exit codes: 0 success, 1 the program failed, 2 wrong usage or plan, 3 approval required, 4 denied, 5 timeout,
130 interrupted.`,
		Example: `  pml run report.ts
  pml run report.ts --args '{"days": 7}'        the program sees it as args.days
  pml run report.ts --args @params.json
  pml run --yes -e 'return await mcp.git.log({ max_count: 3 })'
  generate | pml run --json -                   one JSON object on standard output, whatever happens`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.run(cmd, args, &f) },
	}
	f.source.add(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&f.asJSON, "json", false, "print one JSON object: status, result or error, run_id, logs")
	flags.StringVar(&f.args, "args", "", "what the program sees as args: JSON, or @file")
	flags.BoolVar(&f.yes, "yes", false, "approve every call that would be asked about")
	flags.BoolVar(&f.noInput, "no-input", false, "never ask: a call that needs approval ends the run")
	flags.IntVar(&f.concurrency, "concurrency", 0, "how many calls may be in flight (default 64)")
	flags.DurationVar(&f.timeout, "timeout", 0, "the time for the whole run (default 5m)")
	flags.StringVar(&f.mode, "mode", "native", "native, or script: run the whole program as one script, the reference")
	flags.StringVar(&f.progress, "progress", "auto", "auto: live on a terminal; plain: a line per call; never")
	return cmd
}

// check says what is wrong with the flags.
func (f *runFlags) check() error {
	switch {
	case !slices.Contains([]string{"native", "script"}, f.mode):
		return usage(fmt.Sprintf("there is no mode %q", f.mode), "--mode is native or script")
	case !slices.Contains([]string{"auto", "plain", "never"}, f.progress):
		return usage(fmt.Sprintf("there is no kind of progress %q", f.progress), "--progress is auto, plain or never")
	case f.concurrency < 0:
		return usage("--concurrency is negative", "leave it out for the default")
	case f.timeout < 0:
		return usage("--timeout is negative", "write a duration, such as 90s or 5m")
	case f.yes && f.noInput:
		return usage("--yes and --no-input contradict each other", "--yes approves every call, --no-input none")
	}
	return nil
}

func (a *App) run(cmd *cobra.Command, args []string, f *runFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	source, err := f.source.read(a, cmd, args)
	if err != nil {
		return err
	}
	params, err := a.params(f.args)
	if err != nil {
		return err
	}
	p, err := a.project(cmd)
	if err != nil {
		return err
	}
	if f.yes {
		p.approveEverything()
	}
	s, err := a.open(cmd.Context(), p)
	if err != nil {
		return err
	}
	defer s.Close()
	o := runtime.PlanOptions{Script: f.mode == "script", NoSpeculation: p.NoSpeculation}
	planned, err := s.Plan(cmd.Context(), source, o)
	if err != nil {
		return interrupted(cmd.Context(), err)
	}
	if planned.Graph == nil {
		return a.refused(planned, f)
	}
	renderDiagnostics(a.Err, source, planned.Diagnostics)
	return a.execute(cmd.Context(), &execution{s, planned, params, f})
}

// params reads --args.
func (a *App) params(text string) (value.Value, error) {
	if text == "" {
		return nil, nil
	}
	if name, isFile := strings.CutPrefix(text, "@"); isFile {
		data, err := a.readFile(name)
		if err != nil {
			return nil, err
		}
		text = string(data)
	}
	v, err := value.ParseJSON(strings.TrimPrefix(strings.TrimSpace(text), "\ufeff"))
	if err != nil {
		var thrown *value.Throw
		message := err.Error()
		if errors.As(err, &thrown) {
			message = strings.TrimPrefix(message, "SyntaxError: ")
		}
		return nil, usage("--args is not valid JSON: "+message, `for example --args '{"days": 7}', or --args @params.json`)
	}
	if _, ok := value.Force(v).(*value.Object); !ok {
		return nil, usage("--args must be a JSON object", `for example --args '{"days": 7}'`)
	}
	return v, nil
}

// refused reports a program that cannot be planned.
func (a *App) refused(p *runtime.Planned, f *runFlags) error {
	if f.asJSON {
		if err := a.printJSON(answer.PlanFailed(p)); err != nil {
			return err
		}
		return said(exitUsage)
	}
	renderDiagnostics(a.Err, p.Source, p.Diagnostics)
	return said(exitUsage)
}

// execution is a program that is ready to run.
type execution struct {
	session *runtime.Session
	program *runtime.Planned
	args    value.Value
	flags   *runFlags
}

// execute runs a planned program and reports what came of it.
func (a *App) execute(ctx context.Context, x *execution) error {
	f := x.flags
	show := a.progress(f, x.program.Graph.Root)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	outcome := x.session.Run(ctx, x.program, x.args, a.runOptions(ctx, f, show))
	show.close()
	return a.report(outcome, f.asJSON)
}

// runOptions are how a run is watched, and who answers its questions.
func (a *App) runOptions(ctx context.Context, f *runFlags, show *progress) runtime.RunOptions {
	o := runtime.RunOptions{Observer: show, Concurrency: f.concurrency, Timeout: f.timeout, Yes: f.yes}
	if !f.asJSON {
		o.Log = show.console
	}
	if a.InTerminal && a.ErrTerminal && !f.noInput && !f.yes {
		o.Asker = newPrompt(ctx, a.In, show.screen)
	}
	return o
}

// report prints the outcome and gives the exit code.
func (a *App) report(o *runtime.Outcome, asJSON bool) error {
	waits := o.Err != nil && o.Err.Code == nodes.ApprovalRequired
	switch {
	case o.Err == nil && asJSON:
		success, err := answer.Succeeded(o)
		if err != nil {
			return resultError(err)
		}
		return a.printJSON(success)
	case o.Err == nil:
		return a.printResult(o.Value)
	case waits && asJSON:
		a.printJSON(answer.WaitingFor(o))
	case waits:
		a.explainApprovals(o)
	case asJSON:
		a.printJSON(answer.Failed(o, o.Planned))
	default:
		a.explainFailure(o)
	}
	return said(exitCode(o.Err.Code))
}

// interrupted is the error of a command whose context has ended, or err.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return &exitError{exit: exitInterrupted, code: nodes.Cancelled, message: "interrupted; nothing was called"}
	}
	return err
}
