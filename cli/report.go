package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/nodes/value"
)

// printResult writes what the program returned: a string as it is, undefined not at all, the rest as JSON.
func (a *App) printResult(v value.Value) error {
	text := ""
	switch v := value.Force(v).(type) {
	case nil, value.Undefined:
		return nil
	case value.String:
		text = value.ToWellFormed(string(v))
	default:
		out, ok, err := value.StringifyIndent(v, "  ", nil)
		if err != nil {
			return resultError(err)
		}
		if !ok {
			return nil
		}
		text = out
	}
	_, err := io.WriteString(a.Out, text+"\n")
	return err
}

func resultError(err error) error {
	return &exitError{exitProgram, nodes.CodeError, "the result is not JSON: " + err.Error(), "return plain data"}
}

func resultJSON(v value.Value) json.RawMessage {
	if v == nil {
		return json.RawMessage("null")
	}
	text, ok, err := value.AppendJSON(nil, v)
	if err != nil || !ok {
		return json.RawMessage("null")
	}
	return text
}

func succeeded(o *runtime.Outcome) succeededJSON {
	return succeededJSON{Status: "success", Result: resultJSON(o.Value), RunID: o.RunID, ExecutedLocally: true,
		ToolFailures: toolFailures(o), Logs: logsOf(o)}
}

func toolFailures(o *runtime.Outcome) (list []toolFailure) {
	for _, f := range o.ToolFailures {
		list = append(list, toolFailure{Tool: f.Tool, Node: f.Path, Code: f.Code, Message: f.Message})
	}
	return list
}

func logsOf(o *runtime.Outcome) (list []logJSON) {
	for _, l := range o.Logs {
		list = append(list, logJSON{l.Level, value.ToWellFormed(l.Text)})
	}
	return list
}

func failed(o *runtime.Outcome) failedJSON {
	f := o.Err
	return failedJSON{Status: "error", RunID: o.RunID, Logs: logsOf(o), Error: errorJSON{
		Code: f.Code, Message: message(f), Tool: f.Tool, Node: f.Path, Line: f.Pos.Line, Column: f.Pos.Column, Hint: hint(f)}}
}

func waitingFor(o *runtime.Outcome, asked []call.Question) waitingJSON {
	out := waitingJSON{Status: "approval_required", WorkflowID: o.RunID, Logs: logsOf(o)}
	for _, q := range asked {
		out.Approvals = append(out.Approvals, approvalJSON{q.ID, q.Tool, q.Args, q.Reason})
	}
	return out
}

// explainFailure says what went wrong, where, what to do about it, and what had been done by then.
func (a *App) explainFailure(o *runtime.Outcome, p *runtime.Planned) {
	f := o.Err
	d := nodes.Diagnostic{Code: f.Code, Message: message(f), Hint: hint(f), Pos: f.Pos, Length: 1}
	io.WriteString(a.Err, d.Render(p.Source))
	if f.Tool != "" {
		fmt.Fprintf(a.Err, "  tool: %s (%s)\n", f.Tool, f.Path)
	}
	io.WriteString(a.Err, alreadyDone(o, p))
}

// alreadyDone says which calls had succeeded when the run ended: what was written stays written.
func alreadyDone(o *runtime.Outcome, p *runtime.Planned) string {
	calls := 0
	var writes []string
	for _, s := range o.Spans {
		if s.Tool == "" || s.Err != nil || s.End.IsZero() {
			continue
		}
		calls++
		if t := p.Catalog.Tool(s.Tool); t == nil || t.Effect == nodes.Write {
			writes = append(writes, fmt.Sprintf("%s (%s)", s.Tool, s.Path))
		}
	}
	if calls == 0 {
		return "  before that: no call was done\n"
	}
	text := fmt.Sprintf("  before that: %s done", plural(calls, "call"))
	const most = 5
	switch {
	case len(writes) == 0:
		text += ", nothing written"
	case len(writes) > most:
		first, rest := strings.Join(writes[:most], ", "), len(writes)-most
		text += fmt.Sprintf(", of them %d writes: %s and %d more", len(writes), first, rest)
	default:
		text += ", of them " + plural(len(writes), "write") + ": " + strings.Join(writes, ", ")
	}
	return text + "\n"
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

// message leaves out the name of the error where the code says the same.
func message(f *engine.Failure) string {
	if f.Code == nodes.CodeError {
		return f.Message
	}
	return strings.TrimPrefix(f.Message, "ToolError: ")
}

func hint(f *engine.Failure) string {
	if f.Hint != "" || f.Tool == "" && f.Code == nodes.ToolError {
		return f.Hint
	}
	return hints[f.Code]
}

// explainApprovals lists the calls that nobody could be asked about.
func (a *App) explainApprovals(asked []call.Question) {
	fmt.Fprintf(a.Err, "approval required for %s:\n", plural(len(asked), "call"))
	for _, q := range asked {
		fmt.Fprintf(a.Err, "\n  %s: %s\n%s", q.Tool, q.Reason, prettyArgs(q.Args, "    "))
	}
	ids := map[nodes.ToolID]bool{}
	var unique []nodes.ToolID
	for _, q := range asked {
		if !ids[q.Tool] {
			ids[q.Tool] = true
			unique = append(unique, q.Tool)
		}
	}
	fmt.Fprintf(a.Err, `
  hint: run it on a terminal to be asked, pass --yes to approve every call, or allow it in .pml.json:
        {"permissions": {"allow": [%s]}}
`, quoted(unique))
}
