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
	Journal  []Journal  `json:"journal,omitempty"`
}

// Run measures the parts that are wanted, "programs" and "journal"; nil for none. progress is told of every part before it
// starts.
func Run(ctx context.Context, o Options, wants func(part string) bool, progress func(string)) (p *Report, err error) {
	if wants("programs") {
		if p, err = runPrograms(ctx, o, progress); err != nil {
			return nil, err
		}
	}
	if wants("journal") {
		if p == nil {
			p = &Report{}
		}
		progress("journal")
		if p.Journal, err = MeasureJournal(ctx, o); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func runPrograms(ctx context.Context, o Options, progress func(string)) (*Report, error) {
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
	if len(p.Shapes) > 0 {
		p.programsText(&b)
	}
	if len(p.Journal) > 0 {
		b.WriteString("\n## Writing down what is done\n\n" + journalSays + "\n" + p.journal().String() +
			"\nAgain: `make bench ONLY=journal`\n")
	}
	return b.String()
}

func (p *Report) programsText(b *strings.Builder) {
	b.WriteString("\n## Whole programs\n\n" + shapesSay + "\n" + p.shapes().String())
	b.WriteString("\nFrom nothing to the first call, and planning:\n\n" + p.starts().String())
	for _, l := range p.Planning {
		fmt.Fprintf(b, "\nPlanning a program of %d lines takes %s.\n", l.Lines, table.Milliseconds(l.Time, 2))
	}
	b.WriteString("\n## One call\n\n" + callsSay + "\n" + p.calls().String() + "\nAgain: `make bench ONLY=programs`\n")
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

const journalSays = `Programs of 1,000 calls that answer at once, run in turn by three sessions, of which the second has a journal and an
audit log. Lower quartiles: a run has two speeds, as the kernel puts client and server on processors. "More" is what the second
takes beyond the first, "noise" what the third does, which is like the first; "processor" is more of the processor time of pml
alone. A write is in the file before its request leaves; a read need not be.
`

func (p *Report) journal() *table.Table {
	t := &table.Table{Head: []string{"program", "without", "with", "more", "noise", "processor", "bytes a call"}}
	for _, j := range p.Journal {
		t.Add(j.Name, table.Milliseconds(j.Plain, 1), table.Milliseconds(j.Written, 1), fmt.Sprintf("%+.1f %%", 100*j.More),
			fmt.Sprintf("%+.1f %%", 100*j.Noise),
			fmt.Sprintf("%+.1f %%", 100*j.Processor),
			fmt.Sprint(j.Bytes/int64(j.Calls)))
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
