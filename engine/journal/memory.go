// Package journal keeps what happened in a run, so that another attempt can go on from there.
package journal

import (
	"sync"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// Memory is a journal that lives as long as the process. Its zero value is empty and ready to use.
type Memory struct {
	mu       sync.Mutex
	started  []string
	outcomes map[string]engine.Outcome
}

var _ engine.Journal = (*Memory)(nil)

// Recorded implements engine.Journal.
func (m *Memory) Recorded() []int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return recorded(m.outcomes, func(o engine.Outcome) int { return o.Seq })
}

// Recall implements engine.Journal.
func (m *Memory) Recall(path string, _ []value.Value) (engine.Outcome, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	o, ok := m.outcomes[path]
	return o, ok
}

// Started implements engine.Journal.
func (m *Memory) Started(path string, _ *nodes.Node, _ []value.Value) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.started = append(m.started, path)
	return nil
}

// Finished implements engine.Journal.
func (m *Memory) Finished(path string, _ []value.Value, o engine.Outcome) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.outcomes == nil {
		m.outcomes = map[string]engine.Outcome{}
	}
	m.outcomes[path] = o
	return nil
}

// Unfinished lists the tasks that were started and have no outcome, in the order in which they were started.
func (m *Memory) Unfinished() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var paths []string
	for _, p := range m.started {
		if _, ok := m.outcomes[p]; !ok {
			paths = append(paths, p)
		}
	}
	return paths
}
