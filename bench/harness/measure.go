package harness

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/casys-ai/pml/bench/shapes"
)

// Engine makes ready to execute a graph: it returns a function that executes it once, all tasks through w.Do. It must
// have nothing running when that function has returned.
type Engine func(g *shapes.DAG, w *Work, limit int) (run func() error, err error)

// Measure runs a job in this process: once for memory, once with all tasks checked, then for time.
func Measure(j Job, e Engine) (Result, error) {
	r := Result{Job: j}
	g, err := shapes.Make(j.Graph)
	if err != nil {
		return r, err
	}
	w := newWork(g, j)
	start := time.Now()
	run, err := e(g, w, j.limit())
	r.Prepare = time.Since(start)
	if err != nil {
		return r, err
	}
	for _, step := range []func(*Work, func() error, *Result) error{memory, checked, timed} {
		if err := step(w, run, &r); err != nil {
			return r, err
		}
	}
	return r, nil
}

// memory is the first run: nothing is warm, so that what the process grows by is what the engine needs.
func memory(w *Work, run func() error, r *Result) error {
	var before, first, after runtime.MemStats
	debug.FreeOSMemory()
	w.begin(func() { runtime.ReadMemStats(&first) })
	base := resetPeak()
	runtime.ReadMemStats(&before)
	err := run()
	runtime.ReadMemStats(&after)
	if top := peak(); base > 0 && top > base {
		r.Peak = top - base
	}
	r.Allocs, r.Bytes = after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc
	r.LateAllocs = after.Mallocs - first.Mallocs
	return err
}

// checked is a run that shows that the engine does all tasks, each once, in a right order.
func checked(w *Work, run func() error, _ *Result) error {
	c := newChecker(w.graph)
	w.checker = c
	w.begin(func() {})
	err := run()
	w.checker = nil
	if err != nil {
		return err
	}
	return c.verdict()
}

func timed(w *Work, run func() error, r *Result) error {
	var tasks, ideals, cpu []time.Duration
	for range max(r.Job.Runs, 1) {
		runtime.GC()
		var first time.Time
		w.begin(func() { first = time.Now() })
		start, before := time.Now(), CPUTime()
		if err := run(); err != nil {
			return err
		}
		end := time.Now()
		cpu = append(cpu, CPUTime()-before)
		r.Runs, tasks = append(r.Runs, end.Sub(start)), append(tasks, end.Sub(first))
		if w.kind == Sleep {
			ideals = append(ideals, w.graph.Ideal(w.took, r.Job.limit()))
		}
	}
	r.Wall, r.Tasks, r.CPU = median(r.Runs), median(tasks), median(cpu)
	switch w.kind {
	case Sleep:
		r.Ideal, r.Nominal = atMedian(r.Runs, ideals), w.graph.Ideal(w.latency, r.Job.limit())
	case Spin:
		r.Alone = w.alone()
	}
	return nil
}

// begin makes w ready for a run; first is called at its first task.
func (w *Work) begin(first func()) {
	w.first = first
	w.mode.Store(modeFirst)
}

func median(list []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}

// atMedian is the element of list at the place where runs has its median: they belong together.
func atMedian(runs, list []time.Duration) time.Duration {
	return list[slices.Index(runs, median(runs))]
}

// measured is Measure with a panic as an error.
func measured(j Job, e Engine) (r Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("harness: %s: panic: %v", j, p)
		}
	}()
	return Measure(j, e)
}

// Prepare gives one run of a job, as a Go benchmark or a profile wants it.
func Prepare(j Job, e Engine) (func() error, error) {
	g, err := shapes.Make(j.Graph)
	if err != nil {
		return nil, err
	}
	w := newWork(g, j)
	run, err := e(g, w, j.limit())
	if err != nil {
		return nil, err
	}
	return func() error {
		w.begin(func() {})
		return run()
	}, nil
}
