package planner_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/fixtures"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/expr"
	"github.com/casys-ai/pml/planner"
	"github.com/casys-ai/pml/planner/parcel"
)

// inCloud plans a program as if all its tools were in the cloud and allowed.
func inCloud(t testing.TB, c catalog, source string) *nodes.Graph {
	t.Helper()
	for _, tools := range c {
		for _, tool := range tools {
			tool.Route, tool.Permission = nodes.Server, nodes.Allow
			tool.Scopes = []string{nodes.World}
		}
	}
	g, diags := planner.Parse(source).Plan(c, planner.Options{})
	if g == nil {
		t.Fatal(diags)
	}
	return g
}

// partText says which calls of a graph are sent together.
func partText(parts []*parcel.Part) string {
	var list []string
	for _, p := range parts {
		var calls []string
		for _, n := range p.Calls {
			calls = append(calls, fmt.Sprintf("n%d %s", n.ID, n.Call.Tool))
		}
		list = append(list, strings.Join(calls, ", "))
	}
	return strings.Join(list, "; ")
}

// TestPartsOfFixtures compares what of each fixture would be sent together with the golden, and reads all of it back.
func TestPartsOfFixtures(t *testing.T) {
	cases, err := fixtures.Load()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, c := range cases {
		parts := parcel.Find(inCloud(t, newCatalog(t, c.Tools), c.Program))
		if len(parts) > 0 {
			fmt.Fprintf(&b, "%s: %s\n", c.Name, partText(parts))
		}
		for _, p := range parts {
			readBack(t, c.Name, p)
		}
	}
	path := filepath.Join("testdata", "parts.txt")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, _ := os.ReadFile(path); b.String() != string(want) {
		t.Errorf("%s has changed (-update writes it anew):\n%s", path, b.String())
	}
}

