package expr

import (
	"context"
	"fmt"
	"sync"

	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/value"
)

// The budget of one Run.
const (
	maxMemory = 512 << 20 // bytes allocated in all, roughly
	maxDepth  = 10_000    // nested calls, about what Node's stack holds
	pollEvery = 4096      // steps between two looks at the context
	maxLength = 1<<29 - 24
)

// maxSteps is how many steps a Run may take: some twenty seconds of them, so that it is the time of the whole run that
// ends a computation which does not end, as it ends one in a script.
var maxSteps = 2_000_000_000

// machine is the state of one Run.
type machine struct {
	ctx    context.Context
	pos    *ast.Pos
	steps  int // left until the next poll
	polls  int // left
	memory int // left
	depth  int
	stack  []value.Value
	sp     int
	frames []*frame
	buf    []byte    // what the last long concatenation wrote, see concat
	text   textCache // see text
	nested int       // see within
	holes  bool      // an array got a hole
	// joining are the arrays that join is at work on.
	joining []*value.Array
	matches map[*value.Array]*matchInfo
	// origin maps copies of inputs to what they were made of: for the program both are the same object.
	origin map[value.Value]value.Value
}

// frame is one call of a function, or the piece itself.
type frame struct {
	m     *machine
	slots []value.Value
	cells []*cell
	free  []*cell
	// label is where a break or continue under way goes, ret what a return returns.
	label int
	ret   value.Value
}

// cell holds a variable that a function captured.
type cell struct {
	v value.Value
}

// machines are those that have ended a Run and are ready for another.
var machines = sync.Pool{New: func() any { return &machine{stack: make([]value.Value, 16)} }}

func newMachine(ctx context.Context) *machine {
	m := machines.Get().(*machine)
	m.ctx, m.steps, m.polls, m.memory = ctx, pollEvery, maxSteps/pollEvery, maxMemory
	return m
}

// small bounds what a machine that is not at work keeps: values on its stack, frames.
const small = 64

// reuse gives m back after a Run that ended well. It keeps its stack and frames, but none of the values in them.
func (m *machine) reuse() {
	if len(m.stack) > small || len(m.frames) > small {
		return
	}
	clear(m.stack)
	for _, fr := range m.frames {
		clear(fr.cells[:cap(fr.cells)])
		fr.slots, fr.free, fr.ret = nil, nil, nil
	}
	*m = machine{stack: m.stack, frames: m.frames}
	machines.Put(m)
}

func (m *machine) position() ast.Pos {
	if m.pos == nil {
		return ast.Pos{}
	}
	return *m.pos
}

// step counts one step.
func (m *machine) step() {
	if m.steps--; m.steps < 0 {
		m.poll()
	}
}

// work counts n steps.
func (m *machine) work(n int) {
	if m.steps -= n; m.steps < 0 {
		m.poll()
	}
}

func (m *machine) poll() {
	m.polls -= 1 + -m.steps/pollEvery
	m.steps = pollEvery
	if m.polls < 0 {
		panic(fatal{&Limit{fmt.Sprintf("the computation took more than %d million steps", maxSteps/1_000_000)}})
	}
	if err := m.ctx.Err(); err != nil {
		panic(fatal{err})
	}
}

// alloc counts n bytes.
func (m *machine) alloc(n int) {
	if m.memory -= n; m.memory < 0 {
		panic(fatal{&Limit{"the computation used more than 512 MB of memory"}})
	}
}

// maxNested bounds recursions over values, so that they cannot exhaust Go's stack.
const maxNested = 100_000

// within counts one more level of a recursion over a value; the caller takes it back with m.nested--.
func (m *machine) within() {
	if m.nested++; m.nested > maxNested {
		m.nested = 0
		m.unsupported("a value nested this deeply")
	}
}

// grab takes n values from the stack. They must be given back with release in reverse order; an exception gives back
// all down to the try statement that catches it.
func (m *machine) grab(n int) []value.Value {
	base := m.sp
	m.sp += n
	if m.sp > len(m.stack) {
		m.stack = make([]value.Value, 2*m.sp)
	}
	return m.stack[base:m.sp:m.sp]
}

func (m *machine) release(n int) { m.sp -= n }

// enter makes the frame of a call of code.
func (m *machine) enter(code *funcCode, free []*cell) *frame {
	m.depth++
	if m.depth > maxDepth {
		m.depth = maxDepth
		m.rangeError("Maximum call stack size exceeded")
	}
	for m.depth >= len(m.frames) {
		m.frames = append(m.frames, &frame{m: m})
	}
	fr := m.frames[m.depth]
	fr.slots = m.grab(code.slots)
	fr.free = free
	fr.ret = nil
	if n := code.cells; n > cap(fr.cells) {
		fr.cells = make([]*cell, n)
	} else {
		fr.cells = fr.cells[:n]
	}
	for _, v := range code.vars {
		v.init(fr, value.Undefined{})
	}
	return fr
}

func (m *machine) leave(code *funcCode) {
	m.depth--
	m.release(code.slots)
}

// call calls f. args is not kept.
func (m *machine) call(f *function, this value.Value, args []value.Value) value.Value {
	if f.native != nil {
		m.step()
		return f.native(m, this, args)
	}
	m.step()
	pos := m.pos
	fr := m.enter(f.code, f.free)
	f.code.bind(fr, f, args)
	result := f.code.run(fr)
	m.leave(f.code)
	m.pos = pos
	return result
}
