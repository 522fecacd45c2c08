package nodes

import "encoding/json"

// The JSON form of a graph, as `pml plan --format json` prints it. Field names are stable within a FormatVersion.
type (
	graphJSON struct {
		Version  int            `json:"version"`
		Nodes    []nodeJSON     `json:"nodes"`
		Edges    []edgeJSON     `json:"edges"`
		Unlifted []unliftedJSON `json:"unlifted,omitempty"`
	}
	nodeJSON struct {
		ID         string       `json:"id"`
		Kind       string       `json:"kind"`
		Line       int          `json:"line,omitempty"`
		Column     int          `json:"column,omitempty"`
		Label      string       `json:"label,omitempty"`
		In         []string     `json:"in,omitempty"`
		Outs       []string     `json:"outs,omitempty"`
		Gate       string       `json:"gate,omitempty"`
		Why        string       `json:"why,omitempty"`
		Async      bool         `json:"async,omitempty"`
		Tool       string       `json:"tool,omitempty"`
		Effect     string       `json:"effect,omitempty"`
		Route      string       `json:"route,omitempty"`
		Permission string       `json:"permission,omitempty"`
		Code       string       `json:"code,omitempty"`
		Tools      []ToolID     `json:"tools,omitempty"`
		Op         string       `json:"op,omitempty"`
		Target     string       `json:"target,omitempty"`
		Blocks     []*blockJSON `json:"blocks,omitempty"`
	}
	blockJSON struct {
		Name    string     `json:"name,omitempty"`
		Params  []string   `json:"params,omitempty"`
		Nodes   []nodeJSON `json:"nodes"`
		Edges   []edgeJSON `json:"edges,omitempty"`
		Results []string   `json:"results,omitempty"`
	}
	edgeJSON struct {
		From   string `json:"from"`
		To     string `json:"to"`
		Reason string `json:"reason"`
	}
	unliftedJSON struct {
		Node   string `json:"node"`
		Line   int    `json:"line"`
		Column int    `json:"column"`
		Reason string `json:"reason"`
	}
)

// MarshalJSON writes the graph with its edges and their reasons.
func (g *Graph) MarshalJSON() ([]byte, error) {
	b := toJSON(&frame{block: g.Root}, "")
	out := graphJSON{Version: FormatVersion, Nodes: b.Nodes, Edges: b.Edges}
	if out.Edges == nil {
		out.Edges = []edgeJSON{}
	}
	for _, u := range g.Unlifted {
		out.Unlifted = append(out.Unlifted, unliftedJSON{nodeID(u.Node), u.Pos.Line, u.Pos.Column, u.Reason})
	}
	return json.Marshal(out)
}

func nodeID(id int) string { return (&Node{ID: id}).Path("") }

func toJSON(f *frame, name string) *blockJSON {
	b := &blockJSON{Name: name, Params: f.block.Params, Nodes: []nodeJSON{}, Results: f.names(f.block.Results)}
	for _, n := range f.block.Nodes {
		b.Nodes = append(b.Nodes, f.node(n))
	}
	for _, e := range f.block.Edges() {
		to := f.block.Nodes[e.To].ID
		if e.Inner != 0 {
			to = e.Inner
		}
		b.Edges = append(b.Edges, edgeJSON{nodeID(f.block.Nodes[e.From].ID), nodeID(to), e.Reason})
	}
	return b
}

func (f *frame) node(n *Node) nodeJSON {
	j := nodeJSON{ID: nodeID(n.ID), Kind: n.Kind.String(), Line: n.Pos.Line, Column: n.Pos.Column, Label: n.Label,
		In: f.names(n.In), Outs: n.Outs, Why: n.Why, Async: n.Async}
	if n.Gate != GateNone {
		j.Gate = n.Gate.String()
	}
	switch n.Kind {
	case KindCall:
		j.Tool, j.Effect, j.Route = string(n.Call.Tool), n.Call.Effect.String(), n.Call.Route.String()
		j.Permission = n.Call.Permission.String()
		if n.Call.Args != nil {
			j.Code = n.Call.Args.Text()
		}
	case KindExpr:
		j.Code = n.Code.Text()
	case KindScript:
		j.Tools, j.Effect = n.Code.Tools, n.Effect().String()
		if !n.Code.Program {
			j.Code = n.Code.Text()
		}
	case KindHost:
		j.Op = string(n.Host)
	case KindAwait:
		j.Op = string(n.Await)
	case KindExit:
		j.Op = string(n.Exit.Mode)
		if n.Exit.Target != 0 {
			j.Target = nodeID(n.Exit.Target)
		}
	}
	for k, blk := range n.Blocks() {
		j.Blocks = append(j.Blocks, toJSON(&frame{block: blk, outer: f, owner: n}, n.blockName(k)))
	}
	return j
}

// names writes refs as "n4" for a node's first output, "n4.total" for a named one, "$item" for a param.
func (f *frame) names(refs []Ref) []string {
	var out []string
	for _, r := range refs {
		out = append(out, f.name(r))
	}
	return out
}

func (f *frame) name(r Ref) string {
	for range r.Up {
		f = f.outer
	}
	if r.Node < 0 {
		return "$" + f.block.Params[r.Out]
	}
	n := f.block.Nodes[r.Node]
	if r.Out == 0 && len(n.Outs) <= 1 {
		return nodeID(n.ID)
	}
	return nodeID(n.ID) + "." + n.output(r.Out)
}
