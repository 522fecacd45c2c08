package cli_test

import "sync"

// barrier lets go when so many wait at it.
type barrier struct {
	mu   sync.Mutex
	left int
	open chan struct{}
}

func (b *barrier) need(n int) { b.left, b.open = n, make(chan struct{}) }

func (b *barrier) wait() {
	b.mu.Lock()
	if b.left--; b.left == 0 {
		close(b.open)
	}
	b.mu.Unlock()
	<-b.open
}
