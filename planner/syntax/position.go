package syntax

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/casys-ai/pml/nodes/ast"
)

// bom is the UTF-8 byte order mark. Editors and Node do not count it as a column.
const bom = "\ufeff"

// positions turns byte offsets into lines and UTF-16 columns.
type positions struct {
	starts []int // byte offset of each line's first byte
	wide   []wideRune
	last   int // index of the line found last: lookups come mostly in order
}

// wideRune notes that up to end, the text has shrunk by saved when it is counted in UTF-16 units and not in bytes.
type wideRune struct{ end, saved int }

func newPositions(source string) *positions {
	p := &positions{starts: make([]int, 1, 1+strings.Count(source, "\n"))}
	saved := 0
	for i := 0; i < len(source); {
		c := source[i]
		if c == '\n' {
			p.starts = append(p.starts, i+1)
		}
		if c < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(source[i:])
		i += size
		saved += size - utf16Width(r)
		if i == len(bom) && r == 0xfeff {
			saved++
		}
		p.wide = append(p.wide, wideRune{end: i, saved: saved})
	}
	return p
}

func utf16Width(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}

// at returns the position of a byte offset; offsets outside the text are moved to its edge.
func (p *positions) at(offset int) ast.Pos {
	offset = max(0, offset)
	line := p.line(offset)
	start := p.starts[line]
	column := offset - start
	if len(p.wide) > 0 {
		column -= p.savedBefore(offset) - p.savedBefore(start)
	}
	return ast.Pos{Line: line + 1, Column: column + 1, Offset: offset}
}

// units returns how many UTF-16 units stand between two byte offsets.
func (p *positions) units(from, to int) int {
	return to - from - (p.savedBefore(to) - p.savedBefore(from))
}

func (p *positions) line(offset int) int {
	i := p.last
	if offset < p.starts[i] || (i+1 < len(p.starts) && offset >= p.starts[i+1]) {
		i = sort.Search(len(p.starts), func(k int) bool { return p.starts[k] > offset }) - 1
		p.last = i
	}
	return i
}

func (p *positions) savedBefore(offset int) int {
	i := sort.Search(len(p.wide), func(k int) bool { return p.wide[k].end > offset })
	if i == 0 {
		return 0
	}
	return p.wide[i-1].saved
}
