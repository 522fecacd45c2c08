package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/sourcegraph/conc/panics"
)

// Failure is why a run failed. A Runner may return one as its fatal error: the engine adds what is missing.
type Failure struct {
	Code    nodes.ErrorCode
	Message string
	// Hint says how to mend it; may be empty.
	Hint string
	// Thrown is the uncaught exception; nil if the run ended for another reason.
	Thrown value.Value
	// Node is where the exception was first thrown, even if it was caught and thrown again; Path which execution of it,
	// Pos its place in the source. Node is nil if no node is to blame.
	Node *nodes.Node
	Path string
	Pos  ast.Pos
	// Tool is the tool that failed; empty if none did.
	Tool nodes.ToolID
	// Open are the paths of the calls that wait for a person; the Code is APPROVAL_REQUIRED then.
	Open []string
	// Err is the cause; may be nil.
	Err error
}

// Error implements error: "CODE: message".
func (f *Failure) Error() string { return string(f.Code) + ": " + f.Message }

// Unwrap gives the cause.
func (f *Failure) Unwrap() error { return f.Err }

// Return is what Runner.Run returns as its error when a script node with Code.Returns has executed a return statement
// of the function around it: a completion that targets Code.Target.
type Return struct {
	Value value.Value
}

// Error implements error.
func (*Return) Error() string { return "engine: a script returned" }

// origin is where an exception was first thrown.
type origin struct {
	node *nodes.Node
	path string
	tool nodes.ToolID
}

// uncaught describes the exception thrown at o.
func uncaught(thrown value.Value, o origin) *Failure {
	cause := &value.Throw{Value: thrown}
	f := &Failure{Code: nodes.CodeError, Message: cause.Error(), Thrown: thrown, Err: cause}
	f.blame(o)
	if code := toolCode(thrown, o); code != "" {
		f.Code = code
	}
	return f
}

// toolCode is the code that a failed tool call carries; what the program throws itself has none.
func toolCode(thrown value.Value, o origin) nodes.ErrorCode {
	e, ok := value.Force(thrown).(*value.Error)
	if !ok || e.Props == nil || o.tool == "" && e.Name != "ToolError" {
		return ""
	}
	code, _ := e.Props.Get("code")
	s, _ := value.Force(code).(value.String)
	return nodes.ErrorCode(s)
}

// fatal describes an error that is no exception of the program.
func fatal(err error, o origin) *Failure {
	var f *Failure
	if !errors.As(err, &f) {
		f = &Failure{Code: nodes.InternalError, Message: err.Error(), Err: err}
	}
	if f.Node != nil || o.node == nil {
		return f
	}
	blamed := *f
	blamed.blame(o)
	return &blamed
}

// stopped describes a run whose context has ended.
func stopped(ctx context.Context) *Failure {
	f := &Failure{Code: nodes.Cancelled, Message: "the run was cancelled", Err: context.Cause(ctx)}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		f.Code, f.Message = nodes.ExecutionTimeout, "the run exceeded its time limit"
	}
	return f
}

// parked describes a run in which nothing but calls that wait for a person could move.
func parked(open []string) *Failure {
	return &Failure{Code: nodes.ApprovalRequired, Message: "the run waits for answers", Open: open, Err: ErrSuspended}
}

// diverged describes another attempt at a run that does not do what the first one did.
func diverged() *Failure {
	return &Failure{Code: nodes.ReplayDiverged, Message: "the run cannot be taken up again: it does not make the calls that " +
		"the journal holds", Hint: "start it anew; what was done stays done"}
}

// panicked describes the panic at o that v was recovered from.
func panicked(v any, o origin) *Failure {
	r := panics.NewRecovered(1, v)
	f := &Failure{Code: nodes.InternalError, Err: r.AsError()}
	f.blame(o)
	f.Message = "the engine panicked"
	if o.node != nil {
		f.Message = fmt.Sprintf("%s node %s at %d:%d panicked", o.node.Kind, o.path, f.Pos.Line, f.Pos.Column)
	}
	return f
}

// invalid describes a graph that cannot be compiled.
func invalid(n *nodes.Node, format string, a ...any) *Failure {
	f := &Failure{Code: nodes.InternalError, Message: "invalid graph: " + fmt.Sprintf(format, a...)}
	if n != nil {
		f.Message = fmt.Sprintf("invalid graph: node %d: ", n.ID) + fmt.Sprintf(format, a...)
		f.Node, f.Pos = n, n.Pos
	}
	return f
}

func (f *Failure) blame(o origin) {
	f.Node, f.Path, f.Tool = o.node, o.path, o.tool
	if o.node != nil {
		f.Pos = o.node.Pos
	}
}
