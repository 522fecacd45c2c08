package planner_test

import (
	"encoding/json"
	"testing"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/fixtures"
	"github.com/casys-ai/pml/planner"
	"github.com/casys-ai/pml/planner/parcel"
)

// fuzzTools are the tools that fuzzed programs can call.
var fuzzTools = []byte(`{"servers": {
	"s": {"tools": [
		{"name": "get", "annotations": {"readOnlyHint": true}},
		{"name": "put", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}}},
		{"name": "typed", "outputSchema": {"type": "object", "properties": {"name": {"type": "string"}}, "additionalProperties": false}}]},
	"t": {"tools": [{"name": "get", "annotations": {"readOnlyHint": true}}]}}}`)

// FuzzPlan holds that no program makes the planner panic, that planning twice gives the same graph, and that what is planned
// can be prepared for a run, as a whole and in parts for a gateway.
func FuzzPlan(f *testing.F) {
	cases, err := fixtures.Load()
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range cases {
		f.Add(c.Program)
	}
	for _, text := range []string{
		`const { a, ...rest } = await mcp.s.get({}); return rest`,
		`const p = mcp.s.get({}); try { (await p).x = 1 } catch { return await p } finally { await mcp.t.get({}) }`,
		`for (const x of await mcp.s.get({})) { if (x) continue; await mcp.s.put({ id: x }) }`,
		`return await Promise.all([1, 2].map(async (x) => (await mcp.s.typed({ x })).nmae))`,
	} {
		f.Add(text)
	}
	c := newCatalog(f, fuzzTools)
	f.Fuzz(func(t *testing.T, source string) {
		g, diags := planner.Parse(source).Plan(c, planner.Options{})
		if g == nil {
			if len(diags) == 0 {
				t.Fatal("neither a graph nor a diagnostic")
			}
			return
		}
		first, err := json.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := planner.Parse(source).Plan(c, planner.Options{})
		if second, _ := json.Marshal(again); string(first) != string(second) {
			t.Fatal("planning twice gives two graphs")
		}
		if _, err := engine.Prepare(g); err != nil {
			t.Fatal(err)
		}
		for _, p := range parcel.Find(g) {
			if _, err := p.Encode(parcel.Sending{Key: "k/"}); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// FuzzParcel holds that nothing that is sent to a gateway as a part makes it panic: it is refused, or can be prepared.
func FuzzParcel(f *testing.F) {
	for _, program := range []string{
		`const a = await mcp.s.get({}); return await mcp.s.get({ a })`,
		`let n = 0; for (const x of (await mcp.s.get({})).xs) { if (x.skip) continue; n += (await mcp.s.get({ x, n })).n } return n`,
		`return await Promise.all(args.xs.map(async (x) => await mcp.s.get({ id: x.id })))`,
	} {
		for _, p := range parcel.Find(inCloud(f, newCatalog(f, fuzzTools), program)) {
			body, err := p.Encode(parcel.Sending{Key: "k/"})
			if err != nil {
				f.Fatal(err)
			}
			f.Add(body)
		}
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if p, err := parcel.Decode(body); err == nil {
			_, _ = engine.Prepare(p.Graph)
		}
	})
}
