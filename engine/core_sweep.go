package engine

import "github.com/casys-ai/pml/nodes/value"

// sweepLength is how many nodes are swept in a row: what that makes ready then has its turn.
const sweepLength = 128

// sweep looks once at the swept nodes of f, in program order, and at no more than budget of them; it returns how many.
// It evaluates those whose inputs are there. The others count down from then on, like all other nodes, what they miss.
//
// Program order is an order in which pure code can always run, so most expr nodes never need a counter, a place in the
// queue or a look at who waits for them: those that are swept come later, and will look for themselves.
func (c *core) sweep(f *frame, budget int) (did int) {
	b, cells, slots, runner := f.b, f.cells, f.slots, c.runner
	infos, tells := b.info, b.tells
	c.current.f = f
	i := f.swept
	for ; did < budget && int(i) < len(cells); i++ {
		if cells[i].state != ahead {
			continue
		}
		did++
		in := infos[i : i+2 : i+2]
		var args []value.Value
		var missing int32
		if ins := b.ins[in[0].in:in[1].in]; len(ins) == 1 && ins[0] >= 0 { // most nodes
			if args = slots[ins[0]:][:1:1]; args[0] == nil {
				missing = 1
			}
		} else {
			args, missing = c.look(f, ins)
		}
		if missing > 0 {
			c.park(f, i, missing)
			continue
		}
		c.current.i = i
		out, err := runner.Eval(int(in[0].id), args)
		slot := in[0].slot
		if err != nil || len(out) != 1 || out[0] == nil || slot+1 != in[1].slot {
			c.evaluated(f, i, out, err)
		} else {
			slots[slot] = out[0]
			cells[i] = cell{state: done, flags: counted}
			if f.cur == i {
				f.cur++
			}
			if !tells[slot] && f.heads == nil {
				continue
			}
			c.spread(f, slot)
		}
		if f.state == frameDropped || c.state == broken {
			break
		}
	}
	c.worked += did
	if f.swept = i; f.state == frameDropped || c.state == broken {
		return did
	}
	if int(i) < len(cells) {
		c.queue.push(f, 0, stepSweep)
	}
	c.settle(f)
	return did
}

// look gives the values of a node's inputs side by side, until the next call, and counts those that are not there.
func (c *core) look(f *frame, ins []source) (args []value.Value, missing int32) {
	args = c.arguments(f, ins)
	for _, v := range args {
		if v == nil {
			missing++
		}
	}
	return args, missing
}

// park makes node i, which has been swept, wait for the inputs that are missing.
func (c *core) park(f *frame, i, missing int32) {
	f.cells[i].state, f.cells[i].pend = waiting, missing
	for _, s := range f.b.inputsOf(i) {
		if s >= 0 {
			continue
		}
		if to, event := f.at(s); to.slots[event] == nil {
			c.wait(to, event, waiter{f: f, what: i, arg: -1})
		}
	}
}
