// Package table writes tables and the figures in them.
package table

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Table is a Markdown table whose columns are aligned, so that it reads well as plain text too.
type Table struct {
	Head []string
	Rows [][]string
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// String writes the table; the first column to the left, all others to the right.
func (t *Table) String() string {
	wide := make([]int, len(t.Head))
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		for i, cell := range row {
			wide[i] = max(wide[i], utf8.RuneCountInString(cell), 3)
		}
	}
	var b strings.Builder
	line(&b, t.Head, wide)
	for i, w := range wide {
		if i == 0 {
			b.WriteString("|" + strings.Repeat("-", w+2))
		} else {
			b.WriteString("|" + strings.Repeat("-", w+1) + ":")
		}
	}
	b.WriteString("|\n")
	for _, row := range t.Rows {
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

// Number has three digits at least.
func Number(x float64) string {
	if x < 10 {
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}

// Small has three digits behind the point: it tells 0.004 from 0.
func Small(x float64) string { return strconv.FormatFloat(x, 'f', 3, 64) }

// Milliseconds is a time in milliseconds with so many digits behind the point.
func Milliseconds(d time.Duration, digits int) string {
	return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', digits, 64) + " ms"
}
