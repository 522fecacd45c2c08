package bench

import (
	"slices"

	"github.com/casys-ai/pml/bench/harness"
	"github.com/casys-ai/pml/bench/shapes"
)

// section is one question and the jobs that answer it.
type section struct {
	id, title string
	// says explains the section's table to its readers.
	says  string
	unit  unit
	jobs  []harness.Job
	chart drawing
}

// unit is what a section's table shows of a result.
type unit int

const (
	perTask   unit = iota // ns a task of a whole run
	overIdeal             // time over the bound of the schedule
	speedup               // the tasks one after the other, over the run
)

// drawing is how a section is drawn.
type drawing int

const (
	noChart drawing = iota
	bySize          // a line an engine, over the number of nodes
	byLabel         // bars
)

// The engines of the sections, in the order of the columns. The floors come first.
var (
	inlined = []string{"serial", "values", "pml", "pml-first", "conc", "pond", "errgroup", "go-taskflow", "heimdalr"}
	few     = []string{"serial", "values", "pml", "pml-first", "conc", "go-taskflow"}
	timed   = []string{"pml", "levels", "conc", "pond", "errgroup", "go-taskflow"}
)

// suite lists what is measured, up to the given number of nodes.
func suite(o Options) []section {
	list := []section{noops(o), shuffled(o), others(o), workers(o), mixed(o), exprs(o)}
	list = append(list, sleeps(o)...)
	return append(list, spins(o), builds(o))
}

// sizes are the numbers of nodes up to o.MaxNodes.
func (o Options) sizes() []int {
	return slices.DeleteFunc([]int{1_000, 10_000, 100_000, 1_000_000}, func(n int) bool { return n > o.MaxNodes })
}

// fits says whether an engine is measured at a size: the peers' own limits, and what would take minutes.
func fits(engine string, spec shapes.Spec) bool {
	switch engine {
	case "heimdalr":
		return spec.Nodes <= 1_000 && spec.Shape == shapes.Layered
	case "serial", "values", "pml", "pml-first":
		return true
	case "gonum":
		return spec.Nodes <= 100_000
	}
	return spec.Nodes <= 100_000 || spec.Shape == shapes.Layered
}

// grid is a job for every engine at every size.
func grid(o Options, engines []string, work string, specs ...shapes.Spec) (jobs []harness.Job) {
	for _, spec := range specs {
		for _, e := range engines {
			if fits(e, spec) {
				jobs = append(jobs, harness.Job{Engine: e, Graph: spec, Work: work, Runs: o.Runs})
			}
		}
	}
	return jobs
}

func specs(o Options, shape string, mixed bool) (list []shapes.Spec) {
	for _, n := range o.sizes() {
		list = append(list, shapes.Spec{Shape: shape, Nodes: n, Shuffled: mixed})
	}
	return list
}

func noops(o Options) section {
	return section{id: "noop", title: "No-op tasks, random layered graph", unit: perTask, chart: bySize,
		says: "ns a task. pml computes them inline, through the driver of `pml run`, with limits and trace on. `serial` is " +
			"a bare loop over the same edges; `values` is that loop when it also hands on values; `pml-first` checks and " +
			"prepares the graph within the run.",
		jobs: grid(o, inlined, harness.Noop, specs(o, shapes.Layered, false)...)}
}

func shuffled(o Options) section {
	return section{id: "shuffled", title: "The same, ids shuffled", unit: perTask,
		says: "ns a task. Tasks are numbered in a random order among those that the edges allow.",
		jobs: grid(o, few, harness.Noop, specs(o, shapes.Layered, true)...)}
}

func others(o Options) section {
	s := section{id: "shapes", title: "No-op tasks, other shapes", unit: perTask, says: "ns a task."}
	for _, shape := range shapes.Names() {
		if shape != shapes.Layered {
			s.jobs = append(s.jobs, grid(o, inlined[:len(inlined)-1], harness.Noop, specs(o, shape, false)...)...)
		}
	}
	return s
}

// workers compares what hands every task to a worker: pml's calls, and the peers' only way.
func workers(o Options) section {
	o.MaxNodes = min(o.MaxNodes, 100_000)
	layered := specs(o, shapes.Layered, false)
	return section{id: "workers", title: "Every task handed to a worker", unit: perTask, chart: bySize,
		says: "ns a task, random layered graph, limit 64. For pml every task is a call: handed to a worker, with a " +
			"context of its own, a path, two trace records.",
		jobs: append(grid(o, []string{"pml"}, harness.Calls, layered...),
			grid(o, []string{"conc", "pond", "errgroup", "go-taskflow"}, harness.Noop, layered...)...)}
}

func mixed(o Options) section {
	return section{id: "mixed", title: "1 % of the tasks are calls", unit: perTask,
		says: "ns a task, random layered graph.",
		jobs: grid(o, []string{"pml"}, harness.Mixed, specs(o, shapes.Layered, false)...)}
}

func exprs(o Options) section {
	o.MaxNodes = min(o.MaxNodes, 100_000)
	return section{id: "expr", title: "Expressions with values", unit: perTask,
		says: "ns a task: each adds the values of its predecessors up, in JavaScript's way.",
		jobs: grid(o, []string{"pml"}, harness.Expr, specs(o, shapes.Layered, false)...)}
}

// sleeps are tasks of a millisecond: 25 layers of 200.
func sleeps(o Options) []section {
	spec := shapes.Spec{Shape: shapes.Layered, Nodes: min(5_000, o.MaxNodes), Width: 200}
	equal := section{id: "sleep", title: "Tasks of 1 ms", unit: overIdeal, chart: byLabel,
		says: "time over the ideal schedule, max(critical path, work ÷ limit) of the latencies that the tasks really had."}
	skewed := equal
	skewed.id, skewed.title = "skewed", "Tasks of 1 ms on average, skewed: nine of ten 0.5 ms, one of ten 5.5 ms"
	for _, limit := range []int{16, 64, 256} {
		for _, e := range timed {
			j := harness.Job{Engine: e, Graph: spec, Work: harness.Sleep, Limit: limit, Runs: o.Runs}
			equal.jobs = append(equal.jobs, j)
			j.Skewed = true
			skewed.jobs = append(skewed.jobs, j)
		}
	}
	return []section{equal, skewed}
}

func spins(o Options) section {
	return section{id: "cpu", title: "Tasks of 100 µs of computation", unit: speedup,
		says: "how many times faster than one after the other; the number of processors is the bound.",
		jobs: grid(o, timed, harness.Spin, shapes.Spec{Shape: shapes.Layered, Nodes: 2_000, Width: 50})}
}

// builds is what a reader of a plan does: no engine has a part in it.
func builds(o Options) section {
	return section{id: "build", title: "Building a graph from string ids", unit: perTask,
		says: "ns a task: a list of tasks, each with its id and the ids of those that it waits for, becomes a checked graph " +
			"with an order. heimdalr/dag and gonum have no such list; they get vertices and edges one by one.",
		jobs: grid(o, []string{"pml", "gonum", "heimdalr"}, harness.Build, specs(o, shapes.Layered, false)...)}
}
