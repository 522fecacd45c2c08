package agent

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/declare"
	"github.com/casys-ai/pml/nodes/value"
)

// ShapesFile is where the shapes of results are kept, in the project's state folder.
const ShapesFile = "shapes.json"

// Shapes are what results of tools looked like whose servers declare no output. They are kept from one session to the next.
type Shapes struct {
	path string

	mu      sync.Mutex
	known   map[nodes.ToolID]*declare.Shape
	seen    map[nodes.ToolID]int // how many results of a tool were looked at
	changed bool
}

// ReadShapes reads what is known in a state folder. What cannot be read is learned again.
func ReadShapes(state string) *Shapes {
	s := &Shapes{path: filepath.Join(state, ShapesFile), known: map[nodes.ToolID]*declare.Shape{},
		seen: map[nodes.ToolID]int{}}
	text, err := os.ReadFile(s.path)
	if err != nil || json.Unmarshal(text, &s.known) != nil {
		s.known = map[nodes.ToolID]*declare.Shape{}
	}
	return s
}

// Of is what is known about the results of a tool; nil for nothing. It may be used as declare.Shapes.
func (s *Shapes) Of(id nodes.ToolID) *declare.Shape {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.known[id]
	if known == nil {
		return nil
	}
	return known.Clone()
}

// What is learned from: so many results of a tool in a session, none of them longer than this. Looking costs time.
const (
	mostLessons   = 50
	longestLesson = 256 << 10
)

// learn takes in a result.
func (s *Shapes) learn(id nodes.ToolID, v value.Value) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen[id] >= mostLessons || value.SizeOf(v) > longestLesson {
		return
	}
	s.seen[id]++
	known := s.known[id]
	if known == nil {
		known = &declare.Shape{}
		s.known[id] = known
	}
	if known.Learn(v) {
		s.changed = true
	}
}

// save writes what is new; a file that is half written is never seen.
func (s *Shapes) save() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.changed {
		return nil
	}
	text, err := json.MarshalIndent(s.known, "", " ")
	if err != nil {
		return err
	}
	if err := writeWhole(s.path, string(text)); err != nil {
		return err
	}
	s.changed = false
	return nil
}

// writeWhole writes a file of the state folder so that it is there whole or not at all.
func writeWhole(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		if gone := os.Remove(f.Name()); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

// learner is the engine.Observer that lets Shapes learn from the calls of a run.
type learner struct {
	shapes *Shapes
	tool   func(nodes.ToolID) *nodes.Tool
}

// Started implements engine.Observer.
func (learner) Started(engine.Event) {}

// Finished implements engine.Observer.
func (l learner) Finished(e engine.Event, out []value.Value, err error) {
	if e.Tool == "" || err != nil || len(out) != 1 {
		return
	}
	if t := l.tool(e.Tool); t != nil && len(t.OutputSchema) == 0 && !t.TextResult {
		l.shapes.learn(e.Tool, out[0])
	}
}
