package planner_test

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/planner"
)

// growing are programs of n parts that made planning take more than its share: with the square or the cube of their length,
// or exponentially.
var growing = map[string]func(n int) string{
	"fields of one object": func(n int) string {
		return "const o = {};\n" + parts(n, "o.f$i = [await mcp.fs.read({ path: \"$i\" })];\n") + "return o;\n"
	},
	"copies of copies": func(n int) string { return "let o = {};\n" + parts(n, "o = { ...o, f$i: {} };\n") + "return o;\n" },
	"objects in objects": func(n int) string {
		return "const o0 = { a: 1 };\n" + parts(n, "const o$j = { a: o$i };\no$j.b = $i;\n") + fmt.Sprintf("return o%d;\n", n)
	},
	"reads of reads": func(n int) string {
		return "const r0 = \"x\";\n" + parts(n, "const r$j = await mcp.fs.read({ path: r$i });\n") + fmt.Sprintf("return r%d;\n", n)
	},
	"reads after writes": func(n int) string {
		return parts(n, "await mcp.fs.write({ path: \"$i\", content: \"x\" });\nconst r$i = await mcp.fs.read({ path: \"$i\" });\n")
	},
	"branches": func(n int) string {
		return "const x = await mcp.fs.read({ path: \"x\" });\nlet r = 0;\nswitch (x) {\n" +
			parts(n, "case $i:\n r = await mcp.fs.read({ path: \"$i\" });\n break;\n") + "}\nreturn r;\n"
	},
	"early returns": func(n int) string {
		return parts(n, "const r$i = await mcp.fs.read({ path: \"$i\" });\nif (!r$i) return $i;\n")
	},
	"loops": func(n int) string {
		return "const xs = [1, 2];\nlet s = 0;\n" + parts(n, "for (const x of xs) s += (await mcp.fs.read({ path: x })).length;\n") + "return s;\n"
	},
	"dates": func(n int) string {
		return parts(n, "const d$i = new Date();\nawait mcp.fs.read({ path: d$i.toISOString() });\n")
	},
	"unknown names": func(n int) string { return parts(n, "const longName$i = otherName$i;\n") },
	"helpers of helpers": func(n int) string {
		return "const f0 = (x) => x;\n" + parts(n, "const f$j = (x) => f$i(x) + $i;\n") + "let s = 0;\n" +
			parts(n, "s = f$i(s);\n") + "return s;\n"
	},
	"helpers with tools": func(n int) string {
		return parts(n, "const f$i = async (x) => (await mcp.fs.read({ path: x })).id;\n") + parts(n, "await f$i(\"a\");\n")
	},
	"one long chain": func(n int) string { return "return \"a\"" + strings.Repeat("\n .trim()", min(n, 400)) + ";\n" },
	"a large literal": func(n int) string {
		return "return await mcp.fs.read({\n" + parts(n, "k$i: [$i, \"x\", { a: 1 }],\n") + "});\n"
	},
}

// parts repeats lines for 0 … n-1: $i is the number, $j the next.
func parts(n int, lines string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.NewReplacer("$i", strconv.Itoa(i), "$j", strconv.Itoa(i+1)).Replace(lines))
	}
	return b.String()
}

// TestPlanningGrowsWithTheProgram measures what planning allocates: most of what takes long does, and it is the same on
// every machine. Twice the program takes about twice as much, and no line takes very much.
func TestPlanningGrowsWithTheProgram(t *testing.T) {
	c := newCatalog(t, []byte(benchTools))
	for name, program := range growing {
		for _, diag := range planner.Parse(program(2)).Diagnostics() {
			if diag.Severity == nodes.SeverityError {
				t.Fatalf("%s: %s", name, diag.Message)
			}
		}
		short, long := planned(program(200), c), planned(program(400), c)
		lines := strings.Count(program(400), "\n")
		t.Logf("%-22s %5.1f KB a line, %.2f times as much for twice the program", name, float64(long)/1024/float64(lines), float64(long)/float64(short))
		if long > short*5/2 {
			t.Errorf("%s: twice the program takes %.2f times as much", name, float64(long)/float64(short))
		}
		if most := uint64(64 << 10); long > most*uint64(lines) {
			t.Errorf("%s: %d KB for each of %d lines", name, long>>10/uint64(lines), lines)
		}
	}
}

// TestPlanningIsBounded: a dozen functions that each call the one before twice are four thousand calls.
func TestPlanningIsBounded(t *testing.T) {
	source := "async function f0(x) { return await mcp.fs.read({ path: x }); }\n" +
		parts(12, "async function f$j(x) { await f$i(x); return await f$i(x); }\n") + "return await f12(\"a\");\n"
	c := newCatalog(t, []byte(benchTools))
	if took := planned(source, c); took > 64<<20 {
		t.Errorf("planning allocates %d MB", took>>20)
	}
}

// planned is what planning allocates, in bytes.
func planned(source string, c catalog) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	planner.Parse(source).Plan(c, planner.Options{})
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
