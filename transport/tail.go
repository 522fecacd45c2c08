package transport

import (
	"bytes"
	"io"
	"strings"
	"sync"
)

// tailSize is how much of a server's stderr is kept.
const tailSize = 2 << 10

// tail keeps the end of a stream.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

// copy reads r to its end, keeps the tail and gives each line to line.
func (t *tail) copy(r io.Reader, line func(string)) error {
	buf := make([]byte, 4<<10)
	var rest []byte
	for {
		n, err := r.Read(buf)
		t.add(buf[:n])
		rest = append(rest, buf[:n]...)
		for {
			i := bytes.IndexByte(rest, '\n')
			if i < 0 && len(rest) > len(buf) {
				i = len(rest) - 1
			}
			if i < 0 {
				break
			}
			line(strings.TrimSpace(string(rest[:i])))
			rest = rest[i+1:]
		}
		if err != nil {
			return err
		}
	}
}

func (t *tail) add(b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if over := len(t.buf) - tailSize; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
}

// String returns the tail as valid UTF-8, without white space around it.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(strings.ToValidUTF8(string(t.buf), "\uFFFD"))
}
