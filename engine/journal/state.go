package journal

import (
	"time"

	"github.com/casys-ai/pml/nodes"
)

// State is what a journal says about its run.
type State struct {
	Begin
	// End is how it ended; nil while it has not.
	End *End
	// Worked is how long it has worked when it was parked last.
	Worked time.Duration
	// Questions are those that were put, by id, Order their ids as they came; Decisions the answers, by id.
	Questions map[string]Question
	Order     []string
	Decisions map[string]Decision
	// Steps are the tasks in the order in which they started.
	Steps []*Step
	// Lines are what the program has written to its console, by the path of what wrote them, in order.
	Lines []Line

	parked   bool
	outcomes map[string]finished
	steps    map[string]*Step
	seeds    map[string][]byte
	clocks   map[string][]byte
	timers   map[string][]byte
}

// Step is one task as the journal knows it. The times are after Begin.Created; -1 for what has not happened.
type Step struct {
	Path                    string
	Tool                    nodes.ToolID
	Started, Left, Finished time.Duration
	// Failed says that it ended with an exception; Attempts how often it left.
	Failed   bool
	Attempts int

	digest string
}

// Line is one line of the program's console.
type Line struct{ Path, Level, Text string }

// finished is an outcome, not yet decoded.
type finished struct {
	seq  int
	body []byte
}

// Status is where a run is, as far as its journal tells.
type Status string

// The statuses. Running and Interrupted look the same in the journal: somebody holds the lock, or nobody does.
const (
	Running     Status = "running"
	Waiting     Status = "approval_required"
	Interrupted Status = "interrupted"
	Succeeded   Status = "success"
	Failed      Status = "error"
	Cancelled   Status = "cancelled"
)

// status is where the run is if nobody holds it.
func (s *State) status() Status {
	switch {
	case s.End != nil:
		return Status(s.End.Status)
	case s.parked:
		return Waiting
	}
	return Interrupted
}

// Open lists the questions without an answer, in the order in which they were put.
func (s *State) Open() (list []Question) {
	for _, id := range s.Order {
		q := s.Questions[id]
		if _, decided := s.Decisions[id]; decided || s.done(q.Path) {
			continue
		}
		list = append(list, q)
	}
	return list
}

func (s *State) done(path string) bool {
	_, done := s.outcomes[path]
	return done
}

// Uncertain reports whether a call left and nothing is known of its outcome.
func (s *State) Uncertain(path string) bool {
	step := s.steps[path]
	return step != nil && step.Left >= 0 && !s.done(path)
}

// Same reports whether a call is the one that an earlier attempt made, if it made one at path.
func (s *State) Same(path string, tool nodes.ToolID, args []byte) bool {
	step := s.steps[path]
	return step == nil || step.Left < 0 || step.Tool == tool && step.digest == Digest(args)
}

// Told is what the script at path was told before: its seed, nil if it has not begun, the readings of its clock, and which
// of its timers fired.
func (s *State) Told(path string) (seed, clock, timers []byte) {
	return s.seeds[path], s.clocks[path], s.timers[path]
}

// Calls is how many calls have an outcome.
func (s *State) Calls() int {
	n := 0
	for _, step := range s.Steps {
		if step.Left >= 0 && step.Finished >= 0 {
			n++
		}
	}
	return n
}

func newState() *State {
	return &State{Questions: map[string]Question{}, Decisions: map[string]Decision{}, outcomes: map[string]finished{},
		steps: map[string]*Step{}, seeds: map[string][]byte{}, clocks: map[string][]byte{}, timers: map[string][]byte{}}
}

// read takes one record into account.
func (s *State) read(body []byte, secrets []Secret) error {
	d := decoder{buf: body, secrets: secrets}
	k := kind(d.byte())
	at := time.Duration(d.big()) * time.Microsecond
	switch k {
	case kindBegin:
		s.Begin = d.begin()
	case kindStarted:
		s.step(d.text()).Started = at
	case kindLeaving:
		step := s.step(d.text())
		step.Tool, step.digest, step.Left = nodes.ToolID(d.text()), d.text(), at
		step.Attempts++
		if step.Started < 0 {
			step.Started = at
		}
	case kindFinished:
		s.finish(&d, at)
	case kindAsked:
		s.ask(d.question())
	case kindDecided:
		x := d.decision()
		s.Decisions[x.ID] = x
	case kindLine:
		l := Line{Path: d.text()}
		d.strings(&l.Level, &l.Text)
		s.Lines = append(s.Lines, l)
	case kindTold:
		path := d.text()
		s.seeds[path] = []byte(d.text())
	case kindClock:
		path := d.text()
		s.clocks[path] = append(s.clocks[path], d.text()...)
	case kindFired:
		path := d.text()
		s.timers[path] = append(s.timers[path], d.text()...)
	case kindParked:
		s.Worked = time.Duration(d.number()) * time.Millisecond
	case kindLost:
		path := d.text()
		delete(s.outcomes, path)
		s.step(path).Finished = -1
	case kindEnded:
		end := d.end()
		s.End = &end
	}
	s.parked = k == kindParked
	return d.err
}

func (s *State) step(path string) *Step {
	step := s.steps[path]
	if step == nil {
		step = &Step{Path: path, Started: -1, Left: -1, Finished: -1}
		s.steps[path] = step
		s.Steps = append(s.Steps, step)
	}
	return step
}

func (s *State) finish(d *decoder, at time.Duration) {
	path := d.text()
	body := append([]byte(nil), d.buf...)
	seq, how := d.number(), d.number()
	s.outcomes[path] = finished{seq, body}
	step := s.step(path)
	step.Finished, step.Failed = at, how == howThrow
	if step.Started < 0 {
		step.Started = at
	}
}

func (s *State) ask(q Question) {
	if _, again := s.Questions[q.ID]; !again {
		s.Order = append(s.Order, q.ID)
	}
	delete(s.Decisions, q.ID) // it is asked again because the answer did not help
	s.Questions[q.ID] = q
}

// Attempts is how often the call at path has left.
func (s *State) Attempts(path string) int {
	if step := s.steps[path]; step != nil {
		return step.Attempts
	}
	return 0
}

// Thrown is the exception that the task at path ended with, as a text; "" if it did not end with one.
func (s *State) Thrown(path string) string {
	d := decoder{buf: s.outcomes[path].body}
	if o := d.outcome(); o.Throw != nil && d.err == nil {
		return o.Throw.Error()
	}
	return ""
}
