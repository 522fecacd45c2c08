package engine

import (
	"sync"

	"github.com/sourcegraph/conc"
)

// crew is the workers of one run, what they and the core tell each other, and the wheel: whoever holds it drives the
// core. A worker that has ended a task takes the wheel if it is free, does what has become possible, and goes on with
// one of the tasks that this made ready: from the end of one task to the start of the next nobody has to be woken.
//
//	        a task is there                      ended
//	on its way ─────────────▶ at work ──────────────────────────┐
//	    ▲    │                   ▲                              ▼
//	    │    │ nothing left      │     another task    at the wheel, if it is free
//	    │    ▼                   └──────────────────────────────┤
//	    └── idle ◀──────────────────────────────────────────────┘
//	called                               nothing left
//
// No worker ever waits for another: as long as something is to be done, a worker is on its way, and one that takes a
// task calls the next before it begins.
type crew struct {
	work  func(*task)
	drive func()

	ready []*task // not yet handed out; they belong to whoever holds the wheel

	mu     sync.Mutex
	wheel  wheel
	todo   []*task
	head   int
	idle   int
	coming bool    // a worker is on its way
	news   []event // what the core has not heard of

	call chan struct{} // wakes an idle worker; closed at the end
	bell chan struct{} // wakes the caller of Run
	gone chan struct{} // closed when nobody hears of events any more
	all  conc.WaitGroup
}

// wheel is who drives the core.
//
//	caller ─── nothing more can be done ──▶ free ──▶ worker: one has ended a task
//	  ▲                                     │  ▲         │
//	  └──── something else has happened ────┘  └─────────┤ nothing more can be done
//	                                                     │ all is over (or the caller finds so)
//	                                        locked ◀─────┘
type wheel uint8

const (
	wheelCaller wheel = iota // the caller of Run
	wheelWorker
	wheelFree
	wheelLocked
)

func newCrew(work func(*task), drive func()) *crew {
	return &crew{work: work, drive: drive, call: make(chan struct{}, 1), bell: make(chan struct{}, 1),
		gone: make(chan struct{})}
}

// give hands out the tasks that are ready. There is no crew before there are tasks.
func (w *crew) give() {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hand()
	w.summon()
}

// hand puts the tasks that are ready where workers find them.
func (w *crew) hand() {
	w.todo = append(w.todo, w.ready...)
	clear(w.ready)
	w.ready = w.ready[:0]
}

// summon sees to it that a worker is on its way, if there is something to do.
func (w *crew) summon() {
	if w.coming || w.waiting() == 0 && !w.unheard() {
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

// waiting is how many tasks wait for a worker.
func (w *crew) waiting() int { return len(w.todo) - w.head }

// unheard reports whether there is news and nobody at the wheel.
func (w *crew) unheard() bool { return w.wheel == wheelFree && len(w.news) > 0 }

// worker does tasks until the run is over.
func (w *crew) worker() {
	var t *task
	defer func() {
		if t != nil { // the Runner has ended this goroutine
			w.tell(event{t: t, what: eventFinished})
		}
	}()
	for open := true; open; _, open = <-w.call {
		for t = w.arrive(); t != nil; {
			w.work(t)
			ended := t
			t = nil
			t = w.next(ended)
		}
	}
}

// arrive gives a worker that was on its way a task; nil if others have done all.
func (w *crew) arrive() *task {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.coming = false
	if w.waiting() == 0 && w.unheard() {
		w.steer()
	}
	return w.take()
}

// next reports the end of a worker's task, and gives the worker its next one. Before that the worker drives, unless
// somebody does or more than one task waits: another worker is on its way then, and what ends meanwhile is heard of at
// once.
func (w *crew) next(t *task) *task {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.news = append(w.news, event{t: t, what: eventFinished})
	if w.waiting() <= 1 && w.unheard() {
		w.steer()
	}
	return w.take()
}

// steer takes the wheel for a worker, and drives.
func (w *crew) steer() {
	w.wheel = wheelWorker
	w.mu.Unlock()
	defer w.mu.Lock()
	w.drive()
}

// take gives a worker its next task; nil if there is none.
func (w *crew) take() *task {
	if w.waiting() == 0 {
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

// tell reports an event from within a task, or from elsewhere. There nobody can drive, for whoever calls may hold locks:
// the caller of Run is woken.
func (w *crew) tell(e event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.news = append(w.news, e)
	if w.wheel == wheelFree {
		w.ring()
	}
}

func (w *crew) ring() {
	select {
	case w.bell <- struct{}{}:
	default:
	}
}

// attend takes the wheel for the caller of Run, if it is free and there is news. It returns who has it then.
func (w *crew) attend() wheel {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.wheel == wheelFree && len(w.news) > 0 {
		w.wheel = wheelCaller
	}
	return w.wheel
}

// hear takes what has been reported, in exchange for an empty list.
func (w *crew) hear(empty []event) []event {
	w.mu.Lock()
	defer w.mu.Unlock()
	news := w.news
	w.news = empty
	return news
}

// leave hands out the tasks that are ready and gives the wheel back, unless there is news. A worker that leaves takes the
// first task itself, and calls another worker for the next.
func (w *crew) leave() (left bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hand()
	left = len(w.news) == 0
	if !left || w.wheel == wheelCaller {
		w.summon()
	}
	if left {
		w.wheel = wheelFree
	}
	return left
}

// lock keeps the wheel for good: all is over.
func (w *crew) lock() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wheel = wheelLocked
	w.ring()
}
