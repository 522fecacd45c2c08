package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/conc"

	"github.com/casys-ai/pml/nodes"
)

// How long a session waits: for a server to end after its stdin was closed and again after SIGTERM, for the exit
// status behind the end of stdout, and for the last output behind the exit.
const (
	patience   = time.Second
	exitGrace  = 250 * time.Millisecond
	drainGrace = 250 * time.Millisecond
)

// session is one process of a server, from its start to the end of its last descendant.
type session struct {
	server *server
	log    *slog.Logger
	proc   *process
	conn   *conn
	info   ServerInfo

	abort     chan struct{} // closed to kill the process at once
	abortOnce sync.Once
	gone      chan struct{} // closed when the server has forgotten it (under the server's mu)
	dead      chan struct{} // closed when nothing of it is left

	garbageLines atomic.Int64
	said         atomic.Int64 // log messages
	garbageMu    sync.Mutex
	firstGarbage string
}

// startSession starts the process and its goroutines; the handshake is still to come.
func startSession(s *server) (*session, error) {
	s.mu.Lock()
	config := s.config
	s.mu.Unlock()
	proc, err := s.pool.startProcess(config)
	if err != nil {
		return nil, err
	}
	x := &session{
		server: s, log: s.log.With("pid", proc.pid), proc: proc,
		conn:  newConn(proc.stdout, proc.stdin, s.pool.opts.Limits.MaxMessage),
		abort: make(chan struct{}), gone: make(chan struct{}), dead: make(chan struct{}),
	}
	x.conn.inbound, x.conn.garbage = x.receive, x.note
	s.pool.owned.Go(x.supervise) // the caller is owned too, so Close waits for both
	return x, nil
}

// supervise owns the process and the goroutines on its pipes. It ends the session when any of them ends, when it is
// told to, or when the pool closes; and it fails the calls in flight when all that was printed has been read.
func (x *session) supervise() {
	var owned conc.WaitGroup
	readEnd, writeEnd, stderrEnd := make(chan error, 1), make(chan error, 1), make(chan error, 1)
	owned.Go(func() { readEnd <- x.conn.read() })
	owned.Go(func() { writeEnd <- x.conn.write() })
	owned.Go(func() { stderrEnd <- x.proc.tail.copy(x.proc.stderr, x.logStderr) })
	owned.Go(x.proc.wait)

	var readErr error
	graceful := false
	select {
	case readErr = <-readEnd:
		readEnd <- readErr
		if errors.Is(readErr, io.EOF) {
			x.awaitExit(exitGrace)
		}
	case <-writeEnd:
		x.awaitExit(exitGrace)
	case <-x.proc.exited:
	case <-x.abort:
	case <-x.server.pool.ctx.Done():
		graceful = true
	}
	if graceful {
		x.conn.fail(x.verdict(nil, true))
	}
	x.end(graceful)
	if err, ok := within(readEnd, drainGrace); ok {
		readErr = err
	}
	within(stderrEnd, drainGrace)
	x.proc.stdout.Close()
	x.proc.stderr.Close()
	err := x.verdict(readErr, graceful)
	x.server.ended(x, err)
	x.conn.fail(err)
	owned.Wait()
	close(x.dead)
}

// end makes sure that the process and its descendants are gone.
func (x *session) end(graceful bool) {
	tree := x.proc.descendants() // first: when the process has ended its children have no parent
	close(x.conn.quit)           // the writer closes stdin
	if graceful && !x.awaitExit(patience) {
		tree = append(tree, x.proc.descendants()...)
		x.proc.terminate()
		x.awaitExit(patience)
	}
	x.proc.kill()
	tree.kill()
	<-x.proc.exited
}

func (x *session) awaitExit(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-x.proc.exited:
		return true
	case <-timer.C:
		return false
	case <-x.abort:
		return false
	}
}

// within receives from c for at most d.
func within(c <-chan error, d time.Duration) (error, bool) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case err := <-c:
		return err, true
	case <-timer.C:
		return nil, false
	}
}

// stop ends the session at once.
func (x *session) stop() { x.abortOnce.Do(func() { close(x.abort) }) }

