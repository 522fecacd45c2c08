package cli_test

import (
	"encoding/xml"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// errand shows most of what a plan can show: reads side by side, a branch, a write, a question, a try, a script.
const errand = `const items: string[] = ["pen", "ink"];
const prices = await Promise.all(items.map((item) => mcp.shop.price({ item })));
let total = 0;
for (const p of prices) total += p.eur;
if (total < 10) {
  for (const item of items) await mcp.shop.buy({ item });
}
try {
  await mcp.audit.refund({ total });
} catch (e) {
  console.log(e.message);
}
const tool = total > 5 ? "note" : "refund";
await mcp.audit[tool]({ total });
return total;
`

func TestPlanText(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	w.write("errand.ts", errand)
	plain := w.pml("", "plan", "errand.ts")
	is.Equal(plain.code, 0)
	golden(t, "plan.txt", plain.stdout)
	explained := w.pml("", "plan", "--explain", "errand.ts")
	is.Equal(explained.code, 0)
	golden(t, "plan_explained.txt", explained.stdout)
}

// TestPlanKnowsHowLongCallsTook: the critical path is told once something is known of it.
func TestPlanKnowsHowLongCallsTook(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	program := `const p = await mcp.shop.price({ item: "a" }); return p;`
	is.True(!strings.Contains(w.pml("", "plan", "--explain", "-e", program).stdout, "critical path"))
	is.Equal(w.pml("", "run", "-e", program).code, 0)
	is.True(strings.Contains(w.pml("", "plan", "--explain", "-e", program).stdout, "critical path: about "))
}

func TestPlanJSON(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	var plan struct {
		Version     int
		Nodes       []map[string]any
		Edges       []map[string]any
		Diagnostics []map[string]any
		Tools       []map[string]any
		Summary     map[string]any
	}
	w.decode(w.pml("", "plan", "--format", "json", "-e",
		`const p = await mcp.shop.price({ item: "a" }); return await mcp.shop.buy({ item: p.item })`), &plan)
	is.Equal(plan.Version, 1)
	is.True(len(plan.Nodes) >= 3 && len(plan.Edges) >= 2)
	is.Equal(len(plan.Diagnostics), 0)
	is.Equal(plan.Tools[0]["id"], "shop:buy")
	is.Equal(plan.Tools[0]["effect"], "write")
	is.Equal(plan.Summary["longest_chain"], 2.0)
	is.Equal(plan.Summary["calls_by_route"], map[string]any{"client": 2.0})

	refused := w.pml("", "plan", "--format", "json", "-e", "mcp.shop.prise({}); mcp.shop.price({})")
	is.Equal(refused.code, 2)
	is.Equal(refused.stderr, "")
	var found struct{ Diagnostics []map[string]any }
	w.decode(refused, &found)
	is.Equal(len(found.Diagnostics), 2)
	is.Equal(found.Diagnostics[0], map[string]any{"code": "UNKNOWN_TOOL", "severity": "error", "line": 1.0, "column": 10.0,
		"message": `server "shop" has no tool "prise"`, "hint": "did you mean `price`?", "tool": "shop:prise",
		"source": "   1 | mcp.shop.prise({}); mcp.shop.price({})\n     |          ^^^^^\n"})
}

func TestPlanDrawings(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	w.write("errand.ts", errand)
	mermaid := w.pml("", "plan", "--format", "mermaid", "errand.ts")
	is.True(strings.HasPrefix(mermaid.stdout, "flowchart TD\n"))
	dot := w.pml("", "plan", "--format", "dot", "-o", "plan.dot", "errand.ts")
	is.Equal(dot.code, 0)
	is.Equal(dot.stdout, "") // -o took it
	text, err := os.ReadFile(w.path("plan.dot"))
	is.NoErr(err)
	is.True(strings.HasPrefix(string(text), "digraph"))

	unknown := w.pml("", "plan", "--format", "pdf", "errand.ts")
	is.Equal(unknown.code, 2)
	is.True(strings.Contains(unknown.stderr, "text, json, mermaid, dot, svg, html"))
}

// TestPlanPicture: the picture is well-formed XML that shows every node and every edge, whatever the program says.
func TestPlanPicture(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	w.write("errand.ts", errand+"// ]]></svg> \u0000\x07 & 日本")
	var plan struct{ Nodes, Edges []any }
	w.decode(w.pml("", "plan", "--format", "json", "errand.ts"), &plan)
	got := w.pml("", "plan", "--format", "svg", "errand.ts")
	is.Equal(got.code, 0)
	var shown, edges int
	for d := xml.NewDecoder(strings.NewReader(got.stdout)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		is.NoErr(err)
		start, _ := token.(xml.StartElement)
		for _, attr := range start.Attr {
			if attr.Name.Local == "id" && strings.HasPrefix(attr.Value, "n") {
				shown++
			} else if attr.Name.Local == "data-from" {
				edges++
			}
		}
	}
	is.True(len(plan.Nodes) > 0 && shown >= len(plan.Nodes)) // those of inner blocks come on top
	is.True(len(plan.Edges) > 0 && edges >= len(plan.Edges))
}

// TestPlanPage: the page holds program, picture and reasons, and nothing in a program becomes part of the page itself.
func TestPlanPage(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	got := w.pml("", "plan", "--format", "html", "-e",
		`const mark = "</script><img src=x onerror=alert(1)>"; return await mcp.shop.price({ item: mark });`)
	is.Equal(got.code, 0)
	is.True(strings.HasPrefix(got.stdout, "<!doctype html>"))
	is.True(strings.Contains(got.stdout, "&lt;img src=x"))
	is.True(!strings.Contains(got.stdout, "<img"))
	is.Equal(strings.Count(got.stdout, "</script>"), 1)
	is.True(strings.Contains(got.stdout, "shop:price"))
	is.True(strings.Contains(got.stdout, `<svg xmlns`))
}

// TestPlanCallsNothing: planning has no effects.
func TestPlanCallsNothing(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, `"permissions": {"allow": ["*"]}`)
	got := w.pml("", "plan", "-e", `await mcp.filesystem.write_file({ path: "x", content: "y" })`)
	is.Equal(got.code, 0)
	_, err := os.Stat(w.path("x"))
	is.True(os.IsNotExist(err))
}