// readBack encodes a part and decodes it: the calls are there, and all code can be evaluated.
func readBack(t *testing.T, name string, p *parcel.Part) {
	t.Helper()
	body, err := p.Encode(parcel.Sending{Key: "k/"})
	if err != nil {
		t.Fatal(name, err)
	}
	got, err := parcel.Decode(body)
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, body)
		return
	}
	calls := 0
	got.Graph.Root.Walk(func(n *nodes.Node) {
		code := n.Code
		if n.Kind == nodes.KindCall {
			code = n.Call.Args
			calls++
		}
		if code == nil {
			return
		}
		if err := expr.Check(code); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
	if calls != len(p.Calls) {
		t.Errorf("%s: %d calls, want %d", name, calls, len(p.Calls))
	}
}

// TestParts: what may be sent ahead, and what may not.
func TestParts(t *testing.T) {
	const tools = `{"servers": {"s": {"tools": [{"name": "get", "effect": "read"}, {"name": "put", "effect": "write"}]},
		"local": {"tools": [{"name": "get", "effect": "read"}, {"name": "put", "effect": "write"}]}}}`
	for _, c := range []struct{ name, program, want string }{
		{"a chain", `const a = await mcp.s.get({}); const b = await mcp.s.get({ a }); return b`, "n1 s:get, n2 s:get"},
		{"code between", `const a = await mcp.s.get({}); const x = a.n + 1; return await mcp.s.get({ x })`, "n1 s:get, n3 s:get"},
		{"nothing in common", `const a = await mcp.s.get({}); const b = await mcp.s.get({ b: 1 }); return [a, b]`, ""},
		{"two groups", `const a = await mcp.s.get({}); const b = await mcp.s.get({ b: 1 });
			return [await mcp.s.get({ a }), await mcp.s.get({ b })]`, "n1 s:get, n3 s:get; n2 s:get, n4 s:get"},
		{"joined late", `const a = await mcp.s.get({}); const b = await mcp.s.get({ b: 1 }); return await mcp.s.get({ a, b })`,
			"n1 s:get, n2 s:get, n3 s:get"},
		{"a value from here", `const a = await mcp.s.get({}); const l = await mcp.local.get({}); return await mcp.s.get({ a, l })`, ""},
		{"a value from here, before", `const l = await mcp.local.get({}); const a = await mcp.s.get({}); return await mcp.s.get({ a, l })`,
			"n2 s:get, n3 s:get"},
		{"a way out", `const a = await mcp.s.get({}); if (a.x) return 1; return await mcp.s.get({ a })`, ""},
		{"what is here is handed on", `const l = await mcp.local.get({}); const a = await mcp.s.get({ n: l.n });
			return await mcp.s.get({ a, list: [l.x.y, 1], text: ` + "`${l.z} and ${a.b}`" + ` })`, "n2 s:get, n3 s:get"},
		{"what is here is computed with", `const l = await mcp.local.get({}); const a = await mcp.s.get({ n: 1 });
			return await mcp.s.get({ more: l.n > a.n })`, ""},
		{"what is here is looked through", `const l = await mcp.local.get({}); const a = await mcp.s.get({ n: 1 });
			const found = l.rows.filter((r) => r.id === a.id); return await mcp.s.get({ found })`, ""},
		{"what is here may be handed on", `const l = await mcp.local.get({}); const a = await mcp.s.get({ n: 1 });
			return await mcp.s.get({ x: a.ok ? l.secret : "" })`, ""},
		{"code that hands on more than data", `const a = await mcp.s.get({}); const d = new Date(a.on);
			return await mcp.s.get({ y: d.getUTCFullYear() })`, ""},
		{"a write", `const a = await mcp.s.get({}); await mcp.s.put({ a }); return a`, "n1 s:get, n2 s:put"},
		{"a write after something here", `const a = await mcp.s.get({}); await mcp.local.get({}); await mcp.s.put({ a }); return a`, ""},
		{"a write after a way out", `const a = await mcp.s.get({}); if (a.x) throw new Error("no"); await mcp.s.put({ a })`, ""},
		{"in a loop", `let n = 0; for (const x of args.xs) { const a = await mcp.s.get({ x }); n += (await mcp.s.get({ a })).n } return n`,
			"n4 s:get, n5 s:get"},
		{"a loop alone", `for (const x of args.xs) await mcp.s.put({ id: x.id })`, "n3 s:put"},
		{"a map alone", `return await Promise.all(args.xs.map((x) => mcp.s.get({ id: x.id })))`, "n4 s:get"},
		{"a branch alone", `if (args.x) await mcp.s.get({})`, ""},
		{"a branch on what is known there", `const a = await mcp.s.get({}); if (a.ok) await mcp.s.put({ id: a.id }); return a`,
			"n1 s:get, n4 s:put"},
		{"a branch that may hand on what is here", `const a = await mcp.s.get({}); if (a.ok) await mcp.s.put({ id: args.secret }); return a`, ""},
		{"a loop over what is known there, with what is here", `const a = await mcp.s.get({});
			for (const x of a.xs) await mcp.s.put({ id: x, text: args.text })`, "n4 s:put"}, // when the list is here
		{"a loop over a list that is here, behind a branch", `for (const x of args.xs) { const a = await mcp.s.get({ x });
			if (a.ok) await mcp.s.put({ id: x }) }`, ""},
		{"a loop with a way out", `for (const x of args.xs) { const a = await mcp.s.get({ x }); if (a.ok) break }`, ""},
		{"pages", `let page = 1; const all = []; while (true) { const r = await mcp.s.get({ page }); all.push(...r.items);
			if (!r.more) break; page++ } return all`, "n7 s:get"},
		{"a loop with a call of this machine", `for (const x of args.xs) { await mcp.s.put({ x }); await mcp.local.get({ x }) }`, ""},
		{"a loop that writes, with code that may fail on what is here", `const out = []; for (const x of args.xs) {
			const r = await mcp.s.put({ id: x.id }); out.push(x.name + r.n) } return out`, ""},
		{"a loop that reads, with such code", `const out = []; for (const x of args.xs) {
			const r = await mcp.s.get({ id: x.id }); out.push(x.name + r.n) } return out`, "n4 s:get"},
		{"a map that writes, with such code behind", `return await Promise.all(args.xs.map(async (x) => {
			const r = await mcp.s.put({ id: x.id }); return x.name + r.n }))`, "n4 s:put"},
		{"a write behind such a map", `const xs = await Promise.all(args.xs.map(async (x) => { const r = await mcp.s.put({ id: x.id });
			return x.name + r.n })); const l = await mcp.s.get({}); await mcp.s.put({ l })`, "n4 s:put, n6 s:get"},
		{"a loop and what needs it", `const a = await mcp.s.get({}); let n = 0; for (const x of a.xs) n += (await mcp.s.get({ x })).n;
			await mcp.s.put({ n })`, "n1 s:get, n5 s:get, n7 s:put"},
		{"loops in loops", `const a = await mcp.s.get({}); for (const x of a.xs) for (const y of x.ys) await mcp.s.put({ x, y })`,
			"n1 s:get, n6 s:put"},
		{"a loop that waits", `for (const x of args.xs) { await mcp.s.get({ x }); await new Promise((r) => setTimeout(r, 10)) }`, ""},
		{"promises", `const [a, b] = await Promise.all([mcp.s.get({ i: 1 }), mcp.s.get({ i: 2 })]); return await mcp.s.get({ a, b })`,
			"n1 s:get, n2 s:get, n6 s:get"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cat := newCatalog(t, []byte(tools))
			for _, tool := range cat["s"] {
				tool.Route, tool.Scopes = nodes.Server, []string{nodes.World}
				if strings.HasSuffix(string(tool.ID), "get") {
					tool.Effect = nodes.Read
				}
			}
			for _, tool := range cat["local"] {
				if strings.HasSuffix(string(tool.ID), "get") {
					tool.Effect = nodes.Read
				}
			}
			g, diags := planner.Parse(c.program).Plan(cat, planner.Options{})
			if g == nil {
				t.Fatal(diags)
			}
			if got := partText(parcel.Find(g)); got != c.want {
				text, _ := g.MarshalJSON()
				t.Errorf("got %q, want %q\n%s", got, c.want, text)
			}
		})
	}
}