// aborted reports whether the session was told to stop, and so did not crash.
func (x *session) aborted() bool { return isClosed(x.abort) }

// ended reports whether the server has forgotten the session.
func (x *session) ended() bool { return isClosed(x.gone) }

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// verdict is the Error for the calls that were in flight when the session ended.
func (x *session) verdict(readErr error, graceful bool) *Error {
	e := &Error{Code: nodes.ServerError, Server: x.server.config.Name, Stderr: x.proc.tail.String()}
	switch {
	case graceful:
		return &Error{Code: nodes.Cancelled, Server: e.Server, Message: fmt.Sprintf("server %q was stopped", e.Server)}
	case errors.Is(readErr, errTooLong):
		e.Code = nodes.LimitExceeded
		e.Message = fmt.Sprintf("server %q sent a message of more than %d bytes; it was restarted", e.Server,
			x.server.pool.opts.Limits.MaxMessage)
		e.Hint = "ask the tool for less at once"
		e.Stderr = ""
	default:
		e.Message = fmt.Sprintf("server %q crashed (%s)", e.Server, x.proc.status)
		if x.proc.status == "exit status 0" {
			e.Message = fmt.Sprintf("server %q ended by itself (exit status 0)", e.Server)
		}
	}
	return e
}

// note counts a line on stdout that is no message; the first one is kept for errors and warned of.
func (x *session) note(line []byte) {
	n := x.garbageLines.Add(1)
	quoted := excerpt(line)
	if n == 1 {
		x.garbageMu.Lock()
		x.firstGarbage = quoted
		x.garbageMu.Unlock()
	}
	if n <= 3 {
		x.later(func() { x.log.Warn("server printed something that is no MCP message on stdout", "line", quoted) })
	}
}

func (x *session) printed() string {
	x.garbageMu.Lock()
	defer x.garbageMu.Unlock()
	return x.firstGarbage
}

func (x *session) logStderr(line string) { x.log.Debug("server stderr", "line", line) }

// later runs f on the pool's event goroutine.
func (x *session) later(f func()) { x.server.pool.events.post("", f) }

// caughtUp waits until what the server said before this has been passed on: a call's log messages come before its end.
func (x *session) caughtUp(ctx context.Context) {
	done := make(chan struct{})
	if !x.server.pool.events.post("", func() { close(done) }) {
		return
	}
	select {
	case <-done:
	case <-ctx.Done():
	case <-x.server.pool.ctx.Done():
	}
}

// receive handles what the server asks and tells (on the reader: it must not block).
func (x *session) receive(m message) {
	switch {
	case m.id != nil && x.relays(m.method):
		x.relay(m)
	case m.id != nil:
		x.conn.send(reply(m, x.server.pool.opts.Client.Root))
	case m.method == "notifications/progress":
		if p, id, ok := parseProgress(m.params); ok {
			x.conn.progress(id, p)
		}
	case m.method == "notifications/tools/list_changed":
		name := x.server.config.Name
		if changed := x.server.pool.opts.Events.ToolsChanged; changed != nil {
			x.server.pool.events.post("tools "+name, func() { changed(name) })
		}
	case m.method == "notifications/message":
		x.said.Add(1)
		x.later(func() { logMessage(x.log, m.params) })
	}
}

// reply answers a request of a server.
func reply(m message, root string) []byte {
	out := append([]byte(`{"jsonrpc":"2.0","id":`), m.id...)
	switch m.method {
	case "ping":
		out = append(out, `,"result":{}`...)
	case "roots/list":
		out = append(append(out, `,"result":`...), rootsResult(root)...)
	default:
		out = append(out, `,"error":{"code":-32601,"message":`...)
		out = append(out, quoteJSON("pml does not answer "+strconv.Quote(m.method))...)
		out = append(out, '}')
	}
	return append(out, "}\n"...)
}

// handshakeContext ends with the session, after StartTimeout, or when the pool closes.
func (x *session) handshakeContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(x.server.pool.ctx, x.server.pool.opts.Limits.StartTimeout)
}
