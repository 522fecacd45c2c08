package engine

import (
	"container/heap"

	"github.com/casys-ai/pml/nodes/value"
)

// memory is a driver's view of the journal. Outcomes of an earlier attempt are delivered in the order in which they
// were written, and before anything new: then every decision that depended on this order is made again as it was.
type memory struct {
	journal Journal
	seq     int
	recalls recalls
}

// recalled is an outcome that waits to be delivered.
type recalled struct {
	t *task
	o Outcome
}

// recall looks for the outcome of t in the journal.
func (m *memory) recall(t *task) bool {
	if m.journal == nil {
		return false
	}
	o, ok := m.journal.Recall(t.path)
	if ok {
		heap.Push(&m.recalls, recalled{t, o})
	}
	return ok
}

func (m *memory) pending() bool { return len(m.recalls) > 0 }

// waits reports whether the outcome of t is about to be delivered.
func (m *memory) waits(t *task) bool {
	for _, r := range m.recalls {
		if r.t == t {
			return true
		}
	}
	return false
}

// next takes the oldest of the outcomes that wait.
func (m *memory) next() (*task, Outcome) {
	r := heap.Pop(&m.recalls).(recalled)
	m.seq = max(m.seq, r.o.Seq)
	return r.t, r.o
}

func (m *memory) started(t *task) error {
	if m.journal == nil {
		return nil
	}
	return m.journal.Started(t.path, t.node(), t.in)
}

// finished writes an outcome down. What a cancelled task failed with says nothing about the world, and a fatal error is
// no outcome.
func (m *memory) finished(t *task, out []value.Value, err error, alive bool) error {
	if m.journal == nil {
		return nil
	}
	o := Outcome{Seq: m.seq + 1, Out: out}
	var isThrow, isReturn bool
	o.Throw, isThrow = err.(*value.Throw)
	o.Return, isReturn = err.(*Return)
	switch {
	case err == nil, isReturn:
	case !isThrow, !alive, t.state == taskCancelled:
		return nil
	}
	m.seq++
	return m.journal.Finished(t.path, o)
}

// err is the outcome as the error that a Runner would return.
func (o *Outcome) err() error {
	switch {
	case o.Throw != nil:
		return o.Throw
	case o.Return != nil:
		return o.Return
	}
	return nil
}

// recalls is a heap of outcomes by Seq.
type recalls []recalled

func (r recalls) Len() int           { return len(r) }
func (r recalls) Less(i, j int) bool { return r[i].o.Seq < r[j].o.Seq }
func (r recalls) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }

// Push implements heap.Interface.
func (r *recalls) Push(x any) { *r = append(*r, x.(recalled)) }

// Pop implements heap.Interface.
func (r *recalls) Pop() any {
	last := len(*r) - 1
	x := (*r)[last]
	(*r)[last] = recalled{}
	*r = (*r)[:last]
	return x
}
