package engine

import (
	"sync"

	"github.com/sourcegraph/conc"
)

// crew is the workers of one run, and what they and the loop tell each other. A worker that has ended a task takes the
// next one, on a stack that has already grown; none ever waits for another: as long as something is to be done, a worker
// is on its way, and one that takes a task calls the next before it begins.
//
//	        a task is there                      ended
//	on its way ─────────────▶ at work ─────────────────────┐
//	    ▲    │                   ▲     another task is there│
//	    │    │ nothing left      └──────────────────────────┤
//	    │    ▼                                 nothing left │
//	    └── idle ◀──────────────────────────────────────────┘
//	called
type crew struct {
	work func(*task)

	mu     sync.Mutex
	todo   []*task
	head   int
	idle   int
	coming bool    // a worker is on its way
	news   []event // what the loop has not heard of

	call chan struct{} // wakes an idle worker; closed at the end
	bell chan struct{} // wakes the loop
	all  conc.WaitGroup
}

func newCrew(work func(*task)) *crew {
	return &crew{work: work, call: make(chan struct{}, 1), bell: make(chan struct{}, 1)}
}

// give hands out tasks.
func (w *crew) give(tasks []*task) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.todo = append(w.todo, tasks...)
	w.summon()
}

// summon sees to it that a worker is on its way, if there is something to do.
func (w *crew) summon() {
	if w.coming || w.head == len(w.todo) {
		return
	}
	w.coming = true
	if w.idle == 0 {
		w.all.Go(w.worker)
		return
	}
	w.idle--
	w.call <- struct{}{}
}

// worker does tasks until the run is over.
func (w *crew) worker() {
	var t *task
	defer func() {
		if t != nil { // the Runner has ended this goroutine
			w.tell(event{t: t, what: eventFinished})
		}
	}()
	for open := true; open; _, open = <-w.call {
		for t = w.arrive(); t != nil; t = w.next(t) {
			w.work(t)
		}
	}
}

// arrive takes a task for a worker that was on its way; nil if others have done all.
func (w *crew) arrive() *task {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.coming = false
	return w.take()
}

// next reports t and takes the next task.
func (w *crew) next(t *task) *task {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.report(event{t: t, what: eventFinished})
	return w.take()
}

func (w *crew) take() *task {
	if w.head == len(w.todo) {
		w.idle++
		return nil
	}
	t := w.todo[w.head]
	w.todo[w.head] = nil
	if w.head++; w.head == len(w.todo) {
		w.todo, w.head = w.todo[:0], 0
	}
	w.summon()
	return t
}

// tell lets the loop know of an event.
func (w *crew) tell(e event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.report(e)
}

func (w *crew) report(e event) {
	if w.news = append(w.news, e); len(w.news) > 1 {
		return
	}
	select {
	case w.bell <- struct{}{}:
	default:
	}
}

// hear takes what has been reported, in exchange for an empty list.
func (w *crew) hear(empty []event) []event {
	w.mu.Lock()
	defer w.mu.Unlock()
	news := w.news
	w.news = empty
	return news
}
