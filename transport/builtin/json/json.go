// Package json is the built-in server for JSON texts. It runs at a gateway; it reads and changes nothing.
package json

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/itchyny/gojq"

	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

// Tools lists the tools of the server.
func Tools() []tool.Tool {
	data := tool.Req("data", tool.String("A JSON text"))
	return []tool.Tool{
		{Name: "parse", Title: "Parse JSON", Hints: tool.Reads, Run: parse,
			Description: "Check a JSON text and give what it says. An object or a list arrives as one, anything else as text.",
			Input:       tool.Object(data)},
		{Name: "format", Title: "Format JSON", Hints: tool.Reads, Run: format, Output: textOutput(),
			Description: "Write a JSON text anew, indented or on one line. Names keep their order, numbers their digits.",
			Input: tool.Object(data,
				tool.Opt("indent", tool.Integer("Spaces for each level; 0 writes one line", 0).Or(2)))},
		{Name: "query", Title: "Query JSON", Hints: tool.Reads, Run: query,
			Description: "Apply a jq query to a JSON text, and give the list of its results.",
			Input:       tool.Object(data, tool.Req("query", tool.String("A jq query, such as .items[] | select(.price > 5) | .name")))},
	}
}

// textOutput is the schema of a result that is a text, even if that looks like JSON.
func textOutput() *tool.Schema {
	s := tool.Closed(tool.Req("text", tool.Schema{Type: "string"}))
	return &s
}

func parse(_ context.Context, args tool.Args) (*tool.Result, error) {
	var out bytes.Buffer
	if json.Compact(&out, []byte(args.String("data"))) != nil {
		return nil, invalid(args.String("data"))
	}
	return tool.Text(out.String()), nil
}

func format(_ context.Context, args tool.Args) (*tool.Result, error) {
	text := []byte(strings.TrimSpace(args.String("data")))
	var out bytes.Buffer
	err := json.Compact(&out, text)
	if indent := int(args.Number("indent", 2)); err == nil && indent > 0 {
		text = bytes.Clone(out.Bytes())
		out.Reset()
		err = json.Indent(&out, text, "", strings.Repeat(" ", min(indent, mostIndent)))
	}
	if err != nil {
		return nil, invalid(string(text))
	}
	return tool.Structured(map[string]any{"text": out.String()}, out.String()), nil
}

// mostIndent is where an indent ends, as JSON.stringify has it.
const mostIndent = 10

func query(ctx context.Context, args tool.Args) (*tool.Result, error) {
	var data any
	decoder := json.NewDecoder(strings.NewReader(args.String("data")))
	decoder.UseNumber()
	if err := decoder.Decode(&data); err != nil {
		return nil, invalid(args.String("data"))
	}
	q, err := gojq.Parse(args.String("query"))
	if err != nil {
		return nil, fmt.Errorf("the query is no jq: %w", err)
	}
	code, err := gojq.Compile(q)
	if err != nil {
		return nil, fmt.Errorf("the query cannot be compiled: %w", err)
	}
	results := []any{}
	for run := code.RunWithContext(ctx, data); len(results) < mostResults; {
		v, more := run.Next()
		if !more {
			return encoded(results)
		}
		if err, failed := v.(error); failed {
			return nil, fmt.Errorf("the query failed: %w", err)
		}
		results = append(results, v)
	}
	return nil, fmt.Errorf("the query gave more than %d results", mostResults)
}

// mostResults bounds what one query may give.
const mostResults = 100_000

func encoded(results []any) (*tool.Result, error) {
	text, err := gojq.Marshal(results)
	if err != nil {
		return nil, err
	}
	return tool.Text(string(text)), nil
}

// invalid says where a text is no JSON.
func invalid(text string) error {
	var v any
	err := json.Unmarshal([]byte(text), &v)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not valid JSON at byte %d: %s", syntax.Offset, syntax)
	}
	return fmt.Errorf("not valid JSON: %w", err)
}
