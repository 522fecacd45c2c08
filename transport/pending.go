package transport

import (
	"fmt"
	"sync"
)

// sendState is how far a request has got.
//
//	queued ──▶ writing ──▶ sent
//	   └──▶ dropped   (given up before the writer took it)
type sendState uint8

const (
	queued sendState = iota
	writing
	sent
	dropped
)

// pending is one call in flight. Its answer is delivered only after its sent callback has returned.
type pending struct {
	onSent   func()
	progress chan Progress
	done     chan struct{} // closed when answer and err are set

	mu       sync.Mutex
	state    sendState
	resolved bool
	answer   message
	err      error
}

func newPending(r request) *pending {
	p := &pending{onSent: r.sent, done: make(chan struct{})}
	if r.progress != nil {
		p.progress = make(chan Progress, 64)
	}
	return p
}

// claim is the writer taking the request; false if nobody waits for it any more.
func (p *pending) claim() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state == dropped || p.resolved {
		return false
	}
	p.state = writing
	return true
}

// markSent is the writer having written the request.
func (p *pending) markSent() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tellSent()
}

// tellSent calls the callback, once. It is called with mu held, so whoever gives up or answers waits for it.
func (p *pending) tellSent() {
	if p.state != writing {
		return
	}
	p.state = sent
	if p.onSent != nil {
		p.onSent()
	}
	if p.resolved {
		close(p.done)
	}
}

// resolve sets the outcome; only the first one counts.
func (p *pending) resolve(m message, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.settle(m, err)
}

// settle is resolve with mu held.
func (p *pending) settle(m message, err error) {
	if p.resolved {
		return
	}
	p.resolved, p.answer, p.err = true, m, err
	if p.state != writing {
		close(p.done)
	}
}

// unsent is the writer having failed before the first byte of the request.
func (p *pending) unsent() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state = queued
	if p.resolved {
		close(p.done)
	}
}

// fail resolves with err, which wraps errNotSent if the request was not written. A request that the writer holds
// counts as sent: part of it may have gone out.
func (p *pending) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tellSent()
	if p.state != sent {
		err = fmt.Errorf("%w: %w", errNotSent, err)
	}
	p.settle(message{}, err)
}

// abandon gives up and says whether the server may have got the request. If it may, sent has been called.
func (p *pending) abandon() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state == queued {
		p.state = dropped
		return false
	}
	p.tellSent()
	return p.state == sent
}

// drain hands on the progress that came before the answer.
func (p *pending) drain(progress func(Progress)) {
	for {
		select {
		case update := <-p.progress:
			progress(update)
		default:
			return
		}
	}
}
