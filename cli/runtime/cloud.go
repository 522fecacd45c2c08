package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"

	"github.com/casys-ai/pml/engine/journal"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/nodes/policy"
	"github.com/casys-ai/pml/transport"
)

// noCloud is why a server of the cloud cannot be used without a key.
type noCloud struct{}

// Error implements error.
func (noCloud) Error() string { return call.NoCloud }

// Hint implements planner.Hinted.
func (noCloud) Hint() string {
	return "set PML_API_KEY; without it only tools of this machine can be called"
}

// Code implements planner.Coded.
func (noCloud) Code() nodes.ErrorCode { return nodes.MissingAPIKey }

// cloudless is why the cloud gives no tools.
type cloudless struct{ cause *transport.Error }

// Error implements error.
func (e cloudless) Error() string { return e.cause.Message }

// Hint implements planner.Hinted.
func (e cloudless) Hint() string { return e.cause.Hint }

// Code implements planner.Coded.
func (e cloudless) Code() nodes.ErrorCode { return e.cause.Code }

// Unwrap gives the transport's error.
func (e cloudless) Unwrap() error { return e.cause }

// cloudTools gives the tools of a server that is not the user's own.
func (s *Session) cloudTools(ctx context.Context, name string) ([]*nodes.Tool, error) {
	belongs := policy.Route(name, "", nil) == nodes.Server
	if s.config.Cloud == nil {
		if belongs {
			return nil, noCloud{}
		}
		return nil, nil
	}
	catalog, err := s.config.Cloud.Catalog(ctx)
	if err != nil {
		var failure *transport.Error
		if errors.As(err, &failure) {
			err = cloudless{failure}
		}
		if belongs {
			return nil, err
		}
		return nil, s.unreachable(name, err)
	}
	var tools []*nodes.Tool
	for _, t := range catalog.Tools {
		if t.ID.Server() == name {
			tools = append(tools, s.CloudTool(t))
		}
	}
	sort.Slice(tools, func(i, j int) bool { return tools[i].ID < tools[j].ID })
	if len(tools) == 0 {
		return nil, s.installable(ctx, name)
	}
	return tools, nil
}

// notInstalled is why a server of the registry that runs on this machine cannot be used yet.
type notInstalled struct{ name string }

// Error implements error.
func (e notInstalled) Error() string {
	return fmt.Sprintf("server %q is in the registry, and not installed in this project", e.name)
}

// Hint implements planner.Hinted.
func (e notInstalled) Hint() string { return "pml install " + e.name + " shows what it is, and asks" }

// Code implements planner.Coded.
func (e notInstalled) Code() nodes.ErrorCode { return nodes.UnknownTool }

// offline is why nothing is known of a server: it may be one of the registry, which cannot be asked.
type offline struct {
	name  string
	cause error
}

// Error implements error.
func (e offline) Error() string {
	return fmt.Sprintf("there is no server %q here, and the registry was not asked: %v", e.name, e.cause)
}

// Hint implements planner.Hinted.
func (e offline) Hint() string {
	return "connect again; a capability that was used once, and a server after pml install " + e.name + ", work without the network"
}

// Code implements planner.Coded.
func (e offline) Code() nodes.ErrorCode { return nodes.CloudUnavailable }

// unreachable is why a server is not known while the cloud cannot be reached; nil if its name looks like a mistake, or if
// the cloud did answer.
func (s *Session) unreachable(name string, err error) error {
	var failure *transport.Error
	if errors.As(err, &failure) && failure.Code == nodes.CloudUnavailable && nodes.Nearest(name, s.names) == "" {
		return offline{name, errors.New(failure.Message)}
	}
	return nil
}

// installable is nil, or says that a server could be had from the registry, or not as it is there.
func (s *Session) installable(ctx context.Context, name string) error {
	r, err := s.config.Cloud.Record(ctx, name)
	var failure *transport.Error
	switch {
	case errors.As(err, &failure) && failure.Code == nodes.IntegrityMismatch:
		return cloudless{failure}
	case err != nil:
		return s.unreachable(name, err)
	case err == nil && r != nil && r.Type == transport.RecordStdio:
		return notInstalled{name}
	}
	return nil
}

// CloudTool is a tool of the cloud as planner and policy see it: the same one for the same description, since what is
// found out about a tool is kept by it.
func (s *Session) CloudTool(t transport.CloudTool) *nodes.Tool {
	text, _ := json.Marshal(t)
	if known, ok := s.cloudKnown.Load(string(text)); ok {
		return known.(*nodes.Tool)
	}
	tool := policy.Classify(s.cloudFacts(t), s.config.Rules)
	tool.Keys = t.Keys
	known, _ := s.cloudKnown.LoadOrStore(string(text), &tool)
	return known.(*nodes.Tool)
}

