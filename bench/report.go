package bench

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/casys-ai/pml/bench/harness"
	"github.com/casys-ai/pml/bench/table"
)

// Text is the whole report as Markdown that reads well in a terminal.
func (r *Report) Text() string {
	var b strings.Builder
	b.WriteString(r.Machine.text())
	for _, s := range r.Sections {
		b.WriteString("\n## " + s.Title + "\n\n" + s.text())
	}
	if r.Programs != nil {
		b.WriteString(r.Programs.Text())
	}
	if r.Cloud != nil {
		b.WriteString(r.Cloud.Text())
	}
	return b.String()
}

func (m Machine) text() string {
	text := fmt.Sprintf("%s, %d cores, %s memory, %s, %s", m.CPU, m.Cores, m.Memory, m.System, m.Go)
	if m.Node != "" {
		text += ", Node " + m.Node
	}
	text += fmt.Sprintf("; %s, load before the run %s", m.Date, m.Load)
	if m.Version != "" {
		text += ", commit " + m.Version
	}
	return text + ".\n"
}

// text is the section's table, the ratios that follow from it, and what one engine alone has: memory and start.
func (s *Section) text() string {
	parts := []string{s.Says + "\n", s.pivot().String()}
	if s.unit == perTask {
		if t := s.ratios(); len(t.Rows) > 0 {
			parts = append(parts, "Times as long as pml:\n", t.String())
		}
		parts = append(parts, "What a run takes:\n", s.costs().String())
	}
	for _, r := range s.Results {
		if r.Err != "" {
			parts = append(parts, fmt.Sprintf("No figure for %s: %s\n", r.Job, r.Err))
		}
	}
	return strings.Join(parts, "\n")
}

// pivot has a row a graph and a column an engine.
func (s *Section) pivot() *table.Table {
	t := &table.Table{Head: append([]string{s.rowHead()}, s.engines()...)}
	for _, row := range s.rowNames() {
		cells := []string{row}
		for _, e := range s.engines() {
			cells = append(cells, s.cell(s.find(row, e)))
		}
		t.Add(cells...)
	}
	return t
}

func (s *Section) rowHead() string {
	if s.unit == overIdeal {
		return "limit"
	}
	return "graph"
}

// rowName is what the results of one row have in common.
func (s *Section) rowName(r harness.Result) string {
	if s.unit == overIdeal {
		return strconv.Itoa(r.Job.Limit)
	}
	return r.Job.Graph.String()
}

func (s *Section) rowNames() (names []string) {
	for _, r := range s.Results {
		if name := s.rowName(r); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (s *Section) engines() (names []string) {
	for _, r := range s.Results {
		if !slices.Contains(names, r.Job.Engine) {
			names = append(names, r.Job.Engine)
		}
	}
	return names
}

// find is the result of an engine in a row; nil if it was not measured.
func (s *Section) find(row, engine string) *harness.Result {
	for i, r := range s.Results {
		if r.Job.Engine == engine && s.rowName(r) == row && r.Err == "" {
			return &s.Results[i]
		}
	}
	return nil
}

func (s *Section) cell(r *harness.Result) string {
	if r == nil {
		return "–"
	}
	switch s.unit {
	case overIdeal:
		return fmt.Sprintf("%s %+.1f %%", table.Milliseconds(r.Wall, 1), 100*r.OverIdeal())
	case speedup:
		return fmt.Sprintf("%.2f×", float64(r.Alone)/float64(r.Wall))
	}
	return table.Number(r.PerTask())
}

// ratios compares the others with pml, row by row.
func (s *Section) ratios() *table.Table {
	others := slices.DeleteFunc(s.engines(), func(e string) bool { return e == "pml" })
	t := &table.Table{Head: append([]string{"graph"}, others...)}
	for _, row := range s.rowNames() {
		own := s.find(row, "pml")
		if own == nil || len(others) == 0 {
			continue
		}
		cells := []string{row}
		for _, e := range others {
			cell := "–"
			if r := s.find(row, e); r != nil {
				cell = fmt.Sprintf("%.2f×", r.PerTask()/own.PerTask())
			}
			cells = append(cells, cell)
		}
		t.Add(cells...)
	}
	return t
}

// costs shows what lies behind the times: how much of them is spent before the first task, and memory. Of the peers
// only the largest graph is shown; results.json has all.
func (s *Section) costs() *table.Table {
	t := &table.Table{Head: []string{"graph, engine", "ns/task", "from the 1st on", "CPU ns/task", "allocs/task",
		"from the 1st on", "bytes/task", "peak bytes/node"}}
	last := s.rowNames()[len(s.rowNames())-1]
	for _, r := range s.Results {
		if r.Err != "" || r.Job.Engine != "pml" && s.rowName(r) != last {
			continue
		}
		peak := "–"
		if r.Job.Graph.Nodes >= 100_000 && r.Peak > 0 {
			peak = table.Number(r.PeakPerTask())
		}
		t.Add(s.rowName(r)+", "+r.Job.Engine, table.Number(r.PerTask()), table.Number(r.PerTaskLater()), table.Number(r.CPUPerTask()),
			table.Small(r.AllocsPerTask()), table.Small(r.LateAllocsPerTask()), table.Number(r.BytesPerTask()), peak)
	}
	return t
}
