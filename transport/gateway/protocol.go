package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/transport"
	"github.com/casys-ai/pml/transport/serve"
)

// protocol is the gateway as MCP sees it.
type protocol struct{ *Gateway }

// executeTool is the name of the tool that executes a program.
const executeTool = "execute"

const executeSchema = `{"type":"object","properties":{"code":{"type":"string","description":"The program: TypeScript that ` +
	`calls tools as mcp.server.tool(args)"},"args":{"type":"object","description":"What the program sees as args"}},` +
	`"required":["code"]}`

const partSchema = `{"type":"object","properties":{"part":{"type":"string"}},"required":["part"]}`

// Tools implements serve.Handler.
func (p protocol) Tools() []serve.Tool {
	list := []serve.Tool{
		{Name: executeTool, Title: "Execute", Aliases: []string{"pml:execute", "pml_execute"}, InputSchema: []byte(executeSchema),
			Description: "Plan and execute a TypeScript program whose tools all run in the cloud."},
		{Name: transport.PartTool, Hidden: true, InputSchema: []byte(partSchema), Description: "Execute a part of a program."},
	}
	for _, t := range p.tools {
		read := t.Effect == nodes.Read.String() || t.Effect == nodes.Pure.String()
		list = append(list, serve.Tool{Name: string(t.ID), Title: t.Title, Description: t.Description, InputSchema: t.InputSchema,
			OutputSchema: t.OutputSchema, Annotations: mcp.ToolAnnotation{ReadOnlyHint: &read, IdempotentHint: &t.Idempotent}})
	}
	return append(list, p.proxied()...)
}

// proxied are the tools of http records, of all scopes: whose they are is looked at when they are called. None takes the
// place of one of the gateway's own.
func (p protocol) proxied() (list []serve.Tool) {
	taken := map[nodes.ToolID]bool{}
	for _, t := range p.tools {
		taken[t.ID] = true
	}
	records, err := p.store.latest(context.Background(), transport.RecordHTTP, "")
	if err != nil {
		p.log.Error("the records cannot be read", "error", err)
	}
	for _, r := range records {
		for _, t := range r.Tools {
			if taken[t.ID] {
				continue
			}
			taken[t.ID] = true
			list = append(list, serve.Tool{Name: string(t.ID), Hidden: true, InputSchema: []byte(`{"type":"object"}`)})
		}
	}
	return list
}

// Read implements serve.Handler: there are no resources.
func (p protocol) Read(context.Context, string) (serve.Text, error) {
	return serve.Text{}, errors.New("there are no resources")
}

// Call implements serve.Handler.
func (p protocol) Call(ctx context.Context, c serve.Call) *transport.Result {
	caller := callerOf(ctx)
	caller.Keys = keysIn(c.Meta)
	key, _ := c.Meta["pml/key"].(string)
	switch c.Tool {
	case executeTool:
		caller.Run = key
		return p.executor.Execute(ctx, caller, c.Args)
	case transport.PartTool:
		return p.part(ctx, caller, c)
	}
	r, err := p.executor.Call(ctx, caller, Call{Tool: nodes.ToolID(c.Tool), Args: c.Args, Key: key})
	if err != nil {
		p.metrics.called("failed")
		return FailureResult(err)
	}
	p.metrics.called("done")
	return r
}

// part executes a part of a program. What its calls come to is told as it is known, and all of it in the end.
func (p protocol) part(ctx context.Context, caller Caller, c serve.Call) *transport.Result {
	var in struct{ Part []byte }
	if err := json.Unmarshal(c.Args, &in); err != nil {
		return FailureResult(&transport.Error{Code: nodes.InvalidArguments, Message: "not a part: " + err.Error()})
	}
	var told atomic.Int64
	out, err := p.executor.Part(ctx, caller, in.Part, func(o transport.PartOutcome) {
		if !o.Sent {
			p.metrics.called("done")
		}
		if text, err := json.Marshal(o); err == nil {
			c.Client.Progress(transport.Progress{Progress: float64(told.Add(1)), Message: string(text)})
		}
	})
	if err != nil {
		return FailureResult(err)
	}
	text, err := json.Marshal(out)
	if err != nil {
		return FailureResult(err)
	}
	return transport.TextResult(string(text))
}

// keysIn are the caller's own keys in _meta.
func keysIn(meta map[string]any) map[string]string {
	list, _ := meta["pml/keys"].(map[string]any)
	keys := map[string]string{}
	for name, v := range list {
		if text, ok := v.(string); ok {
			keys[name] = text
		}
	}
	return keys
}

// FailureResult is the result of a call that failed on its way: its code stands in _meta.
func FailureResult(err error) *transport.Result {
	code, message := nodes.ServerError, err.Error()
	var e *transport.Error
	if errors.As(err, &e) {
		code = e.Code
	}
	r := transport.TextResult(message)
	r.IsError = true
	r.Meta, _ = json.Marshal(map[string]any{transport.FaultMeta: map[string]any{"code": code}})
	return r
}
