package runtime

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/casys-ai/pml/nodes/call"
)

// errRunTime is the cause with which the context of a run ends that took too long.
var errRunTime = errors.New("runtime: the run exceeded its time limit")

// clock is the time that a run has. It stands still while nothing but questions is outstanding.
//
//	            a question is put, nothing else works
//	running ──────────────────────────────────────────▶ standing
//	   │    ◀──────────────────────────────────────────
//	   │        it is answered, or something works again
//	   └─▶ over: time is up
type clock struct {
	mu              sync.Mutex
	limit, left     time.Duration
	since           time.Time
	timer           *time.Timer
	working, asking int
	standing        bool
}

// newClock starts a clock that ends a run when its time is up.
func newClock(limit time.Duration, end context.CancelCauseFunc) *clock {
	c := &clock{limit: limit, left: limit, since: time.Now()}
	c.timer = time.AfterFunc(limit, func() { end(errRunTime) })
	return c
}

// work notes that n more tasks are at work.
func (c *clock) work(n int) { c.change(n, 0) }

// ask notes that n of the tasks at work now wait for a person.
func (c *clock) ask(n int) { c.change(-n, n) }

func (c *clock) change(working, asking int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.working += working
	c.asking += asking
	stand := c.working == 0 && c.asking > 0
	switch {
	case stand && !c.standing:
		if !c.timer.Stop() {
			return // time is up
		}
		c.left -= time.Since(c.since)
	case !stand && c.standing:
		c.since = time.Now()
		c.timer.Reset(max(c.left, 0))
	}
	c.standing = stand
}

func (c *clock) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.timer.Stop()
}

// worked is how much of its time the run has used.
func (c *clock) worked() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	left := c.left
	if !c.standing {
		left -= time.Since(c.since)
	}
	return c.limit - left
}

// asking puts the questions of one call.
type asking struct {
	asker call.Asker
	// held tells that the call waits for a person: what the program starts beside it need not.
	held func()
}

// Ask implements call.Asker.
func (a asking) Ask(ctx context.Context, q call.Question) (call.Answer, error) {
	a.held()
	return a.asker.Ask(ctx, q)
}

// nestedWork tells the clock of the calls of a script: while some are under way they are at work, and not the script.
type nestedWork struct {
	mu    sync.Mutex
	calls int
	clock *clock
}

func (w *nestedWork) change(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before := max(w.calls, 1)
	w.calls += n
	if now := max(w.calls, 1); now != before {
		w.clock.work(now - before)
	}
}
