package runtime_test

import (
	"testing"

	"github.com/casys-ai/pml/cli/runtime"
)

// BenchmarkThousandCalls: a thousand calls of a real server, one after the other and at once, with a journal and without.
func BenchmarkThousandCalls(b *testing.B) {
	const echo = `{"servers": {"s": {"tools": [{"name": "echo", "behaviour": "echo"}]}}}`
	for _, shape := range []struct{ name, source string }{
		{"sequential", `let n = 0; while (n < 1000) { n += (await mcp.s.echo({ n: 1 })).n; } return n;`},
		{"parallel", `const list = Array.from({ length: 1000 }, (_, n) => n);
return (await Promise.all(list.map((n) => mcp.s.echo({ n })))).length;`},
	} {
		for _, journal := range []bool{false, true} {
			name := shape.name + "/plain"
			if journal {
				name = shape.name + "/journal"
			}
			b.Run(name, func(b *testing.B) {
				s := open(b, echo, func(c *runtime.Config) {
					c.Limits.Calls = 10000
					if journal {
						c.State = b.TempDir()
					}
				})
				p := plan(b, s, shape.source, runtime.PlanOptions{})
				b.ResetTimer()
				for b.Loop() {
					if out := s.Run(b.Context(), p, nil, runtime.RunOptions{}); render(out) != "1000" {
						b.Fatal(render(out))
					}
				}
			})
		}
	}
}
