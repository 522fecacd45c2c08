package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/mark3labs/mcp-go/server"
)

// replay is what was sent to each session over HTTP of late, so that a client whose connection broke can have it again
// (MCP 2025-11-25, transports, resumability). What is older is forgotten.
type replay struct {
	mu       sync.Mutex
	last     int64
	sessions map[string]*sent
}

// sent is what was sent to one session, the oldest first.
type sent struct {
	list  []sentEvent
	bytes int
}

type sentEvent struct {
	id, stream string
	message    json.RawMessage
}

var _ server.EventStore = (*replay)(nil)

// mostReplay is how many bytes of messages are remembered of a session.
const mostReplay = 8 << 20

func newReplay() *replay { return &replay{sessions: map[string]*sent{}} }

// StoreEvent implements server.EventStore.
func (r *replay) StoreEvent(_ context.Context, session, stream string, message json.RawMessage) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	e := sentEvent{strconv.FormatInt(r.last, 10), stream, message}
	s := r.sessions[session]
	if s == nil {
		s = &sent{}
		r.sessions[session] = s
	}
	s.list = append(s.list, e)
	s.bytes += len(message)
	for s.bytes > mostReplay && len(s.list) > 1 {
		s.bytes -= len(s.list[0].message)
		s.list[0] = sentEvent{}
		s.list = s.list[1:]
	}
	return e.id, nil
}

// ReplayEventsAfter implements server.EventStore.
func (r *replay) ReplayEventsAfter(_ context.Context, session, after string,
	send func(id string, message json.RawMessage) error) (stream string, err error) {
	r.mu.Lock()
	var list []sentEvent
	if s := r.sessions[session]; s != nil {
		list = slices.Clone(s.list)
	}
	r.mu.Unlock()
	at := slices.IndexFunc(list, func(e sentEvent) bool { return e.id == after })
	if at < 0 {
		return "", fmt.Errorf("%w: it is too old, or another session's", server.ErrUnknownEventID)
	}
	for _, e := range list[at+1:] {
		if e.stream == list[at].stream {
			if err := send(e.id, e.message); err != nil {
				return "", err
			}
		}
	}
	return list[at].stream, nil
}

// PurgeSession implements server.EventStore.
func (r *replay) PurgeSession(_ context.Context, session string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.sessions, session)
	return nil
}
