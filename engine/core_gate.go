package engine

import "github.com/casys-ai/pml/nodes"

// raise opens the gates of f, and of the frames inside, as far as what comes before it allows.
func (c *core) raise(f *frame) {
	e := c.entryOf(f)
	if f.state == frameDropped || e <= f.entry {
		return
	}
	f.entry = e
	c.openPassed(f)
	c.openSafe(f)
}

func (c *core) entryOf(f *frame) entryState {
	p := f.parent
	e := entryClosed
	switch {
	case p == nil:
		return entrySafe
	case p.entry == entrySafe && p.cur >= f.b.at:
		e = entrySafe
	case p.entry >= entryPassed && p.passedTo() >= f.b.at:
		e = entryPassed
	}
	return min(e, f.ctl.frameEntry(f))
}

// passedTo is the first node that may still exit.
func (f *frame) passedTo() int32 {
	if int(f.exitAt) < len(f.b.exits) {
		return f.b.exits[f.exitAt]
	}
	return int32(len(f.cells))
}

func (c *core) openSafe(f *frame) {
	if f.entry != entrySafe {
		return
	}
	for g := f.b.safeGates; int(f.safeAt) < len(g) && g[f.safeAt] <= f.cur; {
		f.safeAt++
		c.open(f, g[f.safeAt-1], nodes.GateSafe)
	}
}

func (c *core) openPassed(f *frame) {
	if f.entry < entryPassed {
		return
	}
	to := f.passedTo()
	for g := f.b.passedGates; int(f.passedAt) < len(g) && g[f.passedAt] <= to; {
		f.passedAt++
		c.open(f, g[f.passedAt-1], nodes.GatePassed)
	}
}

// open opens one gate of node i, and those of its frames.
func (c *core) open(f *frame, i int32, g nodes.Gate) {
	in := &f.b.info[i]
	if in.gate == g {
		c.bring(f, i)
	}
	if !isControl(in.kind) {
		return
	}
	if k := f.ctls[f.b.kid(i)]; k != nil {
		for kin := k.owner().frames; kin != nil; kin = kin.nextKin {
			c.raise(kin)
		}
	}
}
