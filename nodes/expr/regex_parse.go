package expr

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// rNode is a part of a regular expression (ECMAScript §22.2.1).
type rNode struct {
	kind     rKind
	char     rune
	set      *charSet
	subs     []*rNode
	min, max int // quantifier; max -1 is infinity
	lazy     bool
	// group is the number of a capture or back reference; inside a quantifier first..last are the captures it resets.
	group, first, last int
	negative, behind   bool
}

type rKind uint8

const (
	rEmpty rKind = iota
	rChar
	rSet
	rSeq
	rAlt
	rGroup
	rQuant
	rBegin
	rEnd
	rWord
	rNotWord
	rLook
	rBack
)

// rParser reads a pattern. What it is not sure to read as V8 does, it refuses.
type rParser struct {
	src                         []rune
	at                          int
	unicode, ignoreCase, dotAll bool
	groups                      int
	names                       []string // by group, "" where unnamed
	total                       int      // capturing groups in the whole pattern
	hasNames                    bool
	backNames                   map[*rNode]string
	usesWord, usesBack          bool
	depth                       int
}

var errRegex = errors.New("this is not evaluated natively")

func rFail(format string, args ...any) { panic(fmt.Errorf(format, args...)) }

// parseRegex reads pattern and flags.
func parseRegex(pattern, flags string) (node *rNode, p *rParser, err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(error)
			if !ok || strings.HasPrefix(e.Error(), "runtime error") {
				panic(r)
			}
			err = e
		}
	}()
	p = &rParser{backNames: map[*rNode]string{}, names: []string{""}}
	for i, f := range flags {
		if !strings.ContainsRune("gimsuy", f) || strings.ContainsRune(flags[:i], f) {
			rFail("the flag %q is not evaluated natively", string(f))
		}
	}
	if !utf8.ValidString(pattern) {
		rFail("a lone surrogate in a pattern is not evaluated natively")
	}
	p.unicode = strings.Contains(flags, "u")
	p.ignoreCase = strings.Contains(flags, "i")
	p.dotAll = strings.Contains(flags, "s")
	p.src = []rune(pattern)
	p.count()
	node = p.alternatives()
	if p.at < len(p.src) {
		rFail("an unmatched %q", string(p.src[p.at]))
	}
	p.resolve()
	return node, p, nil
}

// count finds the number of capturing groups ahead of parsing, for back references.
func (p *rParser) count() {
	inClass := false
	for i := 0; i < len(p.src); i++ {
		switch p.src[i] {
		case '\\':
			i++
		case '[':
			inClass = true
		case ']':
			inClass = false
		case '(':
			if inClass {
				continue
			}
			if i+1 < len(p.src) && p.src[i+1] == '?' {
				named := i+3 < len(p.src) && p.src[i+2] == '<' && p.src[i+3] != '=' && p.src[i+3] != '!'
				if !named {
					continue
				}
				p.hasNames = true
			}
			p.total++
		}
	}
}

func (p *rParser) resolve() {
	for n, name := range p.backNames {
		n.group = slices.Index(p.names, name)
		if n.group < 1 {
			rFail("a reference to the group %q, which does not exist", name)
		}
	}
	if p.ignoreCase && p.usesBack {
		rFail("a back reference that ignores case is not evaluated natively")
	}
	if p.ignoreCase && p.unicode && p.usesWord {
		rFail("word characters with the flags i and u are not evaluated natively")
	}
}

func (p *rParser) more() bool { return p.at < len(p.src) }

func (p *rParser) peek(s string) bool {
	if p.at+len(s) > len(p.src) {
		return false
	}
	for i, r := range s {
		if p.src[p.at+i] != r {
			return false
		}
	}
	return true
}

func (p *rParser) eat(s string) bool {
	if p.peek(s) {
		p.at += len(s)
		return true
	}
	return false
}

func (p *rParser) alternatives() *rNode {
	if p.depth++; p.depth > 200 {
		rFail("a pattern nested this deeply is not evaluated natively")
	}
	defer func() { p.depth-- }()
	alts := []*rNode{p.sequence()}
	for p.eat("|") {
		alts = append(alts, p.sequence())
	}
	if len(alts) == 1 {
		return alts[0]
	}
	return &rNode{kind: rAlt, subs: alts}
}

func (p *rParser) sequence() *rNode {
	seq := &rNode{kind: rSeq}
	for p.more() && !p.peek("|") && !p.peek(")") {
		before := p.groups
		n := p.term()
		n = p.quantified(n, before)
		seq.subs = append(seq.subs, n)
	}
	return seq
}

