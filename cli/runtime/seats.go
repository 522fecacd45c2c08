package runtime

import (
	"context"
	"slices"
	"sync"

	"github.com/casys-ai/pml/nodes"
)

// seats are the places at one server, or in the cloud: so many calls of all runs may be there at once. Those that wait
// take turns run by run, so that a run of many calls does not hold up a short one; the calls of one run keep their order.
type seats struct {
	mu    sync.Mutex
	free  int
	lines []*seatLine // the runs with calls that wait; the first is the next. Nobody waits while a seat is free.
}

// seatLine are the calls of one run that wait.
type seatLine struct {
	run   *runner
	calls []chan struct{}
}

// newSeats makes n places; nil, for as many as come, if n is 0.
func newSeats(n int) *seats {
	if n <= 0 {
		return nil
	}
	return &seats{free: n}
}

// take takes a place for a call of run. If none is free it says so, once the call has its place in the line, and waits.
func (s *seats) take(ctx context.Context, run *runner, waits func()) error {
	if s == nil {
		return nil
	}
	granted := s.join(run)
	if granted == nil {
		return nil
	}
	waits()
	select {
	case <-granted:
		return nil
	case <-ctx.Done():
		s.withdraw(run, granted)
		return ctx.Err()
	}
}

// join takes a free place, or puts a call into the line of its run.
func (s *seats) join(run *runner) (granted chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free > 0 {
		s.free--
		return nil
	}
	granted = make(chan struct{})
	i := slices.IndexFunc(s.lines, func(l *seatLine) bool { return l.run == run })
	if i < 0 {
		i = len(s.lines)
		s.lines = append(s.lines, &seatLine{run: run})
	}
	s.lines[i].calls = append(s.lines[i].calls, granted)
	return granted
}

// withdraw takes a call out of the line; if it has been granted a place meanwhile, that goes to the next.
func (s *seats) withdraw(run *runner, granted chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, l := range s.lines {
		if k := slices.Index(l.calls, granted); k >= 0 {
			l.calls = slices.Delete(l.calls, k, k+1)
			if len(l.calls) == 0 {
				s.lines = slices.Delete(s.lines, i, i+1)
			}
			return
		}
	}
	s.next()
}

// leave gives a place back.
func (s *seats) leave() {
	if s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.next()
	}
}

// next gives a place to the first run in line, which then goes behind the others.
func (s *seats) next() {
	if len(s.lines) == 0 {
		s.free++
		return
	}
	l := s.lines[0]
	close(l.calls[0])
	l.calls = l.calls[1:]
	s.lines = s.lines[1:]
	if len(l.calls) > 0 {
		s.lines = append(s.lines, l)
	}
}

// seat is that of one call.
type seat struct {
	at   *seats
	run  *runner
	held bool
}

// take takes the seat; see seats.take.
func (s *seat) take(ctx context.Context, waits func()) error {
	err := s.at.take(ctx, s.run, waits)
	s.held = err == nil
	return err
}

// leave gives the seat back, if the call had it.
func (s *seat) leave() {
	if s.held {
		s.at.leave()
	}
}

// seatsFor are the places that a call of the tool needs one of; nil if there is no limit.
func (s *Session) seatsFor(t *nodes.Tool) *seats {
	if t.Route == nodes.Server {
		return s.cloudSeats
	}
	if v := s.servers[t.ID.Server()]; v != nil {
		return v.seats
	}
	return nil
}
