// Package executor is what a gateway does: it plans and executes programs whose tools all run there, and calls single
// tools. transport/gateway is the shell around it.
package executor

import (
	"context"
	"fmt"
	"net/http"
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
	store   *gateway.Store
	// upstream calls the servers of http records.
	upstream *http.Client
	catalog  *runtime.Catalog
	listed   []transport.CloudTool
}

var _ gateway.Executor = (*Executor)(nil)

// New makes an Executor; it lists the Session's tools. Servers that fail are left out, and told to warn.
func New(ctx context.Context, s *runtime.Session, store *gateway.Store, upstream *http.Client, warn func(server string, err error)) *Executor {
	e := &Executor{session: s, memory: gateway.NewMemory(store, callLimit), store: store, upstream: upstream, catalog: s.Catalog(ctx)}
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
	t, run, err := e.find(ctx, c, q)
	switch {
	case err != nil:
		return nil, err
	case t.Effect == nodes.Pure:
		return run(ctx)
	}
	return e.memory.Once(ctx, c.Scope, q, gateway.Doing{Repeatable: t.Effect != nodes.Write || t.Idempotent, Run: run})
}

// find finds the tool of a call, and how it is called: it is one of the gateway's own, or of a record of the caller's.
func (e *Executor) find(ctx context.Context, c gateway.Caller, q gateway.Call) (*nodes.Tool, func(context.Context) (*transport.Result, error), error) {
	if t := e.catalog.Tool(q.Tool); t != nil {
		return t, func(ctx context.Context) (*transport.Result, error) { return e.session.Send(ctx, t.ID, q.Args) }, nil
	}
	records, err := e.store.Proxied(ctx, c.Scope)
	if err != nil {
		return nil, nil, err
	}
	for _, r := range records {
		for _, t := range gateway.ToolsOf(r) {
			if t.ID == q.Tool {
				return e.session.CloudTool(t), func(ctx context.Context) (*transport.Result, error) { return e.proxy(ctx, c, r, q) }, nil
			}
		}
	}
	return nil, nil, &transport.Error{Code: nodes.UnknownTool, Message: fmt.Sprintf("the gateway has no tool %s", q.Tool)}
}

// proxy calls a tool of an http record with the caller's own keys, and those only that the record declares. They are held
// no longer than the call.
func (e *Executor) proxy(ctx context.Context, c gateway.Caller, r *transport.Record, q gateway.Call) (*transport.Result, error) {
	headers, missing := r.WithKeys(c.Keys)
	if missing != "" {
		return nil, &transport.Error{Code: nodes.MissingAPIKey,
			Message: fmt.Sprintf("%s needs your own key in the variable %s", q.Tool, missing), Hint: "put it into .env"}
	}
	remote := transport.NewRemote(transport.RemoteConfig{Name: r.Name, URL: r.ProxyTo, Headers: headers, HTTP: e.upstream},
		transport.PoolOptions{})
	defer remote.Close()
	result, err := remote.Call(ctx, transport.Request{Tool: q.Tool.Name(), Args: q.Args})
	return runtime.Clean(c.Keys, result, err)
}

// offered are the tools of a caller's records.
func (e *Executor) offered(ctx context.Context, c gateway.Caller) (tools []*nodes.Tool) {
	records, _ := e.store.Proxied(ctx, c.Scope)
	for _, r := range records {
		for _, t := range gateway.ToolsOf(r) {
			t.Keys = nil // they are the caller's, who has seen to them
			tools = append(tools, e.session.CloudTool(t))
		}
	}
	return tools
}

// way makes the calls of a run that a caller has asked for. key names a call by its path; nil if they are not remembered.
type way struct {
	executor *Executor
	caller   gateway.Caller
	key      string
	// going is told that the call is under way, came what it came to; both may be nil.
	going func()
	came  func(args []byte, r *transport.Result, err error)
}

// Call implements call.Transport.
func (w way) Call(ctx context.Context, server, tool string, args []byte, sent func()) (call.Reply, error) {
	sent()
	if w.going != nil {
		w.going()
	}
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
