package script

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// execution is one fragment under way. One goroutine runs it; calls have goroutines of their own.
type execution struct {
	r  *Realm
	f  Fragment
	id int
	// calls counts those begun, outstanding those not ended; each ended call sends its fatal error or nil to results.
	calls, outstanding int
	results            chan error
	workers            sync.WaitGroup
	// left is what remains of the wall-clock time; clock is nil while it stands still.
	left  time.Duration
	since time.Time
	clock *time.Timer
}

// run sends the fragment and serves the child until it reports the end.
func (x *execution) run(ctx context.Context) (Completion, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(ctx, func() { x.r.p.end() })
	done := make(chan struct{})
	defer func() {
		stop()
		close(done)
		cancel(nil)
		x.workers.Wait()
	}()
	if err := x.send(); err != nil {
		return Completion{}, x.broken(ctx, err)
	}
	x.left = x.r.p.limits.Wall
	x.startClock()
	defer x.stopClock()
	for {
		select {
		case f, ok := <-x.r.p.frames:
			if !ok {
				return Completion{}, x.broken(ctx, nil)
			}
			c, over, err := x.handle(ctx, f, done)
			if over {
				return c, x.over(ctx, err)
			}
		case err := <-x.results:
			if err := x.ended(err); err != nil {
				return Completion{}, err
			}
		case <-x.alarm():
			err := wallError(x.r.p.limits.Wall)
			x.r.fail(err)
			return Completion{}, err
		case <-ctx.Done():
			return Completion{}, x.broken(ctx, nil)
		}
	}
}

// ended notes the end of a call; an error is fatal.
func (x *execution) ended(err error) error {
	if x.outstanding--; x.outstanding == 0 {
		x.startClock()
	}
	if err != nil {
		x.r.fail(err)
	}
	return err
}

// over ends the realm if the fragment ended with anything but a result or an exception. Else it waits for the calls,
// whose results the child has had already.
func (x *execution) over(ctx context.Context, err error) error {
	var ex *Exception
	if err != nil && !errors.As(err, &ex) {
		x.r.fail(err)
		return err
	}
	for x.outstanding > 0 {
		select {
		case fatal := <-x.results:
			if fatal := x.ended(fatal); fatal != nil {
				return fatal
			}
		case <-ctx.Done():
			return x.broken(ctx, nil)
		}
	}
	return err
}

// broken gives the reason why the child cannot be spoken to any more.
func (x *execution) broken(ctx context.Context, err error) error {
	x.r.p.end()
	<-x.r.p.gone
	switch {
	case x.r.failed() != nil:
		return x.r.failed()
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case x.r.p.dead != nil:
		err = x.r.p.dead
	case err == nil:
		err = &Error{Code: nodes.WorkerTerminated, Message: "the script child is gone"}
	}
	x.r.fail(err)
	return err
}

func (x *execution) send() error {
	args, tagged, err := encodeList(x.f.In)
	if err != nil {
		return err
	}
	h := header{Type: typeExecute, ID: x.id, Code: len(x.f.JS), Params: x.f.Params, Program: x.f.Program,
		Tagged: tagged, Rich: x.f.Rich != nil, Seed: x.f.Told.Seed, Epoch: x.f.Told.Epoch}
	if len(x.f.Told.Clock) > 0 {
		if err := x.r.p.out.write(header{Type: typeClock}, x.f.Told.Clock); err != nil {
			return err
		}
	}
	if len(x.f.Told.Timers) > 0 {
		if err := x.r.p.out.write(header{Type: typeTimer}, x.f.Told.Timers); err != nil {
			return err
		}
	}
	return x.r.p.out.write(h, []byte(x.f.JS), args)
}

