package executor

import (
	"slices"

	"github.com/casys-ai/pml/nodes"
)

// Dag is the calls of a program, to look at; the code is what is executed.
type Dag struct {
	Tasks []Task `json:"tasks"`
}

// Task is one call. DependsOn names tasks only: what lies between two calls is left out.
type Task struct {
	ID        string   `json:"id"`
	Tool      string   `json:"tool"`
	Arguments string   `json:"arguments,omitempty"`
	DependsOn []string `json:"depends_on,omitempty"`
}

// dagOf lists the calls of a graph with the calls that they wait for.
func dagOf(g *nodes.Graph) Dag {
	d := Dag{Tasks: []Task{}}
	d.block(g.Root, nil)
	return d
}

// block adds the calls of b, which waits for the calls outer, and gives their ids.
func (d *Dag) block(b *nodes.Block, outer []string) (calls []string) {
	before := make([][]string, len(b.Nodes)) // calls that a node waits for
	stands := make([][]string, len(b.Nodes)) // calls that who waits for a node waits for
	edges := b.Edges()
	for i, n := range b.Nodes {
		before[i] = slices.Clone(outer)
		for ; len(edges) > 0 && edges[0].To == i; edges = edges[1:] {
			before[i] = union(before[i], stands[edges[0].From])
		}
		stands[i] = before[i]
		if inner := d.node(n, before[i]); len(inner) > 0 {
			stands[i], calls = inner, append(calls, inner...)
		}
	}
	return calls
}

// node adds n, if it is a call, or the calls in it.
func (d *Dag) node(n *nodes.Node, before []string) (calls []string) {
	if n.Kind == nodes.KindCall {
		t := Task{ID: n.Path(""), Tool: string(n.Call.Tool), DependsOn: before}
		if n.Call.Args != nil {
			t.Arguments = n.Call.Args.Text()
		}
		d.Tasks = append(d.Tasks, t)
		return []string{t.ID}
	}
	for _, inner := range n.Blocks() {
		calls = append(calls, d.block(inner, before)...)
	}
	return calls
}

func union(a, b []string) []string {
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}
