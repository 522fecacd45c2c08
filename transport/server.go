package transport

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/casys-ai/pml/nodes"
)

// A server that crashed crashLimit times within crashWindow is not started again before the window has passed.
const (
	crashLimit  = 3
	crashWindow = 10 * time.Second
)

// server is one configured server: at most one session at a time, which those who need it share.
type server struct {
	pool   *Pool
	config ServerConfig
	log    *slog.Logger
	remote *Remote // nil for a process

	mu       sync.Mutex
	current  *session
	starting *startup
	starts   int
	crashes  []time.Time
	last     *Error // of the latest crash
	version  string // protocol version that it took; asked for first next time
	bad      []Quarantine
}

// startup is a start in progress that any number wait for.
type startup struct {
	done    chan struct{}
	session *session
	err     *Error
}

// acquire returns the running session, starting one if there is none.
func (s *server) acquire(ctx context.Context) (*session, error) {
	up, running, err := s.begin()
	if err != nil {
		return nil, err
	}
	if running != nil {
		return running, nil
	}
	select {
	case <-up.done:
		if up.err != nil {
			return nil, up.err
		}
		return up.session, nil
	case <-ctx.Done():
		return nil, stopped(ctx, s.config.Name, "", 0)
	}
}

// begin returns the running session or the start in progress, which it begins if need be.
func (s *server) begin() (*startup, *session, *Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != nil || s.starting != nil {
		return s.starting, s.current, nil
	}
	if err := s.tooManyCrashes(time.Now()); err != nil {
		return nil, nil, err
	}
	up := &startup{done: make(chan struct{})}
	if !s.pool.run(func() { s.start(up) }) {
		return nil, nil, &Error{Code: nodes.Cancelled, Server: s.config.Name, Message: "the pool is closed"}
	}
	s.starting = up
	s.starts++
	return up, nil, nil
}

func (s *server) tooManyCrashes(now time.Time) *Error {
	for len(s.crashes) > 0 && now.Sub(s.crashes[0]) > crashWindow {
		s.crashes = s.crashes[1:]
	}
	if len(s.crashes) < crashLimit {
		return nil
	}
	e := *s.last
	e.Message = fmt.Sprintf("server %q crashed %d times within %s and is not restarted for now; last: %s",
		s.config.Name, len(s.crashes), crashWindow, s.last.Message)
	e.Hint = "see its stderr; it is tried again later"
	return &e
}

// start starts a process, shakes hands, and tells those who wait.
func (s *server) start(up *startup) {
	x, err := startSession(s)
	if err == nil {
		err = x.handshake()
	}
	s.mu.Lock()
	s.starting = nil
	if up.session = x; err != nil {
		up.err = asError(err, s.config.Name)
	} else if !x.ended() {
		s.current = x
	}
	s.mu.Unlock()
	close(up.done)
}

// ended is told when a session has ended, and why.
func (s *server) ended(x *session, err *Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == x {
		s.current = nil
	}
	close(x.gone)
	if err.Code == nodes.ServerError && !x.aborted() {
		s.crashes, s.last = append(s.crashes, time.Now()), err
		s.log.Warn(err.Message, "stderr", err.Stderr)
	}
}

// Status is the state of one server.
type Status struct {
	Running bool
	PID     int // 0 if it does not run
	// Starts counts how often it was started.
	Starts int
	// Garbage counts the lines on stdout that were no messages, since the last start.
	Garbage int
	Info    ServerInfo
}

// Status tells how a server is, without starting it; the zero Status if there is no such server.
func (p *Pool) Status(name string) Status {
	s := p.servers[name]
	if s == nil {
		return Status{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	out := Status{Starts: s.starts}
	if x := s.current; x != nil {
		out.Running, out.PID, out.Garbage, out.Info = true, x.proc.pid, int(x.garbageLines.Load()), x.info
	}
	return out
}
