package value

import (
	"math"
	"strconv"
)

// numbers holds the small integers as Values, so that they need no allocation.
var numbers = func() (n [1024]Value) {
	for i := range n {
		n[i] = Number(i)
	}
	return n
}()

// pow10 are the powers of ten that a double holds exactly.
var pow10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// number reads a number, which begins with '-' or a digit.
func (p *parser) number() Value {
	start, negative := p.at, p.text[p.at] == '-'
	if negative {
		p.at++
	}
	mantissa, digits := uint64(0), p.at
	if p.peek() == '0' {
		if p.at++; p.peek()-'0' <= 9 {
			return p.unexpected()
		}
	} else if mantissa = p.digits(0); p.at == digits {
		return p.fail("No number after minus sign")
	}
	count, scale := p.at-digits, 0
	if p.peek() == '.' {
		p.at++
		from := p.at
		mantissa = p.digits(mantissa)
		if scale = p.at - from; scale == 0 {
			return p.fail("Unterminated fractional number")
		}
		count += scale
	}
	if p.peek()|0x20 == 'e' {
		p.at++
		if c := p.peek(); c == '+' || c == '-' {
			p.at++
		}
		from := p.at
		if p.digits(0); p.at == from {
			return p.fail("Exponent part is missing a number")
		}
		count = math.MaxInt // for strconv to read
	}
	if count > 15 {
		f, _ := strconv.ParseFloat(p.text[start:p.at], 64)
		return Number(f)
	}
	if scale == 0 && !negative && mantissa < uint64(len(numbers)) {
		return numbers[mantissa]
	}
	f := float64(mantissa) / pow10[scale]
	if negative {
		f = -f
	}
	return Number(f)
}

// peek is the next byte, 0 at the end.
func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

// digits reads decimal digits onto n, which overflows silently when they are many.
func (p *parser) digits(n uint64) uint64 {
	for p.at < len(p.text) {
		d := p.text[p.at] - '0'
		if d > 9 {
			break
		}
		n = n*10 + uint64(d)
		p.at++
	}
	return n
}
