package engine

import (
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// loop runs a block again and again. Its iterations are frames in a row; for each stage it knows the first one in the
// row that has not reached it, so that a later one can be told when all before it have.
type loop struct {
	base
	elems   []value.Value
	total   int32 // iterations; -1 if only a break ends it
	created int32
	open    int32 // iterations that have not ended
	fixed   int32 // params before the carried variables
	carried int32
	last    *frame
	first   [stages]*frame
	stop    *frame // the first iteration known to end the loop early
	how     *completion
}

func (k *loop) begin(c *core) {
	n := k.node()
	fixed, carried := loopShape(n)
	k.fixed, k.carried, k.total = int32(fixed), int32(carried), -1
	if n.Loop.Each {
		var ok bool
		if k.elems, ok = elements(k.in(0)); !ok {
			k.close(c)
			c.throw(k.f, k.i, notIterable(k.in(0)))
			return
		}
		k.total = int32(len(k.elems))
	}
	if k.total == 0 {
		k.skipAll(c)
		return
	}
	c.queue.push(k.f, k.i, stepPump)
}

// skipAll ends a loop over nothing.
func (k *loop) skipAll(c *core) {
	k.close(c)
	for v := range k.outs() {
		c.feed(k.f, k.ins()[v+k.inputs()], k.f, k.info().slot+v)
	}
	c.done(k.f, k.i)
}

// inputs is how many In come before the initial values.
func (k *loop) inputs() int32 { return k.fixed / 2 }

func (k *loop) pump(c *core) {
	for k.state == opening && k.open < c.window && k.mayEnter() {
		k.enter(c)
	}
}

// mayEnter reports whether nothing can skip the next iteration any more.
func (k *loop) mayEnter() bool {
	switch b := k.kid().first; {
	case k.last == nil:
		return true
	case k.last.abrupt >= 0 && k.last.how.mode != nodes.ExitContinue:
		return false
	case b.skips > 0:
		return k.first[stagePassed] == nil
	case k.total < 0:
		return k.first[stageEnded] == nil
	}
	return true
}

// enter starts the next iteration.
func (k *loop) enter(c *core) {
	hand := handNow
	b := k.kid().first
	if b.targeted {
		hand = handDecided
	}
	f := k.adopt(c, b, k, k.created, hand)
	room := make([]value.Value, 2*k.carried)
	f.final, f.coming = room[:k.carried], room[k.carried:]
	if k.fixed > 0 {
		f.slots[0], f.slots[1] = item(k.elems, k.created), value.Number(k.created)
	}
	late := k.carry(f)
	k.created++
	k.open++
	for s := range stages {
		if k.first[s] == nil && b.reports(s) {
			k.first[s] = f
		}
	}
	k.last = f
	c.begin(f)
	for p := stageDone; p <= stageSent; p++ {
		if k.behind(f, p) {
			k.allBefore(c, f, p)
		}
	}
	for _, v := range late {
		c.feed(k.f, k.ins()[k.inputs()+v], f, k.fixed+v)
	}
	if k.created == k.total && k.state == opening {
		k.end(c)
	}
}

// reports says that frames of b reach s in their time; of a port that nobody follows they say nothing.
func (b *block) reports(s stage) bool {
	return s != stageWrites && s != stageSent || b.track&(1<<s) != 0
}

// carry gives f the carried variables that are there, and lists the initial values that are not.
func (k *loop) carry(f *frame) (late []int32) {
	if k.last != nil {
		copy(f.slots[k.fixed:], k.last.final)
		k.last.next = f
		return nil
	}
	for v := range k.carried {
		if f.slots[k.fixed+v] = k.in(int(k.inputs() + v)); f.slots[k.fixed+v] == nil {
			late = append(late, v)
		}
	}
	return late
}

// end notes that there will be no more iterations.
func (k *loop) end(c *core) {
	k.state = closed
	for p := stageWrites; p <= stageSent; p++ {
		k.checkPort(c, p)
	}
	k.checkPassed(c)
	k.check(c)
	k.decide(c)
}

func (k *loop) checkPort(c *core, s stage) {
	if k.state != opening && k.first[s] == nil {
		k.reach(c, nodes.Port(s))
	}
}

// checkPassed notes that no iteration can leave the loop any more, so that the last one is known to be the last.
func (k *loop) checkPassed(c *core) {
	if k.state == opening || k.stop != nil || k.first[stagePassed] != nil {
		return
	}
	c.pass(k.f, k.i)
	k.handOut(c)
}

// handOut gives the last iteration's carried variables to the node, as far as they are there and it is the last.
func (k *loop) handOut(c *core) {
	known := k.state != opening && k.stop == nil && (!k.kid().first.breaks || k.first[stagePassed] == nil)
	for v := int32(0); known && v < k.outs(); v++ {
		if k.last.final[v] != nil {
			c.put(k.f, k.info().slot+v, k.last.final[v])
		}
	}
}

func (k *loop) frameResult(c *core, f *frame, v int32, val value.Value) {
	if f.final[v] != nil {
		return
	}
	f.final[v] = val
	switch {
	case f.next != nil && f.next.slots[k.fixed+v] == nil:
		f.next.coming[v] = val
		c.queue.push(f.next, v, stepGive)
	case f == k.last:
		k.handOut(c)
	}
}

// give lets carried variable v arrive in f. It is a step of its own, so that a variable which many iterations only hand
// on takes no stack.
func (k *loop) give(c *core, f *frame, v int32) { c.put(f, k.fixed+v, f.coming[v]) }

func (k *loop) frameEnded(c *core, f *frame, how *completion) {
	k.open--
	c.queue.push(k.f, k.i, stepPump)
	if how != nil && !(how.mode == nodes.ExitContinue && k.catches(how)) {
		k.cut(c, f, how)
		return
	}
	if how != nil {
		for v := range k.carried {
			k.frameResult(c, f, v, valueAt(how.vals, v))
		}
	}
	c.reached(f, stagePassed)
	c.reached(f, stageEnded)
}

func valueAt(vals []value.Value, i int32) value.Value {
	if int(i) < len(vals) && vals[i] != nil {
		return vals[i]
	}
	return value.Undefined{}
}

// cut notes that f ends the loop early, if all before it have ended normally: what stands behind it is torn down.
func (k *loop) cut(c *core, f *frame, how *completion) {
	for g := f.next; g != nil; g = g.next {
		for s := range stages {
			if k.first[s] == g {
				k.first[s] = nil
			}
		}
		if g.live > 0 {
			k.disown(g)
		}
		if g.state == frameOpen {
			k.open--
		}
		c.dropFrame(g)
	}
	f.next, k.last = nil, f
	k.stop, k.how = f, how
	k.end(c)
}

// decide ends the node once its completion is known.
func (k *loop) decide(c *core) {
	switch {
	case k.state == opening || k.f.cells[k.i].state >= done:
	case k.stop == nil && k.first[stageEnded] == nil:
		k.handOut(c)
		c.done(k.f, k.i)
	case k.stop == nil || k.first[stageEnded] != k.stop:
	case k.catches(k.how):
		k.take(c, k.how.vals)
	default:
		c.stop(k.f, k.i, k.how)
	}
}

func (k *loop) frameReached(c *core, f *frame, s stage) {
	for k.first[s] != nil && k.first[s].has(s) {
		next := k.first[s].next
		k.first[s] = next
		if next != nil {
			k.allBefore(c, next, s)
		}
	}
	switch s {
	case stageWrites, stageSent:
		k.checkPort(c, s)
	case stagePassed:
		c.queue.push(k.f, k.i, stepPump)
		k.checkPassed(c)
	case stageEnded:
		c.queue.push(k.f, k.i, stepPump)
		k.decide(c)
	}
}

// allBefore tells f that all iterations before it have reached a stage.
func (k *loop) allBefore(c *core, f *frame, s stage) {
	switch {
	case s >= stagePassed:
		c.raise(f)
	case f.prev&(1<<s) == 0:
		f.prev |= 1 << s
		if f.b.prev >= 0 {
			c.fire(f, f.b.prev+int32(s))
		}
	}
}

func (k *loop) frameEntry(f *frame) entryState {
	switch {
	case k.behind(f, stageEnded):
		return entrySafe
	case k.behind(f, stagePassed):
		return entryPassed
	}
	return entryClosed
}

// behind reports whether all iterations before f have reached a stage.
func (k *loop) behind(f *frame, s stage) bool {
	return k.first[s] == nil || k.first[s].index >= f.index
}
