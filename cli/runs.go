package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/casys-ai/pml/cli/answer"
	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/engine/journal"
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
	Spans   []traceSpan       `json:"spans,omitempty"`
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
	shown.Source, shown.Spans = i.Source, newTrace(i).Spans
	if asJSON {
		return a.printJSON(shown)
	}
	fmt.Fprintf(a.Out, "%s  %s  %s\n\n", shown.RunID, shown.Status, shown.Created.Local().Format(time.RFC1123))
	var rows columns
	for _, x := range shown.Spans {
		rows.add(x.Node, string(x.Tool), x.State, clip(x.Error, 80))
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

func inMs(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func (a *App) runsCancelCommand() *cobra.Command {
	return &cobra.Command{
		Use: "cancel RUN", Short: "End a run that waits or was interrupted, for good", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withSession(cmd, func(_ context.Context, s *runtime.Session) error {
				status, err := s.Cancel(args[0])
				if err == nil && status != journal.Cancelled {
					fmt.Fprintf(a.Err, "it was over before: %s\n", status)
				}
				return runsError(err)
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
