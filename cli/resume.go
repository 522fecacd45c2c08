package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/engine/journal"
	"github.com/casys-ai/pml/nodes/call"
)

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
				meant := id == "all" || id != "" && strings.HasPrefix(q.ID, id)
				if !meant || !slices.Contains(call.Kind(q.Kind).Verdicts(), verdict) {
					continue
				}
				found++
				f.decisions = append(f.decisions, runtime.Decision{ID: q.ID,
					Answer: call.Answer{Verdict: verdict, Result: result, Remember: call.Remember(f.remember)}})
			}
			if _, decided := s.Decisions[id]; found != 1 && id != "all" && !decided {
				return usage(fmt.Sprintf("--%s %s: %d open questions with this id can be answered so", verdict, id, found),
					"pml runs show prints the ids and what may be answered")
			}
		}
	}
	return nil
}
