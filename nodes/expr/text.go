package expr

import (
	"unsafe"

	"github.com/casys-ai/pml/nodes/value"
)

// textCache remembers the code units of the long string looked at last, so that a loop over its indexes is linear.
type textCache struct {
	data  *byte
	size  int
	ascii bool
	units []uint16
}

// cacheFrom is the length in bytes from which a string is remembered.
const cacheFrom = 32

func isASCII(s string) bool {
	for len(s) >= 8 {
		if (s[0]|s[1]|s[2]|s[3]|s[4]|s[5]|s[6]|s[7])&0x80 != 0 {
			return false
		}
		s = s[8:]
	}
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// look gives the cache entry of s.
func (m *machine) look(s string) *textCache {
	c := &m.text
	if data := unsafe.StringData(s); c.data != data || c.size != len(s) {
		m.work(len(s) / 16)
		*c = textCache{data: data, size: len(s), ascii: isASCII(s)}
		if !c.ascii {
			m.alloc(2 * len(s))
			c.units = value.ToUTF16(s)
		}
	}
	return c
}

// length is the number of code units of s.
func (m *machine) length(s string) int {
	if len(s) < cacheFrom {
		return value.Length(s)
	}
	if c := m.look(s); !c.ascii {
		return len(c.units)
	}
	return len(s)
}

// unitAt gives code unit i of s.
func (m *machine) unitAt(s string, i int) (uint16, bool) {
	if len(s) < cacheFrom {
		return value.CodeUnitAt(s, i)
	}
	c := m.look(s)
	switch {
	case i < 0:
	case c.ascii && i < len(s):
		return uint16(s[i]), true
	case !c.ascii && i < len(c.units):
		return c.units[i], true
	}
	return 0, false
}

var charTexts = func() (t [128]value.Value) {
	for i := range t {
		t[i] = value.String(rune(i))
	}
	return t
}()

// charAt is s[i].
func (m *machine) charAt(s string, i int) value.Value {
	u, ok := m.unitAt(s, i)
	if !ok {
		return undefined
	}
	return unitText(u)
}

func unitText(u uint16) value.Value {
	if u < 128 {
		return charTexts[u]
	}
	return str(value.FromUTF16([]uint16{u}))
}

// sub is the code units from..to-1 of s, which lie inside it.
func (m *machine) sub(s string, from, to int) string {
	if from >= to {
		return ""
	}
	if len(s) < cacheFrom {
		return value.Substring(s, from, to)
	}
	c := m.look(s)
	if c.ascii {
		return s[from:to]
	}
	m.alloc(3 * (to - from))
	return value.FromUTF16(c.units[from:to])
}

// bufferFrom is the length from which concatenations go to a buffer with room to spare.
const bufferFrom = 256

// concat is a + b, with V8's limit. A long a that is what the last concatenation gave is extended in place, so that
// building a text piece by piece is linear: bytes that were handed out are never written again.
func (m *machine) concat(a, b string) string {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	if len(a)+len(b) > maxLength {
		m.checkLength(m.length(a) + m.length(b))
	}
	if b[0] == 0xED && len(b) >= 3 && b[1] >= 0xB0 {
		m.alloc(len(a) + len(b))
		return value.Concat(a, b)
	}
	if len(a)+len(b) < bufferFrom {
		return a + b
	}
	if n := len(m.buf); n != len(a) || unsafe.SliceData(m.buf) != unsafe.StringData(a) {
		m.alloc(len(a))
		m.work(len(a) / 64)
		m.buf = append(make([]byte, 0, 2*(len(a)+len(b))), a...)
	}
	m.alloc(2 * len(b))
	m.buf = append(m.buf, b...)
	return unsafe.String(unsafe.SliceData(m.buf), len(m.buf))
}

func (m *machine) concat3(a, b, c string) string {
	if len(a)+len(b)+len(c) < bufferFrom && (b == "" || b[0] < 0x80) && (c == "" || c[0] < 0x80) {
		return a + b + c
	}
	return m.concat(m.concat(a, b), c)
}

// checkLength throws if a string of n code units would be too long for V8.
func (m *machine) checkLength(n int) {
	if n > maxLength {
		m.rangeError("Invalid string length")
	}
}

// builder collects a long text.
type builder struct {
	m   *machine
	buf []byte
}

func (b *builder) write(s string) {
	if s == "" {
		return
	}
	if len(b.buf)+len(s) > 3*maxLength {
		b.m.rangeError("Invalid string length")
	}
	b.m.alloc(len(s))
	b.m.work(len(s) / 64)
	if s[0] == 0xED && len(b.buf) > 0 {
		b.buf = []byte(value.Concat(string(b.buf), s))
		return
	}
	b.buf = append(b.buf, s...)
}

func (b *builder) String() string {
	s := unsafe.String(unsafe.SliceData(b.buf), len(b.buf))
	if len(s) > maxLength {
		b.m.checkLength(value.Length(s))
	}
	return s
}
