package programs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/casys-ai/pml/bench/harness"
	"github.com/casys-ai/pml/cli/runtime"
)

// Journal is what it costs to write down what a program does: the same session with and without a journal.
type Journal struct {
	Name  string `json:"name"`
	Calls int    `json:"calls"`
	// Plain and Written are the medians of the time of a run.
	Plain   time.Duration `json:"plain"`
	Written time.Duration `json:"written"`
	// More is the median of what a run with a journal took over the run without one beside it, 0.01 for 1 %.
	More float64 `json:"more"`
	// Processor is the same of the processor time of pml alone, which other work on the machine changes less.
	Processor float64 `json:"processor"`
	// Bytes is how long the journal is.
	Bytes int64 `json:"bytes"`
}

// journalled are the programs: reads, of which a lost record does no harm, and writes, each of which is in the file
// before its request leaves.
var journalled = []struct{ name, source string }{
	{"1,000 reads, one after the other", inTurn("look")},
	{"1,000 writes, one after the other", inTurn("note")},
	{"1,000 reads at once", atOnce("look")},
	{"1,000 writes at once", atOnce("note")},
}

func inTurn(tool string) string {
	return "let n = 0;\nwhile (n < 1000) n += (await mcp.t." + tool + "({ n: 1 })).n;\nreturn n;"
}

func atOnce(tool string) string {
	return "const list = Array.from({ length: 1000 }, (_, n) => n);\n" +
		"return (await Promise.all(list.map((n) => mcp.t." + tool + "({ n })))).length;"
}

// pairs is how many pairs of runs are measured for each run that Options ask for: what a journal costs is small beside
// what two runs differ by.
const pairs = 8

// MeasureJournal measures runs with and without a journal, in turn.
func MeasureJournal(ctx context.Context, o Options) ([]Journal, error) {
	p, err := newPlace(o)
	if err != nil {
		return nil, err
	}
	defer p.remove()
	var both [2]*runtime.Session
	for i, state := range []string{"", filepath.Join(p.dir, "state")} {
		if both[i], err = p.open(ctx, func(c *runtime.Config) { c.State = state }); err != nil {
			return nil, err
		}
		defer both[i].Close()
	}
	var list []Journal
	for _, program := range journalled {
		j, err := p.journal(ctx, both, program.source)
		if err != nil {
			return nil, fmt.Errorf("programs: %s: %w", program.name, err)
		}
		j.Name, j.Calls = program.name, 1000
		list = append(list, j)
	}
	return list, nil
}

func (p *place) journal(ctx context.Context, both [2]*runtime.Session, source string) (j Journal, err error) {
	var times [2][]time.Duration
	var more, processor []float64
	for pair := range p.Runs*pairs + 1 {
		var took, used [2]time.Duration
		for turn := range both {
			i := (turn + pair) % 2 // who comes second finds the machine warm
			before := harness.CPUTime()
			out, err := once(ctx, both[i], source)
			if err != nil {
				return j, err
			}
			if took[i], used[i] = out.Duration, harness.CPUTime()-before; i == 1 {
				j.Bytes = p.journalSize(out.RunID)
			}
		}
		if pair > 0 { // the first warms up
			times[0], times[1] = append(times[0], took[0]), append(times[1], took[1])
			more, processor = append(more, beyond(took)), append(processor, beyond(used))
		}
	}
	slices.Sort(more)
	slices.Sort(processor)
	j.Plain, j.Written = median(times[0]), median(times[1])
	j.More, j.Processor = more[len(more)/2], processor[len(processor)/2]
	return j, nil
}

// beyond is what the second of a pair took beyond the first.
func beyond(pair [2]time.Duration) float64 { return float64(pair[1])/float64(max(pair[0], 1)) - 1 }

func once(ctx context.Context, s *runtime.Session, source string) (*runtime.Outcome, error) {
	planned, err := s.Plan(ctx, source, runtime.PlanOptions{})
	if err != nil {
		return nil, err
	}
	out := s.Run(ctx, planned, nil, runtime.RunOptions{})
	if out.Err != nil {
		return nil, out.Err
	}
	return out, nil
}

func (p *place) journalSize(run string) int64 {
	info, err := os.Stat(filepath.Join(p.dir, "state", "runs", run))
	if err != nil {
		return 0
	}
	return info.Size()
}
