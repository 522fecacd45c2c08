// Package harness measures one engine on one graph, each time in a process of its own: pml's engine and the peers',
// which live in another module, are measured by the same code. It imports nothing of pml but shapes.
//
//	parent: Spawn ─ Job (JSON) ─▶ child: Serve ─▶ Engine ─▶ Measure ─ Result (JSON) ─▶ parent
package harness

import (
	"fmt"
	"time"

	"github.com/casys-ai/pml/bench/shapes"
)

// The kinds of work that a task does.
const (
	Noop  = "noop"  // nothing; pml: an expr node that its loop computes inline
	Calls = "calls" // nothing; pml: a call, handed to a worker
	Mixed = "mixed" // nothing; pml: 99 expr nodes to a call
	Expr  = "expr"  // an expression on the values of its predecessors; pml only
	Sleep = "sleep" // a tool call of 1 ms, equal or skewed
	Spin  = "spin"  // 100 µs of computation
	Build = "build" // nothing: an engine builds and checks a graph of string ids, and goes through its order
)

// Job is one thing to measure.
type Job struct {
	Engine string      `json:"engine"`
	Graph  shapes.Spec `json:"graph"`
	Work   string      `json:"work"`
	// Limit is how many tasks may be under way at once; 0 means 64.
	Limit  int  `json:"limit,omitempty"`
	Skewed bool `json:"skewed,omitempty"`
	// Runs is of how many runs the median is taken.
	Runs int `json:"runs"`
}

// String names the job: "pml: layered 10000, noop".
func (j Job) String() string {
	text := fmt.Sprintf("%s: %s, %s", j.Engine, j.Graph, j.Work)
	if j.Limit > 0 {
		text += fmt.Sprintf(", limit %d", j.Limit)
	}
	if j.Skewed {
		text += ", skewed"
	}
	return text
}

// limit is Limit or its default.
func (j Job) limit() int {
	if j.Limit > 0 {
		return j.Limit
	}
	return 64
}

// Result is what a job measured. Times are in nanoseconds, and medians.
type Result struct {
	Job Job `json:"job"`
	// Err says why there is nothing else.
	Err string `json:"err,omitempty"`
	// Wall is the time of a run, Runs those of all; Prepare is the time to make the engine's own graph, before any run.
	Wall    time.Duration   `json:"wall"`
	Runs    []time.Duration `json:"runs,omitempty"`
	Prepare time.Duration   `json:"prepare"`
	// Tasks is the part of Wall from the first task on; before it an engine makes itself ready.
	Tasks time.Duration `json:"tasks"`
	// CPU is the processor time of a run, of all threads: what Wall would be on an idle machine with one processor.
	CPU time.Duration `json:"cpu,omitempty"`
	// Allocs and Bytes are what one run allocates; LateAllocs are those from the first task on.
	Allocs     uint64 `json:"allocs"`
	LateAllocs uint64 `json:"late_allocs"`
	Bytes      uint64 `json:"bytes"`
	// Peak is by how many bytes the process grew during its first run (VmHWM); 0 if that is not known.
	Peak uint64 `json:"peak,omitempty"`
	// Ideal is the bound of the schedule for the latencies that the tasks really had; Nominal for those asked for.
	Ideal   time.Duration `json:"ideal,omitempty"`
	Nominal time.Duration `json:"nominal,omitempty"`
	// Alone is the time of all tasks one after the other, without an engine.
	Alone time.Duration `json:"alone,omitempty"`
}

// PerTask is the time of a whole run, per task, in nanoseconds.
func (r Result) PerTask() float64 { return float64(r.Wall) / float64(r.Job.Graph.Nodes) }

// CPUPerTask is the processor time of a whole run, per task, in nanoseconds.
func (r Result) CPUPerTask() float64 { return float64(r.CPU) / float64(r.Job.Graph.Nodes) }

// PerTaskLater is the time from the first task on, per task, in nanoseconds.
func (r Result) PerTaskLater() float64 { return float64(r.Tasks) / float64(r.Job.Graph.Nodes) }

// AllocsPerTask counts the allocations of a run, per task.
func (r Result) AllocsPerTask() float64 { return float64(r.Allocs) / float64(r.Job.Graph.Nodes) }

// LateAllocsPerTask counts the allocations from the first task on, per task.
func (r Result) LateAllocsPerTask() float64 {
	return float64(r.LateAllocs) / float64(r.Job.Graph.Nodes)
}

// BytesPerTask is what a run allocates, per task.
func (r Result) BytesPerTask() float64 { return float64(r.Bytes) / float64(r.Job.Graph.Nodes) }

// PeakPerTask is what the process grows by, per task.
func (r Result) PeakPerTask() float64 { return float64(r.Peak) / float64(r.Job.Graph.Nodes) }

// OverIdeal is how much longer than the bound the run took: 0.05 is 5 %.
func (r Result) OverIdeal() float64 {
	if r.Ideal == 0 {
		return 0
	}
	return float64(r.Wall)/float64(r.Ideal) - 1
}
