package executor

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/casys-ai/pml/cli/answer"
	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/engine/journal"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/casys-ai/pml/transport"
	"github.com/casys-ai/pml/transport/gateway"
)

// InstallCommand is how a client gets pml.
const InstallCommand = "go install github.com/casys-ai/pml/cli/pml@latest"

// Locally is the answer to a program that the caller must execute: some of its tools run on the caller's machine.
type Locally struct {
	Status     string   `json:"status"`
	Code       string   `json:"code"`
	DAG        Dag      `json:"dag"`
	ToolsUsed  []string `json:"tools_used"`
	FQDNs      any      `json:"fqdns"`
	Client     []string `json:"client_tools"`
	WorkflowID string   `json:"workflow_id"`
}

// needsClient is the answer to a caller that cannot execute a program itself.
type needsClient struct {
	Status string `json:"status"`
	Error  struct {
		answer.Error
		ClientTools    []nodes.ToolID `json:"client_tools"`
		InstallCommand string         `json:"install_command"`
	} `json:"error"`
}

// Execute implements gateway.Executor.
func (e *Executor) Execute(ctx context.Context, c gateway.Caller, args []byte) *transport.Result {
	var in struct {
		Code string
		Args json.RawMessage
	}
	if err := json.Unmarshal(args, &in); err != nil {
		return reply(failure(nodes.InvalidArguments, "execute takes {code, args?}: "+err.Error(), ""), true)
	}
	params, err := params(in.Args)
	if err != nil {
		return reply(failure(nodes.InvalidArguments, "args is no JSON: "+err.Error(), ""), true)
	}
	p, err := e.session.Plan(ctx, in.Code, runtime.PlanOptions{Elsewhere: true, Extra: e.offered(ctx, c)})
	if err != nil {
		return reply(failure(nodes.Cancelled, err.Error(), ""), true)
	}
	if p.Graph == nil {
		return reply(answer.PlanFailed(p), true)
	}
	used, dynamic := p.Tools()
	if client := clientTools(used, p.Catalog); len(client) > 0 || dynamic && c.Package {
		return e.handBack(ctx, c, p, used, client)
	}
	return e.run(ctx, c, p, params)
}

// run executes a program here.
func (e *Executor) run(ctx context.Context, c gateway.Caller, p *runtime.Planned, args value.Value) *transport.Result {
	o := e.session.Run(ctx, p, args, runtime.RunOptions{Cloud: func(path string) call.Transport {
		w := way{executor: e, caller: c}
		if c.Run != "" {
			w.key = c.Run + "/" + path
		}
		return w
	}})
	if o.Err != nil {
		return reply(failedFor(c, o, answer.Failed(o, p)), true)
	}
	done, err := answer.Succeeded(o)
	if err != nil {
		return reply(failure(nodes.CodeError, err.Error(), ""), true)
	}
	done.ExecutedLocally = false
	if !c.Package {
		return reply(done, false)
	}
	return reply(struct {
		answer.Success
		Exact []byte                  `json:"exact"`
		Spans []runtime.ForwardedSpan `json:"spans"`
	}{done, journal.Encode([]value.Value{o.Value}), spansOf(o)}, false)
}

// failedFor is the answer of a program that failed; pml gets what was done too.
func failedFor(c gateway.Caller, o *runtime.Outcome, f answer.Failure) any {
	if !c.Package {
		return f
	}
	return struct {
		answer.Failure
		Spans []runtime.ForwardedSpan `json:"spans"`
	}{f, spansOf(o)}
}

// spansOf are the tasks of a run as they are told to pml.
func spansOf(o *runtime.Outcome) (list []runtime.ForwardedSpan) {
	for _, s := range o.Spans {
		if s.End.IsZero() {
			continue
		}
		f := runtime.ForwardedSpan{Path: s.Path, Parent: s.Parent, Node: s.Node, Kind: s.Kind, Tool: s.Tool,
			Start: s.Start.Sub(o.Started).Microseconds(), End: s.End.Sub(o.Started).Microseconds()}
		if s.Err != nil {
			f.Code, f.Error = nodes.ToolError, s.Err.Error()
			for _, x := range o.ToolFailures {
				if x.Path == s.Path {
					f.Code, f.Error = x.Code, x.Message
				}
			}
		}
		list = append(list, f)
	}
	return list
}

// handBack answers a program that the caller must execute.
func (e *Executor) handBack(ctx context.Context, c gateway.Caller, p *runtime.Planned, used, client []nodes.ToolID) *transport.Result {
	if !c.Package {
		var out needsClient
		out.Status = "error"
		out.Error.Error = answer.Error{Code: nodes.ClientToolsNeedClient, Tool: client[0],
			Message: fmt.Sprintf("%s must run on your machine, which needs the pml package", join(client)),
			Hint:    "install it with " + InstallCommand}
		out.Error.ClientTools, out.Error.InstallCommand = client, InstallCommand
		return reply(out, true)
	}
	id := newWorkflowID()
	if err := e.store.Workflow(ctx, c.Scope, id); err != nil {
		return reply(failure(nodes.InternalError, "the gateway failed", "try again later"), true)
	}
	return reply(Locally{Status: "execute_locally", Code: p.Source, DAG: dagOf(p.Graph), ToolsUsed: texts(used), FQDNs: e.fqdns(ctx, c, used),
		Client: texts(client), WorkflowID: id}, false)
}

// fqdns are the registry's names of tools, as far as the caller's scope has records of them or of their servers.
func (e *Executor) fqdns(ctx context.Context, c gateway.Caller, used []nodes.ToolID) map[string]string {
	names := map[string]string{}
	for _, id := range used {
		for _, name := range []string{string(id), id.Server()} {
			if r, err := e.store.Record(ctx, c.Scope, name); err == nil {
				names[string(id)] = r.FQDN
				break
			}
		}
	}
	return names
}

func texts(ids []nodes.ToolID) []string {
	out := []string{}
	for _, id := range ids {
		out = append(out, string(id))
	}
	return out
}

func params(raw json.RawMessage) (value.Value, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	return value.ParseJSON(string(raw))
}

func failure(code nodes.ErrorCode, message, hint string) answer.Failure {
	return answer.Failure{Status: "error", Error: answer.Error{Code: code, Message: message, Hint: hint}}
}

// reply is an answer as a tool result: text and structured content say the same.
func reply(v any, isError bool) *transport.Result {
	text, err := json.Marshal(v)
	if err != nil {
		text, isError = []byte(`{"status":"error","error":{"code":"INTERNAL_ERROR","message":"the answer is no JSON"}}`), true
	}
	r := transport.TextResult(string(text))
	r.Structured, r.IsError = text, isError
	return r
}

func newWorkflowID() string {
	var b [12]byte
	_, _ = rand.Read(b[:])
	return "wf_" + hex.EncodeToString(b[:])
}