// quantified reads a quantifier after n, if there is one.
func (p *rParser) quantified(n *rNode, before int) *rNode {
	q := &rNode{kind: rQuant, subs: []*rNode{n}, max: -1, first: before + 1, last: p.groups}
	switch {
	case p.eat("*"):
	case p.eat("+"):
		q.min = 1
	case p.eat("?"):
		q.max = 1
	case p.peek("{"):
		if !p.braces(q) {
			return n
		}
	default:
		return n
	}
	switch n.kind {
	case rBegin, rEnd, rWord, rNotWord, rLook:
		rFail("a quantifier after an assertion")
	}
	q.lazy = p.eat("?")
	if p.peek("*") || p.peek("+") || p.peek("?") {
		rFail("nothing to repeat")
	}
	return q
}

// braces reads {n}, {n,} or {n,m}; false if it is none of these.
func (p *rParser) braces(q *rNode) bool {
	at := p.at
	p.at++
	lo, ok := p.number()
	hi := lo
	if ok && p.eat(",") {
		hi = -1
		if n, has := p.number(); has {
			hi = n
		}
	}
	if !ok || !p.eat("}") {
		p.at = at
		rFail("a lone { is not evaluated natively")
	}
	if hi >= 0 && hi < lo {
		rFail("numbers out of order in a quantifier")
	}
	q.min, q.max = lo, hi
	return true
}

func (p *rParser) number() (int, bool) {
	n, start := 0, p.at
	for p.more() && p.src[p.at] >= '0' && p.src[p.at] <= '9' {
		if n = n*10 + int(p.src[p.at]-'0'); n > 100000 {
			rFail("a quantifier this large is not evaluated natively")
		}
		p.at++
	}
	return n, p.at > start
}

func (p *rParser) term() *rNode {
	c := p.src[p.at]
	p.at++
	switch c {
	case '^':
		return &rNode{kind: rBegin}
	case '$':
		return &rNode{kind: rEnd}
	case '.':
		return &rNode{kind: rSet, set: p.dot()}
	case '(':
		return p.group()
	case '[':
		return &rNode{kind: rSet, set: p.class()}
	case '\\':
		return p.escape()
	case '*', '+', '?':
		rFail("nothing to repeat")
	case '{':
		rFail("a lone { is not evaluated natively")
	case '}', ']':
		if p.unicode {
			rFail("a lone bracket")
		}
	}
	return p.literal(c)
}

func (p *rParser) dot() *charSet {
	s := &charSet{negate: true}
	if !p.dotAll {
		s.addLineEnds()
	}
	return s
}

// literal makes a node of one character.
func (p *rParser) literal(c rune) *rNode {
	if c >= 0x10000 && !p.unicode {
		rFail("a character beyond U+FFFF without the flag u is not evaluated natively")
	}
	if !p.ignoreCase {
		return &rNode{kind: rChar, char: c}
	}
	s := &charSet{}
	s.add(c, c)
	p.fold(s)
	if c < 128 && !unicode.IsLetter(c) {
		return &rNode{kind: rChar, char: c}
	}
	return &rNode{kind: rSet, set: s}
}

// group reads what follows an opening parenthesis.
func (p *rParser) group() *rNode {
	n := &rNode{}
	before := p.groups
	switch {
	case p.eat("?:"):
		n.kind = rSeq
	case p.eat("?="):
		n.kind = rLook
	case p.eat("?!"):
		n.kind, n.negative = rLook, true
	case p.eat("?<="):
		n.kind, n.behind = rLook, true
	case p.eat("?<!"):
		n.kind, n.behind, n.negative = rLook, true, true
	case p.eat("?<"):
		n.kind = rGroup
		p.groups++
		n.group = p.groups
		name := p.name()
		if slices.Contains(p.names, name) {
			rFail("the group name %q twice", name)
		}
		p.names = append(p.names, name)
	case p.peek("?"):
		rFail("an invalid group")
	default:
		n.kind = rGroup
		p.groups++
		n.group = p.groups
		p.names = append(p.names, "")
	}
	n.subs = []*rNode{p.alternatives()}
	if !p.eat(")") {
		rFail("an unterminated group")
	}
	n.first, n.last = before+1, p.groups
	return n
}

// name reads a group's name up to >.
func (p *rParser) name() string {
	var b strings.Builder
	for p.more() {
		c := p.src[p.at]
		p.at++
		if c == '>' && b.Len() > 0 {
			return b.String()
		}
		letter := c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (c < '0' || c > '9' || b.Len() == 0) {
			break
		}
		b.WriteRune(c)
	}
	rFail("a group name that is not evaluated natively")
	return ""
}
