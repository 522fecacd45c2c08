// Package engine executes task graphs: it decides when each node runs. What a node does is the Runner's business: the
// engine knows control nodes and nothing of MCP, JavaScript or processes.
package engine

import (
	"context"
	"errors"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// Runner executes leaf nodes. It is called with the values of Node.In.
//
// An error that is a *value.Throw is an exception that the program can catch. Any other error is fatal: it ends the run
// and no handler sees it.
type Runner interface {
	// Eval computes the expr node whose Node.ID is id: the id alone, for a Runner has what it needs ready under it, and
	// reading the node would cost more than all else. It is called by whoever drives the run, one call at a time, must not
	// block, and must neither keep nor change in; what it returns is read before the next call.
	Eval(id int, in []value.Value) ([]value.Value, error)
	// Run executes a call, script or host node. It is called on a goroutine of its own and must return soon after ctx
	// ends. A script node with Code.Returns may end with a *Return as its error. A *Failure as the error ends the run
	// with its code. A call node may end with ErrSuspended.
	Run(ctx context.Context, t Task) ([]value.Value, error)
}

// Task is one node to run, in one frame.
type Task struct {
	// ID is Node.ID, at hand for who need not read the node.
	ID   int
	Node *nodes.Node
	// Path is the identity of this execution: stable across runs of the same graph, the key of journal, trace and
	// approvals.
	Path string
	In   []value.Value
	// Turn numbers the call nodes of the run from 0 in the order in which they were started: what the program sends at the
	// same time must leave in this order. It is -1 for other nodes.
	Turn int
	// Sent must be called once, when the request has left this process; the engine calls it on return at the latest.
	Sent func()
	// Nested runs one tool call that a script node makes, under the run's limits and in its trace; k counts the
	// script's calls from 0 and makes the path "n5#0". It runs call on the goroutine that calls it, and may be called
	// from several at once, until Run returns.
	Nested func(ctx context.Context, k int, tool nodes.ToolID, call NestedCall) (value.Value, error)
	// Resting tells of a script that it has nothing to do but wait: it has made so many calls and been told the outcome of
	// so many. It matters only once a nested call is suspended.
	Resting func(made, told int)
}

// NestedCall makes the call that a script asks for. It may end with ErrSuspended.
type NestedCall func(ctx context.Context, path string) (value.Value, error)

// ErrSuspended is how a call ends that waits for a person. The run goes on with everything else; when nothing else can
// move it ends with APPROVAL_REQUIRED, and another attempt with the same Journal goes on from there.
var ErrSuspended = errors.New("engine: the call waits for a person")

// Options are the limits of one run.
type Options struct {
	// Concurrency is how many calls may be in flight; 0 means 64.
	Concurrency int
	// Window is how many iterations of a loop, or items of a map, may be under way at once; 0 means 256.
	Window int
	// Observer is told what happens; nil for nobody.
	Observer Observer
	// Journal keeps what happened; nil for none.
	Journal Journal
}

// Observer is told of every task that a worker runs (calls, nested calls, scripts, timers), one thing at a time, in the
// order in which things happened. It must not block.
type Observer interface {
	Started(t Event)
	Finished(t Event, out []value.Value, err error)
}

// Event is one task, as an Observer sees it.
type Event struct {
	// Index counts the tasks of the run that were started, from 0; Started tells it in this order.
	Index int
	// Moment counts the engine's looks at the world: what is told of with the same Moment was seen, or done, at once. Who
	// notes times needs to read the clock once for each.
	Moment int
	Path   string
	// Node is the node; for a nested call the script node.
	Node *nodes.Node
	// Tool is the tool called; empty for anything else.
	Tool nodes.ToolID
}

// Journal is the memory of a run that outlives the process. All paths are Task paths. Its methods are
// called one at a time.
type Journal interface {
	// Recorded lists the Seq of the outcomes that earlier attempts have written, ascending; without those of the calls of
	// a script that has an outcome itself, which nobody will ask for.
	Recorded() []int
	// Recall returns the outcome of a task that an earlier attempt at the same run finished. in is what the task reads,
	// nil for a nested call: values that it handed on are the same again.
	Recall(path string, in []value.Value) (Outcome, bool)
	// Started is written down when the task is given to a worker; an error stops the run before it is. A nested call has
	// no in.
	Started(path string, n *nodes.Node, in []value.Value) error
	// Finished is written down before anything that is done with the outcome is. in is what the outcome may hold something
	// of: what the task has read, or nil.
	Finished(path string, in []value.Value, o Outcome) error
}

// Outcome is how a task ended: with values, with an exception, or with a return statement of the function around it.
type Outcome struct {
	// Seq is the place of the outcome among all outcomes of the run, from 1: they are told again in this order, and before
	// anything new, so that every decision that depended on it is made again as it was.
	Seq    int
	Out    []value.Value
	Throw  *value.Throw
	Return *Return
}
