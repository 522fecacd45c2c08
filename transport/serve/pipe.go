package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/sourcegraph/conc"
)

// maxMessage is the longest message that a client may send, in bytes.
const maxMessage = 64 << 20

// lastWrites is how long the client may take to read what is being written when the Pipe ends.
const lastWrites = time.Second

// Pipe serves one client on a pair of pipes until in ends or ctx does. It returns when everything that the client asked
// for has ended; what was under way is called off. mcp-go's own server for pipes is not used: it loses the cancellation of
// a call that waits in its queue, stops reading when the queue is full, and lets responses overtake progress.
func (s *Server) Pipe(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	late, giveUp := context.WithCancel(context.Background())
	context.AfterFunc(ctx, func() { time.AfterFunc(lastWrites, giveUp) })
	p := &pipe{server: s, out: out, late: late, broken: cancel, waiting: map[int64]chan response{},
		inflight: map[string]context.CancelFunc{}, notices: make(chan mcp.JSONRPCNotification, 256)}
	if err := s.mcp.RegisterSession(ctx, p); err != nil {
		cancel()
		return fmt.Errorf("serve: %w", err)
	}
	defer s.mcp.UnregisterSession(ctx, p.SessionID())
	var owned conc.WaitGroup
	defer owned.Wait()
	defer cancel()
	owned.Go(func() { p.pump(ctx) })
	err := p.read(s.mcp.WithContext(ctx, p), in, &owned)
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return err
}

// pipe is the one client of a pair of pipes. It implements the interfaces of mcp-go's sessions.
type pipe struct {
	session
	server  *Server
	notices chan mcp.JSONRPCNotification
	broken  context.CancelFunc // the client does not read any more

	writing sync.Mutex
	out     io.Writer
	late    context.Context // ends when nobody waits any more for what is being written

	mu       sync.Mutex
	inflight map[string]context.CancelFunc // by the JSON of the request's id
	waiting  map[int64]chan response       // our own requests
	last     int64
}

// envelope is what has to be known of a message to send it on its way.
type envelope struct {
	ID     json.RawMessage
	Method string
	Params struct{ RequestID json.RawMessage }
	Result json.RawMessage
	Error  *response
}

// read reads messages until the input ends. A line that is read when ctx ends cannot be called off, so that is done on a
// goroutine that nobody waits for.
func (p *pipe) read(ctx context.Context, in io.Reader, owned *conc.WaitGroup) error {
	lines, failed := make(chan []byte), make(chan error, 1)
	go func() {
		for r := bufio.NewReaderSize(in, 64<<10); ; {
			line, err := readLine(r)
			if err != nil {
				failed <- err
				return
			}
			select {
			case lines <- line:
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		select {
		case line := <-lines:
			if len(line) > 0 {
				p.message(ctx, line, owned)
			}
		case err := <-failed:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

var errTooLong = fmt.Errorf("serve: a message is longer than %d MB", maxMessage>>20)

// readLine reads one line without its end; what is left of the last line when the input ends is a line too.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxMessage:
			return nil, errTooLong
		case err == nil, errors.Is(err, io.EOF) && len(line) > 0:
			return bytes.TrimSpace(line), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// message handles one message. Requests run on goroutines of their own; whatever the client sends about them meets them
// already known.
func (p *pipe) message(ctx context.Context, line []byte, owned *conc.WaitGroup) {
	var m envelope
	if err := json.Unmarshal(line, &m); err != nil {
		m = envelope{}
	}
	switch {
	case m.Method == "" && (m.Result != nil || m.Error != nil):
		p.answered(&m)
	case m.Method == string(mcp.MethodNotificationCancelled):
		p.cancel(string(m.Params.RequestID))
	case len(m.ID) == 0:
		p.handle(ctx, line)
	default:
		id := string(m.ID)
		ctx, done := p.enter(ctx, id)
		owned.Go(func() {
			defer done()
			p.handle(ctx, line)
		})
	}
}

// enter notes that a request is under way.
func (p *pipe) enter(ctx context.Context, id string) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inflight[id] = cancel
	return ctx, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.inflight, id)
		cancel()
	}
}

// cancel calls a request off.
func (p *pipe) cancel(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if cancel := p.inflight[id]; cancel != nil {
		cancel()
	}
}

// handle lets mcp-go handle a message, and sends its response unless the client has called the request off.
func (p *pipe) handle(ctx context.Context, line []byte) {
	if response := p.server.mcp.HandleMessage(ctx, line); response != nil && ctx.Err() == nil {
		p.send(response)
	}
}

// pump sends the notifications that mcp-go has for the client.
func (p *pipe) pump(ctx context.Context) {
	for {
		select {
		case n := <-p.notices:
			p.send(n)
		case <-ctx.Done():
			return
		}
	}
}

// notify sends a notification at once. mcp-go's channel might drop it, or let the response overtake it.
func (p *pipe) notify(method string, params map[string]any) {
	p.send(mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION, Notification: mcp.Notification{Method: method,
		Params: mcp.NotificationParams{AdditionalFields: params}}})
}

// log sends a log message if its level is one that the client wants.
func (p *pipe) log(m mcp.LoggingMessageNotification) {
	if x := m.Params; x.Level.ShouldSendTo(p.GetLogLevel()) {
		p.notify(m.Method, map[string]any{"level": x.Level, "logger": x.Logger, "data": x.Data})
	}
}

// send writes one message on one line. A client that does not read any more ends the Pipe.
func (p *pipe) send(message any) {
	text, err := json.Marshal(message)
	if err != nil {
		p.server.log.Error("a message cannot be sent", "error", err)
		return
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	if err := p.write(append(text, '\n')); err != nil {
		p.server.log.Debug("the client does not read any more", "error", err)
		p.broken()
	}
}

// write writes a line. A client that keeps its end open and does not read holds a write up for good, which not every kind
// of pipe can call off: so that is done on a goroutine that nobody waits for when the Pipe has ended.
func (p *pipe) write(line []byte) error {
	if p.late.Err() != nil {
		return p.late.Err() // an earlier line may be half written
	}
	failed := make(chan error, 1)
	go func() {
		_, err := p.out.Write(line)
		failed <- err
	}()
	select {
	case err := <-failed:
		return err
	case <-p.late.Done():
		return p.late.Err()
	}
}
