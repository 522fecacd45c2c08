package script

import (
	"errors"
	"fmt"
	"time"

	"github.com/casys-ai/pml/nodes/value"
	"github.com/dop251/goja"
)

// execute runs one fragment to its end and reports how it ended. The error is that of the pipe.
func (r *realm) execute(f frame) error {
	h, body := r.outcome(f)
	h.Type, h.ID = typeComplete, f.ID
	err := r.c.send(h, body)
	if errors.Is(err, errOutput) {
		h, body = header{Type: typeComplete, ID: f.ID, Kind: kindOutput}, nil
		err = r.c.out.write(h)
	}
	return err
}

// outcome runs a fragment and makes the frame that reports its end.
func (r *realm) outcome(f frame) (header, []byte) {
	if f.Code < 0 || f.Code > len(f.body) {
		return header{Kind: kindSyntax, Message: "malformed execute"}, nil
	}
	u, err := r.compile(string(f.body[:f.Code]), f.Params)
	if err != nil {
		return r.failure(nil, err)
	}
	args, err := r.arguments(f.body[f.Code:], f.Tagged)
	defer func() { r.arrived = nil }()
	if err != nil {
		return r.failure(u, err)
	}
	r.uncaught, r.nextCall, r.now, r.told = nil, 0, time.Now(), 0
	r.clock, r.again = clock{again: r.again}, nil
	r.fired, r.firedThen, r.tells, r.firstID = r.firedThen, nil, f.Seed != nil, r.lastID
	if f.Seed != nil {
		r.reseed(f.Seed)
		r.began = f.Epoch
	}
	clear(r.calls) // of an execution that was given up
	v, err := u.call(goja.Undefined(), args...)
	if err != nil {
		return r.failure(u, err)
	}
	promise, ok := v.Export().(*goja.Promise)
	if !ok {
		return r.failure(u, fmt.Errorf("no promise"))
	}
	if err := r.drive(promise, f.Program); err != nil {
		return r.failure(u, err)
	}
	if promise.State() == goja.PromiseStateRejected {
		return r.exception(u, promise.Result())
	}
	return r.success(promise.Result(), f.header)
}

func (r *realm) arguments(body []byte, tagged bool) ([]goja.Value, error) {
	if len(body) == 0 {
		return nil, nil
	}
	v, err := value.ParseJSON(string(body))
	if err != nil {
		return nil, err
	}
	u := &untagger{rich: carry, circles: &circles{map[int]value.Value{}, map[value.Value]bool{}}}
	if tagged {
		v = u.untag(v)
	}
	list, ok := v.(*value.Array)
	if !ok || u.bad != nil {
		return nil, fmt.Errorf("arguments are no list")
	}
	r.arriving = &arrivals{inputs: inputs{list: list.Elems}, circular: u.circles.found, origin: map[*goja.Object]value.Value{}}
	for _, v := range u.defs {
		if r.arriving.shared == nil {
			r.arriving.shared = map[value.Value]goja.Value{}
		}
		r.arriving.shared[v] = nil
	}
	args := make([]goja.Value, len(list.Elems))
	for i, e := range list.Elems {
		args[i] = r.toJS(e)
	}
	r.arrived, r.arriving = r.arriving, nil
	return args, nil
}

// errDeadlock says that the fragment's promise cannot settle any more.
var errDeadlock = errors.New("the program awaits something that can never happen")

// drive turns the event loop until the promise is settled and the calls that were made have ended; for a whole program
// also until its timers have fired, except intervals.
func (r *realm) drive(p *goja.Promise, program bool) error {
	for {
		if reason := r.stopped.Load(); reason != nil {
			return stopError{reason.(stopReason)}
		}
		if r.uncaught != nil {
			return r.uncaught
		}
		settled := p.State() != goja.PromiseStatePending
		if settled && len(r.calls) == 0 && (!program || !r.waits()) {
			return nil
		}
		if !r.turn() {
			if settled {
				return nil
			}
			return errDeadlock
		}
	}
}

// stopError is why the realm was stopped.
type stopError struct{ reason stopReason }

// Error implements error.
func (e stopError) Error() string { return string(e.reason) }

// failure reports an end that is no settled promise.
func (r *realm) failure(u *unit, err error) (header, []byte) {
	if reason := r.stopped.Load(); reason != nil {
		return header{Kind: string(reason.(stopReason))}, nil
	}
	var syntax *syntaxError
	var overflow *goja.StackOverflowError
	var thrown *goja.Exception
	var micro *uncaught
	switch {
	case errors.As(err, &micro):
		return r.exception(u, micro.val)
	case errors.As(err, &syntax):
		return header{Kind: kindSyntax, Message: syntax.message, Line: syntax.line, Column: syntax.column}, nil
	case errors.Is(err, errDeadlock):
		return header{Kind: kindDeadlock, Message: err.Error()}, nil
	case errors.Is(err, errOutput):
		return header{Kind: kindOutput}, nil
	case errors.As(err, &overflow):
		e := value.NewError("RangeError", "Maximum call stack size exceeded")
		h, body := r.exception(u, r.errorToJS(e))
		h.Line, h.Column = placeIn(u, overflow.Stack())
		return h, body
	case errors.As(err, &thrown):
		return r.exception(u, thrown.Value())
	}
	return header{Kind: kindStopped, Message: err.Error()}, nil
}

// exception reports a thrown value, its engine texts mended, with its position in u.
func (r *realm) exception(u *unit, v goja.Value) (header, []byte) {
	h := header{Kind: kindException}
	out := &outgoing{r: r, limit: r.c.limits.Output, lossy: true}
	var err error
	if ex := r.rt.Try(func() {
		v = r.mend(v)
		h.Line, h.Column = r.positionOf(u, v)
		err = out.encode(v)
		out.finish()
	}); ex != nil || err != nil {
		out = &outgoing{r: r}
		out.errorHead("Error", "an exception that cannot be shown")
		out.text("}")
	}
	h.Tagged = out.tagged
	return h, out.buf
}

// success reports a result.
func (r *realm) success(v goja.Value, f header) (header, []byte) {
	if f.Program {
		return r.programResult(v)
	}
	out := &outgoing{r: r, limit: r.c.limits.Output, rich: f.Rich}
	var err error
	if ex := r.rt.Try(func() { err = out.encode(v) }); ex != nil {
		return r.exception(nil, ex.Value())
	}
	var odd *notPlain
	switch {
	case errors.As(err, &odd):
		return header{Kind: kindNotPlain, Message: odd.what, Where: odd.where}, nil
	case err != nil:
		return header{Kind: kindOutput}, nil
	}
	out.finish()
	return header{Success: true, Tagged: out.tagged}, out.buf
}

// programResult makes the result of a whole program: what JSON.stringify makes of it, undefined if that is nothing.
func (r *realm) programResult(v goja.Value) (header, []byte) {
	text, err := r.stringify(goja.Undefined(), v)
	var ex *goja.Exception
	switch {
	case errors.As(err, &ex):
		return r.exception(nil, ex.Value())
	case err != nil:
		return r.failure(nil, err)
	}
	if s, ok := text.(goja.String); ok {
		return header{Success: true}, []byte(wtf8(s))
	}
	return header{Success: true}, nil
}
