package expr

import (
	"strings"
	"unicode"

	"github.com/casys-ai/pml/nodes/value"
)

// escape reads what follows a backslash outside a class.
func (p *rParser) escape() *rNode {
	if !p.more() {
		rFail("a \\ at the end of the pattern")
	}
	c := p.src[p.at]
	switch {
	case c == 'b' || c == 'B':
		p.at++
		p.usesWord = true
		if c == 'b' {
			return &rNode{kind: rWord}
		}
		return &rNode{kind: rNotWord}
	case c >= '1' && c <= '9':
		n, _ := p.number()
		if n > p.total {
			rFail("an octal escape is not evaluated natively")
		}
		p.usesBack = true
		return &rNode{kind: rBack, group: n}
	case c == 'k':
		if !p.hasNames {
			rFail("\\k without named groups is not evaluated natively")
		}
		p.at++
		if !p.eat("<") {
			rFail("an invalid named reference")
		}
		n := &rNode{kind: rBack}
		p.usesBack = true
		p.backNames[n] = p.name()
		return n
	}
	if s := p.classEscape(); s != nil {
		return &rNode{kind: rSet, set: s}
	}
	return p.literal(p.charEscape(false))
}

// classEscape reads \d \D \s \S \w \W; nil if it is none of these.
func (p *rParser) classEscape() *charSet {
	s := &charSet{}
	switch c := p.src[p.at]; c {
	case 'd', 'D':
		s.add('0', '9')
		s.negate = c == 'D'
	case 's', 'S':
		s.addSpaces()
		s.negate = c == 'S'
	case 'w', 'W':
		p.usesWord = true
		s.addWord()
		s.negate = c == 'W'
	case 'p', 'P':
		if p.unicode {
			rFail("a Unicode property is not evaluated natively")
		}
		return nil
	default:
		return nil
	}
	p.at++
	return s
}

// charEscape reads an escape that stands for one character.
func (p *rParser) charEscape(inClass bool) rune {
	c := p.src[p.at]
	p.at++
	switch c {
	case 't':
		return '\t'
	case 'n':
		return '\n'
	case 'v':
		return '\v'
	case 'f':
		return '\f'
	case 'r':
		return '\r'
	case '0':
		if p.more() && p.src[p.at] >= '0' && p.src[p.at] <= '9' {
			rFail("an octal escape is not evaluated natively")
		}
		return 0
	case 'b':
		if inClass {
			return '\b'
		}
	case '-':
		if inClass || !p.unicode {
			return '-'
		}
	case 'x':
		return p.hex(2)
	case 'u':
		return p.unicodeEscape()
	}
	if strings.ContainsRune(`^$\.*+?()[]{}|/`, c) {
		return c
	}
	letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
	if p.unicode || letter || c == 0x200C || c == 0x200D {
		rFail("the escape \\%c is not evaluated natively", c)
	}
	return c
}

func (p *rParser) hex(n int) rune {
	r := rune(0)
	for i := 0; i < n; i++ {
		if !p.more() || p.src[p.at] > 127 {
			rFail("an invalid escape is not evaluated natively")
		}
		d := strings.IndexRune(hexDigits, p.src[p.at])
		if d < 0 {
			rFail("an invalid escape is not evaluated natively")
		}
		r = r<<4 | rune(hexValue(d))
		p.at++
	}
	return r
}

func (p *rParser) unicodeEscape() rune {
	if p.unicode && p.eat("{") {
		r, digits := rune(0), 0
		for p.more() && p.src[p.at] != '}' {
			if r = r<<4 | p.hex(1); r > 0x10FFFF {
				rFail("an invalid escape")
			}
			digits++
		}
		if !p.eat("}") || digits == 0 {
			rFail("an invalid escape")
		}
		return r
	}
	r := p.hex(4)
	if r >= 0xD800 && r < 0xE000 {
		rFail("an escaped surrogate is not evaluated natively")
	}
	return r
}

// class reads a character class after its opening bracket.
func (p *rParser) class() *charSet {
	s := &charSet{}
	negate := p.eat("^")
	for {
		if !p.more() {
			rFail("an unterminated character class")
		}
		if p.eat("]") {
			break
		}
		lo, set := p.classAtom()
		if p.peek("-") && p.at+1 < len(p.src) && p.src[p.at+1] != ']' {
			p.at++
			hi, set2 := p.classAtom()
			if set != nil || set2 != nil {
				rFail("a class as the end of a range is not evaluated natively")
			}
			if lo > hi {
				rFail("a range out of order in a character class")
			}
			p.addRange(s, lo, hi)
			continue
		}
		if set != nil {
			s.addSet(set)
			continue
		}
		p.addRange(s, lo, lo)
	}
	s.negate = negate
	s.finish()
	return s
}

func (p *rParser) addRange(s *charSet, lo, hi rune) {
	if hi >= 0x10000 && !p.unicode {
		rFail("a character beyond U+FFFF without the flag u is not evaluated natively")
	}
	one := &charSet{}
	one.add(lo, hi)
	if p.ignoreCase {
		p.fold(one)
	}
	s.addSet(one)
}

// classAtom reads one member of a class: a character or a set.
func (p *rParser) classAtom() (rune, *charSet) {
	if !p.more() {
		rFail("an unterminated character class")
	}
	c := p.src[p.at]
	p.at++
	if c != '\\' {
		return c, nil
	}
	if !p.more() {
		rFail("a \\ at the end of the pattern")
	}
	if s := p.classEscape(); s != nil {
		return 0, s
	}
	if c := p.src[p.at]; c >= '1' && c <= '9' || c == 'c' {
		rFail("this escape in a class is not evaluated natively")
	}
	return p.charEscape(true), nil
}

// fold adds the characters that differ from those of s in case only (§22.2.2.7.3).
func (p *rParser) fold(s *charSet) {
	for _, r := range s.ranges {
		if r.lo != r.hi || !caseless(r.lo) {
			rFail("a character beyond ASCII that ignores case is not evaluated natively")
		}
	}
	for c := rune('a'); c <= 'z'; c++ {
		upper := c - 'a' + 'A'
		if s.has(c) || s.has(upper) {
			s.add(c, c)
			s.add(upper, upper)
			if p.unicode && c == 'k' {
				s.add(0x212A, 0x212A)
			}
			if p.unicode && c == 's' {
				s.add(0x17F, 0x17F)
			}
		}
	}
	s.finish()
}

func caseless(r rune) bool {
	text := string(r)
	return unicode.SimpleFold(r) == r && value.ToUpper(text) == text && value.ToLower(text) == text
}
