package runtime

import (
	"sync"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/value"
)

// place is where an exception was thrown, more exactly than its node.
type place struct {
	pos  ast.Pos
	hint string
}

// places remembers exceptions until it is known which one ends the run.
type places struct {
	mu      sync.Mutex
	byError map[*value.Error]place
	byNode  map[*nodes.Node]place
}

// mostPlaces bounds what is kept: a loop may throw and catch any number of times.
const mostPlaces = 1000

// note remembers where v was thrown; the first place of an error stays when it is thrown again.
func (p *places) note(n *nodes.Node, v value.Value, at place) {
	if !at.pos.IsValid() && at.hint == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byError == nil || len(p.byError) >= mostPlaces {
		p.byError, p.byNode = map[*value.Error]place{}, map[*nodes.Node]place{}
	}
	if e, ok := value.Force(v).(*value.Error); ok {
		if _, again := p.byError[e]; !again {
			p.byError[e] = at
		}
		return
	}
	p.byNode[n] = at
}

// refine completes a failure: the exact place, the hint, and the tool of a ToolError that came out of a script.
func (p *places) refine(f *engine.Failure) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, isError := f.Thrown.(*value.Error)
	at, known := place{}, false
	if isError {
		at, known = p.byError[e]
	}
	if !known && !isError {
		at = p.byNode[f.Node]
	}
	if at.pos.IsValid() {
		f.Pos = at.pos
	}
	if f.Hint == "" {
		f.Hint = at.hint
	}
	if f.Thrown == nil {
		return
	}
	f.Tool = ""
	if isError && e.Name == "ToolError" && e.Props != nil {
		tool, _ := e.Props.Get("tool")
		id, _ := value.Force(tool).(value.String)
		f.Tool = nodes.ToolID(id)
	}
}
