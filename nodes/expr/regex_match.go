package expr

// matcher runs a program over one subject: bytes of an ASCII string or UTF-16 code units.
type matcher[T byte | uint16] struct {
	m    *machine
	prog *regexProg
	in   []T
	regs []int
	// stack holds choices still open and registers to put back; see point.
	stack []point
}

// point is an entry of the backtracking stack.
type point struct {
	// pc is where to go on, or for a register to put back -1-register.
	pc int
	// at is the position, or the register's old value; a loop may go on from at, at less one …, least.
	at, least int
}

// maxChoices bounds the backtracking stack.
const maxChoices = 8 << 20

// match tries to match at position at; the captures are then in regs.
func (t *matcher[T]) match(at int) bool {
	for i := range t.regs {
		t.regs[i] = -1
	}
	t.stack = t.stack[:0]
	end, ok := t.run(0, at)
	if ok {
		t.regs[0], t.regs[1] = at, end
	}
	return ok
}

// char reads the character on one side of at, and where it ends.
func (t *matcher[T]) char(at int, behind bool) (c rune, next int) {
	if behind {
		if at == 0 {
			return -1, 0
		}
		c, next = rune(t.in[at-1]), at-1
		if t.prog.unicode && c >= 0xDC00 && c < 0xE000 && next > 0 {
			if h := rune(t.in[next-1]); h >= 0xD800 && h < 0xDC00 {
				return (h-0xD800)<<10 + c - 0xDC00 + 0x10000, next - 1
			}
		}
		return c, next
	}
	if at >= len(t.in) {
		return -1, at
	}
	c, next = rune(t.in[at]), at+1
	if t.prog.unicode && c >= 0xD800 && c < 0xDC00 && next < len(t.in) {
		if l := rune(t.in[next]); l >= 0xDC00 && l < 0xE000 {
			return (c-0xD800)<<10 + l - 0xDC00 + 0x10000, next + 1
		}
	}
	return c, next
}

func (t *matcher[T]) push(p point) {
	if len(t.stack) >= maxChoices {
		panic(fatal{&Limit{"a regular expression needs too much backtracking"}})
	}
	t.stack = append(t.stack, p)
}

func (t *matcher[T]) setReg(r, v int) {
	t.push(point{pc: -1 - r, at: t.regs[r]})
	t.regs[r] = v
}

// back undoes to the last open choice above base; false if there is none.
func (t *matcher[T]) back(base int) (pc, at int, ok bool) {
	for len(t.stack) > base {
		top := &t.stack[len(t.stack)-1]
		if top.pc < 0 {
			t.regs[-1-top.pc] = top.at
			t.stack = t.stack[:len(t.stack)-1]
			continue
		}
		pc, at = top.pc, top.at
		if top.least >= 0 && at > top.least {
			_, top.at = t.char(at, true)
			if top.at < top.least {
				top.at = top.least
			}
			return pc, at, true
		}
		t.stack = t.stack[:len(t.stack)-1]
		return pc, at, true
	}
	return 0, 0, false
}

// run executes from pc at position at until opMatch.
func (t *matcher[T]) run(pc, at int) (end int, ok bool) {
	base := len(t.stack)
	for {
		t.m.step()
		in := &t.prog.code[pc]
		ok := true
		switch in.op {
		case opMatch:
			return at, true
		case opChar:
			c, next := t.char(at, in.behind)
			ok, at = c == in.c, next
		case opSet:
			c, next := t.char(at, in.behind)
			ok, at = c >= 0 && in.set.has(c), next
		case opSplit:
			t.push(point{pc: in.y, at: at, least: -1})
			pc = in.x
			continue
		case opJump:
			pc = in.x
			continue
		case opSave:
			t.setReg(in.x, at)
		case opReset:
			for r := 2 * in.x; r <= 2*in.y+1; r++ {
				if t.regs[r] != -1 {
					t.setReg(r, -1)
				}
			}
		case opFail:
			ok = t.regs[in.x] != at
		case opLoop:
			at, ok = t.loop(in, pc, at)
		case opBack:
			at, ok = t.backReference(in, at)
		case opLook:
			if ok = t.look(in, pc, at); ok {
				pc = in.x
				continue
			}
		default:
			ok = t.assertion(in.op, at)
		}
		if ok {
			pc++
			continue
		}
		if pc, at, ok = t.back(base); !ok {
			return 0, false
		}
	}
}

