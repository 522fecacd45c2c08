package engine

import (
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// waiter is something in a frame that waits for an event of another frame.
type waiter struct {
	f    *frame
	what int32 // a node, a result after the nodes, or ^slot to be given the value
	arg  int32 // for an await node the input; else -1
	next int32 // the waiter before it for the same event, counted from 1
}

// put gives a slot its value.
func (c *core) put(f *frame, slot int32, v value.Value) {
	if f.slots[slot] != nil {
		return
	}
	if v == nil {
		v = value.Undefined{}
	}
	f.slots[slot] = v
	c.fire(f, slot)
}

// fire brings forward everything that waits for an event of f.
func (c *core) fire(f *frame, event int32) {
	b, n := f.b, int32(len(f.cells))
	for _, t := range b.succ[b.fires[event]:b.fires[event+1]] {
		if t < n {
			c.bring(f, t)
		} else {
			c.resulted(f, t-n)
		}
	}
	if f.heads != nil && f.heads[event] != 0 {
		c.wake(f, event)
	}
}

// bring counts down what node i waits for.
func (c *core) bring(f *frame, i int32) {
	cell := &f.cells[i]
	if cell.state != waiting {
		return
	}
	if cell.pend--; cell.pend == 0 {
		c.queue.push(f, i, stepRun)
	}
}

// resulted hands on result k, if results are handed on.
func (c *core) resulted(f *frame, k int32) {
	if f.hand == handed && f.state != frameDropped {
		f.ctl.frameResult(c, f, k, f.get(f.b.results[k]))
	}
}

// wait makes w wait for an event of f.
func (c *core) wait(f *frame, event int32, w waiter) {
	if f.heads == nil {
		f.heads = make([]int32, f.b.events)
	}
	w.next = f.heads[event]
	f.waiters = append(f.waiters, w)
	f.heads[event] = int32(len(f.waiters))
}

// wake serves those who wait for an event of f from other frames, in the order in which they came.
func (c *core) wake(f *frame, event int32) {
	var order [8]int32
	list := order[:0]
	for at := f.heads[event]; at != 0; at = f.waiters[at-1].next {
		list = append(list, at-1)
	}
	f.heads[event] = 0
	for i := len(list) - 1; i >= 0; i-- {
		w := f.waiters[list[i]]
		f.waiters[list[i]].f = nil
		if w.f.state != frameDropped {
			c.serve(f, event, w)
		}
	}
}

func (c *core) serve(from *frame, event int32, w waiter) {
	n := int32(len(w.f.cells))
	switch {
	case w.what < 0:
		c.put(w.f, ^w.what, from.slots[event])
	case w.what >= n:
		c.resulted(w.f, w.what-n)
	case w.arg < 0:
		c.bring(w.f, w.what)
	case w.f.cells[w.what].state == running:
		w.f.ctls[w.f.b.kid(w.what)].(*joiner).settled(c, w.arg, from.slots[event])
	}
}

// waitOuter makes a new frame wait for an event of a frame around it, unless that has happened.
func (c *core) waitOuter(f *frame, o outer) {
	to := f.up(o.up)
	happened := false
	switch o.node {
	case outerValue:
		happened = to.slots[o.event] != nil
	case outerPrev:
		happened = to.prev&(1<<o.port) != 0
	default:
		happened = to.isAt(o.node, o.port)
	}
	if happened {
		return
	}
	if int(o.target) < len(f.cells) {
		f.cells[o.target].pend++
	}
	c.wait(to, o.event, waiter{f: f, what: o.target, arg: -1})
}

func (f *frame) up(n int32) *frame {
	for ; n > 0; n-- {
		f = f.parent
	}
	return f
}

// feed gives slot of f the value that s names, seen from from, now or when it is there.
func (c *core) feed(from *frame, s source, f *frame, slot int32) {
	from, event := from.at(s)
	if v := from.slots[event]; v != nil {
		c.put(f, slot, v)
		return
	}
	c.wait(from, event, waiter{f: f, what: ^slot, arg: -1})
}

// control is the execution of a node that owns blocks (or of an await node, which owns none).
type control interface {
	owner() *base
	// begin starts the node.
	begin(c *core)
	// pump enters more frames, if it may.
	pump(c *core)
	// frameEntry limits what the gates in f may assume of what comes before it.
	frameEntry(f *frame) entryState
	// frameResult takes result k of f; it may be offered twice.
	frameResult(c *core, f *frame, k int32, v value.Value)
	// frameEnded takes the completion of f.
	frameEnded(c *core, f *frame, how *completion)
	// frameReached takes note of a stage of f.
	frameReached(c *core, f *frame, s stage)
}

// base is what the executions of all control nodes have in common.
type base struct {
	f     *frame // the frame that holds the node
	i     int32
	state ctlState
	ports uint8
	live  int32 // frames that are not quiet
	// frames are those frames, up to last, in the order in which they were entered: so their gates open.
	frames, last *frame
}

// ctlState is where a control node is in its life.
//
//	        no more frames           nothing in them is alive
//	opening ──────────────▶ closed ──────────────────────────▶ quiet
type ctlState uint8

const (
	opening ctlState = iota
	closed
	quiet
)

func (k *base) owner() *base                                          { return k }
func (k *base) pump(*core)                                            {}
func (k *base) frameEntry(*frame) entryState                          { return entrySafe }
func (k *base) frameResult(c *core, _ *frame, i int32, v value.Value) { c.put(k.f, k.info().slot+i, v) }

func (k *base) info() *info       { return &k.f.b.info[k.i] }
func (k *base) node() *nodes.Node { return k.f.b.src.Nodes[k.i] }
func (k *base) kid() *kid         { return &k.f.b.kids[k.f.b.kid(k.i)] }

// ins are the sources of the node's inputs, outs how many outputs it has.
func (k *base) ins() []source { return k.f.b.inputsOf(k.i) }
func (k *base) outs() int32   { return k.f.b.outs(k.i) }

// in reads input i.
func (k *base) in(i int) value.Value { return k.f.get(k.ins()[i]) }

// adopt makes a frame of b for the owner self.
func (k *base) adopt(c *core, b *block, self control, index int32, hand handing) *frame {
	f := c.newFrame(b, k.f, self, index, hand)
	if f.prevKin = k.last; f.prevKin != nil {
		f.prevKin.nextKin = f
	} else {
		k.frames = f
	}
	k.last = f
	k.live++
	return f
}

// disown takes a frame out of the list.
func (k *base) disown(f *frame) {
	if f.prevKin != nil {
		f.prevKin.nextKin = f.nextKin
	} else {
		k.frames = f.nextKin
	}
	if f.nextKin != nil {
		f.nextKin.prevKin = f.prevKin
	} else {
		k.last = f.prevKin
	}
	f.nextKin, f.prevKin = nil, nil
	k.live--
}

// quiet notes that nothing in f is alive any more.
func (k *base) quiet(c *core, f *frame) {
	k.disown(f)
	k.check(c)
}

// close notes that there will be no more frames.
func (k *base) close(c *core) {
	if k.state == opening {
		k.state = closed
		k.check(c)
	}
}

func (k *base) check(c *core) {
	if k.state != closed || k.live > 0 {
		return
	}
	k.state = quiet
	k.reachAll(c)
	c.release(k.f)
}

func (k *base) reach(c *core, p nodes.Port) {
	if k.ports&(1<<p) == 0 {
		k.ports |= 1 << p
		if k.info().flags&hasPorts != 0 {
			c.reach(k.f, k.i, p)
		}
	}
}

func (k *base) reachAll(c *core) {
	k.reach(c, nodes.PortSent)
	k.reach(c, nodes.PortWrites)
	k.reach(c, nodes.PortDone)
}

// take ends the node normally with the values of an exit that targets it.
func (k *base) take(c *core, vals []value.Value) {
	from, to := k.info().slot, k.f.b.info[k.i+1].slot
	for s := from; s < to; s++ {
		var v value.Value
		if int(s-from) < len(vals) {
			v = vals[s-from]
		}
		c.put(k.f, s, v)
	}
	c.done(k.f, k.i)
}

// catches reports whether how ends at this node.
func (k *base) catches(how *completion) bool {
	return catches(k.node(), exit{how.mode, how.target})
}
