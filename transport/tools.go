package transport

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/casys-ai/pml/nodes"
)

// maxPages bounds tools/list for servers whose cursor never ends.
const maxPages = 1000

// ToolInfo is a tool as its server lists it.
type ToolInfo struct {
	Name        string
	Title       string
	Description string
	// InputSchema and OutputSchema are the JSON texts as they were sent; OutputSchema is nil if there is none.
	InputSchema  []byte
	OutputSchema []byte
	Annotations  mcp.ToolAnnotation
	// Meta is the JSON text of _meta; nil if there is none.
	Meta []byte
}

// Quarantine is a tool that was left out of the list.
type Quarantine struct {
	Name   string // "" if it has none
	Reason string
}

// listedTool is an entry of tools/list.
type listedTool struct {
	Name         string             `json:"name"`
	Title        string             `json:"title"`
	Description  string             `json:"description"`
	InputSchema  json.RawMessage    `json:"inputSchema"`
	OutputSchema json.RawMessage    `json:"outputSchema"`
	Annotations  mcp.ToolAnnotation `json:"annotations"`
	Meta         json.RawMessage    `json:"_meta"`
}

// Tools starts the server if need be and lists its tools, all pages. A bad tool is left out with a warning; see
// Quarantined. A server without tools has an empty list.
func (p *Pool) Tools(ctx context.Context, name string) ([]ToolInfo, error) {
	s, missing := p.server(name, "")
	if missing != nil {
		return nil, missing
	}
	entries, err := listTools(name, func(rq request) (message, error) { return s.request(ctx, "", rq) })
	if err != nil {
		return nil, err
	}
	tools, bad := sortOut(entries)
	for _, q := range bad {
		s.log.Warn("tool left out", "tool", q.Name, "reason", q.Reason)
	}
	s.mu.Lock()
	s.bad = bad
	s.mu.Unlock()
	return tools, nil
}

// Quarantined are the tools that the latest Tools left out.
func (p *Pool) Quarantined(name string) []Quarantine {
	s := p.servers[name]
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bad
}

// listTools asks the server name for its tools, page by page.
func listTools(name string, ask func(request) (message, error)) ([]json.RawMessage, error) {
	var all []json.RawMessage
	cursor := ""
	for range maxPages {
		m, err := ask(request{method: "tools/list", params: func(int64) []byte {
			if cursor == "" {
				return []byte("{}")
			}
			return []byte(`{"cursor":` + quoteJSON(cursor) + `}`)
		}})
		if e, ok := err.(*Error); ok && e.RPCCode == mcp.METHOD_NOT_FOUND {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		var page struct {
			Tools      []json.RawMessage `json:"tools"`
			NextCursor string            `json:"nextCursor"`
		}
		if err := json.Unmarshal(m.result, &page); err != nil {
			return nil, badList(name, fmt.Sprintf("%v: %s", err, excerpt(m.result)))
		}
		all = append(all, page.Tools...)
		if page.NextCursor == "" || page.NextCursor == cursor {
			return all, nil
		}
		cursor = page.NextCursor
	}
	return nil, badList(name, "the pages do not end")
}

func badList(name, why string) *Error {
	return &Error{
		Code: nodes.ServerError, Server: name,
		Message: fmt.Sprintf("server %q gave no proper list of tools: %s", name, why),
	}
}

// sortOut separates the good tools from the bad.
func sortOut(entries []json.RawMessage) (tools []ToolInfo, bad []Quarantine) {
	seen := map[string]bool{}
	for _, raw := range entries {
		t, reason := readTool(raw)
		if reason == "" && seen[t.Name] {
			reason = "listed twice"
		}
		if reason != "" {
			bad = append(bad, Quarantine{t.Name, reason})
			continue
		}
		seen[t.Name] = true
		tools = append(tools, t)
	}
	return tools, bad
}

// readTool reads one entry; reason says why it is bad.
func readTool(raw []byte) (t ToolInfo, reason string) {
	var l listedTool
	err := json.Unmarshal(raw, &l)
	t = ToolInfo{
		Name: l.Name, Title: l.Title, Description: l.Description, InputSchema: l.InputSchema,
		Annotations: l.Annotations, Meta: notNull(l.Meta),
	}
	if t.Title == "" {
		t.Title = l.Annotations.Title
	}
	switch {
	case err != nil:
		return t, "not a tool: " + err.Error()
	case l.Name == "":
		return t, "it has no name"
	}
	if why := badSchema(l.InputSchema); why != "" {
		return t, "inputSchema " + why
	}
	if l.OutputSchema != nil && badSchema(l.OutputSchema) == "" {
		t.OutputSchema = l.OutputSchema
	}
	return t, ""
}

// badSchema says what is wrong with the schema of a tool, which must describe an object.
func badSchema(raw []byte) string {
	var s struct {
		Type json.RawMessage `json:"type"`
	}
	if !isObject(raw) || json.Unmarshal(raw, &s) != nil {
		return "is no object: " + excerpt(raw)
	}
	if s.Type != nil && string(s.Type) != `"object"` {
		return fmt.Sprintf("must have type \"object\", not %s", s.Type)
	}
	return ""
}
