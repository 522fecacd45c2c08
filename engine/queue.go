package engine

import "slices"

// queue holds the steps that have become possible, oldest first. Steps of one frame in a row share one mention of it, so
// that a step takes four bytes and no pointer.
type queue struct {
	steps []step
	head  int    // the oldest step
	f     *frame // whose it is
	turns []turn // who comes after f
	next  int    // the first of turns that is still to come
}

// turn says that the steps from a place on are those of another frame.
type turn struct {
	f    *frame
	from int
}

// step is something that has become possible: a node or event of a frame, and what to do with it.
type step int32

const (
	stepRun   step = iota // run a node; 0, as core_compute.go knows
	stepPump              // let a map or loop enter more frames
	stepGive              // let a carried variable of a loop arrive
	stepSweep             // look at the swept nodes from frame.swept on
)

const (
	stepBits  = 2
	mostSteps = 1<<27 - 1 // nodes, or values, of a block: the events are at most four times as many, and fit into a step
)

func (s step) what() step   { return s & (1<<stepBits - 1) }
func (s step) index() int32 { return int32(s >> stepBits) }

func (q *queue) len() int { return len(q.steps) - q.head }

// push adds a step of f.
func (q *queue) push(f *frame, i int32, what step) {
	if len(q.steps) == cap(q.steps) {
		q.room()
	}
	if q.last() != f {
		q.turnTo(f)
	}
	q.steps = append(q.steps, step(i)<<stepBits|what)
}

// last is the frame of the youngest step, or of the last one done.
func (q *queue) last() *frame {
	if n := len(q.turns); n > q.next {
		return q.turns[n-1].f
	}
	return q.f
}

func (q *queue) turnTo(f *frame) {
	if q.len() == 0 {
		q.f = f
		return
	}
	q.turns = append(q.turns, turn{f, len(q.steps)})
}

// first is the oldest step; there must be one.
func (q *queue) first() step { return q.steps[q.head] }

// pop takes the oldest step; there must be one.
func (q *queue) pop() (*frame, step) {
	f, s := q.f, q.steps[q.head]
	q.head++
	q.advance()
	return f, s
}

// advance comes to the next frame's steps if those of f are done.
func (q *queue) advance() {
	switch {
	case q.next < len(q.turns) && q.turns[q.next].from == q.head:
		q.f = q.turns[q.next].f
		q.turns[q.next].f = nil
		q.next++
	case q.head == len(q.steps):
		q.steps, q.head = q.steps[:0], 0
		q.turns, q.next = q.turns[:0], 0
	}
}

// end is where the steps of f end.
func (q *queue) end() int {
	if q.next < len(q.turns) {
		return q.turns[q.next].from
	}
	return len(q.steps)
}

// room makes room for more steps: that of those which are done, if it is half of all, or else as much again.
func (q *queue) room() {
	if q.head <= len(q.steps)/2 {
		q.steps = append(make([]step, 0, max(64, 2*len(q.steps))), q.steps...)
		return
	}
	q.steps = q.steps[:copy(q.steps, q.steps[q.head:])]
	left := copy(q.turns, q.turns[q.next:])
	clear(q.turns[left:])
	q.turns = q.turns[:left]
	for k := range q.turns {
		q.turns[k].from -= q.head
	}
	q.head, q.next = 0, 0
}

// sort puts the steps from place on, counted from the oldest, into program order; they are all of one frame.
func (q *queue) sort(place int) {
	if added := q.steps[min(q.head+place, len(q.steps)):]; !slices.IsSorted(added) {
		slices.Sort(added)
	}
}

// drop forgets all steps.
func (q *queue) drop() { *q = queue{} }
