package runtime

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/policy"
	"github.com/casys-ai/pml/transport"
)

// listTimeout is the least time that a server has to list its tools, however short calls must be.
const listTimeout = 30 * time.Second

// server is one configured server with the tools that it listed last.
type server struct {
	entry ServerEntry
	seats *seats // nil for no limit

	mu     sync.Mutex // held while it is being listed
	tools  []*nodes.Tool
	listed bool

	stateMu sync.Mutex
	stale   bool
}

// list gives the tools of a server, which is started if need be. They are listed again after it said that they changed.
// Failures are not remembered.
func (s *Session) list(ctx context.Context, name string) ([]*nodes.Tool, error) {
	v := s.servers[name]
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.listed && !v.takeStale() {
		return v.tools, nil
	}
	v.takeStale()
	infos, err := s.pool.Tools(ctx, name)
	if err != nil {
		return nil, err
	}
	for i := range infos {
		s.clean(&infos[i])
	}
	changed, err := s.pins.check(v.entry, s.pool.Status(name).Info, infos)
	if err != nil {
		s.log.Warn("the tools cannot be compared with what they were", "server", name, "error", err)
	}
	tools := make([]*nodes.Tool, len(infos))
	for i, info := range infos {
		facts := s.facts(v.entry, info)
		facts.Changed = changed[info.Name]
		tool := policy.Classify(facts, s.config.Rules)
		tool.Integrity = defined(info).Integrity
		tool.Keys = v.entry.needs(info.Name)
		tools[i] = &tool
	}
	sort.Slice(tools, func(i, j int) bool { return tools[i].ID < tools[j].ID })
	v.tools, v.listed = tools, true
	return tools, nil
}

// clean takes the values of keys out of what a tool says of itself.
func (s *Session) clean(info *transport.ToolInfo) {
	info.Title, info.Description = s.secrets.text(info.Title), s.secrets.text(info.Description)
	info.InputSchema, info.OutputSchema = s.secrets.bytes(info.InputSchema), s.secrets.bytes(info.OutputSchema)
}

// forget notes that a server's tools are no longer what they were. It runs on a goroutine of the Pool.
func (s *Session) forget(name string) {
	if v := s.servers[name]; v != nil {
		v.forget()
	}
	if s.config.ToolsChanged != nil {
		s.config.ToolsChanged(name)
	}
}

func (v *server) forget() {
	v.stateMu.Lock()
	defer v.stateMu.Unlock()
	v.stale = true
}

func (v *server) takeStale() bool {
	v.stateMu.Lock()
	defer v.stateMu.Unlock()
	was := v.stale
	v.stale = false
	return was
}

// facts is what is known about a tool.
func (s *Session) facts(e ServerEntry, info transport.ToolInfo) policy.ToolFacts {
	id := nodes.ToolID(e.Name + ":" + info.Name)
	f := policy.ToolFacts{
		ID: id, Title: info.Title, Description: info.Description,
		InputSchema: info.InputSchema, OutputSchema: info.OutputSchema,
		Hints:  policy.Hints{ReadOnly: info.Annotations.ReadOnlyHint, Idempotent: info.Annotations.IdempotentHint},
		Server: policy.ServerFacts{Untrusted: e.Untrusted, BuiltIn: e.BuiltIn, Text: e.Text, Origin: "custom"},
		Routes: map[string]string{e.Name: "client"},
	}
	switch {
	case e.BuiltIn:
		f.Server.Origin = "built-in"
	case e.Registry:
		f.Server.Origin = "registry"
	}
	if h := f.Hints; e.Pure && h.ReadOnly != nil && *h.ReadOnly && h.Idempotent != nil && *h.Idempotent {
		pure := nodes.Pure
		f.Registry = &pure
	}
	if e.Route != "" {
		f.Routes[e.Name] = e.Route
	}
	for _, key := range []string{e.Name, string(id)} {
		if r := s.config.Routes[key]; r != "" {
			f.Routes[key] = r
		}
	}
	return f
}

// Tools starts all servers and lists their tools, sorted by id. The errors are by server; the others' tools are listed.
func (s *Session) Tools(ctx context.Context) ([]*nodes.Tool, map[string]error) {
	ctx, leave, err := s.enter(ctx)
	if err != nil {
		return nil, map[string]error{"": err}
	}
	defer leave()
	c := s.snapshot(ctx, s.offered(ctx))
	return append(c.All(), s.AllCapabilities(ctx)...), c.errs
}

// Catalog starts all servers and takes a snapshot of their tools.
func (s *Session) Catalog(ctx context.Context) *Catalog { return s.snapshot(ctx, s.offered(ctx)) }

// All lists the tools, sorted by id.
func (c *Catalog) All() (all []*nodes.Tool) {
	for _, name := range slices.Sorted(maps.Keys(c.tools)) {
		all = append(all, c.tools[name]...)
	}
	return all
}

// Local are the names of the user's own servers, the built-in ones included, sorted.
func (s *Session) Local() []string { return s.names }

