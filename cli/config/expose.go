package config

import (
	"encoding/json"
	"fmt"

	"github.com/casys-ai/pml/nodes/policy"
)

// Expose names tools that an MCP client sees as tools of pml itself.
type Expose struct {
	// Tool is a pattern, as in permissions.
	Tool string
	// Bare lists them by their own names; else they are called server_tool.
	Bare bool
}

// expose reads `expose`: patterns, or objects with tool and prefix.
func (c *Config) expose(list []json.RawMessage) error {
	if list != nil {
		c.Expose = nil
	}
	for i, raw := range list {
		x := struct {
			Tool   string
			Prefix *bool
		}{}
		if json.Unmarshal(raw, &x.Tool) != nil {
			if err := json.Unmarshal(raw, &x); err != nil {
				return fmt.Errorf("expose[%d]: %s", i, plainJSONError(err))
			}
		}
		if err := policy.CheckPattern(x.Tool); err != nil {
			return fmt.Errorf("expose[%d]: %w", i, err)
		}
		c.Expose = append(c.Expose, Expose{Tool: x.Tool, Bare: x.Prefix != nil && !*x.Prefix})
	}
	return nil
}
