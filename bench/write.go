package bench

import (
	_ "embed" // the head of README.md
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/casys-ai/pml/bench/chart"
	"github.com/casys-ai/pml/bench/harness"
)

// Write puts the report into a folder: README.md, results.json and a picture for each section that has one.
func (r *Report) Write(dir string) error {
	var data strings.Builder
	if err := r.JSON(&data); err != nil {
		return err
	}
	files := map[string]string{"results.json": data.String(), "README.md": r.readme()}
	for _, s := range r.Sections {
		if svg := s.picture(); svg != "" {
			files[s.file()] = svg
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// JSON writes the report as JSON: all figures, those too that the tables leave out. Times are in nanoseconds.
func (r *Report) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(r)
}

func (s *Section) file() string { return "chart-" + s.ID + ".svg" }

// readmeHead says what the figures mean.
//
//go:embed readme.head.md
var readmeHead string

// readme is the report with what readers need to repeat it.
func (r *Report) readme() string {
	var b strings.Builder
	b.WriteString(readmeHead + "\nThis run: " + r.Machine.text() + "\n```\n" + r.Command + "\n```\n")
	for _, s := range r.Sections {
		b.WriteString("\n## " + s.Title + "\n\n")
		if s.picture() != "" {
			b.WriteString("![" + s.Title + "](" + s.file() + ")\n\n")
		}
		b.WriteString(s.text())
		b.WriteString("\nAgain: `make bench ONLY=" + s.ID + "`\n")
	}
	if r.Programs != nil {
		b.WriteString(r.Programs.Text())
	}
	if r.Cloud != nil {
		b.WriteString(r.Cloud.Text() + "\nAgain: `make bench ONLY=" + CloudID + "`\n")
	}
	return b.String()
}

// picture is the section's chart as SVG; "" if it has none.
func (s *Section) picture() string {
	c := chart.Chart{Title: s.Title, Labels: s.rowNames()}
	for _, e := range s.engines() {
		line := chart.Series{Name: e}
		for _, row := range s.rowNames() {
			line.Y = append(line.Y, s.height(s.find(row, e)))
		}
		c.Series = append(c.Series, line)
	}
	switch s.chart {
	case bySize:
		c.Unit, c.Log = "ns a task", true
		return chart.Lines(c)
	case byLabel:
		c.Unit = "time ÷ ideal schedule"
		for i, l := range c.Labels {
			c.Labels[i] = "limit " + l
		}
		return chart.Bars(c)
	}
	return ""
}

// height is what the chart shows of a result.
func (s *Section) height(r *harness.Result) float64 {
	switch {
	case r == nil:
		return math.NaN()
	case s.unit == overIdeal:
		return 1 + r.OverIdeal()
	}
	return r.PerTask()
}
