package runtime

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/planner"
	"github.com/casys-ai/pml/transport"
)

// Capability is a stored program that is called like a tool.
type Capability struct {
	// ID is namespace:action.
	ID          nodes.ToolID `json:"id"`
	Description string       `json:"description,omitempty"`
	// Code is the body of an async function that sees args; Parameters are the members of args that it reads.
	Code       string         `json:"code"`
	Parameters []string       `json:"parameters,omitempty"`
	ToolsUsed  []nodes.ToolID `json:"tools_used,omitempty"`
}

// mostCapabilities bounds how many a program may call, those that call others included.
const mostCapabilities = 100

// link adds the code of the capabilities that a program calls: the project's own, then those of the registry. A server of
// the user's own wins over both. The program's text stays where it was, so that places in it do. broken says, by
// namespace, what must not be called.
func (s *Session) link(ctx context.Context, source string) (text string, p *planner.Program, broken map[string]error) {
	p, broken = planner.Parse(source), map[string]error{}
	linked := map[nodes.ToolID]bool{}
	for again := true; again && len(linked) < mostCapabilities; {
		again = false
		for _, id := range p.Tools() {
			if linked[id] || s.servers[id.Server()] != nil {
				continue
			}
			code, err := s.capability(ctx, id)
			if err != nil {
				broken[id.Server()] = err
			}
			linked[id] = true
			if code != "" {
				source, again = planner.Link(source, id, code), true
			}
		}
		if again {
			p = planner.Parse(source)
		}
	}
	return source, p, broken
}

// capability finds the code of a capability; "" if there is none of that name. The error says that there is one, and not as it
// was published.
func (s *Session) capability(ctx context.Context, id nodes.ToolID) (string, error) {
	for _, c := range s.config.Capabilities {
		if c.ID == id {
			return c.Code, nil
		}
	}
	if s.config.Cloud == nil || s.inCloud(ctx, id.Server()) {
		return "", nil
	}
	r, err := s.config.Cloud.Record(ctx, string(id))
	var failed *transport.Error
	switch {
	case errors.As(err, &failed) && failed.Code == nodes.IntegrityMismatch:
		return "", cloudless{failed}
	case err != nil:
		s.log.Warn("the registry was not asked", "name", string(id), "error", err)
		return "", nil
	case r == nil || r.Type != transport.RecordCapability:
		return "", nil
	}
	return r.Code, nil
}

// inCloud reports whether the cloud has a server of this name.
func (s *Session) inCloud(ctx context.Context, name string) bool {
	c, err := s.config.Cloud.Catalog(ctx)
	if err != nil {
		return true // nothing can be asked
	}
	for _, t := range c.Tools {
		if t.ID.Server() == name {
			return true
		}
	}
	return false
}

// capabilityTools are the capabilities as they are listed: the project's own, then those of the registry, if its catalogue is
// given. What they may do is what their tools may: each of their calls is judged by itself.
func (s *Session) capabilityTools(catalog *transport.CloudCatalog) (tools []*nodes.Tool) {
	taken := map[nodes.ToolID]bool{}
	add := func(id nodes.ToolID, description string, parameters []string, origin string) {
		if taken[id] || s.servers[id.Server()] != nil && origin != ownCapability {
			return
		}
		taken[id] = true
		props := map[string]struct{}{}
		for _, name := range parameters {
			props[name] = struct{}{}
		}
		schema, _ := json.Marshal(map[string]any{"type": "object", "properties": props})
		tools = append(tools, &nodes.Tool{ID: id, Description: description, InputSchema: schema, Origin: origin, Permission: nodes.Allow})
	}
	for _, c := range s.config.Capabilities {
		add(c.ID, c.Description, c.Parameters, ownCapability)
	}
	if catalog == nil {
		return tools
	}
	for _, c := range catalog.Capabilities {
		add(c.ID, c.Description, c.Parameters, registryCapability)
	}
	return tools
}

// Where capabilities come from, as they are listed.
const (
	ownCapability      = "capability"
	registryCapability = "registry capability"
)
