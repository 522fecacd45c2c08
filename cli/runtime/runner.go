package runtime

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/nodes/expr"
	"github.com/casys-ai/pml/nodes/value"
)

// scriptHint is for what the fallback could do where native execution gives up.
const scriptHint = "run it with --mode script"

// runner is the engine.Runner of one run.
type runner struct {
	id      string
	session *Session
	planned *Planned
	code    *compiled
	options RunOptions
	book    *book
	desk    desk
	clock   *clock
	places  places
	logs    logs
	calls   atomic.Int64
	realm   realm
	aside   realm
	line    line
	parts   parts
	ctx     context.Context
}

var _ engine.Runner = (*runner)(nil)

// Eval implements engine.Runner.
func (r *runner) Eval(id int, in []value.Value) ([]value.Value, error) {
	out, err := r.code.programs[id].RunContext(r.ctx, in)
	if err == nil {
		return out, nil
	}
	n := r.code.nodes[id]
	var strange *expr.Unsupported
	if errors.As(err, &strange) {
		return r.piece(r.ctx, engine.Task{Node: n, In: in}, n.Code, &r.aside)
	}
	return nil, r.failed(n, err)
}

// failed makes the engine's error of one of a computation, and remembers the place of an exception.
func (r *runner) failed(n *nodes.Node, err error) error {
	var ex *expr.Exception
	var limit *expr.Limit
	switch {
	case errors.As(err, &ex):
		r.places.note(n, ex.Throw.Value, place{pos: ex.Pos})
		return ex.Throw
	case errors.As(err, &limit):
		return &engine.Failure{Code: nodes.LimitExceeded, Message: limit.Message, Err: err}
	case r.ctx.Err() != nil:
		return &engine.Failure{Code: nodes.Cancelled, Message: "the run was cancelled", Err: r.ctx.Err()}
	}
	message := "cannot be evaluated: " + err.Error()
	return &engine.Failure{Code: nodes.InternalError, Message: message, Hint: scriptHint, Err: err}
}

// Run implements engine.Runner.
func (r *runner) Run(ctx context.Context, t engine.Task) ([]value.Value, error) {
	r.clock.work(1)
	defer r.clock.work(-1)
	switch t.Node.Kind {
	case nodes.KindCall:
		return r.call(ctx, t)
	case nodes.KindScript:
		return r.script(ctx, t)
	case nodes.KindHost:
		return r.host(ctx, t)
	}
	return nil, fmt.Errorf("runtime: a %s node is no task", t.Node.Kind)
}

// call executes a call node.
func (r *runner) call(ctx context.Context, t engine.Task) ([]value.Value, error) {
	place := r.line.at(t.Turn)
	defer place.pass()
	var args value.Value = value.Undefined{}
	if p := r.code.programs[t.ID]; p != nil {
		own := t // a part's inputs come behind the call's own
		own.In = t.In[:len(t.Node.Call.Args.Params)]
		out, err := p.RunContext(ctx, own.In)
		var strange *expr.Unsupported
		switch {
		case errors.As(err, &strange):
			if out, err = r.piece(ctx, own, t.Node.Call.Args, &r.aside); err != nil {
				return nil, err
			}
		case err != nil:
			return nil, r.failed(t.Node, err)
		}
		args = out[0]
	}
	q := call.Request{Tool: r.code.tools[t.ID], Path: t.Path, Args: args, Sent: t.Sent}
	if p := r.code.parts[t.ID]; p != nil && !r.book.forgotten {
		q.Cloud = partWay{cloudWay{r, q}, p, t}
	}
	v, err := r.tool(ctx, q, place)
	if err != nil {
		return nil, err
	}
	return []value.Value{v}, nil
}

// tool makes one tool call, of a call node or of a script, when its turn has come. One that waits for a person gives
// its place up.
func (r *runner) tool(ctx context.Context, q call.Request, place turn) (value.Value, error) {
	told := q.Sent
	seat := seat{at: r.session.seatsFor(q.Tool), run: r}
	defer seat.leave()
	q.Turn = func(ctx context.Context) error {
		if err := place.wait(ctx); err != nil {
			return err
		}
		return seat.take(ctx, q.Sent) // one that waits for a seat does not hold up the calls of other servers
	}
	q.Sent = sync.OnceFunc(func() {
		place.pass()
		if told != nil {
			told()
		}
	})
	if most := r.session.config.Limits.Calls; r.calls.Add(1) > int64(most) {
		return nil, &engine.Failure{Code: nodes.LimitExceeded, Tool: q.Tool.ID,
			Message: fmt.Sprintf("the run made more than %d tool calls", most), Hint: "raise limits.calls in .pml.json"}
	}
	page := &page{book: r.book}
	q.Asker, q.Book = asking{&r.desk, q.Sent}, page
	if q.Cloud == nil {
		q.Cloud = r.cloud(q)
	}
	if received := r.options.Received; received != nil {
		q.Received = func(reply call.Reply) { received(q.Tool.ID, reply) }
	}
	q.Audit = func(args []byte, decision, by string) { r.audit(q, page.digestOf(args), decision, by) }
	if err := r.needKeys(ctx, q); err != nil {
		return nil, err
	}
	v, err := r.session.caller.Call(ctx, q)
	if err != nil && ctx.Err() != nil {
		r.calls.Add(-1) // a read that ran ahead and was not needed counts for nothing
	}
	return v, err
}
