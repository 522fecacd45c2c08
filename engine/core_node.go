package engine

import (
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// succeed ends a leaf or await node normally with its outputs.
func (c *core) succeed(f *frame, i int32, out []value.Value) {
	from, to := f.b.info[i].slot, f.b.info[i+1].slot
	for s := from; s < to; s++ {
		var v value.Value
		if int(s-from) < len(out) {
			v = out[s-from]
		}
		c.put(f, s, v)
	}
	was := f.cells[i].state
	c.done(f, i)
	c.leafPorts(f, i, was)
}

// done ends a node normally.
func (c *core) done(f *frame, i int32) {
	f.cells[i].state = done
	c.countNode(f, i)
}

// countNode lets later nodes know that the place of node i is behind us.
func (c *core) countNode(f *frame, i int32) {
	if f.cells[i].flags&counted != 0 {
		return
	}
	f.cells[i].flags |= counted
	c.pass(f, i)
	if f.cur == i {
		c.settle(f)
	}
}

// pass lets others know that node i does not exit.
func (c *core) pass(f *frame, i int32) {
	in, cell := &f.b.info[i], &f.cells[i]
	if in.flags&mayExit == 0 || cell.flags&passed != 0 {
		return
	}
	cell.flags |= passed
	exits := f.b.exits
	for int(f.exitAt) < len(exits) && f.cells[exits[f.exitAt]].flags&passed != 0 {
		f.exitAt++
	}
	c.openPassed(f)
	if in.flags&maySkip != 0 {
		if f.skips--; f.skips == 0 {
			c.reached(f, stagePassed)
		}
	}
	if int(f.exitAt) == len(exits) && f.hand == handDecided && f.abrupt < 0 && f.state == frameOpen {
		c.forward(f)
	}
}

// stop ends node i abruptly. An Async node keeps its exception for those who await it; for any other, what stands
// behind it is torn down, and the frame ends once everything before it has completed normally.
func (c *core) stop(f *frame, i int32, how *completion) {
	if f.b.info[i].flags&isAsync != 0 {
		c.reject(f, i, how)
		return
	}
	was := f.cells[i].state
	f.cells[i].state = abrupt
	until := int32(len(f.cells))
	if f.abrupt >= 0 {
		until = f.abrupt + 1
	}
	f.abrupt, f.how = i, how
	for j := i + 1; j < until; j++ {
		c.drop(f, j)
	}
	if !how.explicit {
		c.pass(f, i)
	}
	c.settle(f)
	c.leafPorts(f, i, was)
}

// reject ends an Async node with an exception.
func (c *core) reject(f *frame, i int32, how *completion) {
	was := f.cells[i].state
	f.cells[i].state = done
	for s := f.b.info[i].slot; s < f.b.info[i+1].slot; s++ {
		c.put(f, s, &rejection{how})
	}
	c.countNode(f, i)
	c.leafPorts(f, i, was)
}

// left notes that the request of a leaf node has left.
func (c *core) left(f *frame, i int32) {
	if f.cells[i].state != running {
		return
	}
	f.cells[i].state = sent
	in := &f.b.info[i]
	if in.flags&tellSent == 0 {
		return
	}
	if in.flags&hasPorts != 0 {
		c.reach(f, i, nodes.PortSent)
	}
	if in.flags&isAsync != 0 {
		c.countNode(f, i)
	}
	for g := f; g.b.under && g.parent != nil; g = g.parent {
		c.firstSent(g.parent, g.b.at)
	}
}

// firstSent notes that the first request of something inside the Async control node i has left.
func (c *core) firstSent(f *frame, i int32) {
	if in := &f.b.info[i]; in.flags&isAsync == 0 || f.cells[i].state != running {
		return
	}
	f.cells[i].state = sent
	f.ctls[f.b.kid(i)].owner().reach(c, nodes.PortSent)
	c.countNode(f, i)
}

// leafPorts tells those who wait for node i, which is no control node, that it has ended.
func (c *core) leafPorts(f *frame, i int32, was nodeState) {
	in := &f.b.info[i]
	if in.flags&hasPorts == 0 || isControl(in.kind) || was > sent {
		return
	}
	if was < sent && in.flags&hasTasks != 0 {
		c.reach(f, i, nodes.PortSent)
	}
	if in.flags&hasWrites != 0 {
		c.reach(f, i, nodes.PortWrites)
	}
	c.reach(f, i, nodes.PortDone)
}

// reach tells those who wait for it that node i has reached a port. It is called once for each.
func (c *core) reach(f *frame, i int32, p nodes.Port) {
	if port := f.b.port(i); port >= 0 {
		c.fire(f, port+int32(p))
	}
	if f.b.track&(1<<p) != 0 && f.b.info[i].waits(p) {
		if f.left[p]--; f.left[p] == 0 {
			c.reached(f, stage(p))
		}
	}
}

// isAt reports whether node i has reached port p.
func (f *frame) isAt(i int32, p nodes.Port) bool {
	in, s := &f.b.info[i], f.cells[i].state
	if s == dropped || p == nodes.PortSent && s == sent {
		return true
	}
	if isControl(in.kind) {
		k := f.ctls[f.b.kid(i)]
		return k != nil && k.owner().ports&(1<<p) != 0
	}
	return s >= done
}

// drop tears down node i: it never happened.
func (c *core) drop(f *frame, i int32) {
	in, was := &f.b.info[i], f.cells[i].state
	if was == dropped {
		return
	}
	f.cells[i].state = dropped
	switch {
	case isControl(in.kind):
		c.dropControl(f, i)
	case was == running || was == sent:
		if isLeafTask(in.kind) {
			c.cancelTask(f, i)
			c.release(f)
		}
	}
	c.leafPorts(f, i, was)
	c.pass(f, i)
}

func (c *core) dropControl(f *frame, i int32) {
	k := f.ctls[f.b.kid(i)]
	if k == nil {
		if f.b.info[i].flags&hasPorts != 0 {
			(&base{f: f, i: i}).reachAll(c)
		}
		return
	}
	o := k.owner()
	alive := o.state != quiet
	o.state = quiet
	for kin := o.frames; kin != nil; kin = kin.nextKin {
		c.dropFrame(kin)
	}
	o.reachAll(c)
	if alive {
		c.release(f)
	}
}

// dropFrame tears down a frame and everything in it. Nobody is told.
func (c *core) dropFrame(f *frame) {
	f.state = frameDropped
	for t := f.tasks; t != nil; t = t.next {
		c.cancel(t)
	}
	f.tasks = nil
	for _, k := range f.ctls {
		if k == nil {
			continue
		}
		for kin := k.owner().frames; kin != nil; kin = kin.nextKin {
			c.dropFrame(kin)
		}
	}
}
