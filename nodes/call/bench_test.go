package call

import (
	"context"
	"testing"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// BenchmarkCall is what a Caller costs beyond the transport: small arguments, a short text.
func BenchmarkCall(b *testing.B) {
	answer := Reply{Content: []Block{{Type: "text", Text: "content"}}}
	way := transport(func(context.Context, string, string, string) (Reply, error) { return answer, nil })
	for _, c := range []struct{ name, rules, schema, args string }{
		{"simple", allow, `{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`,
			`{"path":"a.txt"}`},
		{"condition", `{"allow": [{"tool": "s:t", "when": "args.path startsWith 'a'"}]}`,
			`{"type":"object","properties":{"path":{"type":"string"}}}`, `{"path":"a.txt"}`},
		{"full-validator", allow, inputSchema, `{"path":"x","when":"12"}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			caller := New(Options{Rules: rules(b, c.rules), Transport: way})
			r := Request{Tool: &nodes.Tool{ID: "s:t", InputSchema: []byte(c.schema)}, Args: parseArgs(b, c.args)}
			b.ReportAllocs()
			for b.Loop() {
				if v, err := caller.Call(b.Context(), r); err != nil || v != value.Value(value.String("content")) {
					b.Fatal(v, err)
				}
			}
		})
	}
}
