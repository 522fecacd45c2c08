package agent

import (
	"slices"
	"sync"
	"time"

	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// Live is what the runs of an Agent are doing, for people who watch. It keeps the latest runs, and of each the latest
// calls; arguments and results are not in it.
type Live struct {
	mu      sync.Mutex
	runs    []*LiveRun // the oldest first
	version int
	changed chan struct{} // closed at the next change
}

// LiveRun is one run.
type LiveRun struct {
	ID      string    `json:"id"`
	Source  string    `json:"source"`
	Started time.Time `json:"started"`
	// Milliseconds is how long it took; 0 while it runs.
	Milliseconds int64 `json:"ms,omitempty"`
	// Status is running, success, waiting or an error code.
	Status string     `json:"status"`
	Done   int        `json:"done"`
	Calls  []LiveCall `json:"calls"`

	version int
}

// LiveCall is one tool call of a run.
type LiveCall struct {
	Path string       `json:"path"`
	Tool nodes.ToolID `json:"tool"`
	// Milliseconds is how long it took, Status running, ok or failed.
	Milliseconds int64  `json:"ms,omitempty"`
	Status       string `json:"status"`

	started time.Time
}

// What is kept.
const (
	mostLiveRuns  = 50
	mostLiveCalls = 100
	longestSource = 2000
)

func newLive() *Live { return &Live{changed: make(chan struct{})} }

// Since gives the runs that have changed since a version, the version now, and what is closed at the next change.
func (l *Live) Since(version int) (runs []LiveRun, now int, changed <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.runs {
		if r.version > version {
			shown := *r
			shown.Calls = slices.Clone(r.Calls)
			runs = append(runs, shown)
		}
	}
	return runs, l.version, l.changed
}

// change changes a run, and tells those who watch.
func (l *Live) change(r *LiveRun, do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	do()
	l.version++
	r.version = l.version
	close(l.changed)
	l.changed = make(chan struct{})
}

// watch is the engine.Observer of one run.
type watch struct {
	live *Live
	run  *LiveRun
}

func (l *Live) begin(id, source string) *watch {
	r := &LiveRun{ID: id, Source: cut(source, longestSource), Started: time.Now(), Status: "running", Calls: []LiveCall{}}
	l.change(r, func() {
		l.runs = append(l.runs, r)
		if len(l.runs) > mostLiveRuns {
			l.runs = slices.Delete(l.runs, 0, 1)
		}
	})
	return &watch{l, r}
}

func (w *watch) end(o *runtime.Outcome) {
	w.live.change(w.run, func() {
		w.run.Milliseconds = max(1, time.Since(w.run.Started).Milliseconds())
		switch {
		case o.Err == nil:
			w.run.Status = "success"
		case len(o.Approvals) > 0:
			w.run.Status = "waiting"
		default:
			w.run.Status = string(o.Err.Code)
		}
	})
}

// Started implements engine.Observer.
func (w *watch) Started(e engine.Event) {
	if e.Tool == "" {
		return
	}
	w.live.change(w.run, func() {
		if len(w.run.Calls) == mostLiveCalls {
			w.run.Calls = slices.Delete(w.run.Calls, 0, 1)
		}
		w.run.Calls = append(w.run.Calls, LiveCall{Path: e.Path, Tool: e.Tool, Status: "running", started: time.Now()})
	})
}

// Finished implements engine.Observer.
func (w *watch) Finished(e engine.Event, _ []value.Value, err error) {
	if e.Tool == "" {
		return
	}
	w.live.change(w.run, func() {
		w.run.Done++
		i := slices.IndexFunc(w.run.Calls, func(c LiveCall) bool { return c.Path == e.Path })
		if i < 0 {
			return
		}
		c := &w.run.Calls[i]
		if c.Status, c.Milliseconds = "ok", max(1, time.Since(c.started).Milliseconds()); err != nil {
			c.Status = "failed"
		}
	})
}
