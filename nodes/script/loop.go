package script

import (
	"container/heap"
	"time"

	"github.com/dop251/goja"
)

// pendingCall is a tool call whose promise is not settled.
type pendingCall struct {
	resolve, reject func(any) error
	// from is the frame of the program that made the call.
	from goja.StackFrame
}

// loop is the state of the event loop.
type loop struct {
	timers     timerHeap
	byID       map[int]*timer
	immediates []*timer
	lastID     int
	calls      map[int]pendingCall
	nextCall   int
	told       int  // results that have come
	reports    bool // the host wants to know when there is nothing to do
	// uncaught is the first exception that left a timer's or microtask's callback, or stopped the machine.
	uncaught error
	now      time.Time
	// fired are the timers that fired in an earlier execution and have not fired again; tells says that the host is told of
	// those that fire, firstID what the last timer's id was when the fragment began.
	fired   []firing
	tells   bool
	firstID int
}

// timer is a callback that waits for its time; an immediate has no time.
type timer struct {
	id     int
	when   time.Time
	every  time.Duration // of an interval, else 0
	call   goja.Callable
	dead   bool
	place  int
	soonly bool // its delay is 1 ms or less: due in the next turn, as it nearly always is in Node
}

// timerHeap orders timers by time, then by age.
type timerHeap []*timer

// Len implements heap.Interface, as do the following.
func (h timerHeap) Len() int { return len(h) }
func (h timerHeap) Less(i, j int) bool {
	if h[i].when.Equal(h[j].when) {
		return h[i].id < h[j].id
	}
	return h[i].when.Before(h[j].when)
}
func (h timerHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i, j
}

// Push implements heap.Interface.
func (h *timerHeap) Push(x any) {
	t := x.(*timer)
	t.place = len(*h)
	*h = append(*h, t)
}

// Pop implements heap.Interface.
func (h *timerHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	last.place = -1
	return last
}

// setTimer adds a timer (HTML §8.6, with Node's limits: less than 1 ms or more than 2^31-1 counts as 1 ms).
func (r *realm) setTimer(call goja.Callable, ms float64, repeat bool) int {
	if !(ms >= 1 && ms <= 1<<31-1) {
		ms = 1
	}
	delay := time.Duration(int64(ms)) * time.Millisecond
	r.lastID++
	t := &timer{id: r.lastID, when: r.now.Add(delay), call: call, soonly: ms <= 1}
	if repeat {
		t.every = delay
	}
	heap.Push(&r.timers, t)
	if r.byID == nil {
		r.byID = map[int]*timer{}
	}
	r.byID[t.id] = t
	return t.id
}

func (r *realm) setImmediate(call goja.Callable) int {
	r.lastID++
	t := &timer{id: r.lastID, call: call, place: -1}
	if r.byID == nil {
		r.byID = map[int]*timer{}
	}
	r.byID[t.id] = t
	r.immediates = append(r.immediates, t)
	return t.id
}

func (r *realm) clearTimer(id int) {
	t := r.byID[id]
	if t == nil {
		return
	}
	t.dead = true
	delete(r.byID, id)
	if t.place >= 0 && !t.when.IsZero() {
		heap.Remove(&r.timers, t.place)
	}
}

// fire calls a callback from the top of the stack; microtasks run after it.
func (r *realm) fire(t *timer) {
	if _, err := t.call(goja.Undefined()); err != nil && r.uncaught == nil {
		r.uncaught = err
	}
}

// runTimers fires what is due, in order.
func (r *realm) runTimers() (any bool) {
	any = r.fireAgain()
	for r.uncaught == nil {
		t := r.ripe()
		if t == nil {
			break
		}
		heap.Remove(&r.timers, t.place)
		if t.every == 0 {
			delete(r.byID, t.id)
		}
		r.tellTimer(t)
		r.fire(t)
		any = true
		r.repeat(t)
		if t.soonly {
			r.now = time.Now()
		}
	}
	return any
}

// ripe is the timer that is to fire now; nil if there is none.
func (r *realm) ripe() *timer {
	if !r.recalling() {
		if len(r.timers) == 0 || r.timers[0].when.After(r.now) && !r.timers[0].soonly {
			return nil
		}
		return r.timers[0]
	}
	var first *timer
	for _, t := range r.timers {
		if t.soonly && (first == nil || t.id < first.id) {
			first = t
		}
	}
	return first
}

// repeat sets an interval again.
func (r *realm) repeat(t *timer) {
	if t.every > 0 && !t.dead {
		t.when, t.soonly = time.Now().Add(t.every), false
		heap.Push(&r.timers, t)
	}
}

// runMessages settles the promises of calls whose results are there.
func (r *realm) runMessages() (any bool, wake <-chan struct{}) {
	for r.uncaught == nil && r.due() == nil {
		f, ok, w := r.c.inbox.try()
		if !ok {
			return any, w
		}
		r.settle(f)
		any = true
	}
	return any, nil
}

func (r *realm) settle(f frame) {
	if f.Type == typeReport {
		r.reports = true
	}
	call, ok := r.calls[f.ID]
	if f.Type != typeResult || !ok {
		return
	}
	delete(r.calls, f.ID)
	r.told++
	v, err := decodeValue(f.body, f.Tagged, nil, nil)
	if err != nil {
		r.uncaught = err
		return
	}
	if f.Success {
		err = call.resolve(r.toJS(v))
	} else {
		err = call.reject(r.standing(r.toJS(v), call.from))
	}
	if err != nil && r.uncaught == nil {
		r.uncaught = err
	}
}

func (r *realm) runImmediates() (any bool) {
	list := r.immediates
	r.immediates = nil
	for _, t := range list {
		if !t.dead && r.uncaught == nil {
			delete(r.byID, t.id)
			r.fire(t)
			any = true
		}
	}
	return any
}

// turn runs the event loop once around, as libuv does: timers, messages, immediates. If there was nothing to do it
// waits. It reports false if nothing can ever happen any more.
func (r *realm) turn() bool {
	r.now = time.Now()
	did := r.runTimers()
	got, wake := r.runMessages()
	if r.runImmediates() || got || did || r.uncaught != nil || r.due() != nil || r.diverged() {
		return true
	}
	if len(r.calls) == 0 && len(r.timers) == 0 {
		return false
	}
	var alarm <-chan time.Time
	if len(r.timers) == 0 {
		r.rest()
	} else if !r.recalling() {
		t := time.NewTimer(time.Until(r.timers[0].when))
		defer t.Stop()
		alarm = t.C
	}
	select {
	case <-wake:
	case <-alarm:
	case <-r.wake:
	}
	return true
}

// rest tells the host that only results can bring anything about.
func (r *realm) rest() {
	if r.reports {
		_ = r.c.out.write(header{Type: typeResting, ID: r.nextCall, Told: r.told})
	}
}

// waits reports whether a timer that is no interval is still to fire.
func (r *realm) waits() bool {
	for _, t := range r.timers {
		if t.every == 0 {
			return true
		}
	}
	return len(r.immediates) > 0
}
