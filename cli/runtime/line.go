package runtime

import (
	"context"
	"sync"
	"time"
)

// line keeps requests in the order in which they were dispatched, however their goroutines are scheduled: what the
// program sends at the same time leaves in program order (ARCHITECTURE.md, rule 4). Places are numbered from 0; each must be
// passed in the end, sent or not.
type line struct {
	mu     sync.Mutex
	next   int // the first place that has not been passed
	passed map[int]bool
	turns  map[int]chan struct{}
}

// turn is one request's place in a line.
type turn struct {
	line *line
	k    int
}

func (l *line) at(k int) turn { return turn{l, k} }

// patience is how long a request waits for one before it that cannot leave, because its server is being started again,
// say. To the program both are on their way by then.
const patience = 250 * time.Millisecond

// wait returns when every earlier place has been passed, or after a while.
func (p turn) wait(ctx context.Context) error {
	p.line.mu.Lock()
	if p.line.next >= p.k {
		p.line.mu.Unlock()
		return nil
	}
	if p.line.turns == nil {
		p.line.turns = map[int]chan struct{}{}
	}
	free := make(chan struct{})
	p.line.turns[p.k] = free
	p.line.mu.Unlock()
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-free:
		return nil
	case <-late.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pass lets those behind go on. It may be called more than once.
func (p turn) pass() {
	l := p.line
	l.mu.Lock()
	defer l.mu.Unlock()
	if p.k < l.next || l.passed[p.k] {
		return
	}
	if l.passed == nil {
		l.passed = map[int]bool{}
	}
	l.passed[p.k] = true
	for l.passed[l.next] {
		delete(l.passed, l.next)
		l.next++
	}
	if free := l.turns[l.next]; free != nil {
		close(free)
		delete(l.turns, l.next)
	}
}
