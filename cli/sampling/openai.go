package sampling

import (
	"context"
	"encoding/json"
	"errors"
)

// openAI is the Chat Completions API, which others offer too.
type openAI struct{ remote }

func (o *openAI) model(hints []string) string {
	return hinted(hints, "gpt-4.1", "gpt-", "o1", "o3", "o4")
}

type openAICall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

func (o *openAI) complete(ctx context.Context, c *conversation) (*message, string, error) {
	body := map[string]any{"model": c.model, "max_completion_tokens": c.maxTokens, "messages": openAIMessages(c)}
	if c.temperature != nil {
		body["temperature"] = *c.temperature
	}
	if len(c.stop) > 0 {
		body["stop"] = c.stop
	}
	var tools []any
	for _, t := range c.tools {
		tools = append(tools, map[string]any{"type": "function", "function": map[string]any{"name": t.name,
			"description": t.description, "parameters": json.RawMessage(t.schema)}})
	}
	if tools != nil {
		body["tools"] = tools
	}
	var answer struct {
		Model   string
		Choices []struct {
			Message struct {
				Content   string
				ToolCalls []openAICall `json:"tool_calls"`
			}
			Finish string `json:"finish_reason"`
		}
	}
	err := o.post(ctx, "/chat/completions", map[string]string{"Authorization": "Bearer " + o.key}, body, &answer)
	switch {
	case err != nil:
		return nil, "", err
	case len(answer.Choices) == 0:
		return nil, "", errors.New("the language model gave no answer")
	}
	choice := answer.Choices[0]
	m := &message{role: "assistant"}
	if choice.Message.Content != "" {
		m.blocks = append(m.blocks, block{text: choice.Message.Content})
	}
	for _, use := range choice.Message.ToolCalls {
		m.blocks = append(m.blocks, block{kind: toolUse, id: use.ID, name: use.Function.Name, input: []byte(use.Function.Arguments)})
	}
	if answer.Model != "" {
		c.model = answer.Model
	}
	return m, orElse(map[string]string{"length": "maxTokens"}[choice.Finish], "endTurn"), nil
}

func openAIMessages(c *conversation) (out []any) {
	if c.system != "" {
		out = append(out, map[string]any{"role": "system", "content": c.system})
	}
	for _, m := range c.messages {
		var parts []any
		var calls []openAICall
		for _, b := range m.blocks {
			switch b.kind {
			case plainText:
				parts = append(parts, map[string]any{"type": "text", "text": b.text})
			case image:
				parts = append(parts, map[string]any{"type": "image_url",
					"image_url": map[string]string{"url": "data:" + b.mimeType + ";base64," + b.data}})
			case toolUse:
				use := openAICall{ID: b.id, Type: "function"}
				use.Function.Name, use.Function.Arguments = b.name, string(b.input)
				calls = append(calls, use)
			case toolResult:
				out = append(out, map[string]any{"role": "tool", "tool_call_id": b.id, "content": b.text})
			}
		}
		if parts == nil && calls == nil {
			continue
		}
		said := map[string]any{"role": m.role}
		if parts != nil {
			said["content"] = parts
		}
		if calls != nil {
			said["tool_calls"] = calls
		}
		out = append(out, said)
	}
	return out
}
