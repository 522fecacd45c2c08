package ast

import "sort"

// Segment says that the printed text from a line and column on came from Pos.
type Segment struct {
	// OutLine and OutCol count from 1, columns in bytes, as goja counts them.
	OutLine, OutCol int
	Pos             Pos
}

// Mapping leads from printed text back to the program's text. Segments are in the order of the printed text.
type Mapping []Segment

// Lookup returns where the printed text at a line and column (from 1, in bytes) came from: the last segment that
// begins there or before. Column 0 stands for the first segment of the line. The position is invalid if there is none.
func (m Mapping) Lookup(line, col int) Pos {
	i := sort.Search(len(m), func(i int) bool {
		return m[i].OutLine > line || (m[i].OutLine == line && m[i].OutCol > col)
	})
	if i < len(m) && m[i].OutLine == line && (i == 0 || m[i-1].OutLine < line) {
		return m[i].Pos // before the line's first segment: its indentation
	}
	if i == 0 {
		return Pos{}
	}
	return m[i-1].Pos
}

// Shift returns m for the same text behind that many more lines.
func (m Mapping) Shift(lines int) Mapping {
	out := make(Mapping, len(m))
	for i, s := range m {
		s.OutLine += lines
		out[i] = s
	}
	return out
}