// What comes from outside is refused with a reason, whatever it is.
func TestDecodeRefuses(t *testing.T) {
	for _, program := range []string{
		`const a = await mcp.s.get({}); return await mcp.s.get({ a })`,
		`const a = await mcp.s.get({}); let n = 0; for (const x of a.xs) { if (x.skip) continue; n += (await mcp.s.get({ x, n })).n; if (n > 9) break }
			return await mcp.s.get({ n })`,
		`return await Promise.all(args.xs.map(async (x) => await mcp.s.get({ id: x.id })))`,
	} {
		parts := parcel.Find(inCloud(t, newCatalog(t, []byte(`{"servers": {"s": {"tools": [{"name": "get"}]}}}`)), program))
		good, err := parts[0].Encode(parcel.Sending{Key: "k/"})
		if err != nil {
			t.Fatal(err)
		}
		for i := range good { // cut off, or with a digit changed: an error or a graph that can be run, never a panic
			_, _ = parcel.Decode(good[:i])
			if good[i] < '0' || good[i] > '9' {
				continue
			}
			for _, digit := range []string{"-7", "0", "1", "2", "9", "77"} {
				if p, err := parcel.Decode([]byte(string(good[:i]) + digit + string(good[i+1:]))); err == nil {
					_, _ = engine.Prepare(p.Graph)
				}
			}
		}
	}
	for _, body := range []string{
		``, `{}`, `{"version":1}`, `{"version":2}`, `{"version":2,"code":"return 1"}`, `{"version":2,"code":"return []"}`,
		`{"version":2,"code":"return [function ($in) {}]"}`, `{"version":2,"code":"return [function ($in) { return 1 }]"}`,
		`{"version":2,"code":"return [async function ($in) { return [] }]"}`,
		`{"version":2,"code":"return [function ({a}) { return [] }]"}`,
		`{"version":2,"code":"return [function ($in) { return [undefined]; }]","items":[{"kind":1,"tool":"a:b","in":[{"item":5}],"outs":1}]}`,
		`{"version":2,"code":"return [function ($in) { return [undefined]; }]","items":[{"outs":-1}]}`,
		`{"version":2,"code":"return [function ($in) { return [undefined]; }]","items":[{"outs":1000000000}]}`,
		`{"version":2,"code":"return [function ($in) { return [undefined]; }]","items":[{"outs":100},{"outs":100}]}`,
	} {
		if _, err := parcel.Decode([]byte(body)); err == nil {
			t.Errorf("%s is accepted", body)
		}
	}
}
