package parcel

import (
	"slices"

	"github.com/casys-ai/pml/nodes"
)

// groups are the calls of a block that may be sent, with the code between them, as sets that have nothing to do with each
// other: independent groups are independent requests. Each is ascending and begins with a call.
func groups(b *nodes.Block) [][]int {
	within := between(b)
	root := make([]int, len(b.Nodes))
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			i = root[i]
		}
		return i
	}
	for i, n := range b.Nodes {
		if !within[i] {
			continue
		}
		for _, j := range waitsFor(n) {
			if within[j] {
				x, y := find(i), find(j)
				root[max(x, y)] = min(x, y)
			}
		}
	}
	bySet := map[int]int{} // of a set, its place in out
	var out [][]int
	for i := range b.Nodes {
		if !within[i] {
			continue
		}
		r := find(i)
		k, known := bySet[r]
		if !known {
			k = len(out)
			bySet[r] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], i)
	}
	return slices.DeleteFunc(out, func(set []int) bool { return len(set) < 2 && b.Nodes[set[0]].Kind == nodes.KindCall })
}

// between says which nodes of a block are calls that may be sent, or code that lies on the way from one to another.
func between(b *nodes.Block) []bool {
	behind := make([]bool, len(b.Nodes)) // a call, or something that depends on one
	for i, n := range b.Nodes {
		behind[i] = sends(n) || carries(n) && slices.ContainsFunc(waitsFor(n), func(j int) bool { return behind[j] })
	}
	ahead := make([]bool, len(b.Nodes)) // a call, or something that one depends on
	for i, n := range slices.Backward(b.Nodes) {
		ahead[i] = ahead[i] || sends(n)
		if !ahead[i] {
			continue
		}
		for _, j := range waitsFor(n) {
			if sends(n) || carries(n) {
				ahead[j] = true
			}
		}
	}
	out := make([]bool, len(b.Nodes))
	for i, n := range b.Nodes {
		out[i] = behind[i] && ahead[i] && (sends(n) || carries(n))
	}
	return out
}

// carries reports whether a node is code that can go along with calls. What hands on more than data stays here, where a
// script can take over from it.
func carries(n *nodes.Node) bool {
	return n.Kind == nodes.KindExpr && !n.Code.Rich ||
		n.Kind == nodes.KindAwait && (n.Await == nodes.AwaitOne || n.Await == nodes.AwaitAll)
}

// waitsFor are the nodes of its own block that a node waits for, by data and by order.
func waitsFor(n *nodes.Node) (list []int) {
	for _, r := range refsOf(n) {
		if r.Up == 0 && r.Node >= 0 {
			list = append(list, r.Node)
		}
	}
	for _, a := range aftersOf(n) {
		if a.Up == 0 && !a.Prev {
			list = append(list, a.Node)
		}
	}
	return list
}

// refsOf are the values that a node and those of its blocks read from outside of it, as seen from its own block.
func refsOf(n *nodes.Node) []nodes.Ref {
	refs := slices.Clone(n.In)
	outwards := func(list []nodes.Ref) {
		for _, r := range list {
			if r.Up > 0 {
				refs = append(refs, nodes.Ref{Up: r.Up - 1, Node: r.Node, Out: r.Out})
			}
		}
	}
	for _, b := range n.Blocks() {
		for _, x := range b.Nodes {
			outwards(refsOf(x))
		}
		outwards(b.Results)
	}
	return refs
}

// aftersOf are the order edges of a node and those of its blocks to outside of it, as seen from its own block.
func aftersOf(n *nodes.Node) []nodes.After {
	list := slices.Clone(n.After)
	for _, b := range n.Blocks() {
		for _, x := range b.Nodes {
			for _, a := range aftersOf(x) {
				if a.Up > 0 {
					a.Up--
					list = append(list, a)
				}
			}
		}
	}
	return list
}
