package engine

import (
	"fmt"

	"github.com/casys-ai/pml/nodes"
)

// quiet reports whether the run is over: nothing in it is alive any more.
func (c *core) quiet() bool {
	if c.state == settled && c.root.live == 0 {
		c.state = over
	}
	return c.state == over
}

// stuck describes a run in which nothing can move: a promise that never settles, or an invalid graph.
func (c *core) stuck() *Failure {
	f := &Failure{Code: nodes.InternalError, Message: "the run cannot go on: nothing it waits for will ever happen"}
	at, i := c.root, int32(0)
	for {
		i = min(at.cur, int32(len(at.cells))-1)
		if i < 0 || at.b.kid(i) < 0 || at.ctls[at.b.kid(i)] == nil {
			break
		}
		inner := at.ctls[at.b.kid(i)].owner().frames
		if inner == nil {
			break
		}
		at = inner
	}
	if i >= 0 {
		f.blame(c.origin(at, i))
		f.Message = fmt.Sprintf("%s: %s waits", f.Message, f.Path)
	}
	return f
}
