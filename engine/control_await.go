package engine

import (
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// joiner is the execution of an await node (ECMAScript §27.2.4).
type joiner struct {
	base
	missing int
}

func (k *joiner) begin(c *core) {
	ins := k.ins()
	k.missing = len(ins)
	for i, s := range ins {
		if k.over() {
			return
		}
		if v := k.f.get(s); v != nil {
			k.settled(c, int32(i), v)
			continue
		}
		from, event := k.f.at(s)
		c.wait(from, event, waiter{f: k.f, what: k.i, arg: int32(i)})
	}
	if len(ins) == 0 {
		k.complete(c)
	}
}

// over reports whether the node has ended.
func (k *joiner) over() bool { return k.f.cells[k.i].state != running }

// settled takes note that input i has settled as v.
func (k *joiner) settled(c *core, i int32, v value.Value) {
	k.missing--
	r, rejected := v.(*rejection)
	mode := k.node().Await
	switch {
	case rejected && mode != nodes.AwaitAllSettled && mode != nodes.AwaitAny:
		c.stop(k.f, k.i, r.how)
	case mode == nodes.AwaitRace || mode == nodes.AwaitAny && !rejected:
		c.succeed(k.f, k.i, []value.Value{v})
	case k.missing == 0:
		k.complete(c)
	}
}

// complete ends the node when all inputs have settled.
func (k *joiner) complete(c *core) {
	switch k.node().Await {
	case nodes.AwaitRace: // of nothing: it never settles
	case nodes.AwaitAny:
		c.throw(k.f, k.i, k.allRejected())
	case nodes.AwaitAll:
		c.succeed(k.f, k.i, []value.Value{k.gather(func(v value.Value) value.Value { return v })})
	case nodes.AwaitAllSettled:
		c.succeed(k.f, k.i, []value.Value{k.gather(outcome)})
	default:
		c.succeed(k.f, k.i, []value.Value{k.in(0)})
	}
}

// gather makes an array of what of gives for each input.
func (k *joiner) gather(of func(value.Value) value.Value) *value.Array {
	ins := k.ins()
	elems := make([]value.Value, len(ins))
	for i, s := range ins {
		elems[i] = of(k.f.get(s))
	}
	return value.NewArray(elems...)
}

func outcome(v value.Value) value.Value {
	if r, ok := v.(*rejection); ok {
		return settledAs("rejected", "reason", r.how.vals[0])
	}
	return settledAs("fulfilled", "value", v)
}

// allRejected is what Promise.any throws (ECMAScript §27.2.4.3).
func (k *joiner) allRejected() *value.Error {
	e := value.NewError("AggregateError", "All promises were rejected")
	e.Props = value.NewObject(1)
	e.Props.Set("errors", k.gather(func(v value.Value) value.Value {
		if r, ok := v.(*rejection); ok {
			return r.how.vals[0]
		}
		return v
	}))
	return e
}

func (k *joiner) frameEnded(*core, *frame, *completion) {}
func (k *joiner) frameReached(*core, *frame, stage)     {}
