package gateway

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/sourcegraph/conc"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/transport"
)

// Memory makes each call of a scope happen once: who asks for a call again gets what it came to, and waits for it if it
// is under way. A call goes on when whoever asked for it is gone.
//
//	unknown ── begin ──▶ started ── ended ──▶ finished
//	                        └ the gateway was killed: what came of a write is not known
type Memory struct {
	store *Store
	limit time.Duration
	ctx   context.Context
	stop  context.CancelFunc

	mu     sync.Mutex
	closed bool
	calls  map[callID]*flight
	owned  conc.WaitGroup
}

type callID struct{ scope, key string }

// flight is a call under way.
type flight struct {
	digest string
	done   chan struct{}
	result *transport.Result
	err    error
}

// NewMemory makes a Memory whose calls take at most limit each. Close it.
func NewMemory(s *Store, limit time.Duration) *Memory {
	m := &Memory{store: s, limit: limit, calls: map[callID]*flight{}}
	m.ctx, m.stop = context.WithCancel(context.Background())
	m.owned.Go(m.forget)
	return m
}

// forgetEvery is how often what is too old is dropped.
const forgetEvery = time.Hour

// forget drops what is too old, now and from time to time. What cannot be dropped stays until the next time.
func (m *Memory) forget() {
	tick := time.NewTicker(forgetEvery)
	defer tick.Stop()
	for {
		_ = m.store.forget(m.ctx)
		select {
		case <-tick.C:
		case <-m.ctx.Done():
			return
		}
	}
}

// Close ends the calls under way, and returns when all have.
func (m *Memory) Close() {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	m.stop()
	m.owned.Wait()
}

// Doing is how a call is made.
type Doing struct {
	// Repeatable says that the call may be made again if it is not known what came of it.
	Repeatable bool
	Run        func(ctx context.Context) (*transport.Result, error)
}

// Once makes a call, unless it was made already. A call without a key is not remembered.
func (m *Memory) Once(ctx context.Context, scope string, c Call, d Doing) (*transport.Result, error) {
	if c.Key == "" {
		return d.Run(ctx)
	}
	f, err := m.join(callID{scope, c.Key}, c, d)
	if err != nil {
		return nil, err
	}
	select {
	case <-f.done:
		return f.result, f.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// join gives the call under way, begun if need be.
func (m *Memory) join(id callID, c Call, d Doing) (*flight, error) {
	digest := digestOf(c)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, &transport.Error{Code: nodes.CloudUnavailable, Message: "the gateway is stopping", Hint: "try again later"}
	}
	f := m.calls[id]
	switch {
	case f != nil && f.digest != digest:
		return nil, otherCall(c)
	case f == nil:
		f = &flight{digest: digest, done: make(chan struct{})}
		m.calls[id] = f
		m.owned.Go(func() { m.fly(id, f, c, d) })
	}
	return f, nil
}

// fly makes the call, or recalls what it came to.
func (m *Memory) fly(id callID, f *flight, c Call, d Doing) {
	defer func() {
		m.mu.Lock()
		delete(m.calls, id)
		m.mu.Unlock()
		close(f.done)
	}()
	var known bool
	if known, f.result, f.err = m.store.begin(m.ctx, id, f.digest, c, d.Repeatable); known || f.err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(m.ctx, m.limit)
	defer cancel()
	f.result, f.err = d.Run(ctx)
	if err := m.store.ended(context.WithoutCancel(m.ctx), id, f.result, f.err); err != nil && f.err == nil {
		f.err = err
	}
}

// digestOf tells calls apart.
func digestOf(c Call) string {
	return string(c.Tool) + " " + transport.ArgsDigest(c.Args)
}

func otherCall(c Call) error {
	return &transport.Error{Code: nodes.InvalidArguments, Tool: string(c.Tool),
		Message: "another call was made under this key", Hint: "a key must name one call of one run"}
}

// outcome is what is kept of a call.
type outcome struct {
	Result json.RawMessage `json:"result,omitempty"`
	Code   nodes.ErrorCode `json:"code,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// begin notes that a call starts. known: it was made already, and this is what it came to.
func (s *Store) begin(ctx context.Context, id callID, digest string, c Call, repeatable bool) (known bool, r *transport.Result, err error) {
	var was string
	var kept []byte
	err = s.db.QueryRowContext(ctx, "SELECT digest, outcome FROM calls WHERE scope = ? AND key = ?", id.scope, id.key).Scan(&was, &kept)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		_, err = s.db.ExecContext(ctx, "INSERT INTO calls (scope, key, digest, at) VALUES (?, ?, ?, ?)", id.scope, id.key, digest,
			time.Now().Unix())
		return false, nil, err
	case err != nil:
		return false, nil, err
	case was != digest:
		return false, nil, otherCall(c)
	case kept == nil && repeatable:
		return false, nil, nil
	case kept == nil:
		return false, nil, &transport.Error{Code: nodes.ServerError, Tool: string(c.Tool),
			Message: "the gateway was stopped while the call was under way: what came of it is not known",
			Hint:    "find out whether it happened before you call it again"}
	}
	r, err = recall(kept)
	return true, r, err
}

func recall(kept []byte) (*transport.Result, error) {
	var o outcome
	if err := json.Unmarshal(kept, &o); err != nil {
		return nil, err
	}
	if o.Code != "" {
		return nil, &transport.Error{Code: o.Code, Message: o.Error}
	}
	return transport.ParseResult(o.Result)
}

// ended notes what a call came to. One that was cut short by the gateway's end stays started.
func (s *Store) ended(ctx context.Context, id callID, r *transport.Result, failure error) error {
	var o outcome
	var e *transport.Error
	switch {
	case errors.Is(failure, context.Canceled) || errors.As(failure, &e) && e.Code == nodes.Cancelled:
		return nil
	case e != nil:
		o = outcome{Code: e.Code, Error: e.Message}
	case failure != nil:
		o = outcome{Code: nodes.ServerError, Error: failure.Error()}
	default:
		o.Result = r.JSON()
	}
	kept, err := json.Marshal(o)
	if err != nil {
		return err
	}
	_, err = s.db.ExecContext(ctx, "UPDATE calls SET outcome = ? WHERE scope = ? AND key = ?", kept, id.scope, id.key)
	return err
}
