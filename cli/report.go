package cli

import (
	"fmt"
	"io"
	"slices"

	"github.com/casys-ai/pml/cli/answer"
	"github.com/casys-ai/pml/cli/runtime"
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

// explainFailure says what went wrong, where, what to do about it, and what had been done by then.
func (a *App) explainFailure(o *runtime.Outcome) {
	f := o.Err
	d := nodes.Diagnostic{Code: f.Code, Message: answer.Message(f), Hint: answer.Hint(f), Pos: f.Pos, Length: 1}
	io.WriteString(a.Err, d.Render(o.Planned.Source))
	if f.Tool != "" {
		fmt.Fprintf(a.Err, "  tool: %s (%s)\n", f.Tool, f.Path)
	}
	a.explainDone(o)
	if o.Resumable {
		fmt.Fprintf(a.Err, "  go on with: pml runs resume %s\n", o.RunID)
	}
}

// explainDone says which calls had succeeded when the run ended.
func (a *App) explainDone(o *runtime.Outcome) {
	fmt.Fprintf(a.Err, "  before that: %s\n", answer.DoneBy(o, o.Planned))
}

// explainApprovals lists the calls that nobody could be asked about.
func (a *App) explainApprovals(o *runtime.Outcome) {
	fmt.Fprintf(a.Err, "approval required for %s:\n", plural(len(o.Approvals), "call"))
	var allow []nodes.ToolID // what a rule, or --yes, could answer
	for _, q := range o.Approvals {
		fmt.Fprintf(a.Err, "\n  %s: %s\n%s", q.Tool, q.Reason, prettyArgs(q.Args, "    "))
		if q.Kind == call.MayCall && !slices.Contains(allow, q.Tool) {
			allow = append(allow, q.Tool)
		}
	}
	io.WriteString(a.Err, "\n  hint: ")
	if o.Resumable {
		fmt.Fprintf(a.Err, "answer with pml runs resume %s, which goes on from here; or ", o.RunID)
	}
	io.WriteString(a.Err, "run it on a terminal to be asked")
	if len(allow) > 0 {
		fmt.Fprintf(a.Err, `,
        pass --yes to approve every call, or allow it in .pml.json:
        {"permissions": {"allow": [%s]}}`, quoted(allow))
	}
	io.WriteString(a.Err, "\n")
	a.explainDone(o)
}
