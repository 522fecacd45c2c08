// Package shapes makes the task graphs of the benchmarks: the same edges for every engine. It knows nothing of pml, so
// that the peers' own module can import it.
package shapes

import (
	"slices"
	"strconv"
)

// DAG is a task graph in compressed rows. Tasks are numbered from 0, and every edge goes from a lower to a higher
// number: their order is one in which a program could do them.
type DAG struct {
	// Succ[Off[i]:Off[i+1]] are the successors of task i.
	Off, Succ []int32
}

// Len is the number of tasks.
func (g *DAG) Len() int { return len(g.Off) - 1 }

// After lists the tasks that wait for i.
func (g *DAG) After(i int32) []int32 { return g.Succ[g.Off[i]:g.Off[i+1]] }

// Degrees counts for each task what it waits for.
func (g *DAG) Degrees() []int32 {
	d := make([]int32, g.Len())
	for _, to := range g.Succ {
		d[to]++
	}
	return d
}

// IDs are names for the tasks.
func (g *DAG) IDs() []string {
	ids := make([]string, g.Len())
	for i := range ids {
		ids[i] = "task-" + strconv.Itoa(i)
	}
	return ids
}

// Reverse turns all edges around: its rows are the predecessors, ascending.
func (g *DAG) Reverse() *DAG {
	var e edges
	for i := range int32(g.Len()) {
		for _, to := range g.After(i) {
			e.add(to, i)
		}
	}
	return e.dag(g.Len())
}

// edges is a list of edges.
type edges struct{ from, to []int32 }

func (e *edges) add(from, to int32) {
	e.from, e.to = append(e.from, from), append(e.to, to)
}

// dag puts the edges into rows; within a row they keep their order.
func (e *edges) dag(n int) *DAG {
	g := &DAG{Off: make([]int32, n+1), Succ: make([]int32, len(e.to))}
	for _, f := range e.from {
		g.Off[f+1]++
	}
	for i := range n {
		g.Off[i+1] += g.Off[i]
	}
	at := slices.Clone(g.Off)
	for k, f := range e.from {
		g.Succ[at[f]] = e.to[k]
		at[f]++
	}
	return g
}
