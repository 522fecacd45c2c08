package cli

import (
	"strings"
	"unicode/utf8"
)

// columns lays rows out so that their cells stand below each other. A row with one cell is a line of its own.
type columns struct{ rows [][]string }

func (c *columns) add(cells ...string) {
	for i := range cells {
		cells[i] = visible(cells[i])
	}
	c.rows = append(c.rows, cells)
}

// text is the table, each line indented.
func (c *columns) text(indent string) string {
	var widths []int
	for _, row := range c.rows {
		for i, cell := range row {
			if len(row) == 1 {
				break
			}
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range c.rows {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(cell)
			if i < len(row)-1 {
				line.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
			}
		}
		b.WriteString(strings.TrimRight(indent+line.String(), " ") + "\n")
	}
	return b.String()
}

// clip puts text on one line of at most n characters.
func clip(text string, n int) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}
