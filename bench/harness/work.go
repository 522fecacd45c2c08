package harness

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/casys-ai/pml/bench/shapes"
)

// Work is the body of all tasks of a job. An engine calls Do once for each task of a run, from any goroutine.
type Work struct {
	graph *shapes.DAG
	kind  string
	mode  atomic.Int32

	latency []time.Duration // what a task shall take
	took    []time.Duration // what it took
	rounds  int             // of spin, for 100 µs

	first   func() // called at the first task of a run
	checker *checker
}

// The modes.
const (
	modePlain  = iota // a task does nothing but its work, and that may be nothing
	modeFirst         // the next task is the first of the run
	modeWork          // tasks have work to do
	modeChecks        // each task is checked
)

// mean is the latency of a task that sleeps; burst is the time of a task that computes.
const (
	mean  = time.Millisecond
	burst = 100 * time.Microsecond
)

func newWork(g *shapes.DAG, j Job) *Work {
	w := &Work{graph: g, kind: j.Work}
	switch j.Work {
	case Sleep:
		w.latency = shapes.Latencies(g.Len(), mean, j.Skewed, j.Graph.Seed)
		w.took = make([]time.Duration, g.Len())
	case Spin:
		w.rounds = calibrate()
	}
	return w
}

// Do does task i.
func (w *Work) Do(i int32) {
	if w.mode.Load() != modePlain {
		w.more(i)
	}
}

func (w *Work) more(i int32) {
	if w.mode.CompareAndSwap(modeFirst, w.usual()) {
		w.first()
	}
	if c := w.checker; c != nil {
		c.begin(i)
		defer c.end(i)
	}
	w.work(i)
}

// work is what the task is there for.
func (w *Work) work(i int32) {
	switch w.kind {
	case Sleep:
		start := time.Now()
		time.Sleep(w.latency[i])
		w.took[i] = time.Since(start)
	case Spin:
		runtime.KeepAlive(spin(w.rounds))
	}
}

// usual is the mode of all tasks but the first.
func (w *Work) usual() int32 {
	switch {
	case w.checker != nil:
		return modeChecks
	case w.kind == Sleep || w.kind == Spin:
		return modeWork
	}
	return modePlain
}

// alone does all tasks one after the other.
func (w *Work) alone() time.Duration {
	start := time.Now()
	for i := range int32(w.graph.Len()) {
		w.work(i)
	}
	return time.Since(start)
}

// spin computes; its result depends on every round.
func spin(rounds int) uint64 {
	x := uint64(rounds) | 1
	for range rounds {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

var sink atomic.Uint64

// calibrate finds how many rounds a burst takes when nothing else runs.
func calibrate() int {
	const rounds = 1 << 18
	best := time.Hour
	for range 9 {
		start := time.Now()
		sink.Add(spin(rounds))
		best = min(best, time.Since(start))
	}
	return int(float64(rounds) * float64(burst) / float64(best))
}

// checker sees to it that an engine really does what it is timed for: everything once, and in an order that the edges
// allow.
type checker struct {
	before *shapes.DAG
	begun  []atomic.Int32
	ended  []atomic.Bool
	wrong  atomic.Pointer[string]
}

func newChecker(g *shapes.DAG) *checker {
	return &checker{before: g.Reverse(), begun: make([]atomic.Int32, g.Len()), ended: make([]atomic.Bool, g.Len())}
}

func (c *checker) begin(i int32) {
	if c.begun[i].Add(1) > 1 {
		c.fault("task %d ran twice", i)
	}
	for _, p := range c.before.After(i) {
		if !c.ended[p].Load() {
			c.fault("task %d began before %d had ended", i, p)
		}
	}
}

func (c *checker) end(i int32) { c.ended[i].Store(true) }

func (c *checker) fault(format string, a ...any) {
	text := fmt.Sprintf(format, a...)
	c.wrong.CompareAndSwap(nil, &text)
}

// verdict is the first fault.
func (c *checker) verdict() error {
	for i := range c.ended {
		if !c.ended[i].Load() {
			c.fault("task %d did not run", i)
		}
	}
	if text := c.wrong.Load(); text != nil {
		return fmt.Errorf("harness: %s", *text)
	}
	return nil
}

// Kind is what the tasks do: one of the constants.
func (w *Work) Kind() string { return w.kind }
