package transport

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"github.com/casys-ai/pml/nodes"
)

// Error is why a server could not be used or a call had no result.
type Error struct {
	Code    nodes.ErrorCode
	Server  string
	Tool    string // without the server; "" if it is not about a call
	Message string
	// Hint says how to mend it; may be empty.
	Hint string
	// Stderr is the end of what the server wrote to its stderr, at most 2 KB; only if the server failed.
	Stderr string
	// RPCCode and Data are those of a JSON-RPC error answer; 0 and nil otherwise.
	RPCCode int
	Data    []byte

	cause error
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the context's error for a timeout or a cancelled call.
func (e *Error) Unwrap() error { return e.cause }

// about returns a copy of e that names the tool.
func (e *Error) about(tool string) *Error {
	named := *e
	named.Tool = tool
	return &named
}

var unknownTool = regexp.MustCompile(`(?i)unknown tool|tool .*not found|no such tool`)

// rpcFailure is the Error of a JSON-RPC error answer to method.
func rpcFailure(server, tool, method string, e *rpcError) *Error {
	out := &Error{Code: nodes.ToolError, Server: server, Tool: tool, RPCCode: e.Code, Data: e.Data, Message: e.Message}
	switch {
	case tool == "":
		out.Code = nodes.ServerError
		out.Message = fmt.Sprintf("server %q refused %s: %s (%d)", server, method, e.Message, e.Code)
	case e.Code == -32601, e.Code == -32602 && unknownTool.MatchString(e.Message):
		out.Code = nodes.UnknownTool
		out.Hint = "the server's tools may have changed since they were listed"
	case e.Code == -32602:
		out.Code = nodes.InvalidArguments
	case e.Code == -32600, e.Code == -32700:
		out.Code = nodes.ServerError
	}
	return out
}

// stopped is the Error of a call whose context ended; limit is the time it had, 0 if the caller set it.
func stopped(ctx context.Context, server, tool string, limit time.Duration) *Error {
	if ctx.Err() != context.DeadlineExceeded {
		return &Error{Code: nodes.Cancelled, Server: server, Tool: tool, Message: "call cancelled", cause: ctx.Err()}
	}
	e := &Error{Code: nodes.RPCTimeout, Server: server, Tool: tool, cause: ctx.Err()}
	e.Message = fmt.Sprintf("server %q did not answer in time", server)
	if limit > 0 {
		e.Message = fmt.Sprintf("server %q did not answer within %s", server, limit)
		e.Hint = "raise the timeout for one tool call if it really takes that long"
	}
	return e
}
