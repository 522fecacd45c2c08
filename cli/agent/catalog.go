package agent

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/casys-ai/pml/cli/find"
	"github.com/casys-ai/pml/nodes"
)

// catalog is what can be called: what the servers said they have, as far as they have answered, and the capabilities.
type catalog struct {
	capabilities []*nodes.Tool
	changed      chan string

	mu       sync.Mutex
	tools    map[string][]*nodes.Tool
	failures map[string]error
	index    *find.Index // of all tools; nil if they have changed since
}

func newCatalog(capabilities []*nodes.Tool) *catalog {
	return &catalog{capabilities: capabilities, changed: make(chan string, 64), tools: map[string][]*nodes.Tool{},
		failures: map[string]error{}}
}

func (c *catalog) set(name string, tools []*nodes.Tool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		c.failures[name] = err
		return // what it had before may still be there
	}
	delete(c.failures, name)
	c.tools[name] = tools
	c.drop()
}

// store sets the capabilities.
func (c *catalog) store(capabilities []*nodes.Tool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.capabilities = capabilities
	c.drop()
}

// drop forgets the index. It is held under the lock.
func (c *catalog) drop() {
	if c.index != nil {
		_ = c.index.Close() // it is in memory only
		c.index = nil
	}
}

func (c *catalog) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop()
}

// find gives the tools that have to do with a query, the best first.
func (c *catalog) find(query string) ([]*nodes.Tool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.index == nil {
		index, err := find.New(c.list())
		if err != nil {
			return nil, err
		}
		c.index = index
	}
	return c.index.Find(query)
}

// all are the tools that may be called, by server and name.
func (c *catalog) all() []*nodes.Tool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.list()
}

// list is all, under the lock.
func (c *catalog) list() (list []*nodes.Tool) {
	for _, name := range slices.Sorted(maps.Keys(c.tools)) {
		for _, t := range c.tools[name] {
			if t.Permission != nodes.Deny {
				list = append(list, t)
			}
		}
	}
	return append(list, c.capabilities...)
}

// failed are the servers that could not be asked.
func (c *catalog) failed() map[string]error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.failures)
}

// tool finds a tool by its id, a forbidden one too; nil if there is none.
func (c *catalog) tool(id nodes.ToolID) *nodes.Tool {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.tools[id.Server()]
	if i := slices.IndexFunc(list, func(t *nodes.Tool) bool { return t.ID == id }); i >= 0 {
		return list[i]
	}
	return nil
}

// Refresh notes that a server's tools have changed. It waits for nobody.
func (a *Agent) Refresh(server string) {
	select {
	case a.catalog.changed <- server:
	default: // so many wait already that this one is surely among them
	}
}

// changed tells clients what there is now. The first time all servers have answered, or have had their time.
func (a *Agent) changed() {
	a.server.Changed()
	a.once.Do(func() { close(a.ready) })
}

// slowStart is how long the list of tools is held back for servers that are slow to start. What comes later is
// announced as a change.
const slowStart = 4 * time.Second

// watch asks every server for its tools, and again whenever they change.
func (a *Agent) watch(ctx context.Context) {
	answered, offered := make(chan string, 64), make(chan []string, 1)
	a.done.Go(func() { // it may have to ask the cloud
		names := a.session.Servers(ctx)
		a.catalog.store(a.session.AllCapabilities(ctx))
		offered <- names
	})
	waiting := map[string]bool{}
	ask := func(name string) {
		waiting[name] = true
		a.done.Go(func() { a.ask(ctx, name, answered) })
	}
	for _, name := range a.session.Local() {
		ask(name)
	}
	slow := time.NewTimer(slowStart)
	defer slow.Stop()
	for patient := true; ; {
		select {
		case names := <-offered:
			for _, name := range names {
				if !slices.Contains(a.session.Local(), name) {
					ask(name)
				}
			}
		case name := <-answered:
			delete(waiting, name)
		case name := <-a.catalog.changed:
			ask(name)
			continue
		case <-slow.C:
			patient = false
		case <-ctx.Done():
			return
		}
		if !patient || len(waiting) == 0 {
			a.changed()
		}
	}
}

// ask asks one server for its tools.
func (a *Agent) ask(ctx context.Context, name string, answered chan<- string) {
	tools, err := a.session.ServerTools(ctx, name)
	if err != nil && ctx.Err() == nil {
		a.log.Warn("server " + name + ": " + err.Error())
	}
	a.catalog.set(name, tools, err)
	select {
	case answered <- name:
	case <-ctx.Done():
	}
}
