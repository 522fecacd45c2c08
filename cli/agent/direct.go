package agent

import (
	"context"
	"sync"

	"github.com/casys-ai/pml/cli/answer"
	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/casys-ai/pml/transport"
	"github.com/casys-ai/pml/transport/serve"
)

// direct calls one tool of the project by its id: as a program of one call, so that rules, routes, limits and traces are
// those of every call. The tool's answer reaches the client as it was given.
func (a *Agent) direct(ctx context.Context, c serve.Call) *transport.Result {
	id := nodes.ToolID(c.Tool)
	for _, t := range a.catalog.all() {
		if a.exposedAs(t.ID) == c.Tool {
			id = t.ID
			break
		}
	}
	params, err := value.FromJSON(orEmpty(c.Args))
	if err != nil {
		return failed(answer.Failure{Status: "error", Error: answer.Error{Code: nodes.InvalidArguments, Message: err.Error()}})
	}
	planned, err := a.session.Plan(ctx, runtime.OneCall(id), a.planOptions())
	if err != nil {
		return failed(unavailable(err))
	}
	if planned.Graph == nil {
		return failed(answer.PlanFailed(planned))
	}
	got := &received{}
	told := func(p transport.Progress) {
		p.Message = a.session.Quiet(p.Message)
		c.Client.Progress(p)
	}
	ran := a.run(transport.WithProgress(ctx, told), running{c.Client, planned, params, got.note})
	if reply := got.reply(); reply != nil {
		return reply
	}
	ran.IsError = true // whatever it says, it is not what the tool answers
	return ran
}

// received is the answer of the one call.
type received struct {
	mu     sync.Mutex
	answer *transport.Result
}

func (r *received) note(_ nodes.ToolID, reply call.Reply) {
	out := &transport.Result{Structured: reply.Structured, Meta: reply.Meta, IsError: reply.IsError}
	for _, b := range reply.Content {
		out.Content = append(out.Content, transport.Content(b))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = out
}

func (r *received) reply() *transport.Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.answer
}
