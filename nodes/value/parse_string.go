package value

import "unicode/utf8"

// plain tells the bytes of a string literal that stand for themselves: all but '"', '\\' and control characters.
var plain = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= 0x20 && c != '"' && c != '\\'
	}
	return t
}()

// str reads a string literal, which begins with '"'.
func (p *parser) str() (string, bool) {
	text, start := p.text, p.at+1
	i := start
	for i < len(text) && plain[text[i]] {
		i++
	}
	p.at = i
	if i < len(text) && text[i] == '"' {
		p.at++
		return text[start:i], true
	}
	return p.escaped(start)
}

// escaped reads on in a string literal that has an escape, or an error, at p.at.
func (p *parser) escaped(start int) (string, bool) {
	p.buf = append(p.buf[:0], p.text[start:p.at]...)
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			return string(p.buf), true
		case c == '\\':
			p.at++
			if !p.escape() {
				return "", false
			}
		case c < 0x20:
			p.fail("Bad control character in string literal")
			return "", false
		default:
			from := p.at
			for p.at < len(p.text) && plain[p.text[p.at]] {
				p.at++
			}
			p.buf = appendWTF8(p.buf, p.text[from:p.at])
		}
	}
	p.fail("Unterminated string")
	return "", false
}

// escape reads what follows a backslash.
func (p *parser) escape() bool {
	if p.at >= len(p.text) {
		p.unexpected()
		return false
	}
	c := p.text[p.at]
	switch c {
	case '"', '\\', '/':
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	case 'u':
		return p.unicodeEscape()
	default:
		if r, _ := decode(p.text, p.at); r > 0xFF {
			p.unexpected()
		} else {
			p.fail("Bad escaped character")
		}
		return false
	}
	p.at++
	p.buf = append(p.buf, c)
	return true
}

func (p *parser) unicodeEscape() bool {
	u := uint16(0)
	for range 4 {
		p.at++
		d := hexDigit(p.peek())
		if d > 15 {
			p.fail("Bad Unicode escape")
			return false
		}
		u = u<<4 | uint16(d)
	}
	p.at++
	if u < utf8.RuneSelf {
		p.buf = append(p.buf, byte(u))
	} else {
		p.buf = appendUnit(p.buf, u)
	}
	return true
}

// hexDigit is the worth of a hexadecimal digit, 255 if c is none.
func hexDigit(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 255
}
