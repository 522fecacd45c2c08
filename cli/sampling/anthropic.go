package sampling

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
)

// anthropic is the Messages API.
type anthropic struct{ remote }

func (a *anthropic) model(hints []string) string {
	return hinted(hints, "claude-sonnet-4-5", "claude-")
}

// hinted is the first hint that is the name of a model of the provider, with one of its prefixes.
func hinted(hints []string, otherwise string, prefixes ...string) string {
	for _, h := range hints {
		if slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(h, p) }) {
			return h
		}
	}
	return otherwise
}

// anthropicBlock is a content block, in either direction.
type anthropicBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	Source    map[string]any  `json:"source,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   string          `json:"content,omitempty"`
	IsError   bool            `json:"is_error,omitempty"`
}

func (a *anthropic) complete(ctx context.Context, c *conversation) (*message, string, error) {
	body := map[string]any{"model": c.model, "max_tokens": c.maxTokens, "messages": anthropicMessages(c.messages)}
	if c.system != "" {
		body["system"] = c.system
	}
	if c.temperature != nil {
		body["temperature"] = *c.temperature
	}
	if len(c.stop) > 0 {
		body["stop_sequences"] = c.stop
	}
	var tools []any
	for _, t := range c.tools {
		tools = append(tools, map[string]any{"name": t.name, "description": t.description, "input_schema": json.RawMessage(t.schema)})
	}
	if tools != nil {
		body["tools"] = tools
	}
	var answer struct {
		Content []anthropicBlock
		Stop    string `json:"stop_reason"`
		Model   string
	}
	headers := map[string]string{"x-api-key": a.key, "anthropic-version": "2023-06-01"}
	if err := a.post(ctx, "/v1/messages", headers, body, &answer); err != nil {
		return nil, "", err
	}
	m := &message{role: "assistant"}
	for _, b := range answer.Content {
		switch b.Type {
		case "text":
			m.blocks = append(m.blocks, block{text: b.Text})
		case "tool_use":
			m.blocks = append(m.blocks, block{kind: toolUse, id: b.ID, name: b.Name, input: b.Input})
		}
	}
	if answer.Model != "" {
		c.model = answer.Model
	}
	stop := map[string]string{"max_tokens": "maxTokens", "stop_sequence": "stopSequence"}[answer.Stop]
	return m, orElse(stop, "endTurn"), nil
}

func anthropicMessages(list []message) (out []any) {
	for _, m := range list {
		var blocks []anthropicBlock
		for _, b := range m.blocks {
			switch b.kind {
			case plainText:
				blocks = append(blocks, anthropicBlock{Type: "text", Text: b.text})
			case image:
				blocks = append(blocks, anthropicBlock{Type: "image",
					Source: map[string]any{"type": "base64", "media_type": b.mimeType, "data": b.data}})
			case toolUse:
				blocks = append(blocks, anthropicBlock{Type: "tool_use", ID: b.id, Name: b.name, Input: b.input})
			case toolResult:
				blocks = append(blocks, anthropicBlock{Type: "tool_result", ToolUseID: b.id, Content: b.text, IsError: b.failed})
			}
		}
		out = append(out, map[string]any{"role": m.role, "content": blocks})
	}
	return out
}
