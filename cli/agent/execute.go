package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/casys-ai/pml/cli/answer"
	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/casys-ai/pml/transport"
	"github.com/casys-ai/pml/transport/serve"
)

// maxSource is the longest program, in bytes.
const maxSource = 1 << 20

// program is what execute and plan are called with.
type program struct {
	Code string          `json:"code"`
	Args json.RawMessage `json:"args"`
}

// readProgram reads the arguments of execute and plan.
func readProgram(args []byte) (p program, params value.Value, wrong *answer.Error) {
	invalid := func(hint, format string, a ...any) (program, value.Value, *answer.Error) {
		return p, nil, &answer.Error{Code: nodes.InvalidArguments, Message: fmt.Sprintf(format, a...), Hint: hint}
	}
	if err := json.Unmarshal(orEmpty(args), &p); err != nil {
		return invalid(`call it as {"code": "return 1"}`, "the arguments do not fit: %v", err)
	}
	switch {
	case strings.TrimSpace(p.Code) == "":
		return p, nil, &answer.Error{Code: nodes.EmptyCode, Message: "there is no program: code is empty",
			Hint: `pass the TypeScript program as "code"`}
	case len(p.Code) > maxSource:
		return p, nil, &answer.Error{Code: nodes.LimitExceeded, Hint: "pass data as args, or let the program read it with a tool",
			Message: fmt.Sprintf("the program is longer than %d KB", maxSource>>10)}
	}
	if p.Args == nil {
		return p, nil, nil
	}
	var text string
	if json.Unmarshal(p.Args, &text) == nil {
		p.Args = []byte(text) // models like to pass an object as its text
	}
	params, err := value.FromJSON(p.Args)
	if err == nil {
		_, isObject := value.Force(params).(*value.Object)
		if isObject || string(p.Args) == "null" {
			return p, params, nil
		}
	}
	return invalid(`for example {"code": "return args.days", "args": {"days": 7}}`, "args must be an object")
}

// orEmpty is what no arguments, or null, stand for.
func orEmpty(args []byte) []byte {
	if len(args) == 0 || string(args) == "null" {
		return []byte("{}")
	}
	return args
}

// planned reads the program of a call and plans it; wrong is the answer if that cannot be done.
func (a *Agent) planned(ctx context.Context, c serve.Call) (planned *runtime.Planned, args value.Value, wrong *transport.Result) {
	p, args, bad := readProgram(c.Args)
	if bad != nil {
		return nil, nil, failed(answer.Failure{Status: "error", Error: *bad})
	}
	planned, err := a.session.Plan(ctx, p.Code, a.planOptions())
	if err != nil {
		return nil, nil, failed(unavailable(err))
	}
	if planned.Graph == nil {
		return nil, nil, failed(answer.PlanFailed(planned))
	}
	return planned, args, nil
}

// execute plans a program and runs it.
func (a *Agent) execute(ctx context.Context, c serve.Call) *transport.Result {
	planned, params, wrong := a.planned(ctx, c)
	if wrong != nil {
		return wrong
	}
	return a.run(ctx, running{client: c.Client, program: planned, params: params})
}

func (a *Agent) planOptions() runtime.PlanOptions {
	return runtime.PlanOptions{NoSpeculation: a.config.Settings.NoSpeculation}
}

// unavailable is the answer when there is no session any more, or the client has called off.
func unavailable(err error) answer.Failure {
	return answer.Failure{Status: "error", Error: answer.Error{Code: nodes.Cancelled, Message: err.Error()}}
}

// running is a planned program that a client wants to run.
type running struct {
	client  *serve.Client
	program *runtime.Planned
	params  value.Value
	// received is told what the tools answer, and takes the place of progress by counts; nil for nobody.
	received func(nodes.ToolID, call.Reply)
}

// source is the program's text; of a run that is resumed it is in the journal.
func (r running) source() string {
	if r.program == nil {
		return ""
	}
	return r.program.Source
}

// run runs a program for a client and says what came of it.
func (a *Agent) run(ctx context.Context, r running) *transport.Result {
	o := runtime.RunOptions{RunID: runtime.NewRunID(), Received: r.received}
	return a.watched(ctx, r, &o, func(ctx context.Context) *runtime.Outcome {
		return a.session.Run(ctx, r.program, r.params, o)
	})
}

// watched lets a run happen with what the client can do beside it: answer questions, hear how it gets on.
func (a *Agent) watched(ctx context.Context, r running, o *runtime.RunOptions,
	run func(context.Context) *runtime.Outcome) *transport.Result {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // takes back questions that are still on the client's screen
	if r.client.CanElicit() {
		o.Asker = &elicitor{ctx: ctx, client: r.client}
	}
	here := &visit{a.present, r.client}
	defer here.leave()
	seen := a.live.begin(o.RunID, r.source())
	watching := observers{here, seen, learner{a.config.Shapes, a.catalog.tool}}
	if r.received == nil {
		progress := watchProgress(r.client, o.RunID)
		defer progress.close()
		watching = append(watching, progress)
	}
	o.Observer = watching
	out := run(ctx)
	seen.end(out)
	if err := a.config.Shapes.save(); err != nil {
		a.log.Warn("the shapes of results cannot be kept: " + err.Error())
	}
	return a.answer(out)
}

// answer is what the client is told about a run.
func (a *Agent) answer(o *runtime.Outcome) *transport.Result {
	switch {
	case o.Err == nil:
		return a.succeeded(o)
	case len(o.Approvals) > 0:
		return result(answer.WaitingFor(o))
	}
	return failed(answer.Failed(o, o.Planned))
}

// plan shows what a program would do.
func (a *Agent) plan(ctx context.Context, c serve.Call) *transport.Result {
	planned, _, wrong := a.planned(ctx, c)
	if wrong != nil {
		return wrong
	}
	text, structured, err := a.config.ShowPlan(planned)
	if err != nil {
		return failed(answer.Failure{Status: "error", Error: answer.Error{Code: nodes.InternalError, Message: err.Error()}})
	}
	return &transport.Result{Content: []transport.Content{textBlock(text)}, Structured: structured}
}
