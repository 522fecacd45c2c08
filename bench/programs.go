package bench

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/casys-ai/pml/bench/programs"
)

// Programs is what the second harness found: whole programs, over a real server.
type Programs struct {
	Shapes   []programs.Result   `json:"shapes"`
	Planning []programs.Planning `json:"planning"`
	Calls    []programs.Call     `json:"calls"`
}

// RunPrograms measures whole programs. progress is told of every part before it starts.
func RunPrograms(ctx context.Context, o programs.Options, progress func(string)) (*Programs, error) {
	var p Programs
	var err error
	progress("programs: five shapes")
	if p.Shapes, err = programs.Measure(ctx, o); err != nil {
		return nil, err
	}
	progress("programs: planning")
	if p.Planning, err = programs.MeasurePlanning(ctx, o); err != nil {
		return nil, err
	}
	progress("programs: single calls")
	p.Calls, err = programs.MeasureCalls(ctx, o)
	return &p, err
}

func (p *Programs) text() string {
	var b strings.Builder
	b.WriteString("\n## Whole programs\n\n" + shapesSay + "\n" + p.shapes().String())
	b.WriteString("\nFrom nothing to the first call, and planning:\n\n" + p.starts().String())
	for _, l := range p.Planning {
		fmt.Fprintf(&b, "\nPlanning a program of %d lines takes %s.\n", l.Lines, milliseconds2(l.Time))
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

func (p *Programs) shapes() *table {
	t := &table{head: []string{"program", "calls", "critical path", "pml run", "over it", "as one script", "Node"}}
	for _, r := range p.Shapes {
		node := "–"
		if r.Node > 0 {
			node = milliseconds(r.Node)
		}
		t.add(r.Name, fmt.Sprint(r.Calls), milliseconds(r.Critical), milliseconds(r.Native),
			fmt.Sprintf("%+.1f %%", 100*(float64(r.Native)/float64(r.Critical)-1)), milliseconds(r.Script), node)
	}
	return t
}

func (p *Programs) starts() *table {
	t := &table{head: []string{"program", "planning", "run → first call", "cold → first call", "the server's start",
		"our part"}}
	for _, r := range p.Shapes {
		t.add(r.Name, milliseconds2(r.Plan), milliseconds2(r.FirstCall), milliseconds2(r.Cold), milliseconds2(r.Start),
			milliseconds2(max(0, r.Cold-r.Start)))
	}
	return t
}

func (p *Programs) calls() *table {
	t := &table{head: []string{"answer"}}
	for i, c := range p.Calls {
		row := []string{answer(c.Answer)}
		for _, w := range c.Ways {
			if i == 0 {
				t.head = append(t.head, w.Name, "KB")
			}
			row = append(row, number(float64(w.Time)/float64(time.Microsecond)), number(float64(w.Bytes)/1024))
		}
		t.add(row...)
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

func milliseconds2(d time.Duration) string {
	return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond))
}
