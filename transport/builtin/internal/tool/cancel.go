package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
)

// calls are the calls of one server that can be cancelled. The protocol library forgets a cancellation that it reads before
// a worker has begun the call; here it is kept until then.
type calls struct {
	mu      sync.Mutex
	running map[string]context.CancelFunc
	// early are the ids of calls that were cancelled before they began, the latest last.
	early []string
}

// mostEarly bounds early: a cancellation that comes after its call's end looks like an early one, and is never claimed.
const mostEarly = 256

func newCalls() *calls { return &calls{running: map[string]context.CancelFunc{}} }

// idHeader is where a call's id is on its way from the library's hook to its handler.
const idHeader = "Pml-Request-Id"

// label is the hook that hands the id on.
func (c *calls) label(_ context.Context, id any, request *mcp.CallToolRequest) {
	request.Header = http.Header{idHeader: {fmt.Sprint(id)}}
}

// begin gives the context of a call that begins; end says that the call has ended.
func (c *calls) begin(ctx context.Context, request mcp.CallToolRequest) (_ context.Context, end func()) {
	id := request.Header.Get(idHeader)
	ctx, cancel := context.WithCancel(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.Index(c.early, id); i >= 0 {
		c.early = slices.Delete(c.early, i, i+1)
		cancel()
	}
	c.running[id] = cancel
	return ctx, func() {
		c.mu.Lock()
		delete(c.running, id)
		c.mu.Unlock()
		cancel()
	}
}

// sees looks at a line from the client for a cancellation.
func (c *calls) sees(line []byte) {
	if !bytes.Contains(line, []byte(mcp.MethodNotificationCancelled)) {
		return
	}
	var message struct {
		Method string
		Params struct{ RequestID any }
	}
	if json.Unmarshal(line, &message) != nil || message.Method != string(mcp.MethodNotificationCancelled) {
		return
	}
	c.cancel(fmt.Sprint(message.Params.RequestID))
}

func (c *calls) cancel(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel := c.running[id]; cancel != nil {
		cancel()
		return
	}
	if c.early = append(c.early, id); len(c.early) > mostEarly {
		c.early = slices.Delete(c.early, 0, 1)
	}
}
