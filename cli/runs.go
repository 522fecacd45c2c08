package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/casys-ai/pml/cli/answer"
	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/engine/journal"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
)

func (a *App) runsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List, show, resume, cancel and remove runs",
		Long: `Every run keeps a journal in .pml: what it has called, what came of that, and what it asks. A run that waits for
answers, or was interrupted at any moment, goes on from there: nothing that has ended is done again.`,
		Example: `  pml runs list
  pml runs show run_01ab
  pml runs resume run_01ab --approve all`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.runsListCommand(), a.runsShowCommand(), a.runsResumeCommand(), a.runsCancelCommand(),
		a.runsPruneCommand())
	return cmd
}

// withRuns runs a command on the journals of the project.
func (a *App) withRuns(cmd *cobra.Command, do func(s *journal.Store) error) error {
	p, err := a.project(cmd)
	if err != nil {
		return err
	}
	return runsError(do(journal.NewStore(a.runtimeConfig(p).State, journal.Limits{}, nil)))
}

// runsError is an error of the journals with its code and hint.
func runsError(err error) error {
	if e, ok := err.(*journal.Error); ok {
		return &exitError{exit: exitUsage, code: e.Code, message: e.Message, hint: e.Hint}
	}
	return err
}

// shownRun is a run as `pml runs list --json` prints it.
type shownRun struct {
	RunID   string            `json:"run_id"`
	Status  journal.Status    `json:"status"`
	Created time.Time         `json:"created"`
	Calls   int               `json:"calls"`
	Program string            `json:"program"`
	Open    []answer.Approval `json:"approvals,omitempty"`
	Error   *answer.Error     `json:"error,omitempty"`
	Source  string            `json:"source,omitempty"`
	Steps   []shownStep       `json:"steps,omitempty"`
}

// shownStep is one task of a run.
type shownStep struct {
	Node string       `json:"node"`
	Tool nodes.ToolID `json:"tool,omitempty"`
	// State is "done", "failed", "sent" or "started".
	State string `json:"state"`
	// StartMs is after the beginning of the run.
	StartMs    float64 `json:"start_ms"`
	DurationMs float64 `json:"duration_ms,omitempty"`
}

func showRun(i journal.Info) shownRun {
	s := shownRun{RunID: i.ID, Status: i.Status, Created: i.Created, Calls: i.Calls(), Program: firstLine(i.Source)}
	if i.End == nil {
		s.Open = openQuestions(i.State)
	} else if e := i.End; e.Code != "" {
		s.Error = &answer.Error{Code: e.Code, Message: e.Message, Tool: e.Tool, Node: e.Path, Line: e.Line, Column: e.Column,
			Hint: e.Hint}
	}
	return s
}

func openQuestions(s *journal.State) (list []answer.Approval) {
	for _, q := range s.Open() {
		kind := call.Kind(q.Kind)
		list = append(list, answer.Approval{ID: q.ID, Tool: q.Tool, Args: json.RawMessage(q.Args), Reason: q.Reason,
			Kind: kind, Decisions: kind.Verdicts()})
	}
	return list
}

// firstLine is the first line of a program that says something, cut.
func firstLine(source string) string {
	for line := range strings.Lines(source) {
		if line = strings.TrimSpace(line); line != "" {
			return clip(line, 60)
		}
	}
	return ""
}

func (a *App) runsListCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the runs of the project, the newest first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withRuns(cmd, func(s *journal.Store) error { return a.listRuns(s, asJSON) })
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON list")
	return cmd
}

func (a *App) listRuns(s *journal.Store, asJSON bool) error {
	list, err := s.List()
	if err != nil {
		return err
	}
	shown := []shownRun{}
	for _, i := range list {
		shown = append(shown, showRun(i))
	}
	if asJSON {
		return a.printJSON(shown)
	}
	var rows columns
	rows.add("run", "status", "when", "calls", "program")
	for _, r := range shown {
		rows.add(r.RunID, string(r.Status), r.Created.Local().Format(time.DateTime), fmt.Sprint(r.Calls), r.Program)
	}
	if len(shown) == 0 {
		fmt.Fprintln(a.Err, "no runs yet")
		return nil
	}
	_, err = io.WriteString(a.Out, rows.text(""))
	return err
}

func (a *App) runsShowCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "show RUN", Short: "Show what a run has done and what it asks", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withRuns(cmd, func(s *journal.Store) error { return a.showRun(s, args[0], asJSON) })
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func (a *App) showRun(s *journal.Store, id string, asJSON bool) error {
	i, err := s.Read(id)
	if err != nil {
		return err
	}
	shown := showRun(i)
	shown.Source, shown.Steps = i.Source, steps(i.State)
	if asJSON {
		return a.printJSON(shown)
	}
	fmt.Fprintf(a.Out, "%s  %s  %s\n\n", shown.RunID, shown.Status, shown.Created.Local().Format(time.RFC1123))
	var rows columns
	for _, x := range shown.Steps {
		took := ""
		if x.DurationMs > 0 {
			took = fmt.Sprintf("%.1fms", x.DurationMs)
		}
		rows.add(x.Node, string(x.Tool), x.State, took)
	}
	io.WriteString(a.Out, rows.text(""))
	for _, q := range shown.Open {
		fmt.Fprintf(a.Out, "\n%s  %s: %s\n%s    answers: %v\n", q.ID, q.Tool, q.Reason, prettyArgs(q.Args, "    "), q.Decisions)
	}
	if shown.Error != nil {
		fmt.Fprintf(a.Out, "\nerror %s: %s\n", shown.Error.Code, shown.Error.Message)
	}
	return nil
}

