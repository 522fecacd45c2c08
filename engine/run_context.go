package engine

import (
	"context"
	"sync"
)

// taskContext is the context of one task. Most tasks end before anybody waits for the end of theirs, so what that takes
// is made when somebody does.
type taskContext struct {
	context.Context // the run's
	mu              sync.Mutex
	ended           bool
	own             *ownContext // nil until it is needed
}

type ownContext struct {
	context.Context
	cancel context.CancelFunc
}

// Done implements context.Context.
func (c *taskContext) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.own == nil {
		own, cancel := context.WithCancel(c.Context)
		c.own = &ownContext{own, cancel}
		if c.ended {
			cancel()
		}
	}
	return c.own.Done()
}

// Err implements context.Context.
func (c *taskContext) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.own != nil:
		return c.own.Err()
	case c.ended:
		return context.Canceled
	}
	return c.Context.Err()
}

// Value implements context.Context. By way of it package context finds c.own, once it is there, and derives from that.
func (c *taskContext) Value(key any) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.own != nil {
		return c.own.Value(key)
	}
	return c.Context.Value(key)
}

// end ends the context.
func (c *taskContext) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	if c.own != nil {
		c.own.cancel()
	}
}
