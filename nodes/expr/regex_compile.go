package expr

import "strings"

// rOp is an instruction of the matcher.
type rOp uint8

const (
	opMatch rOp = iota
	opChar      // the character c
	opSet       // a character of set
	opSplit     // try x, then y
	opJump      // to x
	opSave      // position to register x
	opReset     // captures x..y to none
	opFail      // if register x is the position: an empty iteration
	opBegin
	opEnd
	opWord
	opNotWord
	opBack // capture x again
	opLook // the program from pc+1 to x-1, then x
	opLoop // set as often as possible, at least x and at most y times
)

type rInst struct {
	op   rOp
	x, y int
	c    rune
	set  *charSet
	// behind says that it moves to the left; negative is for opLook.
	behind, negative bool
}

// regexProg is a compiled regular expression.
type regexProg struct {
	source, flags string
	code          []rInst
	groups        int      // with group 0
	names         []string // by group
	registers     int      // captures (two each) and marks
	unicode       bool
	multiline     bool
	global        bool
	sticky        bool
	// first is what a match can begin with; nil if that is not known.
	first *charSet
}

// maxProgram bounds the size to which counted quantifiers are unrolled.
const maxProgram = 20000

// compileRegex reads and compiles a pattern.
func compileRegex(pattern, flags string) (*regexProg, error) {
	node, p, err := parseRegex(pattern, flags)
	if err != nil {
		return nil, err
	}
	c := &rCompiler{prog: &regexProg{
		source: pattern, flags: sortFlags(flags), groups: p.groups + 1, names: p.names, unicode: p.unicode,
		multiline: strings.Contains(flags, "m"), global: strings.Contains(flags, "g"),
		sticky: strings.Contains(flags, "y"), registers: 2 * (p.groups + 1),
	}}
	c.node(node, false)
	c.emit(rInst{op: opMatch})
	if c.tooBig {
		return nil, errRegex
	}
	if set, empty := firstOf(node); !empty && set != nil {
		set.finish()
		c.prog.first = set
	}
	if pattern == "" {
		c.prog.source = "(?:)"
	}
	if strings.ContainsAny(pattern, "\n\r") {
		return nil, errRegex
	}
	return c.prog, nil
}

func sortFlags(flags string) string {
	out := ""
	for _, f := range "gimsuy" {
		if strings.ContainsRune(flags, f) {
			out += string(f)
		}
	}
	return out
}

type rCompiler struct {
	prog   *regexProg
	tooBig bool
}

func (c *rCompiler) emit(i rInst) int {
	if len(c.prog.code) >= maxProgram {
		c.tooBig = true
		return 0
	}
	c.prog.code = append(c.prog.code, i)
	return len(c.prog.code) - 1
}

func (c *rCompiler) node(n *rNode, behind bool) {
	if c.tooBig {
		return
	}
	switch n.kind {
	case rChar:
		c.emit(rInst{op: opChar, c: n.char, behind: behind})
	case rSet:
		c.emit(rInst{op: opSet, set: n.set, behind: behind})
	case rSeq:
		for i := range n.subs {
			if behind {
				i = len(n.subs) - 1 - i
			}
			c.node(n.subs[i], behind)
		}
	case rAlt:
		c.alternatives(n, behind)
	case rGroup:
		open, end := 2*n.group, 2*n.group+1
		if behind {
			open, end = end, open
		}
		c.emit(rInst{op: opSave, x: open})
		c.node(n.subs[0], behind)
		c.emit(rInst{op: opSave, x: end})
	case rQuant:
		c.quantifier(n, behind)
	case rBegin:
		c.emit(rInst{op: opBegin})
	case rEnd:
		c.emit(rInst{op: opEnd})
	case rWord:
		c.emit(rInst{op: opWord})
	case rNotWord:
		c.emit(rInst{op: opNotWord})
	case rBack:
		c.emit(rInst{op: opBack, x: n.group, behind: behind})
	case rLook:
		at := c.emit(rInst{op: opLook, negative: n.negative})
		c.node(n.subs[0], n.behind)
		c.emit(rInst{op: opMatch})
		c.prog.code[at].x = len(c.prog.code)
	}
}

