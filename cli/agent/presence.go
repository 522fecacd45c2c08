package agent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/casys-ai/pml/transport/serve"
)

// presence is which clients have a run that uses a server: what the server asks and tells is for them.
type presence struct {
	mu    sync.Mutex
	users map[string][]*visit // by server
}

// visit is one client's run; it is the engine.Observer that notes which servers the run uses.
type visit struct {
	presence *presence
	client   *serve.Client
}

// Started implements engine.Observer.
func (v *visit) Started(e engine.Event) {
	if e.Tool == "" {
		return
	}
	p, name := v.presence, e.Tool.Server()
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.users[name], v) {
		p.users[name] = append(p.users[name], v)
	}
}

// Finished implements engine.Observer.
func (v *visit) Finished(engine.Event, []value.Value, error) {}

// leave notes that the run has ended.
func (v *visit) leave() {
	p := v.presence
	p.mu.Lock()
	defer p.mu.Unlock()
	for name, list := range p.users {
		p.users[name] = slices.DeleteFunc(list, func(x *visit) bool { return x == v })
	}
}

// of are the clients that use a server, the latest first.
func (p *presence) of(server string) (list []*serve.Client) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, v := range slices.Backward(p.users[server]) {
		list = append(list, v.client)
	}
	return list
}

// ErrNobody is the error of what no client answers.
var ErrNobody = errors.New("no client of pml answers")

// Asked passes on what a server asks its client, to a client that uses the server and can answer; see transport.Events.
func (a *Agent) Asked(ctx context.Context, server, method string, params []byte) ([]byte, error) {
	params = []byte(a.session.Quiet(string(params)))
	for _, c := range a.present.of(server) {
		result, err := c.Relay(ctx, method, params)
		if !errors.Is(err, serve.ErrCannot) {
			return result, err
		}
	}
	return nil, fmt.Errorf("%w %s", ErrNobody, method)
}

// told passes on a log message: one about a server to the clients that use it, anything else to all.
func (a *Agent) told(level slog.Level, about, text string) {
	users := a.present.of(about)
	for _, c := range users {
		c.Log(level, about, text)
	}
	if len(users) == 0 {
		a.server.Log(level, about, text)
	}
}
