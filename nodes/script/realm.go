package script

import (
	"context"
	"sync"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// Fragment is one piece of JavaScript to execute.
type Fragment struct {
	// JS is the body of an async function in strict mode whose parameters are Params; In are its arguments.
	JS     string
	Params []string
	In     []value.Value
	// Program says that this is a whole program: its result becomes what JSON.stringify makes of it, and its timers are
	// waited for.
	Program bool
	// Rich makes the Map, Set and Date objects that the result holds; nil if it may hold none.
	Rich func(value.Parts) value.Value
	// Call calls a tool, on a goroutine of its own; k counts the calls from 0 in program order; args is JSON, nil for
	// undefined. A *value.Throw rejects the promise; any other error ends the fragment and the Realm. It must return
	// soon after its context is done.
	Call func(ctx context.Context, k int, server, tool string, args []byte) (value.Value, error)
	// Told is what an earlier execution of the same fragment was told; its zero value for none.
	Told Told
	// Clock is told what the clock has said, before a call that may depend on it; Resting that the fragment has nothing to
	// do but wait for results, if Report was called: it has made so many calls and seen so many results. They may be nil,
	// and must not block.
	Clock func(readings []byte)
	// Timer is told, before a timer fires, that it does. It may be nil.
	Timer   func(fired []byte)
	Resting func(made, told int)
	// Log gets what the program writes to the console; level is log, info, warn, error or debug. It may be nil.
	Log func(level, text string)
}

// Told is what a fragment is told of the world, beyond its arguments and results. Executed again with the same, and the
// same results in the same order, it does the same.
type Told struct {
	// Seed is where its randomness comes from, 32 bytes; nil for anything.
	Seed []byte
	// Epoch is where performance.now() begins, in µs since 1970.
	Epoch int64
	// Clock is what Fragment.Clock was told, Timers what Fragment.Timer was, each in one piece.
	Clock, Timers []byte
}

// Completion is how a fragment ended normally.
type Completion struct {
	// Value is what the function returned, a copy.
	Value value.Value
	// Calls is how many tools were called.
	Calls int
}

// Realm is one JavaScript realm in a child process of its own, for one run.
type Realm struct {
	p *process
	// turn holds one token: fragments are executed one after another.
	turn   chan struct{}
	lastID int

	mu     sync.Mutex
	broken error // why no fragment can be executed any more
}

func newHostRealm(p *process) *Realm {
	r := &Realm{p: p, turn: make(chan struct{}, 1)}
	r.turn <- struct{}{}
	return r
}

// Close ends the child. It is safe to call it during Execute, which then fails with ErrClosed, and more than once.
func (r *Realm) Close() {
	r.fail(ErrClosed)
	<-r.p.gone
}

// fail ends the child; the first reason stays.
func (r *Realm) fail(reason error) {
	r.mu.Lock()
	if r.broken == nil {
		r.broken = reason
	}
	r.mu.Unlock()
	r.p.end()
}

func (r *Realm) failed() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.broken
}

// Report makes the fragment under way tell when it is resting; see Fragment.Resting.
func (r *Realm) Report() error { return r.p.out.write(header{Type: typeReport}) }

// Pid is the child's process id.
func (r *Realm) Pid() int { return r.p.cmd.Process.Pid }

// Execute runs a fragment to its end, the calls it made included, and returns when every goroutine that it started has
// ended. Fragments of a realm run one after another.
//
// The error is an *Exception that the program can catch, or one that ends the Realm: *NotPlain, *Error, the cause of
// ctx, or what Call returned.
func (r *Realm) Execute(ctx context.Context, f Fragment) (Completion, error) {
	if len(f.JS) > r.p.limits.Source {
		return Completion{}, &Error{Code: nodes.LimitExceeded,
			Message: "the source is longer than " + sizeText(r.p.limits.Source)}
	}
	select {
	case <-r.turn:
	case <-ctx.Done():
		return Completion{}, context.Cause(ctx)
	}
	defer func() { r.turn <- struct{}{} }()
	if err := r.failed(); err != nil {
		return Completion{}, err
	}
	r.lastID++
	x := &execution{r: r, f: f, id: r.lastID, results: make(chan error)}
	return x.run(ctx)
}
