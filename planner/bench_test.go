package planner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/casys-ai/pml/planner"
)

const benchTools = `{"servers":{"fs":{"tools":[{"name":"list","effect":"read"},{"name":"read","effect":"read"},{"name":"write"}]}}}`

// thirtyLines is a program as agents write them, on thirty lines.
const thirtyLines = `const listing = await mcp.fs.list({ path: "." });
const files = listing.split("\n").filter((f) => f.endsWith(".md"));
const texts = await Promise.all(files.map((f) => mcp.fs.read({ path: f })));
const counts: Record<string, number> = {};
let total = 0;
for (let i = 0; i < files.length; i++) {
  const words = texts[i].split(/\s+/).length;
  counts[files[i]] = words;
  total += words;
}
const top = Object.entries(counts).sort((a, b) => b[1] - a[1]).slice(0, 5);
const lines: string[] = [];
for (const [name, n] of top) {
  const head = await mcp.fs.read({ path: name });
  if (!head) continue;
  const title = head.split("\n")[0].replace(/^#\s*/, "");
  lines.push("- " + title + ": " + n);
}
let extra = "";
try {
  extra = await mcp.fs.read({ path: "EXTRA" });
} catch (e) {
  extra = "none: " + e.message;
}
if (lines.length === 0) {
  return { total, lines, note: "nothing found" };
}
const report = ["# Report", ...lines, extra].join("\n");
await mcp.fs.write({ path: "report.md", content: report });
return { total, lines, report: report.length };
`

func benchmarkPlan(b *testing.B, source string) {
	c := newCatalog(b, []byte(benchTools))
	b.ReportAllocs()
	for b.Loop() {
		if g, diags := planner.Parse(source).Plan(c, planner.Options{}); g == nil {
			b.Fatal(diags)
		}
	}
}

// BenchmarkPlan30 plans a program of thirty lines.
func BenchmarkPlan30(b *testing.B) { benchmarkPlan(b, thirtyLines) }

// BenchmarkPlan1000 plans a program of a thousand lines.
func BenchmarkPlan1000(b *testing.B) {
	body := thirtyLines[:strings.LastIndex(thirtyLines, "return")]
	var long strings.Builder
	for i := range 34 {
		fmt.Fprintf(&long, "const part%d = async () => {\n%s\nreturn total;\n};\nconst r%d = await part%d();\n", i, body, i, i)
	}
	benchmarkPlan(b, long.String())
}