// Servers are the names of the servers whose tools can be called, sorted: the user's own, and the cloud's if it can be asked.
func (s *Session) Servers(ctx context.Context) []string {
	ctx, leave, err := s.enter(ctx)
	if err != nil {
		return nil
	}
	defer leave()
	return s.offered(ctx)
}

// Capabilities are the project's own capabilities, as tools.
func (s *Session) Capabilities() []*nodes.Tool { return s.capabilityTools(nil) }

// AllCapabilities are the project's own capabilities and those of the registry, as tools.
func (s *Session) AllCapabilities(ctx context.Context) []*nodes.Tool {
	if s.config.Cloud == nil {
		return s.Capabilities()
	}
	catalog, _ := s.config.Cloud.Catalog(ctx) // that it cannot be had is said for its tools
	return s.capabilityTools(catalog)
}

// ServerTools starts one server if need be and lists its tools, sorted by id.
func (s *Session) ServerTools(ctx context.Context, name string) ([]*nodes.Tool, error) {
	ctx, leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	c := s.snapshot(ctx, []string{name})
	return c.tools[name], c.errs[name]
}

// Catalog is a snapshot of the tools of some servers, for one plan and its runs. It implements planner.Catalog.
type Catalog struct {
	names []string
	tools map[string][]*nodes.Tool
	errs  map[string]error
	byID  map[nodes.ToolID]*nodes.Tool
}

// snapshot asks servers for their tools, all at once. Names that no server has are passed over.
func (s *Session) snapshot(ctx context.Context, names []string) *Catalog {
	c := &Catalog{names: s.names, tools: map[string][]*nodes.Tool{}, errs: map[string]error{},
		byID: map[nodes.ToolID]*nodes.Tool{}}
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, name := range names {
		all.Go(func() {
			tools, err := s.toolsOf(ctx, name)
			mu.Lock()
			defer mu.Unlock()
			c.add(name, tools, err)
		})
	}
	all.Wait()
	return c
}

// toolsOf gives the tools of one server: the user's own, else the cloud's; none if there is no such server.
func (s *Session) toolsOf(ctx context.Context, name string) ([]*nodes.Tool, error) {
	if s.servers[name] == nil {
		return s.cloudTools(ctx, name)
	}
	tools, err := s.list(ctx, name)
	return tools, s.explain(name, err)
}

// unusable is why a server cannot be asked for its tools.
type unusable struct {
	error
	hint string
}

// Hint implements planner.Hinted.
func (u *unusable) Hint() string { return u.hint }

func (u *unusable) Unwrap() error { return u.error }

// Code implements planner.Coded.
func (u *unusable) Code() nodes.ErrorCode {
	var failure *transport.Error
	if errors.As(u.error, &failure) && failure.Code == nodes.IntegrityMismatch {
		return failure.Code
	}
	return nodes.ServerError
}

// explain adds to an error what the server said last; neither holds the value of a key.
func (s *Session) explain(name string, err error) error {
	var failure *transport.Error
	if !errors.As(err, &failure) {
		return err
	}
	failure = s.secrets.failure(failure)
	if v := s.servers[name]; v != nil {
		if hint := confinedHint(v.entry.ServerConfig, failure.Message+"\n"+failure.Stderr); hint != "" {
			failure.Hint = hint
		}
	}
	said := strings.TrimSpace(failure.Stderr)
	if said == "" {
		return &unusable{failure, failure.Hint}
	}
	said = said[strings.LastIndexByte(said, '\n')+1:]
	return &unusable{fmt.Errorf("%w; it said: %s", failure, said), failure.Hint}
}

func (c *Catalog) add(name string, tools []*nodes.Tool, err error) {
	if err != nil {
		c.errs[name] = err
		return
	}
	if tools != nil {
		c.tools[name] = tools
	}
	for _, t := range tools {
		c.byID[t.ID] = t
	}
}

// Servers implements planner.Catalog.
func (c *Catalog) Servers() []string { return c.names }

// Tools implements planner.Catalog.
func (c *Catalog) Tools(server string) ([]*nodes.Tool, error) {
	return c.tools[server], c.errs[server]
}

// Tool implements planner.Catalog.
func (c *Catalog) Tool(id nodes.ToolID) *nodes.Tool { return c.byID[id] }

// Failures are the servers that could not be asked, with the reason.
func (c *Catalog) Failures() map[string]error { return c.errs }

// unknown words the error for a tool that is not there.
func (c *Catalog) unknown(id nodes.ToolID) string {
	if err := c.errs[id.Server()]; err != nil {
		return fmt.Sprintf("unknown tool %s: %v", id, err)
	}
	names := make([]string, 0, len(c.byID))
	for known := range c.byID {
		names = append(names, string(known))
	}
	sort.Strings(names)
	if near := nodes.Nearest(string(id), names); near != "" {
		return fmt.Sprintf("unknown tool %s; did you mean %s?", id, near)
	}
	return fmt.Sprintf("unknown tool %s", id)
}
