package runtime

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/engine/trace"
	"github.com/casys-ai/pml/nodes"
)

// LatenciesFile is where it is kept how long calls took, in the project's state folder: names of tools and numbers.
const LatenciesFile = "latencies.json"

// latencies are how long the calls of tools took in earlier runs of the project. The longest path through a program, and
// what goes first along it, is found by them.
type latencies struct {
	path string // "" if nothing is kept

	mu    sync.Mutex
	known map[nodes.ToolID]latency // nil until it is read
}

// latency is the mean of a tool's calls, in milliseconds; later ones count for more.
type latency struct {
	Calls int     `json:"calls"`
	Mean  float64 `json:"mean_ms"`
	// saved is the mean that the file has.
	saved float64
}

const (
	// mostLatencies is of how many tools it is known.
	mostLatencies = 1000
	// memory is over how many calls the mean is taken.
	memory = 16
	// worthSaving is by what part a mean must have changed to be written again.
	worthSaving = 0.1
)

// of is how many milliseconds a call of a tool takes; 0 if that is not known.
func (l *latencies) of(id nodes.ToolID) float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.read()
	return l.known[id].Mean
}

// read reads the file, once. What cannot be read is learned again.
func (l *latencies) read() {
	if l.known != nil {
		return
	}
	l.known = map[nodes.ToolID]latency{}
	if l.path == "" {
		return
	}
	text, err := os.ReadFile(l.path)
	if err != nil || json.Unmarshal(text, &l.known) != nil || len(l.known) > mostLatencies {
		l.known = map[nodes.ToolID]latency{}
	}
	for id, x := range l.known {
		if x.saved = x.Mean; x.Calls < 1 || !(x.Mean >= 0) || x.Mean > 1e9 {
			delete(l.known, id)
			continue
		}
		l.known[id] = x
	}
}

// learn adds the calls of a run that succeeded and that nobody was asked about: timed says which tools those are.
func (l *latencies) learn(spans []trace.Span, timed func(nodes.ToolID) bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.read()
	for _, s := range spans {
		if s.Tool != "" && s.Err == nil && !s.End.IsZero() && timed(s.Tool) {
			l.add(s.Tool, s.End.Sub(s.Start).Seconds()*1000)
		}
	}
	return l.save()
}

func (l *latencies) add(id nodes.ToolID, ms float64) {
	x, ok := l.known[id]
	if !ok && len(l.known) >= mostLatencies {
		l.forget()
	}
	x.Calls = min(x.Calls+1, memory)
	x.Mean += (ms - x.Mean) / float64(x.Calls)
	l.known[id] = x
}

// forget makes room: of the tool of which least is known nothing is.
func (l *latencies) forget() {
	var least nodes.ToolID
	for id, x := range l.known { // the order does not matter: no two are equal
		if y := l.known[least]; least == "" || x.Calls < y.Calls || x.Calls == y.Calls && id < least {
			least = id
		}
	}
	delete(l.known, least)
}

// save writes the file if it says something else by now.
func (l *latencies) save() error {
	changed := false
	for _, x := range l.known {
		changed = changed || math.Abs(x.Mean-x.saved) > worthSaving*x.saved
	}
	if !changed || l.path == "" {
		return nil
	}
	text, err := json.MarshalIndent(l.known, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return err
	}
	if err := replaceFile(l.path, append(text, '\n')); err != nil {
		return err
	}
	for id, x := range l.known {
		x.saved = x.Mean
		l.known[id] = x
	}
	return nil
}

// timed reports whether the calls of a tool are as long as the tool takes: a person who is asked takes time, too.
func (r *runner) timed(id nodes.ToolID) bool {
	t := r.planned.Catalog.Tool(id)
	if t == nil {
		return false
	}
	d := r.session.config.Rules.Static(t)
	return d.Permission == nodes.Allow && !d.Depends
}

// CriticalPath is how long the longest path through the program takes by what calls took before, and the tools of which
// that is not known. It is 0 if it is known of none.
func (p *Planned) CriticalPath() (took time.Duration, unknown []nodes.ToolID) {
	if p.Graph == nil || p.estimate == nil {
		return 0, p.tools
	}
	for _, id := range p.tools {
		if p.estimate(id) == 0 {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) == len(p.tools) {
		return 0, unknown
	}
	run, err := engine.PrepareWith(p.Graph, p.estimate)
	if err != nil {
		return 0, unknown
	}
	return time.Duration(run.CriticalPath()) * time.Millisecond, unknown
}
