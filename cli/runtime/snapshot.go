package runtime

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/casys-ai/pml/nodes"
)

// What is kept of a Catalog, so that a run can be planned again as it was.
type (
	catalogJSON struct {
		Names   []string              `json:"names"`
		Servers map[string][]toolJSON `json:"servers"`
		Failed  []string              `json:"failed,omitempty"`
	}
	toolJSON struct {
		nodes.Tool
		Input      json.RawMessage  `json:"input,omitempty"`
		Output     json.RawMessage  `json:"output,omitempty"`
		Effect     nodes.Effect     `json:"effect"`
		Idempotent bool             `json:"idempotent,omitempty"`
		Route      nodes.Route      `json:"route"`
		Permission nodes.Permission `json:"permission"`
		Scopes     []string         `json:"scopes,omitempty"`
		TextResult bool             `json:"text,omitempty"`
		Origin     string           `json:"origin,omitempty"`
		Changed    string           `json:"changed,omitempty"`
	}
)

// encode writes the catalogue down, the same one always in the same way.
func (c *Catalog) encode() ([]byte, error) {
	out := catalogJSON{Names: c.names, Servers: map[string][]toolJSON{}, Failed: slices.Sorted(maps.Keys(c.errs))}
	for name, tools := range c.tools {
		list := make([]toolJSON, len(tools))
		for i, t := range tools {
			list[i] = toolJSON{*t, t.InputSchema, t.OutputSchema, t.Effect, t.Idempotent, t.Route, t.Permission, t.Scopes,
				t.TextResult, t.Origin, t.Changed}
		}
		out.Servers[name] = list
	}
	return json.Marshal(out)
}

// errThen is why a server had no tools when the run was planned.
var errThen = errors.New("it could not be asked for its tools when the run began")

func decodeCatalog(text []byte) (*Catalog, error) {
	var in catalogJSON
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, err
	}
	c := &Catalog{names: in.Names, tools: map[string][]*nodes.Tool{}, errs: map[string]error{},
		byID: map[nodes.ToolID]*nodes.Tool{}}
	for name, list := range in.Servers {
		var tools []*nodes.Tool
		for _, j := range list {
			t := j.Tool
			t.InputSchema, t.OutputSchema, t.Effect, t.Idempotent = j.Input, j.Output, j.Effect, j.Idempotent
			t.Route, t.Permission, t.Scopes, t.TextResult, t.Origin = j.Route, j.Permission, j.Scopes, j.TextResult, j.Origin
			t.Changed = j.Changed
			tools = append(tools, &t)
		}
		c.add(name, tools, nil)
	}
	for _, name := range in.Failed {
		c.errs[name] = errThen
	}
	return c, nil
}
