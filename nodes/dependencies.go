package nodes

import (
	"fmt"
	"strings"
)

// Task is one task of a list whose tasks name those that they wait for, such as the `dag` of a gateway's answer.
type Task struct {
	ID        string
	DependsOn []string
}

// Dependencies is a list of tasks as a checked graph: no id stands twice, all that is waited for is there, and nothing
// waits for itself. Tasks are numbered as in the list; edges are in compressed rows.
type Dependencies struct {
	tasks []Task
	// before[from[i]:from[i+1]] are the tasks that task i waits for, after[to[i]:to[i+1]] those that wait for it.
	from, before []int32
	to, after    []int32
	order        []int32
}

// DependencyError is all that is wrong with a list of tasks.
type DependencyError struct{ Problems []string }

// Error implements error.
func (e *DependencyError) Error() string { return strings.Join(e.Problems, "\n") }

// NewDependencies checks a list of tasks and makes a graph of it, in time linear in tasks and edges. The error is a
// *DependencyError.
func NewDependencies(tasks []Task) (*Dependencies, error) {
	d := &Dependencies{tasks: tasks}
	var problems []string
	report := func(format string, a ...any) { problems = append(problems, fmt.Sprintf(format, a...)) }
	d.resolve(d.index(report), report)
	if len(problems) == 0 {
		d.turn()
		d.sort()
		if len(d.order) < len(tasks) {
			d.cycles(report)
		}
	}
	if len(problems) > 0 {
		return nil, &DependencyError{problems}
	}
	return d, nil
}

// Len is the number of tasks.
func (d *Dependencies) Len() int { return len(d.tasks) }

// Task is the i-th task of the list.
func (d *Dependencies) Task(i int32) Task { return d.tasks[i] }

// Before lists the tasks that task i waits for, as its DependsOn names them.
func (d *Dependencies) Before(i int32) []int32 { return d.before[d.from[i]:d.from[i+1]] }

// After lists the tasks that wait for task i, ascending.
func (d *Dependencies) After(i int32) []int32 { return d.after[d.to[i]:d.to[i+1]] }

// Order is all tasks, each after those that it waits for.
func (d *Dependencies) Order() []int32 { return d.order }

// index numbers the ids.
func (d *Dependencies) index(report func(string, ...any)) map[string]int32 {
	index := make(map[string]int32, len(d.tasks))
	for i, t := range d.tasks {
		if first, twice := index[t.ID]; twice {
			report("task %d has the id %q, as task %d has", i+1, t.ID, first+1)
			continue
		}
		index[t.ID] = int32(i)
	}
	return index
}

// resolve finds what the tasks wait for.
func (d *Dependencies) resolve(index map[string]int32, report func(string, ...any)) {
	edges := 0
	for _, t := range d.tasks {
		edges += len(t.DependsOn)
	}
	d.from, d.before = make([]int32, 1, len(d.tasks)+1), make([]int32, 0, edges)
	for _, t := range d.tasks {
		for _, id := range t.DependsOn {
			at, known := index[id]
			if !known {
				report("%q waits for %q, which is not there", t.ID, id)
			}
			d.before = append(d.before, at)
		}
		d.from = append(d.from, int32(len(d.before)))
	}
}

// turn makes the rows of the tasks that wait.
func (d *Dependencies) turn() {
	d.to, d.after = make([]int32, len(d.tasks)+1), make([]int32, len(d.before))
	for _, b := range d.before {
		d.to[b+1]++
	}
	for i := range d.tasks {
		d.to[i+1] += d.to[i]
	}
	next := append([]int32(nil), d.to...)
	for i := range int32(len(d.tasks)) {
		for _, b := range d.Before(i) {
			d.after[next[b]] = i
			next[b]++
		}
	}
}

// sort puts the tasks in order (Kahn, CACM 1962); those on a cycle, or after one, are left out.
func (d *Dependencies) sort() {
	waits := make([]int32, len(d.tasks))
	d.order = make([]int32, 0, len(d.tasks))
	for i := range waits {
		waits[i] = d.from[i+1] - d.from[i]
		if waits[i] == 0 {
			d.order = append(d.order, int32(i))
		}
	}
	for k := 0; k < len(d.order); k++ {
		for _, next := range d.After(d.order[k]) {
			if waits[next]--; waits[next] == 0 {
				d.order = append(d.order, next)
			}
		}
	}
}

// cycles reports a cycle for every group of tasks that the order leaves out: each of them waits for another one.
func (d *Dependencies) cycles(report func(string, ...any)) {
	const sorted = -1
	seen := make([]int32, len(d.tasks)) // by which walk
	for _, i := range d.order {
		seen[i] = sorted
	}
	for start := range int32(len(d.tasks)) {
		var path []int32
		at := start
		for seen[at] == 0 {
			seen[at] = start + 1
			path = append(path, at)
			at = d.unsorted(at, seen)
		}
		if seen[at] == start+1 {
			report("tasks wait for each other: %s", d.circle(path, at))
		}
	}
}

// unsorted is the first task that i waits for and that is not in the order.
func (d *Dependencies) unsorted(i int32, seen []int32) int32 {
	for _, b := range d.Before(i) {
		if seen[b] >= 0 {
			return b
		}
	}
	return i
}

// circle writes a path from where it first comes to the task it ends at, against the direction in which it was found.
func (d *Dependencies) circle(path []int32, end int32) string {
	const most = 12
	for path[0] != end {
		path = path[1:]
	}
	names := []string{d.tasks[end].ID}
	for k := len(path) - 1; k >= 0; k-- {
		if len(names) == most && k > 0 {
			names = append(names, fmt.Sprintf("… %d more", k))
			k = 0
		}
		names = append(names, d.tasks[path[k]].ID)
	}
	return strings.Join(names, " → ")
}
