package syntax

import "strings"

// prepare blanks out what surrounds the program without being part of it: a byte order mark and a Markdown code fence.
// The result has the length and the line breaks of source, so offsets stay right.
func prepare(source string) string {
	if strings.HasPrefix(source, bom) {
		source = blank(source, 0, len(bom))
	}
	open, end, fence := fenceLine(source, skipSpace(source, 0))
	if fence == "" {
		return source
	}
	source = blank(source, open, end)
	if at := closingFence(source, fence); at >= 0 {
		source = blank(source, at, len(source))
	}
	return source
}

// fenceLine reports the line of source at offset if it opens a code fence.
func fenceLine(source string, at int) (open, end int, fence string) {
	end = at + len(source[at:])
	if i := strings.IndexByte(source[at:], '\n'); i >= 0 {
		end = at + i
	}
	line := strings.TrimRight(source[at:end], " \t\r")
	for _, mark := range []string{"`", "~"} {
		info := strings.TrimLeft(line, mark)
		n := len(line) - len(info)
		if n >= 3 && !strings.Contains(info, "`") && end < len(source) {
			return at, end, line[:n]
		}
	}
	return 0, 0, ""
}

// closingFence returns the offset of the closing fence if nothing but space follows it, -1 otherwise.
func closingFence(source, fence string) int {
	text := strings.TrimRight(source, " \t\r\n")
	trimmed := strings.TrimRight(text, fence[:1])
	line := strings.TrimRight(trimmed, " \t")
	if len(text)-len(trimmed) < len(fence) || (line != "" && !strings.HasSuffix(line, "\n")) {
		return -1
	}
	return len(trimmed)
}

func skipSpace(source string, at int) int {
	for at < len(source) && strings.IndexByte(" \t\r\n", source[at]) >= 0 {
		at++
	}
	return at
}

// blank replaces source[from:to] with spaces but keeps its line breaks.
func blank(source string, from, to int) string {
	b := []byte(source)
	for i := from; i < to; i++ {
		if b[i] != '\n' && b[i] != '\r' {
			b[i] = ' '
		}
	}
	return string(b)
}
