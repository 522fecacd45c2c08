package telemetry

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/casys-ai/pml/cli/runtime"
)

// Uploader tells the gateway what runs came to, in batches: when so many have ended, after some time, and at the end.
type Uploader struct {
	send func(ctx context.Context, records []*Record) error
	log  *slog.Logger

	mu      sync.Mutex
	pending []*Record
	timer   *time.Timer
	closed  bool
	sending sync.WaitGroup
}

var _ runtime.Reporter = (*Uploader)(nil)

// The size of a batch, how long one waits to be full, how much is kept while the gateway cannot be reached, and how long
// the end of pml waits for the last one.
const (
	batch     = 50
	batchWait = 10 * time.Second
	mostKept  = 1000
	lastWait  = time.Second
)

// NewUploader makes an Uploader that sends with a function. Close it.
func NewUploader(send func(ctx context.Context, records []*Record) error, log *slog.Logger) *Uploader {
	return &Uploader{send: send, log: log}
}

// Ended implements runtime.Reporter.
func (u *Uploader) Ended(o *runtime.Outcome) {
	r := record(o)
	u.mu.Lock()
	defer u.mu.Unlock()
	u.keep(r)
	switch {
	case u.closed:
	case len(u.pending) >= batch:
		u.start()
	case u.timer == nil:
		u.timer = time.AfterFunc(batchWait, func() {
			u.mu.Lock()
			defer u.mu.Unlock()
			u.start()
		})
	}
}

// keep puts records behind those that wait; the oldest are dropped if they are too many.
func (u *Uploader) keep(list ...*Record) {
	u.pending = append(u.pending, list...)
	u.pending = u.pending[max(0, len(u.pending)-mostKept):]
}

// start sends what waits. It is held under the lock.
func (u *Uploader) start() {
	if u.timer != nil {
		u.timer.Stop()
		u.timer = nil
	}
	if len(u.pending) == 0 || u.closed {
		return
	}
	list := u.pending
	u.pending = nil
	u.sending.Go(func() { u.try(context.Background(), list) })
}

// try sends records; what does not get there waits for the next time.
func (u *Uploader) try(ctx context.Context, list []*Record) {
	ctx, cancel := context.WithTimeout(ctx, batchWait)
	defer cancel()
	if err := u.send(ctx, list); err != nil {
		u.log.Debug("the gateway was not told of runs", "runs", len(list), "error", err)
		u.mu.Lock()
		u.keep(list...)
		u.mu.Unlock()
	}
}

// Close implements runtime.Reporter: it tells what is left, if that does not take long.
func (u *Uploader) Close() {
	u.mu.Lock()
	u.start()
	u.closed = true
	u.mu.Unlock()
	done := make(chan struct{})
	go func() {
		u.sending.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(lastWait):
	}
}

// Both tells two reporters; either may be nil.
func Both(a, b runtime.Reporter) runtime.Reporter {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return both{a, b}
}

type both struct{ a, b runtime.Reporter }

// Ended implements runtime.Reporter.
func (t both) Ended(o *runtime.Outcome) {
	t.a.Ended(o)
	t.b.Ended(o)
}

// Close implements runtime.Reporter.
func (t both) Close() {
	var all sync.WaitGroup
	all.Go(t.a.Close)
	all.Go(t.b.Close)
	all.Wait()
}
