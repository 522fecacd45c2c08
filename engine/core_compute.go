package engine

import (
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// compute evaluates expr nodes, the oldest steps of the queue, as long as they are all of one frame and nothing happens
// that reaches further than that. It returns what is left of the budget. This is where a run of pure code spends its
// time: what it needs of the frame stays at hand, and an expr node that ends with its one value, as nearly all do, is
// ended here.
func (c *core) compute(budget int) int {
	q := &c.queue
	f := q.f
	b, cells := f.b, f.cells
	c.current.f = f
	warm := q.head
	for end := q.end(); budget > 0 && q.head < end; end = q.end() {
		s := q.steps[q.head]
		i := s.index()
		if s.what() != stepRun || b.info[i].kind != nodes.KindExpr {
			break
		}
		if len(cells) > large && q.head >= warm {
			warm = min(q.head+warmed, end)
			c.warm(f, q.steps[q.head:warm])
		}
		q.head++
		budget--
		c.worked++
		if cells[i].state != waiting {
			continue
		}
		c.current.i = i
		in := b.info[i : i+2]
		out, err := c.runner.Eval(int(in[0].id), c.arguments(f, b.ins[in[0].in:in[1].in]))
		if err != nil || in[0].flags != 0 || len(out) != 1 || out[0] == nil || in[0].slot+1 != in[1].slot {
			c.evaluated(f, i, out, err)
			break
		}
		f.slots[in[0].slot] = out[0]
		cells[i].state, cells[i].flags = done, cells[i].flags|counted
		if c.spread(f, in[0].slot) || f.cur == i && f.walk() {
			c.settle(f)
			break
		}
	}
	q.advance()
	return budget
}

// A frame of more than large nodes does not fit into the processor's nearest memory.
const (
	large  = 8192
	warmed = 16
)

// warm reads what the next steps of a large frame need, for all of them at once: the processor then waits for its far
// memory once, and not for each in turn. It has no branches that depend on the graph: they would cost as much.
func (c *core) warm(f *frame, next []step) {
	b, sum := f.b, int32(0)
	ins, succ := len(b.ins)-1, len(b.succ)-1
	if ins < 0 || succ < 0 {
		return
	}
	for _, s := range next {
		in := &b.info[min(int(s.index()), len(b.info)-1)] // an event may be more than that
		sum += int32(b.ins[min(int(in.in), ins)]) + b.succ[min(int(b.fires[in.slot]), succ)]
	}
	c.warmed = sum // else the compiler would see that nobody needs it
}

// arguments gives the values of a node's inputs side by side; they are there until the next call.
func (c *core) arguments(f *frame, ins []source) []value.Value {
	if inRow(ins) {
		from, to := int(ins[0]), int(ins[0])+len(ins)
		return f.slots[from:to:to]
	}
	if len(ins) > len(c.scratch) {
		c.scratch = make([]value.Value, max(16, len(ins)))
	}
	to := c.scratch[:len(ins):len(ins)]
	for k, s := range ins {
		if s >= 0 {
			to[k] = f.slots[s]
		} else {
			to[k] = f.get(s)
		}
	}
	return to
}

// inRow says that a node reads one slot, or very many that stand side by side: they need not be copied.
func inRow(ins []source) bool {
	if len(ins) < 64 {
		return len(ins) == 1 && ins[0] >= 0
	}
	for k, s := range ins {
		if s < 0 || s != ins[0]+source(k) {
			return false
		}
	}
	return true
}

// evaluated ends an expr node in general.
func (c *core) evaluated(f *frame, i int32, out []value.Value, err error) {
	if err != nil {
		c.failed(f, i, err, origin{})
		return
	}
	c.succeed(f, i, out)
}

// spread brings forward the nodes of f that wait for a value. It reports whether somebody else waits for it too, and
// has been told.
func (c *core) spread(f *frame, slot int32) (more bool) {
	b, cells, n, q := f.b, f.cells, int32(len(f.cells)), &c.queue
	for _, t := range b.succ[b.fires[slot]:b.fires[slot+1]] {
		if t >= n {
			c.resulted(f, t-n)
			more = true
			continue
		}
		cell := &cells[t]
		if cell.state != waiting {
			continue
		}
		if cell.pend--; cell.pend != 0 {
			continue
		}
		if len(q.steps) < cap(q.steps) && q.last() == f {
			q.steps = append(q.steps, step(t)<<stepBits) // push of stepRun, which is 0, without a call
		} else {
			q.push(f, t, stepRun)
		}
	}
	if f.heads != nil && f.heads[slot] != 0 {
		c.wake(f, slot)
		more = true
	}
	return more
}

// walk moves on over the nodes that are behind us, and reports whether that may open a gate or end the frame.
func (f *frame) walk() bool {
	n := int32(len(f.cells))
	for f.cur < n && f.cells[f.cur].flags&counted != 0 {
		f.cur++
	}
	gates := f.entry == entrySafe && int(f.safeAt) < len(f.b.safeGates) && f.b.safeGates[f.safeAt] <= f.cur
	return gates || f.cur == n || f.cur == f.abrupt
}
