package transport

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

// errTooLong says that a line is longer than allowed.
var errTooLong = errors.New("message too long")

// lineReader reads lines. Each line is the caller's own slice.
type lineReader struct {
	in   io.Reader
	most int
	buf  []byte
	rest []byte // what is in buf and not yet returned
}

func newLineReader(in io.Reader, most int) *lineReader {
	return &lineReader{in: in, most: most, buf: make([]byte, 64<<10)}
}

// next returns the next line without its line break; at the end of the input the last, unfinished line with io.EOF.
func (l *lineReader) next() ([]byte, error) {
	var long []byte
	for {
		if i := bytes.IndexByte(l.rest, '\n'); i >= 0 {
			line := append(long, l.rest[:i]...)
			l.rest = l.rest[i+1:]
			if len(line) > l.most {
				return nil, errTooLong
			}
			return line, nil
		}
		if len(l.rest) > 0 {
			if len(long)+len(l.rest) > cap(long) {
				long = slices.Grow(long, len(long)+len(l.rest))
			}
			long = append(long, l.rest...)
			if l.rest = nil; len(long) > l.most {
				return nil, errTooLong
			}
		}
		n, err := l.in.Read(l.buf)
		l.rest = l.buf[:n]
		if err != nil && n == 0 {
			return long, err
		}
	}
}