// extend adds the tools of servers that are not in the catalogue.
func (c *Catalog) extend(tools []*nodes.Tool) {
	byServer := map[string][]*nodes.Tool{}
	for _, t := range tools {
		if name := t.ID.Server(); c.tools[name] == nil {
			byServer[name] = append(byServer[name], t)
		}
	}
	for name, list := range byServer {
		delete(c.errs, name)
		c.add(name, list, nil)
	}
}

// With is the catalogue with the tools of some more servers.
func (c *Catalog) With(tools []*nodes.Tool) *Catalog {
	if len(tools) == 0 {
		return c
	}
	out := &Catalog{names: c.names, tools: maps.Clone(c.tools), errs: maps.Clone(c.errs), byID: maps.Clone(c.byID)}
	out.extend(tools)
	return out
}

// cloudFacts is what is known about a tool of the cloud.
func (s *Session) cloudFacts(t transport.CloudTool) policy.ToolFacts {
	effect := nodes.Write
	for _, e := range []nodes.Effect{nodes.Read, nodes.Pure} {
		if t.Effect == e.String() {
			effect = e
		}
	}
	server := policy.ServerFacts{Origin: "registry"}
	if t.Text {
		server.Text = []string{t.ID.Name()}
	}
	return policy.ToolFacts{ID: t.ID, Title: t.Title, Description: t.Description, InputSchema: t.InputSchema,
		OutputSchema: t.OutputSchema, Hints: policy.Hints{Idempotent: &t.Idempotent}, Registry: &effect,
		Server: server, Routes: map[string]string{t.ID.Server(): nodes.Server.String()}}
}

// cloudNames are the servers of the cloud that are known and not the user's own.
func (s *Session) cloudNames(c *transport.CloudCatalog) (names []string) {
	for _, t := range c.Tools {
		if name := t.ID.Server(); s.servers[name] == nil && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// offered are the servers whose tools can be called: the user's own, and the cloud's if it can be asked.
func (s *Session) offered(ctx context.Context) []string {
	if s.config.Cloud == nil {
		return s.names
	}
	catalog, err := s.config.Cloud.Catalog(ctx)
	if err != nil {
		s.log.Warn("the tools of the cloud are not listed", "error", err)
		return s.names
	}
	return slices.Sorted(slices.Values(append(slices.Clone(s.names), s.cloudNames(catalog)...)))
}

// cloud is the way of a call whose tool has the route server.
func (r *runner) cloud(q call.Request) call.Transport {
	switch {
	case r.options.Cloud != nil:
		return r.options.Cloud(q.Path)
	case r.session.config.Cloud == nil:
		return nil
	}
	return cloudWay{r, q}
}

// cloudWay sends one call to the cloud.
type cloudWay struct {
	run     *runner
	request call.Request
}

// Call implements call.Transport.
func (w cloudWay) Call(ctx context.Context, _, _ string, args []byte, sent func()) (call.Reply, error) {
	tool := w.request.Tool
	keys, fault := w.run.session.keysOf(tool)
	if fault != nil {
		return call.Reply{}, fault
	}
	r, err := w.run.session.config.Cloud.Call(ctx, transport.CloudCall{Tool: tool.ID, Args: args, Keys: keys, Sent: sent,
		Key: w.run.id + "/" + w.request.Path})
	return w.run.session.secrets.answer(ReplyOf(r, err))
}

// keysOf are the user's own keys for a tool, and only those that it declares.
func (s *Session) keysOf(t *nodes.Tool) (map[string]string, *call.Fault) {
	if len(t.Keys) == 0 {
		return nil, nil
	}
	keys := map[string]string{}
	for _, name := range t.Keys {
		if keys[name] = s.key(name); keys[name] == "" {
			return nil, &call.Fault{Code: nodes.MissingAPIKey,
				Message: fmt.Sprintf("%s needs your own key in the variable %s, which is not set", t.ID, name)}
		}
		s.secrets.add(journal.Secret{Name: name, Value: keys[name]})
	}
	return keys, nil
}

// Send calls a tool of a server of this Session, as it stands: no rule is asked, no argument checked. What it
// gives is cleaned of the keys of this Session.
func (s *Session) Send(ctx context.Context, tool nodes.ToolID, args []byte) (*transport.Result, error) {
	ctx, leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	return s.secrets.result(s.pool.Call(ctx, tool.Server(), tool.Name(), args, nil))
}

// addForeign adds the tools of servers that nobody here knows and that no table sends to the cloud.
func (c *Catalog) addForeign(used []nodes.ToolID) {
	foreign := map[string][]*nodes.Tool{}
	for _, id := range used {
		name := id.Server()
		if c.tools[name] == nil && c.errs[name] == nil && policy.Route(name, id.Name(), nil) == nodes.Client {
			foreign[name] = append(foreign[name], &nodes.Tool{ID: id, Permission: nodes.Allow,
				InputSchema: []byte(`{"type":"object"}`), Origin: "custom"})
		}
	}
	for name, tools := range foreign {
		c.add(name, tools, nil)
	}
}
