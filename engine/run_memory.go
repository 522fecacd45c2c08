package engine

import (
	"container/heap"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// memory is a driver's view of the journal. Outcomes of an earlier attempt are delivered in the order in which they
// were written, and before anything new: then every decision that depended on this order is made again as it was.
type memory struct {
	journal  Journal
	recorded []int // the Seq of the outcomes still to be told again
	written  int   // the last Seq of all
	recalls  recalls
	held     []event // what is new, while not everything has been told again
}

func (m *memory) use(j Journal) {
	if m.journal = j; j != nil {
		if m.recorded = j.Recorded(); len(m.recorded) > 0 {
			m.written = m.recorded[len(m.recorded)-1]
		}
	}
}

// replaying reports whether an earlier attempt knew more than has been told again.
func (m *memory) replaying() bool { return len(m.recorded) > 0 }

// recalled is an outcome that waits to be delivered.
type recalled struct {
	t *task
	o Outcome
}

// knows reports whether t has an outcome that will be told again.
func (m *memory) knows(t *task) bool {
	_, ok := m.journal.Recall(t.path, t.in)
	return ok
}

// recall looks for the outcome of t in the journal.
func (m *memory) recall(t *task) bool {
	if m.journal == nil {
		return false
	}
	o, ok := m.journal.Recall(t.path, t.in)
	if ok {
		heap.Push(&m.recalls, recalled{t, o})
	}
	return ok
}

// due reports whether the next outcome to be told again is there.
func (m *memory) due() bool { return len(m.recalls) > 0 && m.recalls[0].o.Seq == m.recorded[0] }

// next takes the outcome that is due.
func (m *memory) next() (*task, Outcome) {
	r := heap.Pop(&m.recalls).(recalled)
	m.recorded = m.recorded[1:]
	return r.t, r.o
}

// isNews says that an event tells how something ended, which must wait while the past is told again.
func (e event) isNews() bool {
	return e.what == eventFinished || e.what == eventNestedFinished
}

// hold keeps news for later.
func (d *driver) hold(e event) {
	d.memory.held = append(d.memory.held, e)
	d.rest.waits(e.t)
	if e.what == eventFinished {
		d.flying--
	}
}

// release tells the news that were held, once everything of earlier attempts has been told again, or never will be.
func (d *driver) release() bool {
	held := d.memory.held
	if len(held) == 0 || d.memory.replaying() && d.core.state != broken {
		return false
	}
	d.memory.held = nil
	for _, e := range held {
		if e.what == eventFinished {
			d.flying++
		}
		d.happened(e)
	}
	return true
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
	o := Outcome{Seq: m.written + 1, Out: out}
	var isThrow, isReturn bool
	o.Throw, isThrow = err.(*value.Throw)
	o.Return, isReturn = err.(*Return)
	switch {
	case err == nil, isReturn:
	case !isThrow, !alive, t.state == taskCancelled:
		return nil
	}
	m.written++
	in := t.in
	if o.Throw == nil && t.node().Kind == nodes.KindCall {
		in = nil // what a tool has answered is new: it holds nothing that the call has read
	}
	return m.journal.Finished(t.path, in, o)
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
