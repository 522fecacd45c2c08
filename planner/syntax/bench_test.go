package syntax

import (
	"fmt"
	"strings"
	"testing"
)

// thirtyLines is a program of the size that agents write.
const thirtyLines = `interface Issue { id: number; title: string; labels?: string[] }
const owner = args.owner ?? "casys-ai";
const issues: Issue[] = await mcp.github.list_issues({ owner, repo: "pml", state: "open" });
const byLabel = new Map<string, Issue[]>();
for (const issue of issues) {
  for (const label of issue.labels ?? ["none"]) {
    if (!byLabel.has(label)) byLabel.set(label, []);
    byLabel.get(label)!.push(issue);
  }
}
const slug = (s: string) => s.toLowerCase().replace(/[^a-z0-9]+/g, "-");
const files = await Promise.all([...byLabel.entries()].map(async ([label, list]) => {
  const body = list.map((i) => ` + "`- #${i.id} ${i.title}`" + `).join("\n");
  return mcp.fs.write_file({ path: ` + "`/tmp/${slug(label)}.md`" + `, content: body });
}));
let failed = 0;
for (const f of files) if (f?.error) failed += 1;
try {
  const readme = await mcp.fs.read_file({ path: "/tmp/README.md" });
  const lines = readme.split("\n").filter((l: string) => l.trim() !== "");
  if (lines.length > 10) {
    await mcp.slack.post({ channel: "#dev", text: lines.slice(0, 10).join("\n") });
  } else {
    console.log("short", lines.length);
  }
} catch (e) {
  console.log("no readme", (e as Error).message);
}
const top = [...byLabel].sort((a, b) => b[1].length - a[1].length).slice(0, 3);
return { failed, labels: byLabel.size, top: top.map(([label, list]) => ({ label, count: list.length })) };
`

func thousandLines() string {
	var b strings.Builder
	for i := range 1000 / 30 {
		fmt.Fprintf(&b, "async function part%d() {\n%s}\n", i, thirtyLines)
	}
	return b.String()
}

func benchmarkParse(b *testing.B, source string) {
	if _, diags := Parse(source); len(diags) > 0 {
		b.Fatal(diags)
	}
	b.ReportAllocs()
	for b.Loop() {
		Parse(source)
	}
}

func BenchmarkParse30Lines(b *testing.B)   { benchmarkParse(b, thirtyLines) }
func BenchmarkParse1000Lines(b *testing.B) { benchmarkParse(b, thousandLines()) }

func BenchmarkLower30Lines(b *testing.B) {
	for b.Loop() {
		Lower(thirtyLines)
	}
}

func BenchmarkEsbuildAlone1000Lines(b *testing.B) {
	source := thousandLines()
	for b.Loop() {
		parseTree(source, true)
	}
}
