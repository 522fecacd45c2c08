package run

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

func TestCappedKeepsWholeCharacters(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"abcd", "abcd"},
		{"abcde", "abcd\n[… cut: 1 bytes more]"},
		{"abcé", "abc\n[… cut: 2 bytes more]"},
		{"ab😀", "ab\n[… cut: 4 bytes more]"},
		{"abéd", "abé\n[… cut: 1 bytes more]"},
		{"ab\xff\xffx", "ab\ufffd\n[… cut: 2 bytes more]"},
		{"", ""},
	} {
		is := is.New(t)
		c := &capped{limit: 4}
		for _, part := range strings.SplitAfter(test.in, "b") {
			_, err := c.Write([]byte(part))
			is.NoErr(err)
		}
		is.Equal(c.String(), test.want)
	}
}
