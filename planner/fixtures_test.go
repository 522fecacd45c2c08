package planner_test

import (
	"encoding/json"
	"flag"
	"sort"
	"testing"

	"github.com/casys-ai/pml/fixtures"
	"github.com/casys-ai/pml/fixtures/testserver"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/planner"
)

// catalog is a snapshot made of a fixture's tools.json.
type catalog map[string][]*nodes.Tool

func (c catalog) Servers() []string {
	var names []string
	for n := range c {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

func (c catalog) Tools(server string) ([]*nodes.Tool, error) { return c[server], nil }

func (c catalog) Tool(id nodes.ToolID) *nodes.Tool {
	for _, t := range c[id.Server()] {
		if t.ID == id {
			return t
		}
	}
	return nil
}

func newCatalog(t testing.TB, tools []byte) catalog {
	t.Helper()
	cfg, err := testserver.ParseConfig(tools)
	if err != nil {
		t.Fatal(err)
	}
	c := catalog{}
	for name, s := range cfg.Servers {
		c[name] = []*nodes.Tool{}
		for _, x := range s.Tools {
			tool := &nodes.Tool{ID: nodes.ToolID(name + ":" + x.Name), InputSchema: x.InputSchema, OutputSchema: x.OutputSchema,
				Permission: nodes.Allow, Scopes: []string{nodes.Workspace}}
			if x.Annotations["readOnlyHint"] == true {
				tool.Effect = nodes.Read
			}
			if x.Permission == "deny" {
				tool.Permission = nodes.Deny
			}
			c[name] = append(c[name], tool)
		}
		sort.Slice(c[name], func(i, j int) bool { return c[name][i].ID < c[name][j].ID })
	}
	return c
}

var update = flag.Bool("update", false, "write the graph sections of the fixtures anew")

// TestGraphs compares every fixture's graph, reasons included, with its golden; and sees to it that planning twice gives
// the same bytes.
func TestGraphs(t *testing.T) {
	cases, err := fixtures.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		plan := func() *nodes.Graph {
			g, _ := planner.Parse(c.Program).Plan(newCatalog(t, c.Tools), planner.Options{})
			return g
		}
		g := plan()
		if g == nil {
			t.Errorf("%s: not planned", c.Name)
			continue
		}
		text := g.Text(true)
		first, _ := json.Marshal(g)
		if again, _ := json.Marshal(plan()); string(first) != string(again) {
			t.Errorf("%s: planning twice gives two graphs", c.Name)
		}
		if *update {
			c.SetSection("graph", text)
			if err := c.Save(); err != nil {
				t.Error(err)
			}
			continue
		}
		if want, _ := c.Section("graph"); want != text {
			t.Errorf("%s: the graph is\n%s\nwant\n%s\n(go test ./planner -update writes it anew)", c.Name, text, want)
		}
	}
}

// TestLifted checks every graph, and prints why what is not lifted is not.
func TestLifted(t *testing.T) {
	cases, err := fixtures.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		p := planner.Parse(c.Program)
		g, diags := p.Plan(newCatalog(t, c.Tools), planner.Options{})
		if planner.Failed(diags) {
			for _, d := range diags {
				t.Errorf("%s: %s", c.Name, d.Render(c.Program))
			}
			continue
		}
		if err := nodes.Check(g); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		if _, err := json.Marshal(g); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		for _, u := range g.Unlifted {
			t.Logf("%-34s n%d %d:%d %s", c.Name, u.Node, u.Pos.Line, u.Pos.Column, u.Reason)
		}
	}
}
