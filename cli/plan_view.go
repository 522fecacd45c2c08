package cli

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/casys-ai/pml/cli/answer"
	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/policy"
)

// planView is a plan as it is shown.
type planView struct {
	graph   *nodes.Graph
	tools   []*nodes.Tool // those that the program names, sorted by id
	rules   policy.Rules
	summary summary
	trips   trips
	// path is how long the longest path takes by earlier runs, without the tools unmeasured; 0 if nothing is known.
	path       time.Duration
	unmeasured []nodes.ToolID
}

// permission is "allow", "ask" or "deny", or "depends" where a rule looks at the arguments.
func (v *planView) permission(id nodes.ToolID) string {
	for _, t := range v.tools {
		if d := v.rules.Static(t); t.ID == id && d.Depends {
			return "depends"
		} else if t.ID == id {
			return d.Permission.String()
		}
	}
	return ""
}

func newPlanView(p *runtime.Planned, rules policy.Rules) *planView {
	v := &planView{graph: p.Graph, rules: rules, trips: newTrips(p.Graph), summary: summarise(p.Graph, p.Catalog.Tool)}
	v.path, v.unmeasured = p.CriticalPath()
	seen := map[nodes.ToolID]bool{}
	use := func(id nodes.ToolID) {
		if t := p.Catalog.Tool(id); t != nil && !seen[id] {
			seen[id] = true
			v.tools = append(v.tools, t)
		}
	}
	p.Graph.Root.Walk(func(n *nodes.Node) {
		switch n.Kind {
		case nodes.KindCall:
			use(n.Call.Tool)
		case nodes.KindScript:
			for _, id := range n.Code.Tools {
				use(id)
			}
		}
	})
	slices.SortFunc(v.tools, func(x, y *nodes.Tool) int { return strings.Compare(string(x.ID), string(y.ID)) })
	return v
}

// servers lists the servers of the tools, sorted.
func (v *planView) servers() []string {
	var names []string
	for _, t := range v.tools {
		names = append(names, t.ID.Server())
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// planJSON is the graph's own object with diagnostics, tools and summary added; without a graph, the diagnostics.
func planJSON(p *runtime.Planned, rules policy.Rules) ([]byte, error) {
	if p.Graph == nil {
		return json.MarshalIndent(struct {
			Diagnostics []answer.Diagnostic `json:"diagnostics"`
		}{answer.Diagnostics(p)}, "", "  ")
	}
	v := newPlanView(p, rules)
	graph, err := json.Marshal(v.graph)
	if err != nil {
		return nil, err
	}
	extra, err := json.Marshal(struct {
		Diagnostics []answer.Diagnostic `json:"diagnostics"`
		Tools       []toolJSON          `json:"tools"`
		Summary     summary             `json:"summary"`
	}{answer.Diagnostics(p), briefTools(v.tools), v.summary})
	if err != nil {
		return nil, err
	}
	whole := append(bytes.TrimSuffix(graph, []byte("}")), ',')
	whole = append(whole, bytes.TrimPrefix(extra, []byte("{"))...)
	var out bytes.Buffer
	err = json.Indent(&out, whole, "", "  ")
	return append(out.Bytes(), '\n'), err
}

// briefTools leaves out what `pml tools --json` tells.
func briefTools(tools []*nodes.Tool) []toolJSON {
	list := toolList(tools)
	for i := range list {
		list[i].Description, list[i].InputSchema, list[i].OutputSchema = "", nil, nil
	}
	return list
}
