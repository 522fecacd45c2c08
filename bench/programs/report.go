package programs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/casys-ai/pml/bench/table"
)

// Report is what the second harness found: whole programs, over a real server.
type Report struct {
	Shapes   []Result   `json:"shapes"`
	Planning []Planning `json:"planning"`
	Calls    []Call     `json:"calls"`
}

// Run measures whole  progress is told of every part before it starts.
func Run(ctx context.Context, o Options, progress func(string)) (*Report, error) {
	var p Report
	var err error
	progress("programs: five shapes")
	if p.Shapes, err = Measure(ctx, o); err != nil {
		return nil, err
	}
	progress("programs: planning")
	if p.Planning, err = MeasurePlanning(ctx, o); err != nil {
		return nil, err
	}
	progress("programs: single calls")
	p.Calls, err = MeasureCalls(ctx, o)
	return &p, err
}

// Text is the report as Markdown that reads well in a terminal.
func (p *Report) Text() string {
	var b strings.Builder
	b.WriteString("\n## Whole programs\n\n" + shapesSay + "\n" + p.shapes().String())
	b.WriteString("\nFrom nothing to the first call, and planning:\n\n" + p.starts().String())
	for _, l := range p.Planning {
		fmt.Fprintf(&b, "\nPlanning a program of %d lines takes %s.\n", l.Lines, table.Milliseconds(l.Time, 2))
	}
	b.WriteString("\n## One call\n\n" + callsSay + "\n" + p.calls().String())
	return b.String()
}

const shapesSay = `Programs as agents write them, every call awaited where it stands, tools of 20 ms over a real stdio
server. The critical path is that of the calls, each as long as the bare transport takes for one. Node runs the program
as it is written, its tools in the same process, without a pipe.
`

const callsSay = "Calls one after the other on the same server, µs a call; and what one allocates in the client, " +
	"in KB. `pml run` is a loop in a program, with arguments, policy, validation, limits, trace and the loop's values.\n"

func (p *Report) shapes() *table.Table {
	t := &table.Table{Head: []string{"program", "calls", "critical path", "pml run", "over it", "as one script", "Node"}}
	for _, r := range p.Shapes {
		node := "–"
		if r.Node > 0 {
			node = table.Milliseconds(r.Node, 1)
		}
		t.Add(r.Name, fmt.Sprint(r.Calls), table.Milliseconds(r.Critical, 1), table.Milliseconds(r.Native, 1),
			fmt.Sprintf("%+.1f %%", 100*(float64(r.Native)/float64(r.Critical)-1)), table.Milliseconds(r.Script, 1), node)
	}
	return t
}

func (p *Report) starts() *table.Table {
	t := &table.Table{Head: []string{"program", "planning", "run → first call", "cold → first call", "the server's start",
		"our part"}}
	for _, r := range p.Shapes {
		t.Add(r.Name, table.Milliseconds(r.Plan, 2), table.Milliseconds(r.FirstCall, 2), table.Milliseconds(r.Cold, 2), table.Milliseconds(r.Start, 2),
			table.Milliseconds(max(0, r.Cold-r.Start), 2))
	}
	return t
}

func (p *Report) calls() *table.Table {
	t := &table.Table{Head: []string{"answer"}}
	for i, c := range p.Calls {
		row := []string{answer(c.Answer)}
		for _, w := range c.Ways {
			if i == 0 {
				t.Head = append(t.Head, w.Name, "KB")
			}
			row = append(row, table.Number(float64(w.Time)/float64(time.Microsecond)), table.Number(float64(w.Bytes)/1024))
		}
		t.Add(row...)
	}
	return t
}

func answer(n int) string {
	switch {
	case n == 0:
		return "echo"
	case n < 1<<20:
		return fmt.Sprintf("%d KB", n>>10)
	}
	return fmt.Sprintf("%d MB", n>>20)
}
