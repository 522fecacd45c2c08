package runtime_test

import (
	"path/filepath"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
)

// keep makes a session keep the journals of its runs in dir.
func keep(dir string) func(*runtime.Config) {
	return func(c *runtime.Config) { c.State = filepath.Join(dir, ".pml") }
}

// decisions gives the same verdict on every open question.
func decisions(out *runtime.Outcome, v call.Verdict) (list []runtime.Decision) {
	for _, q := range out.Approvals {
		list = append(list, runtime.Decision{ID: q.ID, Answer: call.Answer{Verdict: v}})
	}
	return list
}

// TestResumeInAnotherSession: a run that waits goes on where another session left it, natively and as a script.
func TestResumeInAnotherSession(t *testing.T) {
	for _, script := range []bool{false, true} {
		is := is.New(t)
		dir := t.TempDir()
		first := open(t, fileTools, noRules, keep(dir))
		p := plan(t, first, asksTwice, runtime.PlanOptions{Script: script})
		out := first.Run(t.Context(), p, nil, runtime.RunOptions{})
		is.Equal(out.Err.Code, nodes.ApprovalRequired)
		is.Equal(len(out.Approvals), 1)
		is.True(out.Resumable)
		waits := out

		second := open(t, fileTools, noRules, keep(dir))
		out = second.Resume(t.Context(), out.RunID, decisions(out, call.Approve), runtime.RunOptions{})
		is.Equal(out.Err.Code, nodes.ApprovalRequired) // for the second one
		is.Equal(len(out.Approvals), 1)
		is.True(out.Approvals[0].ID != waits.Approvals[0].ID)

		none := second.Resume(t.Context(), out.RunID, decisions(waits, call.Deny), runtime.RunOptions{})
		is.Equal(none.Err.Code, nodes.ApprovalRequired) // what was decided stays decided
		is.Equal(none.Approvals, out.Approvals)

		out = second.Resume(t.Context(), out.RunID, decisions(out, call.Approve), runtime.RunOptions{})
		is.Equal(render(out), "1")
		again := second.Resume(t.Context(), out.RunID, nil, runtime.RunOptions{})
		is.Equal(render(again), "1")
		is.Equal(second.Resume(t.Context(), "run_none", nil, runtime.RunOptions{}).Err.Code, nodes.UnknownRun)
	}
}