// handle serves one frame; over says that it was the last one.
func (x *execution) handle(ctx context.Context, f frame, done <-chan struct{}) (c Completion, over bool, err error) {
	switch f.Type {
	case typeConsole:
		if x.f.Log != nil {
			x.f.Log(f.Level, string(f.body))
		}
	case typeClock:
		if x.f.Clock != nil {
			x.f.Clock(f.body)
		}
	case typeTimer:
		if x.f.Timer != nil {
			x.f.Timer(firing{f.ID, f.Told}.appendTo(nil))
		}
	case typeResting:
		if x.f.Resting != nil {
			x.f.Resting(f.ID, f.Told)
		}
	case typeCall:
		return c, !x.call(ctx, f, done), errProtocol
	case typeComplete:
		if f.ID != x.id {
			return c, true, errProtocol
		}
		c, err = x.complete(f)
		return c, true, err
	default:
		return c, true, errProtocol
	}
	return c, false, nil
}

var errProtocol = &Error{Code: nodes.WorkerTerminated, Message: "the script child does not keep to the protocol"}

// maxInFlight bounds the calls of one fragment that are outstanding at a time; each has a goroutine.
const maxInFlight = 20000

// call begins a tool call; false if the child did not number it as it must, or there are too many.
func (x *execution) call(ctx context.Context, f frame, done <-chan struct{}) bool {
	if f.ID != x.calls || x.outstanding >= maxInFlight {
		return false
	}
	x.calls++
	x.outstanding++
	x.stopClock()
	x.workers.Go(func() {
		err := x.perform(ctx, f)
		select {
		case x.results <- err:
		case <-done:
		}
	})
	return true
}

// perform calls the tool and sends the child what came of it. The error is fatal.
func (x *execution) perform(ctx context.Context, f frame) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("calling %s:%s: panic: %v", f.Server, f.Tool, p)
		}
	}()
	if x.f.Call == nil {
		return x.reply(f.ID, nil, value.Throwf("ToolError", "this script may not call tools"))
	}
	var args []byte
	if len(f.body) > 0 {
		args = f.body
	}
	v, err := x.f.Call(ctx, f.ID, f.Server, f.Tool, args)
	return x.reply(f.ID, v, err)
}

func (x *execution) reply(id int, v value.Value, err error) error {
	h := header{Type: typeResult, ID: id, Success: err == nil}
	var thrown *value.Throw
	switch {
	case errors.As(err, &thrown):
		v = thrown.Value
	case err != nil:
		return err
	}
	body, tagged, err := encodeValue(v)
	if err != nil {
		return err
	}
	h.Tagged = tagged
	if err := x.r.p.out.write(h, body); err != nil {
		return nil // the child is gone, and its death says why
	}
	return nil
}

// complete makes the completion of the frame that reports it.
func (x *execution) complete(f frame) (Completion, error) {
	c := Completion{Calls: x.calls}
	switch f.Kind {
	case "", kindException:
	case kindNotPlain:
		return c, &NotPlain{What: f.Message, Where: f.Where}
	case kindSyntax:
		return c, &Error{Code: nodes.ParseError, Message: f.Message, Line: f.Line, Column: f.Column}
	case kindDeadlock:
		return c, &Error{Code: nodes.CodeError, Message: f.Message}
	case kindMemory, kindCPU, kindOutput:
		return c, limitError(f.Kind, x.r.p.limits)
	default:
		return c, &Error{Code: nodes.WorkerTerminated, Message: "the script was stopped: " + f.Message}
	}
	v, err := decodeValue(f.body, f.Tagged, &inputs{list: x.f.In}, x.f.Rich)
	if err != nil {
		return c, errProtocol
	}
	if f.Success {
		c.Value = v
		return c, nil
	}
	v = value.Force(v)
	return c, &Exception{Throw: &value.Throw{Value: v}, Line: f.Line, Column: f.Column, Hint: hintFor(v)}
}

// startClock lets the wall-clock time run, unless it already does.
func (x *execution) startClock() {
	if x.clock == nil {
		x.since, x.clock = time.Now(), time.NewTimer(x.left)
	}
}

// stopClock makes it stand still.
func (x *execution) stopClock() {
	if x.clock != nil {
		x.clock.Stop()
		x.left -= time.Since(x.since)
		x.clock = nil
	}
}

func (x *execution) alarm() <-chan time.Time {
	if x.clock == nil {
		return nil
	}
	return x.clock.C
}
