package filesystem

import (
	"fmt"
	"strings"
)

// around is how many unchanged lines a hunk shows before and after its changes.
const around = 4

// change is a run of lines that are common to both texts (' '), removed ('-') or added ('+').
type change struct {
	kind  byte
	lines []string
}

// unified writes the difference of two texts as a unified diff with an Index header.
func unified(path, before, after string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "Index: %s\n%s\n--- %s\toriginal\n+++ %s\tmodified\n", path, strings.Repeat("=", 67), path, path)
	for _, h := range hunks(changes(splitLines(before), splitLines(after))) {
		h.write(&out)
	}
	return out.String()
}

// splitLines cuts a text after each newline, so that a last line without one differs from one with it.
func splitLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	return lines[:len(lines)-1+min(1, len(lines[len(lines)-1]))]
}

// hunk is one @@ part: where it starts in both texts (counted from 0) and its changes.
type hunk struct {
	oldStart, newStart int
	parts              []change
}

// hunks groups changes that are at most twice the context apart.
func hunks(all []change) []hunk {
	var out []hunk
	var open *hunk
	oldLine, newLine := 0, 0
	for i, c := range all {
		if c.kind != ' ' {
			if open == nil {
				open = start(all, i, oldLine, newLine)
			}
			open.parts = append(open.parts, c)
		} else if open != nil {
			if joined := len(c.lines) <= 2*around && i < len(all)-1; joined {
				open.parts = append(open.parts, c)
			} else {
				open.parts = append(open.parts, change{' ', c.lines[:min(around, len(c.lines))]})
				out, open = append(out, *open), nil
			}
		}
		if c.kind != '+' {
			oldLine += len(c.lines)
		}
		if c.kind != '-' {
			newLine += len(c.lines)
		}
	}
	if open != nil {
		out = append(out, *open)
	}
	return out
}

// start opens a hunk at a change, with the context before it.
func start(all []change, i, oldLine, newLine int) *hunk {
	if i == 0 || all[i-1].kind != ' ' {
		return &hunk{oldStart: oldLine, newStart: newLine}
	}
	lines := all[i-1].lines
	lines = lines[max(0, len(lines)-around):]
	return &hunk{oldLine - len(lines), newLine - len(lines), []change{{' ', lines}}}
}

func (h hunk) write(out *strings.Builder) {
	oldLines, newLines := 0, 0
	for _, part := range h.parts {
		if part.kind != '+' {
			oldLines += len(part.lines)
		}
		if part.kind != '-' {
			newLines += len(part.lines)
		}
	}
	oldStart, newStart := h.oldStart+min(1, oldLines), h.newStart+min(1, newLines)
	fmt.Fprintf(out, "@@ -%d,%d +%d,%d @@\n", oldStart, oldLines, newStart, newLines)
	for _, part := range h.parts {
		for _, line := range part.lines {
			out.WriteByte(part.kind)
			out.WriteString(line)
			if !strings.HasSuffix(line, "\n") {
				out.WriteString("\n\\ No newline at end of file\n")
			}
		}
	}
}
