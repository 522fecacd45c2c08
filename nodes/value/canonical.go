package value

import (
	"encoding/binary"
	"strconv"
	"unicode/utf8"
)

// Canonical reports whether JSON.stringify(JSON.parse(raw)) is raw, byte for byte. It makes one pass and allocates
// nothing. A false may be wrong (for a text nested deeply, objects of very many keys, a lone surrogate); a true never
// is.
func Canonical(raw []byte) bool {
	c := canon{raw: raw}
	for c.value() {
		if c.depth == 0 {
			return c.at == len(raw)
		}
	}
	return false
}

const (
	canonDepth = 64  // how deep arrays and objects may nest
	canonKeys  = 512 // how many keys the objects open at one time may have
)

// canon is the scan's state: what is open at each depth, and the hashes of the keys seen in what is open.
type canon struct {
	raw   []byte
	at    int
	depth int
	nkeys int
	open  [canonDepth]canonFrame
	keys  [canonKeys]uint32
}

// canonFrame is one open array or object.
type canonFrame struct {
	object bool
	first  int    // where in keys its own begin
	seen   uint64 // one bit for each key's hash modulo 64
}

// value scans a scalar or opens an array or object, and goes on to where the next value begins.
func (c *canon) value() bool {
	if c.at >= len(c.raw) {
		return false
	}
	ok := false
	switch b := c.raw[c.at]; b {
	case '"':
		ok = c.str()
	case '{', '[':
		if c.at++; c.at < len(c.raw) && c.raw[c.at] == b+2 { // in ASCII '}' is '{'+2 and ']' is '['+2
			c.at++
			return c.next()
		}
		return c.push(b == '{')
	case 't':
		ok = c.word("true")
	case 'f':
		ok = c.word("false")
	case 'n':
		ok = c.word("null")
	default:
		ok = c.number()
	}
	return ok && c.next()
}

func (c *canon) word(w string) bool {
	ok := len(c.raw)-c.at >= len(w) && string(c.raw[c.at:c.at+len(w)]) == w
	c.at += len(w)
	return ok
}

func (c *canon) push(object bool) bool {
	if c.depth == canonDepth {
		return false
	}
	c.open[c.depth] = canonFrame{object: object, first: c.nkeys}
	c.depth++
	return !object || c.key()
}

// next scans what follows a complete value: ends of arrays and objects, or a comma and, in an object, a key.
func (c *canon) next() bool {
	for c.depth > 0 {
		if c.at >= len(c.raw) {
			return false
		}
		frame, b := &c.open[c.depth-1], c.raw[c.at]
		c.at++
		switch {
		case b == ',':
			return !frame.object || c.key()
		case frame.object && b == '}', !frame.object && b == ']':
			c.depth--
			c.nkeys = frame.first
		default:
			return false
		}
	}
	return true
}

// key scans a key and its colon. It refuses integer keys, which parse puts first, and keys whose hash came before.
func (c *canon) key() bool {
	from := c.at + 1
	if c.at >= len(c.raw) || c.raw[c.at] != '"' || !c.str() || c.at >= len(c.raw) || c.raw[c.at] != ':' {
		return false
	}
	key := c.raw[from : c.at-1]
	c.at++
	if len(key) > 0 && key[0] <= '9' {
		if _, isInt := arrayIndex(bytesAsString(key)); isInt {
			return false
		}
	}
	frame, hash := &c.open[c.depth-1], hashKey(key)
	if bit := uint64(1) << (hash & 63); frame.seen&bit == 0 {
		frame.seen |= bit
	} else {
		for _, known := range c.keys[frame.first:c.nkeys] {
			if known == hash {
				return false
			}
		}
	}
	if c.nkeys == canonKeys {
		return false
	}
	c.keys[c.nkeys] = hash
	c.nkeys++
	return true
}

func hashKey(key []byte) uint32 {
	const odd = 0x9E3779B97F4A7C15
	h := uint64(len(key)) * odd
	for len(key) >= 8 {
		h = (h ^ binary.LittleEndian.Uint64(key)) * odd
		h ^= h >> 29
		key = key[8:]
	}
	for _, b := range key {
		h = (h ^ uint64(b)) * odd
	}
	return uint32(h >> 32)
}

// plainASCII tells the bytes of a string literal that are plain and below 0x80.
var plainASCII = func() (t [256]bool) {
	for c := range t {
		t[c] = plain[c] && c < utf8.RuneSelf
	}
	return t
}()

// str scans a string literal with the escapes of QuoteJSONString (§25.5.2.3), and no lone surrogates.
func (c *canon) str() bool {
	raw, i := c.raw, c.at+1
	for {
		for i < len(raw) && plainASCII[raw[i]] {
			i++
		}
		if i >= len(raw) {
			return false
		}
		switch b := raw[i]; {
		case b == '"':
			c.at = i + 1
			return true
		case b == '\\':
			n := canonEscape(raw[i:])
			if n == 0 {
				return false
			}
			i += n
		default:
			_, size := utf8.DecodeRune(raw[i:])
			if size == 1 { // a control character or ill-formed
				return false
			}
			i += size
		}
	}
}

// canonEscape is the length of the escape at the start of b, 0 if JSON.stringify does not write it.
func canonEscape(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', 'b', 'f', 'n', 'r', 't':
		return 2
	}
	if len(b) < 6 || b[1] != 'u' || b[2] != '0' || b[3] != '0' || (b[4] != '0' && b[4] != '1') {
		return 0
	}
	low := hexDigit(b[5])
	if low > 15 || (b[5] >= 'A' && b[5] <= 'F') {
		return 0
	}
	if b[4] == '0' && (low == '\b' || low == '\t' || low == '\n' || low == '\f' || low == '\r') {
		return 0
	}
	return 6
}

// number scans a number in the form of Number::toString (§6.1.6.1.20).
func (c *canon) number() bool {
	start := c.at
	if c.raw[c.at] == '-' {
		c.at++
	}
	whole := c.at
	count := c.digits()
	if count == 0 || (count > 1 && c.raw[whole] == '0') {
		return false
	}
	point := c.at
	if c.at < len(c.raw) && c.raw[c.at] == '.' {
		c.at++
		fraction := c.digits()
		if fraction == 0 || c.raw[c.at-1] == '0' {
			return false
		}
		count += fraction
	}
	if c.at < len(c.raw) && c.raw[c.at]|0x20 == 'e' {
		c.at++
		if c.at < len(c.raw) && (c.raw[c.at] == '+' || c.raw[c.at] == '-') {
			c.at++
		}
		if c.digits() == 0 {
			return false
		}
		return roundTrips(c.raw[start:c.at])
	}
	// Up to 15 digits survive a double, and no shorter text means the same one.
	if count > 15 || (c.raw[whole] == '0' && (point == c.at || c.at-point > 6)) {
		return roundTrips(c.raw[start:c.at])
	}
	return true
}

func (c *canon) digits() int {
	from := c.at
	for c.at < len(c.raw) && c.raw[c.at]-'0' <= 9 {
		c.at++
	}
	return c.at - from
}

// roundTrips reports whether a number's text is what Number::toString makes of it.
func roundTrips(text []byte) bool {
	if len(text) > 32 { // more than Number::toString ever writes
		return false
	}
	f, err := strconv.ParseFloat(bytesAsString(text), 64)
	if err != nil {
		return false
	}
	var buf [32]byte
	return string(appendNumber(buf[:0], f)) == string(text)
}
