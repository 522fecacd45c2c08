package engine

import (
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// mapper runs a block once per item, all at once.
type mapper struct {
	base
	items   []value.Value
	vals    []value.Value
	missing int   // items without a value
	created int32 // items entered
	ended   int32 // items that have ended
	reaches [stages]int32
	failed  bool // an item has failed: the node has ended without the others
}

func (k *mapper) begin(c *core) {
	items, ok := value.Force(k.in(0)).(*value.Array)
	if !ok {
		k.close(c)
		c.throw(k.f, k.i, notIterable(k.in(0)))
		return
	}
	k.items = items.Elems
	k.missing = len(k.items)
	k.vals = make([]value.Value, len(k.items))
	if len(k.items) == 0 {
		k.close(c)
		k.handOut(c)
		c.done(k.f, k.i)
		return
	}
	c.queue.push(k.f, k.i, stepPump)
}

func (k *mapper) total() int32 { return int32(len(k.items)) }

func (k *mapper) pump(c *core) {
	for k.created < k.total() && k.created-k.ended < c.window {
		k.enter(c)
	}
	if k.created == k.total() {
		k.close(c)
	}
}

func (k *mapper) enter(c *core) {
	b, hand := k.kid().first, handNow
	switch {
	case k.settles():
		hand = handEnded
	case b.targeted:
		hand = handDecided
	}
	f := k.adopt(c, b, k, k.created, hand)
	f.slots[0], f.slots[1] = item(k.items, k.created), value.Number(k.created)
	k.created++
	c.begin(f)
}

// settles says that what counts is how an item ends, not when its value is there.
func (k *mapper) settles() bool {
	return k.node().Map.Settled || k.info().flags&isAsync != 0
}

func item(items []value.Value, i int32) value.Value {
	if items[i] == nil {
		return value.Undefined{}
	}
	return items[i]
}

func (k *mapper) frameResult(c *core, f *frame, v int32, val value.Value) {
	if v == 0 {
		k.give(c, f, val)
	}
}

// give sets the value of an item that has not failed.
func (k *mapper) give(c *core, f *frame, v value.Value) {
	if k.node().Map.Settled {
		v = settledAs("fulfilled", "value", v)
	}
	k.set(c, f, v)
}

func (k *mapper) set(c *core, f *frame, v value.Value) {
	if k.vals[f.index] == nil {
		k.vals[f.index] = v
		k.missing--
		k.handOut(c)
	}
}

// handOut gives the node its output when all items have values.
func (k *mapper) handOut(c *core) {
	in := k.info()
	early := in.flags&isAsync != 0 && k.ended < k.total()
	if k.missing == 0 && !k.failed && !early && in.slot < k.f.b.info[k.i+1].slot {
		c.put(k.f, in.slot, value.NewArray(k.vals...))
	}
}

func (k *mapper) frameEnded(c *core, f *frame, how *completion) {
	k.ended++
	c.queue.push(k.f, k.i, stepPump)
	switch {
	case how == nil && len(f.b.results) == 0:
		k.give(c, f, value.Undefined{})
	case how == nil:
	case k.catches(how):
		k.give(c, f, valueAt(how.vals, 0))
	case how.mode == nodes.ExitThrow && k.node().Map.Settled:
		k.set(c, f, settledAs("rejected", "reason", how.vals[0]))
	case !k.failed:
		k.failed = true
		c.stop(k.f, k.i, how)
	}
	c.reached(f, stagePassed)
	if k.ended == k.total() && !k.failed {
		k.handOut(c)
		c.done(k.f, k.i)
	}
}

func (k *mapper) frameReached(c *core, _ *frame, s stage) {
	if k.reaches[s]++; k.reaches[s] < k.total() {
		return
	}
	switch s {
	case stageWrites, stageSent:
		if s == stageWrites || k.info().flags&isAsync == 0 {
			k.reach(c, nodes.Port(s))
		}
	case stagePassed:
		if !k.failed {
			c.pass(k.f, k.i)
		}
	}
}

// settledAs is one element of what Promise.allSettled gives (ECMAScript §27.2.4.2.2).
func settledAs(status, key string, v value.Value) value.Value {
	o := value.NewObject(2)
	o.Set("status", value.String(status))
	o.Set(key, v)
	return o
}

// elements lists what for-of visits in an array or a string; nil is a hole.
func elements(v value.Value) ([]value.Value, bool) {
	switch v := value.Force(v).(type) {
	case *value.Array:
		return v.Elems, true
	case value.String:
		var elems []value.Value
		for p := range value.CodePoints(string(v)) {
			elems = append(elems, value.String(p))
		}
		return elems, true
	}
	return nil, false
}

// notIterable is what V8 throws for a for-of over v.
func notIterable(v value.Value) *value.Error {
	return value.NewError("TypeError", value.Inspect(value.Force(v))+" is not iterable")
}
