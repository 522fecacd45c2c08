package filesystem

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
	"strings"

	"github.com/casys-ai/pml/transport/builtin/internal/root"
	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

// chunk is how much of a file's end is looked at in one step.
const chunk = 64 << 10

// firstLines reads the first lines of a file, joined by newlines, without the last one's newline. A fraction
// counts as a whole line, a negative number as none.
func firstLines(file io.Reader, count float64, place root.Place) (string, error) {
	limited := &io.LimitedReader{R: file, N: Limit + 1}
	reader := bufio.NewReader(limited)
	var lines []string
	for wanted := int(math.Ceil(count)); len(lines) < wanted; {
		line, err := reader.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", root.Explain("read", err)
		}
		if err != nil && limited.N <= 0 {
			return "", tooBig(place, Limit+1)
		}
		if err == nil {
			line = line[:len(line)-1]
		}
		if err == nil || len(line) > 0 {
			lines = append(lines, tool.Decode(line))
		}
		if err != nil {
			break
		}
	}
	return strings.Join(lines, "\n"), nil
}

// lastLines reads the last lines of a file, counting the empty one after a final newline, with CRLF made LF.
func lastLines(file io.ReaderAt, size int64, count int, place root.Place) (string, error) {
	if count <= 0 {
		return "", nil
	}
	start, newlines := size, 0
	var tail []byte
	for start > 0 && newlines < count {
		if len(tail) > Limit {
			return "", tooBig(place, int64(len(tail)))
		}
		from := max(0, start-chunk)
		part := make([]byte, start-from, int(start-from)+len(tail))
		if _, err := file.ReadAt(part, from); err != nil && !errors.Is(err, io.EOF) {
			return "", root.Explain("read", err)
		}
		newlines += bytes.Count(part, []byte{'\n'})
		tail, start = append(part, tail...), from
	}
	lines := bytes.Split(bytes.ReplaceAll(tail, []byte("\r\n"), []byte("\n")), []byte("\n"))
	if len(lines) > count {
		lines = lines[len(lines)-count:]
	}
	return tool.Decode(bytes.Join(lines, []byte("\n"))), nil
}