func (c *rCompiler) alternatives(n *rNode, behind bool) {
	var ends []int
	for i, alt := range n.subs {
		if i == len(n.subs)-1 {
			c.node(alt, behind)
			break
		}
		split := c.emit(rInst{op: opSplit})
		c.prog.code[split].x = split + 1
		c.node(alt, behind)
		ends = append(ends, c.emit(rInst{op: opJump}))
		c.prog.code[split].y = len(c.prog.code)
	}
	for _, e := range ends {
		c.prog.code[e].x = len(c.prog.code)
	}
}

// quantifier unrolls the iterations that must be, and those that may be if their number is bounded (§22.2.2.3.1).
func (c *rCompiler) quantifier(n *rNode, behind bool) {
	sub := n.subs[0]
	if single := sub.kind == rSet || sub.kind == rChar; single && !n.lazy && n.max != 0 {
		set := sub.set
		if sub.kind == rChar {
			set = &charSet{}
			set.add(sub.char, sub.char)
		}
		c.emit(rInst{op: opLoop, set: set, x: n.min, y: n.max, behind: behind})
		return
	}
	for i := 0; i < n.min && !c.tooBig; i++ {
		c.iteration(n, behind, -1)
	}
	mark := -1
	if canBeEmpty(sub) {
		mark = c.prog.registers
		c.prog.registers++
	}
	if n.max < 0 {
		split := c.emit(rInst{op: opSplit})
		c.iteration(n, behind, mark)
		c.emit(rInst{op: opJump, x: split})
		c.branch(split, n.lazy)
		return
	}
	var splits []int
	for i := n.min; i < n.max && !c.tooBig; i++ {
		splits = append(splits, c.emit(rInst{op: opSplit}))
		c.iteration(n, behind, mark)
	}
	for _, s := range splits {
		c.branch(s, n.lazy)
	}
}

// branch makes the split at s choose between what follows it and what comes next to be emitted.
func (c *rCompiler) branch(s int, lazy bool) {
	c.prog.code[s].x, c.prog.code[s].y = s+1, len(c.prog.code)
	if lazy {
		c.prog.code[s].x, c.prog.code[s].y = c.prog.code[s].y, c.prog.code[s].x
	}
}

func (c *rCompiler) iteration(n *rNode, behind bool, mark int) {
	if n.first <= n.last {
		c.emit(rInst{op: opReset, x: n.first, y: n.last})
	}
	if mark >= 0 {
		c.emit(rInst{op: opSave, x: mark})
	}
	c.node(n.subs[0], behind)
	if mark >= 0 {
		c.emit(rInst{op: opFail, x: mark})
	}
}

// canBeEmpty reports whether n may match without moving.
func canBeEmpty(n *rNode) bool {
	switch n.kind {
	case rChar, rSet:
		return false
	case rSeq, rGroup:
		for _, s := range n.subs {
			if !canBeEmpty(s) {
				return false
			}
		}
	case rAlt:
		for _, s := range n.subs {
			if canBeEmpty(s) {
				return true
			}
		}
		return false
	case rQuant:
		return n.min == 0 || canBeEmpty(n.subs[0])
	}
	return true
}

// firstOf gives the characters that a match of n can begin with, and whether it may be empty; nil if not known.
func firstOf(n *rNode) (set *charSet, empty bool) {
	set = &charSet{}
	switch n.kind {
	case rChar:
		set.add(n.char, n.char)
		return set, false
	case rSet:
		set.addSet(n.set)
		return set, false
	case rSeq, rGroup:
		for _, s := range n.subs {
			f, e := firstOf(s)
			if f == nil {
				return nil, true
			}
			set.addSet(f)
			if !e {
				return set, false
			}
		}
		return set, true
	case rAlt:
		for _, s := range n.subs {
			f, e := firstOf(s)
			if f == nil {
				return nil, true
			}
			set.addSet(f)
			empty = empty || e
		}
		return set, empty
	case rQuant:
		f, e := firstOf(n.subs[0])
		if n.max == 0 {
			return &charSet{}, true
		}
		return f, e || n.min == 0
	case rBegin, rEnd, rWord, rNotWord, rLook:
		return set, true
	}
	return nil, true
}
