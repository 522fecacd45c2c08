// Package tool is what the built-in servers share: the description of a tool, the check of its arguments, its
// results, and the stdio server around them.
package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// draft is the JSON Schema dialect that the npm servers declare.
const draft = "http://json-schema.org/draft-07/schema#"

// Hints are the four behaviour annotations of MCP, all of them always sent.
type Hints struct{ ReadOnly, Destructive, Idempotent, OpenWorld bool }

// Reads are the hints of a tool that changes nothing.
var Reads = Hints{ReadOnly: true, Idempotent: true}

// Result is what a call answers.
type Result = mcp.CallToolResult

// Tool is one tool: its description and the function behind it. An error from Run becomes a result with isError
// and the error's text.
type Tool struct {
	Name, Title, Description string
	Input                    Schema
	Output                   *Schema
	Hints                    Hints
	Run                      func(ctx context.Context, args Args) (*Result, error)
}

func (t Tool) entry(calls *calls) (server.ServerTool, error) {
	t.Input.Draft = draft
	input, err := json.Marshal(t.Input)
	if err != nil {
		return server.ServerTool{}, fmt.Errorf("input schema of %s: %w", t.Name, err)
	}
	out := mcp.NewToolWithRawSchema(t.Name, t.Description, input)
	out.Title = t.Title
	out.Execution = &mcp.ToolExecution{TaskSupport: mcp.TaskSupportForbidden}
	out.Annotations = mcp.ToolAnnotation{
		ReadOnlyHint: &t.Hints.ReadOnly, DestructiveHint: &t.Hints.Destructive,
		IdempotentHint: &t.Hints.Idempotent, OpenWorldHint: &t.Hints.OpenWorld,
	}
	if t.Output != nil {
		output := *t.Output
		output.Draft = draft
		if out.RawOutputSchema, err = json.Marshal(output); err != nil {
			return server.ServerTool{}, fmt.Errorf("output schema of %s: %w", t.Name, err)
		}
	}
	handle := func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		ctx, end := calls.begin(ctx, request)
		defer end()
		return t.handle(ctx, request)
	}
	return server.ServerTool{Tool: out, Handler: handle}, nil
}

func (t Tool) handle(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args any = request.Params.Arguments
	if args == nil {
		args = map[string]any{}
	}
	if wrong := t.Input.check(args, ""); len(wrong) > 0 {
		return Failure("MCP error -32602: Input validation error: Invalid arguments for tool " + t.Name + ": " +
			strings.Join(wrong, "\n")), nil
	}
	result, err := t.Run(ctx, args.(map[string]any))
	if err != nil {
		return Failure(err.Error()), nil
	}
	return result, nil
}

// Failure is a result with isError.
func Failure(text string) *Result {
	return &Result{Content: []mcp.Content{mcp.NewTextContent(text)}, IsError: true}
}

// Text is a result of plain text without structured content.
func Text(text string) *Result {
	return &Result{Content: []mcp.Content{mcp.NewTextContent(text)}}
}

// Structured is a result with structured content and the text that says the same.
func Structured(value any, text string) *Result {
	return &Result{Content: []mcp.Content{mcp.NewTextContent(text)}, StructuredContent: value}
}

// Data is a structured result whose text is the same JSON, indented.
func Data(value any) (*Result, error) {
	text, err := JSON(value)
	if err != nil {
		return nil, err
	}
	return Structured(value, text), nil
}

// JSON writes a value as JSON.stringify(value, null, 2) does.
func JSON(value any) (string, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return "", err
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}
