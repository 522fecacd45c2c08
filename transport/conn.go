package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// errNotSent says that a connection ended before a request was written to it: nothing has happened at the server.
var errNotSent = errors.New("connection ended before the request was sent")

// maxQueue bounds the answers that wait for a server which asks but does not read.
const maxQueue = 4096

// conn is one JSON-RPC connection. One goroutine runs read, one runs write; any number call.
type conn struct {
	in  *lineReader
	out io.WriteCloser
	// inbound handles what the server asks and tells. It runs on the reader and must not block.
	inbound func(message)
	// garbage is told each line that is no JSON-RPC message. It runs on the reader and must not block.
	garbage func([]byte)

	nextID atomic.Int64
	wake   chan struct{}
	quit   chan struct{} // closed to end the writer

	mu      sync.Mutex
	pending map[int64]*pending
	queue   []outgoing
	err     error // why the connection ended
}

// outgoing is a line that waits for the writer; call is nil for what has no answer.
type outgoing struct {
	line []byte
	call *pending
}

// request is what call sends.
type request struct {
	method   string
	params   func(id int64) []byte
	sent     func()
	progress func(Progress)
	// patience is how long to wait over HTTP; 0 for the usual time.
	patience time.Duration
	// header is told the headers of the answer, over HTTP.
	header func(http.Header)
}

func newConn(in io.Reader, out io.WriteCloser, most int) *conn {
	return &conn{
		in: newLineReader(in, most), out: out,
		wake: make(chan struct{}, 1), quit: make(chan struct{}), pending: map[int64]*pending{},
	}
}

// call sends a request and waits for the answer, the end of ctx or the end of the connection. The error is ctx.Err()
// or the connection's; it wraps errNotSent if the request was not written.
func (c *conn) call(ctx context.Context, r request) (message, error) {
	id := c.nextID.Add(1)
	p := newPending(r)
	line := appendRequest(nil, id, r.method, r.params(id))
	if err := c.register(id, outgoing{line, p}); err != nil {
		return message{}, err
	}
	for {
		select {
		case <-p.done:
			p.drain(r.progress)
			return p.answer, p.err
		case update := <-p.progress:
			r.progress(update)
		case <-ctx.Done():
			return c.giveUp(ctx, id, p)
		}
	}
}

func (c *conn) register(id int64, o outgoing) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return fmt.Errorf("%w: %w", errNotSent, c.err)
	}
	c.pending[id] = o.call
	c.queue = append(c.queue, o)
	c.wakeWriter()
	return nil
}

// giveUp ends a call whose context has ended; an answer that is there already is taken.
func (c *conn) giveUp(ctx context.Context, id int64, p *pending) (message, error) {
	c.mu.Lock()
	delete(c.pending, id)
	c.mu.Unlock()
	wasSent := p.abandon()
	select {
	case <-p.done:
		return p.answer, p.err
	default:
	}
	if wasSent {
		c.send(notification("notifications/cancelled",
			`{"requestId":`+strconv.FormatInt(id, 10)+`,"reason":`+quoteJSON(ctx.Err().Error())+`}`))
	}
	return message{}, ctx.Err()
}

// send queues a line that has no answer. It never blocks.
func (c *conn) send(line []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil && len(c.queue) < maxQueue {
		c.queue = append(c.queue, outgoing{line: line})
		c.wakeWriter()
	}
}

// wakeWriter is called with mu held, or without.
func (c *conn) wakeWriter() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// read dispatches what arrives until the input ends, and says why it ended.
func (c *conn) read() error {
	for {
		line, err := c.in.next()
		if len(line) > 0 && skipSpace(line, 0) < len(line) && !parseLine(line, c.dispatch) {
			c.garbage(line)
		}
		if err != nil {
			return err
		}
	}
}

func (c *conn) dispatch(m message) {
	if m.method != "" {
		c.inbound(m)
		return
	}
	if id, ok := m.number(); ok {
		c.mu.Lock()
		p := c.pending[id]
		delete(c.pending, id)
		c.mu.Unlock()
		if p != nil {
			p.resolve(m, nil)
		}
	}
}

// progress hands a progress notification to its call; it is dropped if the call is behind.
func (c *conn) progress(id int64, update Progress) {
	c.mu.Lock()
	p := c.pending[id]
	c.mu.Unlock()
	if p != nil && p.progress != nil {
		select {
		case p.progress <- update:
		default:
		}
	}
}

// fail ends the connection: every call in flight gets err.
func (c *conn) fail(err error) {
	c.mu.Lock()
	if c.err == nil {
		c.err = err
	}
	all := c.pending
	c.pending, c.queue = map[int64]*pending{}, nil
	c.mu.Unlock()
	for _, p := range all {
		p.fail(err)
	}
}
