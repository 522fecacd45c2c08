package engine

import (
	"context"
	"strconv"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// nestedFunc makes the Nested of a script task. The call waits for its place on the script's own goroutine, and goes on
// there when the core has granted it; its outcome is given to the script when that has been written down.
func (d *driver) nestedFunc(script *task) func(context.Context, int, nodes.ToolID, NestedCall) (value.Value, error) {
	return func(ctx context.Context, k int, tool nodes.ToolID, call NestedCall) (value.Value, error) {
		t := &task{f: script.f, i: script.i, info: script.info, script: script, tool: tool, path: script.path + "#" + strconv.Itoa(k)}
		t.granted = make(chan struct{}, 2)
		d.crew.tell(event{t: t, what: eventNested})
		if err := d.await1(ctx, t); err != nil {
			t.err = err
			d.crew.tell(event{t: t, what: eventAbandoned})
			return nil, err
		}
		if t.recalled != nil {
			return first(t.recalled.Out), t.recalled.err()
		}
		return d.nested(ctx, t, call)
	}
}

// await1 waits until t may leave.
func (d *driver) await1(ctx context.Context, t *task) error {
	select {
	case <-t.granted:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-d.ctx.Done():
		return d.ctx.Err()
	}
}

// nested makes a call that has its place, and gives the place back even if the call panics.
func (d *driver) nested(ctx context.Context, t *task, call NestedCall) (v value.Value, err error) {
	err = errGone
	defer func() {
		if err == ErrSuspended {
			err = d.nestedWaits(ctx, t)
			return
		}
		t.out, t.err = []value.Value{v}, err
		d.crew.tell(event{t: t, what: eventNestedFinished})
		select {
		case <-t.granted:
		case <-d.crew.gone:
		}
	}()
	return call(ctx, t.path)
}

// nestedWaits keeps the script waiting for a call that waits for a person, until it no longer wants it.
func (d *driver) nestedWaits(ctx context.Context, t *task) (err error) {
	d.crew.tell(event{t: t, what: eventNestedWaits})
	select {
	case <-ctx.Done():
		err = ctx.Err()
	case <-d.ctx.Done():
		err = d.ctx.Err()
	}
	t.err = err
	d.crew.tell(event{t: t, what: eventAbandoned})
	return err
}

func first(out []value.Value) value.Value {
	if len(out) == 0 {
		return value.Undefined{}
	}
	return out[0]
}

// abandoned takes back a nested call that may have been granted meanwhile.
func (d *driver) abandoned(t *task) {
	if t.state == taskEnded {
		return
	}
	if t.state == taskStarted && d.observer != nil {
		d.observer.Finished(d.event(t), nil, t.err)
	}
	d.core.abandoned(t)
}