// steps are the tasks of a run.
func steps(s *journal.State) (list []shownStep) {
	for _, x := range s.Steps {
		step := shownStep{Node: x.Path, Tool: x.Tool, State: "started", StartMs: inMs(x.Started)}
		switch {
		case x.Finished >= 0 && x.Failed:
			step.State = "failed"
		case x.Finished >= 0:
			step.State = "done"
		case x.Left >= 0:
			step.State = "sent"
		}
		if x.Finished >= 0 {
			step.DurationMs = inMs(x.Finished - x.Started)
		}
		list = append(list, step)
	}
	return list
}

func inMs(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func (a *App) runsCancelCommand() *cobra.Command {
	return &cobra.Command{
		Use: "cancel RUN", Short: "End a run that waits or was interrupted, for good", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withSession(cmd, func(_ context.Context, s *runtime.Session) error {
				return runsError(s.Cancel(args[0]))
			})
		},
	}
}

// withSession runs a command that needs a session.
func (a *App) withSession(cmd *cobra.Command, do func(context.Context, *runtime.Session) error) error {
	p, err := a.project(cmd)
	if err != nil {
		return err
	}
	s, err := a.open(cmd.Context(), p)
	if err != nil {
		return err
	}
	defer s.Close()
	return do(cmd.Context(), s)
}

func (a *App) runsPruneCommand() *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use: "prune [RUN…]", Short: "Remove runs: those named, or the oldest beyond what is kept",
		Long: `Remove the journals of the runs that are named; of runs that have ended all with --all, else those beyond the
100 newest. Runs older than 30 days go in any case, but never one that is at work.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withRuns(cmd, func(s *journal.Store) error {
				removed, err := s.Prune(args, all)
				for _, id := range removed {
					fmt.Fprintln(a.Out, id)
				}
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "remove all runs that have ended")
	return cmd
}

// resumeFlags are the flags of `pml runs resume`.
type resumeFlags struct {
	run       runFlags
	verdicts  map[call.Verdict]*[]string
	remember  string
	decisions []runtime.Decision
}

func (a *App) runsResumeCommand() *cobra.Command {
	f := resumeFlags{verdicts: map[call.Verdict]*[]string{}}
	cmd := &cobra.Command{
		Use:   "resume RUN",
		Short: "Go on with a run that waits for answers or was interrupted",
		Long: `Go on with a run. What has ended is not done again. Questions are answered with the flags below, by id as
pml runs show prints them, or "all"; what is still open is asked on the terminal.

A call that was sent when the run was interrupted, and may or may not have happened, is asked about unless it can do no
harm to make it again: --retry makes it again, --succeeded and --failed say what came of it.`,
		Example: `  pml runs resume run_01ab --approve all
  pml runs resume run_01ab --approve 5f1c --deny 77e0
  pml runs resume run_01ab --succeeded '5f1c={"id": 7}'
  pml runs resume run_01ab --approve all --remember project`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.resume(cmd, args[0], &f) },
	}
	flags := cmd.Flags()
	for verdict, help := range map[call.Verdict]string{
		call.Approve: "`ID` of a question to approve", call.Deny: "`ID` of a question to deny",
		call.Retry:     "`ID` of an uncertain call to make again",
		call.Succeeded: "`ID[=RESULT]` of an uncertain call that worked, with its result as JSON",
		call.Failed:    "`ID[=MESSAGE]` of an uncertain call that failed",
	} {
		f.verdicts[verdict] = flags.StringArray(string(verdict), nil, help+", or all")
	}
	flags.StringVar(&f.remember, "remember", "", "keep the answers for all calls of the tools: run, or project")
	flags.BoolVar(&f.run.asJSON, "json", false, "print one JSON object, as pml run does")
	flags.BoolVar(&f.run.noInput, "no-input", false, "never ask: open questions end the command")
	flags.StringVar(&f.run.progress, "progress", "auto", "auto: live on a terminal; plain: a line per call; never")
	return cmd
}

func (a *App) resume(cmd *cobra.Command, id string, f *resumeFlags) error {
	if !slices.Contains([]string{"", "run", "project"}, f.remember) {
		return usage(fmt.Sprintf("there is no way to remember for %q", f.remember), "--remember is run or project")
	}
	return a.withSession(cmd, func(ctx context.Context, s *runtime.Session) error {
		i, err := s.Store().Read(id)
		if err != nil {
			return runsError(err)
		}
		if err := f.read(i.State); err != nil {
			return err
		}
		show := a.progress(&f.run, nil)
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		outcome := s.Resume(ctx, id, f.decisions, a.runOptions(ctx, &f.run, show))
		show.close()
		return a.report(outcome, f.run.asJSON)
	})
}

// read makes the decisions of the flags. An id may be shortened as long as it is clear.
func (f *resumeFlags) read(s *journal.State) error {
	open := s.Open()
	for _, verdict := range []call.Verdict{call.Approve, call.Deny, call.Retry, call.Succeeded, call.Failed} {
		for _, text := range *f.verdicts[verdict] {
			id, result, _ := strings.Cut(text, "=")
			found := 0
			for _, q := range open {
				fits := id == "all" && slices.Contains(call.Kind(q.Kind).Verdicts(), verdict)
				if !fits && (id == "" || !strings.HasPrefix(q.ID, id)) {
					continue
				}
				found++
				f.decisions = append(f.decisions, runtime.Decision{ID: q.ID,
					Answer: call.Answer{Verdict: verdict, Result: result, Remember: call.Remember(f.remember)}})
			}
			if _, decided := s.Decisions[id]; found != 1 && id != "all" && !decided {
				return usage(fmt.Sprintf("--%s %s: %d open questions have this id", verdict, id, found),
					"pml runs show prints the ids")
			}
		}
	}
	return nil
}