// loop matches a set as often as it can and leaves the shorter ways open.
func (t *matcher[T]) loop(in *rInst, pc, at int) (int, bool) {
	n, least := 0, at
	for in.y < 0 || n < in.y {
		c, next := t.char(at, in.behind)
		if c < 0 || !in.set.has(c) {
			break
		}
		at = next
		if n++; n == in.x {
			least = at
		}
	}
	t.m.work(n / 4)
	if n < in.x {
		return at, false
	}
	if n == in.x {
		return at, true
	}
	if !in.behind {
		_, shorter := t.char(at, true)
		t.push(point{pc: pc + 1, at: shorter, least: least})
		return at, true
	}
	// To the left the ways are pushed one by one, shortest first.
	p := least
	for p != at {
		t.push(point{pc: pc + 1, at: p, least: -1})
		_, p = t.char(p, true)
	}
	return at, true
}

func (t *matcher[T]) backReference(in *rInst, at int) (int, bool) {
	from, to := t.regs[2*in.x], t.regs[2*in.x+1]
	if from < 0 || to < 0 {
		return at, true
	}
	n := to - from
	t.m.work(n / 8)
	if in.behind {
		if at < n {
			return at, false
		}
		at -= n
	} else if at+n > len(t.in) {
		return at, false
	}
	for i := 0; i < n; i++ {
		if t.in[at+i] != t.in[from+i] {
			return at, false
		}
	}
	if in.behind {
		return at, true
	}
	return at + n, true
}

// look runs a lookaround: what it captured stays, its choices do not.
func (t *matcher[T]) look(in *rInst, pc, at int) bool {
	base := len(t.stack)
	_, ok := t.run(pc+1, at)
	if !ok {
		return in.negative
	}
	if in.negative {
		for len(t.stack) > base {
			if top := t.stack[len(t.stack)-1]; top.pc < 0 {
				t.regs[-1-top.pc] = top.at
			}
			t.stack = t.stack[:len(t.stack)-1]
		}
		return false
	}
	kept := t.stack[:base]
	for _, p := range t.stack[base:] {
		if p.pc < 0 {
			kept = append(kept, p)
		}
	}
	t.stack = kept
	return true
}

func isLineEnd[T byte | uint16](c T) bool {
	return c == '\n' || c == '\r' || uint16(c) == 0x2028 || uint16(c) == 0x2029
}

func isWord[T byte | uint16](c T) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

func (t *matcher[T]) assertion(op rOp, at int) bool {
	switch op {
	case opBegin:
		return at == 0 || t.prog.multiline && isLineEnd(t.in[at-1])
	case opEnd:
		return at == len(t.in) || t.prog.multiline && isLineEnd(t.in[at])
	}
	before := at > 0 && isWord(t.in[at-1])
	after := at < len(t.in) && isWord(t.in[at])
	return (before != after) == (op == opWord)
}

// find matches at the first position from at on, or only there if it must stick.
func (t *matcher[T]) find(at int, stick bool) bool {
	for ; at <= len(t.in); at++ {
		if f := t.prog.first; f != nil && !stick {
			for at < len(t.in) && !f.has(t.startChar(at)) {
				t.m.step()
				at++
			}
			if at == len(t.in) {
				return false
			}
		}
		if t.match(at) {
			return true
		}
		if stick {
			return false
		}
		if t.prog.unicode {
			if _, next := t.char(at, false); next == at+2 {
				at++
			}
		}
	}
	return false
}

func (t *matcher[T]) startChar(at int) rune {
	c, _ := t.char(at, false)
	return c
}
