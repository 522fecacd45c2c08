// Package engines has what the benchmarks can measure without a module of others: pml's own engine, and what bounds it:
// the serial loops from below, the level barriers from above.
package engines

import (
	"github.com/casys-ai/pml/bench/harness"
	"github.com/casys-ai/pml/bench/shapes"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// Graph turns a DAG into the graph of a program: a node a task, a data edge an edge. The kind of work decides the kind
// of the nodes: calls for what a worker does, every hundredth one for harness.Mixed, else expr.
func Graph(g *shapes.DAG, work string) *nodes.Graph {
	before := g.Reverse()
	list := make([]nodes.Node, g.Len())
	refs := make([]nodes.Ref, 0, len(g.Succ))
	body := &nodes.Block{Params: []string{"args"}, Nodes: make([]*nodes.Node, g.Len())}
	shared := map[int]*nodes.Code{}
	outs, lookup := []string{"v"}, &nodes.Call{Tool: "bench:task", Effect: nodes.Read, Permission: nodes.Allow}
	for i := range list {
		from := len(refs)
		for _, p := range before.After(int32(i)) {
			refs = append(refs, nodes.Ref{Node: int(p)})
		}
		n := &list[i]
		*n = nodes.Node{ID: i + 1, Kind: nodes.KindExpr, Outs: outs, In: refs[from:len(refs):len(refs)]}
		switch {
		case calls(work, i):
			n.Kind, n.Gate, n.Call = nodes.KindCall, nodes.GatePassed, lookup
		case work == harness.Expr:
			n.Code = piece(n, work)
		default:
			n.Code = once(shared, n)
		}
		body.Nodes[i] = n
	}
	return &nodes.Graph{Root: body, Count: len(list)}
}

// once gives an empty piece, the same for all nodes with as many inputs.
func once(shared map[int]*nodes.Code, n *nodes.Node) *nodes.Code {
	if shared[len(n.In)] == nil {
		shared[len(n.In)] = piece(n, harness.Noop)
	}
	return shared[len(n.In)]
}

// calls says whether task i is a call.
func calls(work string, i int) bool {
	switch work {
	case harness.Calls, harness.Sleep, harness.Spin:
		return true
	case harness.Mixed:
		return i%100 == 50
	}
	return false
}

// piece is the code of an expr node: empty, or where values count the sum of all inputs and 1, modulo 1000.
func piece(n *nodes.Node, work string) *nodes.Code {
	c := &nodes.Code{}
	for range n.In {
		c.Params = append(c.Params, &ast.Symbol{Name: "v", Unique: "v", Kind: ast.SymConst})
	}
	if work != harness.Expr {
		return c
	}
	c.Owned = make([]bool, len(n.In))
	var sum ast.Expr = &ast.Number{Value: 1}
	for _, s := range c.Params {
		sum = &ast.Binary{Op: "+", X: sum, Y: &ast.Ident{Sym: s}}
	}
	c.Result = &ast.Binary{Op: "%", X: sum, Y: &ast.Number{Value: 1000}}
	return c
}
