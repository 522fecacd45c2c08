package transport

import (
	"sync"

	"github.com/sourcegraph/conc/panics"
)

// maxEvents bounds the events that wait; more are dropped.
const maxEvents = 1024

// events runs callbacks one after the other on a goroutine of its own, so that no reader ever waits for one.
type events struct {
	mu     sync.Mutex
	queue  []posted
	wake   chan struct{}
	closed chan struct{}
}

type posted struct {
	key string
	run func()
}

func newEvents() *events {
	return &events{wake: make(chan struct{}, 1), closed: make(chan struct{})}
}

// post queues run. Of several with the same key that wait, one is run; "" is no key. False if too many wait.
func (e *events) post(key string, run func()) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, p := range e.queue {
		if key != "" && p.key == key {
			return true
		}
	}
	if key == "" && len(e.queue) >= maxEvents {
		return false
	}
	e.queue = append(e.queue, posted{key, run})
	select {
	case e.wake <- struct{}{}:
	default:
	}
	return true
}

// loop runs what is posted until closed is closed; what waits then is still run.
func (e *events) loop() {
	for open := true; open; {
		select {
		case <-e.wake:
		case <-e.closed:
			open = false
		}
		e.mu.Lock()
		batch := e.queue
		e.queue = nil
		e.mu.Unlock()
		for _, p := range batch {
			panics.Try(p.run)
		}
	}
}
