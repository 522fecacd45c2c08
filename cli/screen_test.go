package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// TestScreen: lines that stay go above the region, which is erased by exactly as many lines as it has.
func TestScreen(t *testing.T) {
	is := is.New(t)
	var out bytes.Buffer
	s := &screen{out: &out, width: 10}
	said := func() string { defer out.Reset(); return out.String() }

	s.draw([]string{"one", "a line too long"})
	is.Equal(said(), "one\na line t…\n")
	s.write("stays\n")
	is.Equal(said(), "\r\x1b[2A\x1b[Jstays\none\na line t…\n")
	s.pause()
	is.Equal(said(), "\r\x1b[2A\x1b[J")
	s.draw([]string{"not now"})
	s.write("? ")
	is.Equal(said(), "? ")
	s.resume()
	s.draw([]string{"two"})
	is.Equal(said(), "two\n")
	s.draw(nil)
	is.Equal(said(), "\r\x1b[1A\x1b[J")
}

func TestPrettyArgs(t *testing.T) {
	is := is.New(t)
	is.Equal(prettyArgs([]byte(`{"a":[1,{"b":"c"}]}`), "  "),
		"  {\n    \"a\": [\n      1,\n      {\n        \"b\": \"c\"\n      }\n    ]\n  }\n")
	long := prettyArgs([]byte("["+strings.Repeat("1,", 99)+"1]"), "")
	is.Equal(strings.Count(long, "\n"), 21)
	is.True(strings.HasSuffix(long, "… (82 lines more)\n"))
	wide := prettyArgs([]byte(`"`+strings.Repeat("x", 500)+`"`), "")
	is.True(strings.HasSuffix(wide, "… (342 characters more)\n"))
}

func TestColumns(t *testing.T) {
	is := is.New(t)
	var c columns
	c.add("é", "x", "y")
	c.add("a line of its own that is long")
	c.add("abc", "", "z")
	is.Equal(c.text(" "), " é    x  y\n a line of its own that is long\n abc     z\n")
}
