package engine

import (
	"container/heap"
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// sim drives a core in virtual time: each task takes a random time, acts on the world at a random moment of it, and
// ends at its own time even if it is cancelled.
type sim struct {
	core    *core
	w       *world
	r       *rand.Rand
	now     int64
	count   int
	queue   moments
	started []*task
	effects map[*task]outcomeOf
	flying  int
	limit   int // calls that may be under way at once
	calling int
	faults  []string
	mistake mistake
}

type outcomeOf struct {
	out []value.Value
	err error
}

// moment is when something happens to a task.
type moment struct {
	at   int64
	seq  int
	t    *task
	what string
}

type moments []moment

func (m moments) Len() int { return len(m) }
func (m moments) Less(i, j int) bool {
	return m[i].at < m[j].at || m[i].at == m[j].at && m[i].seq < m[j].seq
}
func (m moments) Swap(i, j int) { m[i], m[j] = m[j], m[i] }
func (m *moments) Push(x any)   { *m = append(*m, x.(moment)) }
func (m *moments) Pop() any {
	last := (*m)[len(*m)-1]
	*m = (*m)[:len(*m)-1]
	return last
}

func simulate(g *nodes.Graph, w *world, seed uint64, o Options, m mistake) *sim {
	b, err := compile(g, guessed(seed))
	if err != nil {
		panic(err)
	}
	s := &sim{core: newCore(b, value.Number(3), w, o), w: w, effects: map[*task]outcomeOf{}, mistake: m}
	s.r = rand.New(rand.NewPCG(seed, 1))
	s.limit = s.core.limit
	if m == forgetsTheLimit {
		s.core.limit++
	}
	s.core.start()
	for s.advance() {
	}
	return s
}

// guessed are estimates that have nothing to do with how long anything takes, or none: whatever goes first, what comes of it
// is the same.
func guessed(seed uint64) Estimate {
	if seed%2 == 0 {
		return nil
	}
	return func(tool nodes.ToolID) float64 {
		h := fnv.New32a()
		fmt.Fprint(h, seed, tool)
		return float64(h.Sum32()%4) * 100
	}
}

func (s *sim) in(d int64, t *task, what string) {
	s.count++
	heap.Push(&s.queue, moment{s.now + d, s.count, t, what})
}

// advance does what is possible now, then lets time pass until something happens.
func (s *sim) advance() bool {
	for s.core.step(1 + s.r.IntN(50)) {
	}
	for _, cmd := range s.core.commands {
		s.obey(cmd)
	}
	s.core.commands = s.core.commands[:0]
	if s.core.state == broken {
		return false
	}
	if len(s.queue) == 0 {
		if !s.core.quiet() {
			s.faults = append(s.faults, s.core.stuck().Message)
		}
		return false
	}
	m := heap.Pop(&s.queue).(moment)
	s.now = m.at
	s.happen(m)
	return true
}

func (s *sim) obey(cmd command) {
	if cmd.what == commandCancel {
		if n := cmd.t.node(); n.Effect() == nodes.Write {
			s.faults = append(s.faults, "cancelled the write "+cmd.t.path)
		}
		return
	}
	s.flying++
	if cmd.t.limited() {
		s.calling++
	}
	if s.calling > s.limit {
		s.faults = append(s.faults, "too many calls")
	}
	s.started = append(s.started, cmd.t)
	if s.mistake == startsTwice {
		s.started = append(s.started, cmd.t)
	}
	long := 1 + s.r.Int64N(100)
	if s.r.IntN(10) == 0 {
		long = 1
	}
	s.in(s.r.Int64N(long), cmd.t, "sent")
	s.in(s.r.Int64N(long), cmd.t, "acts")
	s.in(long, cmd.t, "ends")
}

func (s *sim) happen(m moment) {
	switch m.what {
	case "sent":
		s.core.sent(m.t)
	case "acts":
		var o outcomeOf
		o.out, o.err = s.w.run(m.t.node(), m.t.path, m.t.in)
		if s.mistake == dropsFailures {
			o.err = nil
		}
		s.effects[m.t] = o
	default:
		s.flying--
		if m.t.limited() {
			s.calling--
		}
		o := s.effects[m.t]
		if s.mistake == losesAnEnd && s.r.IntN(10) == 0 {
			return
		}
		s.core.finished(m.t, o.out, o.err)
	}
}

func (s *sim) result() string {
	if f := s.core.failure; f != nil {
		return fmt.Sprintf("%s at %s", text(f.Thrown), f.Path)
	}
	return text(s.core.result)
}
