package answer

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// Succeeded is the answer of a run that has a result. The error says why that is no JSON.
func Succeeded(o *runtime.Outcome) (Success, error) {
	result, err := resultJSON(o.Value)
	return Success{Status: "success", Result: result, RunID: o.RunID, ExecutedLocally: true,
		ToolFailures: toolFailures(o), Logs: logsOf(o)}, err
}

// resultJSON is the result as JSON; what JSON leaves out, undefined or a function, is null.
func resultJSON(v value.Value) (json.RawMessage, error) {
	if v == nil {
		return json.RawMessage("null"), nil
	}
	text, ok, err := value.AppendJSON(nil, v)
	if err != nil {
		return nil, err
	}
	if !ok {
		return json.RawMessage("null"), nil
	}
	return text, nil
}

func toolFailures(o *runtime.Outcome) (list []ToolFailure) {
	for _, f := range o.ToolFailures {
		list = append(list, ToolFailure{Tool: f.Tool, Node: f.Path, Code: f.Code, Message: f.Message})
	}
	return list
}

func logsOf(o *runtime.Outcome) (list []Log) {
	for _, l := range o.Logs {
		list = append(list, Log{l.Level, value.ToWellFormed(l.Text)})
	}
	return list
}

// Failed is the answer of a run that failed: what went wrong, where, what to do about it, and what had been done by then.
func Failed(o *runtime.Outcome, p *runtime.Planned) Failure {
	f, done := o.Err, DoneBy(o, p)
	return Failure{Status: "error", RunID: o.RunID, Logs: logsOf(o), Done: &done, Error: Error{
		Code: f.Code, Message: Message(f), Tool: f.Tool, Node: f.Path, Line: f.Pos.Line, Column: f.Pos.Column,
		Source: nodes.Caret(p.Source, f.Pos, 1), Hint: Hint(f)}}
}

// PlanFailed is the answer to a program that cannot be planned: its first error, and all diagnostics.
func PlanFailed(p *runtime.Planned) Failure {
	out := Failure{Status: "error", Diagnostics: Diagnostics(p)}
	for _, d := range out.Diagnostics {
		if d.Severity == nodes.SeverityError.String() {
			out.Error = Error{Code: d.Code, Message: d.Message, Tool: d.Tool, Line: d.Line, Column: d.Column,
				Source: d.Source, Hint: d.Hint}
			break
		}
	}
	return out
}

// Diagnostics are what planning has to say. The list is never nil, so that it is written as one.
func Diagnostics(p *runtime.Planned) []Diagnostic {
	out := []Diagnostic{}
	for _, d := range p.Diagnostics {
		out = append(out, Diagnostic{Code: d.Code, Severity: d.Severity.String(), Message: d.Message, Hint: d.Hint,
			Line: d.Pos.Line, Column: d.Pos.Column, Source: nodes.Caret(p.Source, d.Pos, d.Length), Tool: d.Tool})
	}
	return out
}

// WaitingFor is the answer of a run that waits for people.
func WaitingFor(o *runtime.Outcome) Waiting {
	out := Waiting{Status: "approval_required", WorkflowID: o.RunID, Logs: logsOf(o)}
	for _, q := range o.Approvals {
		out.Approvals = append(out.Approvals, Approval{q.ID, q.Tool, q.Args, q.Reason, q.Kind, q.Kind.Verdicts()})
	}
	return out
}

// DoneBy is what a run had done when it ended.
func DoneBy(o *runtime.Outcome, p *runtime.Planned) (d Done) {
	for _, s := range o.Spans {
		if s.Tool == "" || s.Err != nil || s.End.IsZero() {
			continue
		}
		d.Calls++
		if t := p.Catalog.Tool(s.Tool); t == nil || t.Effect == nodes.Write {
			d.Writes = append(d.Writes, Write{s.Tool, s.Path})
		}
	}
	return d
}

// String says it in a few words.
func (d Done) String() string {
	if d.Calls == 0 {
		return "no call was done"
	}
	text := fmt.Sprintf("%s done", Plural(d.Calls, "call"))
	const most = 5
	var writes []string
	for _, w := range d.Writes[:min(most, len(d.Writes))] {
		writes = append(writes, fmt.Sprintf("%s (%s)", w.Tool, w.Node))
	}
	switch list := strings.Join(writes, ", "); {
	case len(writes) == 0:
		return text + ", nothing written"
	case len(d.Writes) > most:
		return text + fmt.Sprintf(", of them %d writes: %s and %d more", len(d.Writes), list, len(d.Writes)-most)
	default:
		return text + ", of them " + Plural(len(writes), "write") + ": " + list
	}
}

// hints say how to mend what the failure itself has no hint for.
var hints = map[nodes.ErrorCode]string{
	nodes.ToolError:        "try/catch handles it; err.code and err.tool tell what failed",
	nodes.ServerError:      "pml doctor checks the servers",
	nodes.RPCTimeout:       `raise "limits": {"call": "2m"} in .pml.json if the tool really takes that long`,
	nodes.ExecutionTimeout: "raise --timeout, or limits.run in .pml.json",
	nodes.PermissionDenied: "permissions.deny in .pml.json forbids it",
	nodes.ApprovalDenied:   "approve it, or let the program handle it with try/catch",
	nodes.MissingAPIKey:    "set PML_API_KEY, or use a tool that runs on this machine",
	nodes.InvalidArguments: "pml tools --json shows what the tool takes",
	nodes.WorkerTerminated: "the script process was ended; pml doctor checks it",
	nodes.LimitExceeded:    "see limits in .pml.json",
}

// Message leaves out the name of the error where the code says the same.
func Message(f *engine.Failure) string {
	if f.Code == nodes.CodeError {
		return f.Message
	}
	return strings.TrimPrefix(f.Message, "ToolError: ")
}

// Hint says how to mend a failure; it may be empty.
func Hint(f *engine.Failure) string {
	if f.Hint != "" || f.Tool == "" && f.Code == nodes.ToolError {
		return f.Hint
	}
	return hints[f.Code]
}

// Plural is "1 call" or "2 calls".
func Plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
