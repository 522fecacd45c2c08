package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/casys-ai/pml/cli/answer"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/declare"
	"github.com/casys-ai/pml/transport"
	"github.com/casys-ai/pml/transport/serve"
)

// found is a tool as discover shows it.
type found struct {
	ID nodes.ToolID `json:"id"`
	// Call is how a program names it.
	Call string `json:"call"`
	// Declaration is its TypeScript.
	Declaration string `json:"declaration"`
	Effect      string `json:"effect"`
	Route       string `json:"route"`
	Permission  string `json:"permission"`
	Origin      string `json:"origin"`
}

// discovery is the answer of discover.
type discovery struct {
	Tools []found `json:"tools"`
	// More is how many others were found.
	More int `json:"more,omitempty"`
	// Unavailable are the servers that could not be asked, with the reason.
	Unavailable map[string]string `json:"unavailable,omitempty"`
}

const (
	usualFound = 10
	mostFound  = 50
)

// discover finds tools by what they do.
func (a *Agent) discover(ctx context.Context, c serve.Call) *transport.Result {
	var q struct {
		Query string `json:"query"`
		Limit int    `json:"limit"`
	}
	if err := json.Unmarshal(orEmpty(c.Args), &q); err != nil {
		return failed(answer.Failure{Status: "error", Error: answer.Error{Code: nodes.InvalidArguments,
			Message: "the arguments do not fit: " + err.Error(), Hint: `call it as {"query": "read a file"}`}})
	}
	if q.Limit <= 0 {
		q.Limit = usualFound
	}
	select {
	case <-a.ready:
	case <-ctx.Done():
	}
	tools, err := a.catalog.find(q.Query)
	if err != nil {
		return failed(answer.Failure{Status: "error", Error: answer.Error{Code: nodes.InternalError, Message: err.Error()}})
	}
	shown := tools[:min(len(tools), q.Limit, mostFound)]
	d := discovery{Tools: []found{}, More: len(tools) - len(shown), Unavailable: map[string]string{}}
	for _, t := range shown {
		d.Tools = append(d.Tools, found{ID: t.ID, Call: declare.Call(t.ID), Declaration: declare.Tool(t, a.config.Shapes.Of(t.ID)),
			Effect: t.Effect.String(), Route: t.Route.String(), Permission: t.Permission.String(), Origin: t.Origin})
	}
	for name, err := range a.catalog.failed() {
		d.Unavailable[name] = err.Error()
	}
	return &transport.Result{Content: []transport.Content{textBlock(d.text(q.Query))}, Structured: encode(d)}
}

// text is the answer as a model reads it.
func (d discovery) text(query string) string {
	var b strings.Builder
	for _, t := range d.Tools {
		fmt.Fprintf(&b, "// %s: %s, runs on the %s, permission %s, %s\n%s\n\n", t.Call, t.Effect, t.Route, t.Permission, t.Origin,
			t.Declaration)
	}
	switch {
	case len(d.Tools) == 0:
		fmt.Fprintf(&b, "No tool has to do with %q. Try other words, or the name of a server.\n", query)
	case d.More > 0:
		fmt.Fprintf(&b, "%d more: ask for less, or raise limit.\n", d.More)
	}
	for _, name := range slices.Sorted(maps.Keys(d.Unavailable)) {
		fmt.Fprintf(&b, "Server %s cannot be used: %s\n", name, d.Unavailable[name])
	}
	return b.String()
}
