// Package executor is what a gateway does: it plans and executes programs whose tools all run there, and calls single
// tools. transport/gateway is the shell around it.
package executor

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/transport"
	"github.com/casys-ai/pml/transport/gateway"
)

// callLimit is how long one call takes at most.
const callLimit = 30 * time.Second

// Executor implements gateway.Executor over a Session whose servers are those of the gateway. It does not own the Session.
type Executor struct {
	session *runtime.Session
	memory  *gateway.Memory
	catalog *runtime.Catalog
	listed  []transport.CloudTool
}

var _ gateway.Executor = (*Executor)(nil)

// New makes an Executor; it lists the Session's tools. Servers that fail are left out, and told to warn.
func New(ctx context.Context, s *runtime.Session, store *gateway.Store, warn func(server string, err error)) *Executor {
	e := &Executor{session: s, memory: gateway.NewMemory(store, callLimit), catalog: s.Catalog(ctx)}
	for name, err := range e.catalog.Failures() {
		warn(name, err)
	}
	for _, t := range e.catalog.All() {
		e.listed = append(e.listed, transport.CloudTool{ID: t.ID, Title: t.Title, Description: t.Description,
			InputSchema: t.InputSchema, OutputSchema: t.OutputSchema, Effect: t.Effect.String(), Idempotent: t.Idempotent, Text: t.TextResult,
			Keys: t.Keys, Origin: t.Origin})
	}
	return e
}

// Close ends the calls under way.
func (e *Executor) Close() { e.memory.Close() }

// Tools implements gateway.Executor.
func (e *Executor) Tools(context.Context) ([]transport.CloudTool, error) { return e.listed, nil }

// Call implements gateway.Executor.
func (e *Executor) Call(ctx context.Context, c gateway.Caller, q gateway.Call) (*transport.Result, error) {
	t := e.catalog.Tool(q.Tool)
	if t == nil {
		return nil, &transport.Error{Code: nodes.UnknownTool, Message: fmt.Sprintf("the gateway has no tool %s", q.Tool)}
	}
	run := func(ctx context.Context) (*transport.Result, error) { return e.session.Send(ctx, t.ID, q.Args) }
	if t.Effect == nodes.Pure {
		return run(ctx)
	}
	return e.memory.Once(ctx, c.Scope, q, gateway.Doing{Repeatable: t.Effect != nodes.Write || t.Idempotent, Run: run})
}

// way makes the calls of a run that a caller has asked for. key names a call by its path; nil if they are not remembered.
type way struct {
	executor *Executor
	caller   gateway.Caller
	key      string
	// came is told what the call came to; it may be nil.
	came func(args []byte, r *transport.Result, err error)
}

// Call implements call.Transport.
func (w way) Call(ctx context.Context, server, tool string, args []byte, sent func()) (call.Reply, error) {
	sent()
	r, err := w.executor.Call(ctx, w.caller, gateway.Call{Tool: nodes.ToolID(server + ":" + tool), Args: args, Key: w.key})
	if w.came != nil {
		w.came(args, r, err)
	}
	return runtime.ReplyOf(r, err)
}

// clientTools are the tools of a program that run on the caller's machine, in the order of the list.
func clientTools(used []nodes.ToolID, c *runtime.Catalog) []nodes.ToolID {
	list := []nodes.ToolID{}
	for _, id := range used {
		if t := c.Tool(id); t != nil && t.Route == nodes.Client {
			list = append(list, id)
		}
	}
	return list
}

func join(ids []nodes.ToolID) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = string(id)
	}
	return strings.Join(texts, ", ")
}
