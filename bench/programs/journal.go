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
	// Plain and Written are the time of a run, More what a run with a journal takes beyond one without, 0.01 for 1 %, and
	// Noise what another session without a journal takes beyond that one. All are of the lower quartile: a run has two
	// speeds, as the kernel puts client and server on processors.
	Plain   time.Duration `json:"plain"`
	Written time.Duration `json:"written"`
	More    float64       `json:"more"`
	Noise   float64       `json:"noise"`
	// Processor is More for the processor time of pml alone, which other work on the machine changes less.
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

// rounds is how many runs of each session are measured for each run that Options ask for: what a journal costs is small
// beside what two runs differ by.
const rounds = 12

// MeasureJournal measures runs without a journal, with one, and without one again, in turn.
func MeasureJournal(ctx context.Context, o Options) ([]Journal, error) {
	p, err := newPlace(o)
	if err != nil {
		return nil, err
	}
	defer p.remove()
	var sessions [3]*runtime.Session
	for i, state := range []string{"", filepath.Join(p.dir, "state"), ""} {
		if sessions[i], err = p.open(ctx, func(c *runtime.Config) { c.State = state }); err != nil {
			return nil, err
		}
		defer sessions[i].Close()
	}
	var list []Journal
	for _, program := range journalled {
		j, err := p.journal(ctx, sessions, program.source)
		if err != nil {
			return nil, fmt.Errorf("programs: %s: %w", program.name, err)
		}
		j.Name, j.Calls = program.name, 1000
		list = append(list, j)
	}
	return list, nil
}

func (p *place) journal(ctx context.Context, sessions [3]*runtime.Session, source string) (j Journal, err error) {
	var times, used [3][]time.Duration
	for round := range p.Runs*rounds + 1 {
		for turn := range sessions {
			i := (turn + round) % len(sessions) // who comes later finds the machine warm
			before := harness.CPUTime()
			out, err := once(ctx, sessions[i], source)
			if err != nil {
				return j, err
			}
			if i == 1 {
				j.Bytes = p.journalSize(out.RunID)
			}
			if round > 0 { // the first warms up
				times[i], used[i] = append(times[i], out.Duration), append(used[i], harness.CPUTime()-before)
			}
		}
	}
	j.Plain, j.Written = quartile(times[0]), quartile(times[1])
	j.More, j.Noise = beyond(times[1], times[0]), beyond(times[2], times[0])
	j.Processor = beyond(used[1], used[0])
	return j, nil
}

func quartile(list []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(list))[len(list)/4]
}

// beyond is what one list takes beyond another.
func beyond(list, other []time.Duration) float64 {
	return float64(quartile(list))/float64(max(quartile(other), 1)) - 1
}

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
