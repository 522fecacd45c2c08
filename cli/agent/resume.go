package agent

import (
	"context"
	"encoding/json"

	"github.com/casys-ai/pml/cli/answer"
	"github.com/casys-ai/pml/cli/runtime"
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

// cancel ends a run for good.
func (a *Agent) cancel(c serve.Call) *transport.Result {
	var args struct {
		WorkflowID string `json:"workflow_id"`
		RunID      string `json:"run_id"`
	}
	err := json.Unmarshal(orEmpty(c.Args), &args)
	if args.WorkflowID == "" {
		args.WorkflowID = args.RunID
	}
	if err == nil {
		err = a.session.Cancel(args.WorkflowID)
	}
	if err != nil {
		return failed(answer.Failure{Status: "error", RunID: args.WorkflowID, Error: answer.Error{Code: nodes.InvalidArguments,
			Message: err.Error(), Hint: "answers and progress messages name the run_id"}})
	}
	return result(struct {
		Status string `json:"status"`
		RunID  string `json:"run_id"`
	}{"cancelled", args.WorkflowID})
}
