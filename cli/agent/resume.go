package agent

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/casys-ai/pml/cli/answer"
	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/engine/journal"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/transport"
	"github.com/casys-ai/pml/transport/serve"
)

// resumption is what resume is called with.
type resumption struct {
	WorkflowID string `json:"workflow_id"`
	Decisions  []struct {
		ID       string          `json:"id"`
		Decision call.Verdict    `json:"decision"`
		Result   json.RawMessage `json:"result"`
		Remember call.Remember   `json:"remember"`
	} `json:"decisions"`
}

// resume goes on with a run that waits.
func (a *Agent) resume(ctx context.Context, c serve.Call) *transport.Result {
	var r resumption
	if err := json.Unmarshal(orEmpty(c.Args), &r); err != nil {
		return failed(answer.Failure{Status: "error", Error: answer.Error{Code: nodes.InvalidArguments,
			Message: "the arguments do not fit: " + err.Error(),
			Hint:    `call it as {"workflow_id": "run_…", "decisions": [{"id": "…", "decision": "approve"}]}`}})
	}
	var decisions []runtime.Decision
	for _, d := range r.Decisions {
		decisions = append(decisions, runtime.Decision{ID: d.ID,
			Answer: call.Answer{Verdict: d.Decision, Result: resultText(d.Decision, d.Result), Remember: d.Remember}})
	}
	o := runtime.RunOptions{RunID: r.WorkflowID}
	return a.watched(ctx, running{client: c.Client}, &o, func(ctx context.Context) *runtime.Outcome {
		return a.session.Resume(ctx, r.WorkflowID, decisions, o)
	})
}

// resultText is a result as an Answer wants it: JSON, or of a failure the message.
func resultText(v call.Verdict, raw json.RawMessage) string {
	var text string
	if v == call.Failed && json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// cancel ends a run for good. One that was over before answers how it ended.
func (a *Agent) cancel(c serve.Call) *transport.Result {
	var args struct {
		WorkflowID string `json:"workflow_id"`
		RunID      string `json:"run_id"`
	}
	if err := json.Unmarshal(orEmpty(c.Args), &args); err != nil {
		return notCancelled("", nodes.InvalidArguments, err)
	}
	if args.WorkflowID == "" {
		args.WorkflowID = args.RunID
	}
	status, err := a.session.Cancel(args.WorkflowID)
	var known *journal.Error
	switch {
	case errors.As(err, &known):
		return notCancelled(args.WorkflowID, known.Code, err)
	case err != nil:
		return notCancelled(args.WorkflowID, nodes.InternalError, err)
	}
	out := struct {
		Status  journal.Status `json:"status"`
		RunID   string         `json:"run_id"`
		Message string         `json:"message,omitempty"`
	}{Status: status, RunID: args.WorkflowID}
	if status != journal.Cancelled {
		out.Message = "the run was over before"
	}
	return result(out)
}

func notCancelled(run string, code nodes.ErrorCode, err error) *transport.Result {
	return failed(answer.Failure{Status: "error", RunID: run, Error: answer.Error{Code: code, Message: err.Error(),
		Hint: "answers and progress messages name the run_id"}})
}
