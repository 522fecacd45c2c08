package bench

import (
	"strings"
	"unicode/utf8"
)

// table is a Markdown table whose columns are aligned, so that it reads well as plain text too.
type table struct {
	head []string
	rows [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// String writes the table; the first column to the left, all others to the right.
func (t *table) String() string {
	wide := make([]int, len(t.head))
	for _, row := range append([][]string{t.head}, t.rows...) {
		for i, cell := range row {
			wide[i] = max(wide[i], utf8.RuneCountInString(cell), 3)
		}
	}
	var b strings.Builder
	line(&b, t.head, wide)
	for i, w := range wide {
		if i == 0 {
			b.WriteString("|" + strings.Repeat("-", w+2))
		} else {
			b.WriteString("|" + strings.Repeat("-", w+1) + ":")
		}
	}
	b.WriteString("|\n")
	for _, row := range t.rows {
		line(&b, row, wide)
	}
	return b.String()
}

func line(b *strings.Builder, row []string, wide []int) {
	for i, w := range wide {
		cell := ""
		if i < len(row) {
			cell = row[i]
		}
		pad := strings.Repeat(" ", w-utf8.RuneCountInString(cell))
		if i == 0 {
			b.WriteString("| " + cell + pad + " ")
		} else {
			b.WriteString("| " + pad + cell + " ")
		}
	}
	b.WriteString("|\n")
}
