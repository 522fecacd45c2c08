package engine

import (
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// task is something that a worker does: a leaf node, or a tool call that a script makes.
type task struct {
	f     *frame
	i     int32
	info  *info
	state taskState
	came  int32 // its number in the line of calls
	path  string
	in    []value.Value
	tool  nodes.ToolID // the tool called; empty if it is no call
	// script is the task that makes this nested call; nil for leaf nodes.
	script *task
	// next and prev link the running tasks of a frame.
	next, prev *task

	// The rest is the driver's.
	ctx      *taskContext
	turn     int32 // Task.Turn
	index    int32 // Event.Index
	out      []value.Value
	err      error
	granted  chan struct{}
	recalled *Outcome
	waits    bool // it is among the waiting calls of its script
}

// taskState is where a task is in its life. A suspended task waits for a person, a recalled one for the moment at which
// its known outcome is due: neither has a place among the running ones.
//
//	        a place among the running            ended
//	queued ───────────────────────────▶ started ──────▶ ended
//	   │                                 │   │ torn down  ▲
//	   │                                 │   └─▶ cancelled ┘
//	   │ torn down                       ▼                 │
//	   └────────▶ withdrawn ◀── suspended, recalled ───────┘
type taskState uint8

const (
	taskQueued taskState = iota
	taskStarted
	taskSuspended
	taskRecalled
	taskCancelled
	taskWithdrawn
	taskEnded
)

// command is what a driver must do for the core.
type command struct {
	t    *task
	what commandKind
}

type commandKind uint8

const (
	commandStart  commandKind = iota // run t, then report sent and finished (a nested call: let it go)
	commandCancel                    // end t early; finished must still be reported
)

// node is the task's node.
func (t *task) node() *nodes.Node { return t.f.b.src.Nodes[t.i] }

func (t *task) kind() nodes.Kind { return t.info.kind }

// origin is t as the place where something went wrong.
func (t *task) origin() origin { return origin{t.node(), t.path, t.tool} }

// limited says that the task counts as a call in flight.
func (t *task) limited() bool { return t.script != nil || t.kind() == nodes.KindCall }

// startTask hands node i of f to a worker, now or when there is a place.
func (c *core) startTask(f *frame, i int32) {
	t := c.newTask()
	t.f, t.i, t.info, t.path = f, i, &f.b.info[i], c.room.path(f, i)
	t.in = c.gather(c.room.list(len(f.b.inputsOf(i))), f, i)
	if f.b.tools != nil {
		t.tool = f.b.tools[i]
	}
	f.cells[i].state = running
	f.live++
	if t.next = f.tasks; t.next != nil {
		t.next.prev = t
	}
	f.tasks = t
	c.enqueue(t)
}

// newTask makes a task, or takes a spare one: its memory is still near the processor.
func (c *core) newTask() *task {
	t := c.spare
	if t == nil {
		t = new(task)
	}
	c.spare = t.next
	*t = task{ctx: c.room.context()}
	return t
}

// recycle keeps a task that has ended for the next one, unless somebody may still speak of it: a script, in whose name
// calls may come late, and what tells when its request leaves.
func (c *core) recycle(t *task) {
	if t.script == nil && t.info.kind != nodes.KindScript && t.info.flags&tellSent == 0 {
		t.next, c.spare = c.spare, t
	}
}

// enqueue starts t, or lets it wait for a place: places are given out when all that is ready now has come. What has a
// known outcome needs none.
func (c *core) enqueue(t *task) {
	if t.limited() && !(c.known != nil && c.known(t)) {
		c.line.fresh = append(c.line.fresh, t)
		return
	}
	c.launch(t)
}

func (c *core) launch(t *task) {
	t.state = taskStarted
	if t.limited() {
		c.inFlight++
	}
	c.commands = append(c.commands, command{t, commandStart})
}

// landed frees the place of t.
func (c *core) landed(t *task) {
	was := t.state
	t.state = taskEnded
	switch was {
	case taskSuspended:
		c.asking--
	case taskStarted, taskCancelled:
		c.leave(t)
	}
}

func (c *core) leave(t *task) {
	if t.limited() {
		c.inFlight--
	}
}

// recalled is the event that the outcome of t is known, and will be told in its turn.
func (c *core) recalled(t *task) {
	c.sent(t)
	c.leave(t)
	t.state = taskRecalled
}

// suspended is the event that t waits for a person, and that nobody is at work on it any more. What the program starts
// beside it need not wait for that.
func (c *core) suspended(t *task) {
	if t.state != taskStarted {
		c.landed(t)
		return
	}
	c.sent(t)
	c.leave(t)
	t.state = taskSuspended
	c.asking++
}

// sent is the event that the request of t has left.
func (c *core) sent(t *task) {
	if t.state == taskStarted && t.script == nil && c.state != broken {
		c.left(t.f, t.i)
	}
}

// finished is the event that t has ended.
func (c *core) finished(t *task, out []value.Value, err error) {
	live := t.state == taskStarted || t.state == taskRecalled
	c.landed(t)
	if th, ok := err.(*value.Throw); ok && t.script != nil {
		if e, isError := value.Force(th.Value).(*value.Error); isError {
			c.remember(e, t.origin())
		}
	}
	if !live || t.script != nil || c.state == broken {
		return
	}
	c.current.f, c.current.i = t.f, t.i
	c.left(t.f, t.i)
	t.unlink()
	if err != nil {
		c.failed(t.f, t.i, err, t.origin())
	} else {
		c.succeed(t.f, t.i, out)
	}
	c.release(t.f)
}

// unlink takes t out of its frame's list of running tasks.
func (t *task) unlink() {
	if t.prev != nil {
		t.prev.next = t.next
	} else {
		t.f.tasks = t.next
	}
	if t.next != nil {
		t.next.prev = t.prev
	}
	t.next, t.prev = nil, nil
}

// nested is the event that a script wants to call a tool.
func (c *core) nested(t *task) { c.enqueue(t) }

// abandoned is the event that a script no longer wants to make a nested call that has not ended.
func (c *core) abandoned(t *task) {
	if t.state == taskQueued {
		t.state = taskWithdrawn
		return
	}
	c.landed(t)
}

// cancelTask ends the task of node i of f; its outcome is dropped.
func (c *core) cancelTask(f *frame, i int32) {
	for t := f.tasks; t != nil; t = t.next {
		if t.i == i {
			c.cancel(t)
			t.unlink()
			return
		}
	}
}

func (c *core) cancel(t *task) {
	switch t.state {
	case taskQueued, taskRecalled:
		t.state = taskWithdrawn
	case taskSuspended:
		t.state = taskWithdrawn
		c.asking--
	case taskStarted:
		t.state = taskCancelled
		c.commands = append(c.commands, command{t, commandCancel})
	}
}
