package engine

import (
	"fmt"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// program owns the root frame.
type program struct{ base }

func (p *program) begin(*core)                                   {}
func (p *program) frameReached(*core, *frame, stage)             {}
func (p *program) frameResult(*core, *frame, int32, value.Value) {}
func (p *program) owner() *base                                  { return &p.base }

// frameEnded ends the program; what it left running goes on.
func (p *program) frameEnded(c *core, _ *frame, how *completion) {
	if c.state == broken {
		return
	}
	c.state = settled
	switch {
	case how == nil:
	case catches(nil, exit{how.mode, how.target}):
		if len(how.vals) > 0 && how.vals[0] != nil {
			c.result = how.vals[0]
		}
	case how.mode == nodes.ExitThrow:
		c.failure = uncaught(how.vals[0], c.thrownAt(how))
	default:
		msg := fmt.Sprintf("%s of node %d left the program", how.mode, how.target)
		c.failure = &Failure{Code: nodes.InternalError, Message: msg}
	}
}

// branch runs one of two blocks.
type branch struct{ base }

func (k *branch) begin(c *core) {
	b := k.kid().first
	if !value.ToBoolean(k.in(0)) {
		b = k.kid().second
	}
	f := k.adopt(c, b, k, -1, handNow)
	k.close(c)
	c.begin(f)
}

func (k *branch) frameEnded(c *core, _ *frame, how *completion) {
	if how != nil {
		c.stop(k.f, k.i, how)
		return
	}
	c.done(k.f, k.i)
}

func (k *branch) frameReached(c *core, _ *frame, s stage) { k.mirror(c, s) }

// mirror is frameReached for a node whose only frame decides everything.
func (k *base) mirror(c *core, s stage) {
	switch s {
	case stageWrites, stageSent:
		if s == stageWrites || k.info().flags&isAsync == 0 {
			k.reach(c, nodes.Port(s))
		}
	case stagePassed:
		c.pass(k.f, k.i)
	}
}

// scope runs a block that exits can leave.
type scope struct{ base }

func (k *scope) begin(c *core) {
	hand := handNow
	switch b := k.kid().first; {
	case k.info().flags&isAsync != 0:
		hand = handEnded
	case b.targeted:
		hand = handDecided
	}
	f := k.adopt(c, k.kid().first, k, -1, hand)
	k.close(c)
	c.begin(f)
}

func (k *scope) frameEnded(c *core, _ *frame, how *completion) {
	switch {
	case how == nil:
		c.done(k.f, k.i)
	case k.catches(how):
		k.take(c, how.vals)
	default:
		c.stop(k.f, k.i, how)
	}
}

func (k *scope) frameReached(c *core, _ *frame, s stage) { k.mirror(c, s) }

// try runs a block, and another if the first throws.
type try struct {
	base
	body, handler *frame
}

func (k *try) begin(c *core) {
	k.body = k.adopt(c, k.kid().first, k, -1, handEnded)
	c.begin(k.body)
}

func (k *try) frameEnded(c *core, f *frame, how *completion) {
	caught := how != nil && how.mode == nodes.ExitThrow && f == k.body
	if caught {
		k.handle(c, how)
		return
	}
	k.close(c)
	if how != nil {
		c.stop(k.f, k.i, how)
		return
	}
	c.done(k.f, k.i)
}

// handle enters the handler.
func (k *try) handle(c *core, how *completion) {
	h := k.adopt(c, k.kid().second, k, -1, handNow)
	k.handler = h
	k.close(c)
	params := int32(len(h.b.src.Params))
	if params > 0 {
		h.slots[0] = how.vals[0]
	}
	var late []version
	for p := int32(1); p < params; p++ {
		v := k.versionAt(p-1, k.body.abrupt)
		if h.slots[p] = k.body.get(v.ref); h.slots[p] == nil {
			late = append(late, version{p, v.ref})
		}
	}
	c.begin(h)
	for _, v := range late {
		c.feed(k.body, v.ref, h, v.from)
	}
}

// versionAt is the version of saved variable p that is seen when node i of the body throws.
func (k *try) versionAt(p, i int32) version {
	versions := k.kid().saved[p]
	v := versions[0]
	for _, x := range versions {
		if x.from <= i {
			v = x
		}
	}
	return v
}

func (k *try) frameReached(c *core, f *frame, s stage) {
	h := k.kid().second
	switch s {
	case stageWrites, stageSent:
		bodyOnly := f == k.body && h.count[s] == 0
		both := k.handler != nil && k.handler.has(s) && k.body.has(s)
		if bodyOnly || both {
			k.reach(c, nodes.Port(s))
		}
	case stagePassed:
		if f != k.body || h.skips == 0 {
			c.pass(k.f, k.i)
		}
	}
}
