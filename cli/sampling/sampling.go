// Package sampling answers what servers ask of a language model (MCP, sampling/createMessage) where no client does: by
// Anthropic or OpenAI, with the user's own key. Tools that the request names with patterns are offered to the model; what it
// calls is called like anything else, until it answers with a text.
//
//	request ─▶ conversation ─▶ provider ─▶ a text: the answer
//	                ▲              └─▶ calls ─▶ their results ─┐
//	                └──────────────────────────────────────────┘
package sampling

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/policy"
)

// Method is the request that is answered.
const Method = "sampling/createMessage"

// The variables with the user's keys, and those that lead elsewhere than to the providers' own addresses.
const (
	anthropicKey, anthropicURL = "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"
	openAIKey, openAIURL       = "OPENAI_API_KEY", "OPENAI_BASE_URL"
)

// mostRounds is how often the model may call tools before it must answer; mostAtOnce how many requests are answered at once,
// which also bounds servers that ask within what they are asked.
const (
	mostRounds = 10
	mostAtOnce = 8
	mostTokens = 64_000
)

// Config is what a Sampler is made of.
type Config struct {
	// Provider is "anthropic" or "openai"; "" is the one whose key there is. Model is what it is asked for; "" is what the
	// server hints at, or a usual one.
	Provider, Model string
	// Vars are the environment's variables and those of .env, as they are now.
	Vars func() map[string]string
	// Hide is told the key before it is used.
	Hide func(name, value string)
	// Allowed says whether the server may ask; it is told by whose key.
	Allowed func(server, key string) error
	// Tools lists the tools of the project, Call makes a call and gives its text.
	Tools func(ctx context.Context) []*nodes.Tool
	Call  func(ctx context.Context, tool nodes.ToolID, args []byte) (text string, failed bool)
}

// Sampler answers requests. It may be used from several goroutines.
type Sampler struct {
	config Config
	seats  chan struct{}
}

// New makes a Sampler.
func New(c Config) *Sampler { return &Sampler{config: c, seats: make(chan struct{}, mostAtOnce)} }

// ErrNoKey is the error where there is no key.
var ErrNoKey = errors.New("no client answers sampling/createMessage, and neither " + anthropicKey + " nor " + openAIKey +
	" is set: put one into .env")

// Available reports whether there is a key.
func (s *Sampler) Available() bool {
	_, err := s.provider()
	return err == nil
}

// provider is one language model.
type provider interface {
	// name is its key's.
	name() string
	// model is what is asked for if hints, names or parts of names, are all that is known.
	model(hints []string) string
	complete(ctx context.Context, c *conversation) (*message, string, error)
}

func (s *Sampler) provider() (provider, error) {
	vars := s.config.Vars()
	a := &anthropic{remote{anthropicKey, vars[anthropicKey], orElse(vars[anthropicURL], "https://api.anthropic.com")}}
	o := &openAI{remote{openAIKey, vars[openAIKey], orElse(vars[openAIURL], "https://api.openai.com/v1")}}
	switch wanted := s.config.Provider; {
	case a.key != "" && wanted != "openai":
		return a, nil
	case o.key != "" && wanted != "anthropic":
		return o, nil
	case wanted != "":
		return nil, fmt.Errorf("sampling.provider is %s, and its key is not set", wanted)
	}
	return nil, ErrNoKey
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return strings.TrimSuffix(text, "/")
}

// request is what a server asks (MCP 2025-11-25, CreateMessageRequestParams). The patterns may stand beside the rest, or
// in its metadata.
type request struct {
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	SystemPrompt     string   `json:"systemPrompt"`
	MaxTokens        int      `json:"maxTokens"`
	Temperature      *float64 `json:"temperature"`
	StopSequences    []string `json:"stopSequences"`
	ModelPreferences struct {
		Hints []struct{ Name string } `json:"hints"`
	} `json:"modelPreferences"`
	Allowed  []string        `json:"allowedToolPatterns"`
	Metadata json.RawMessage `json:"metadata"`
}

// patterns are the tools that the model may call.
func (r *request) patterns() []string {
	var m struct {
		Allowed []string `json:"allowedToolPatterns"`
	}
	_ = json.Unmarshal(r.Metadata, &m)
	return append(r.Allowed, m.Allowed...)
}

// Answer answers a request of a server with the result object.
func (s *Sampler) Answer(ctx context.Context, server string, params []byte) ([]byte, error) {
	select {
	case s.seats <- struct{}{}:
		defer func() { <-s.seats }()
	default:
		return nil, fmt.Errorf("more than %d requests for a language model at once", mostAtOnce)
	}
	p, err := s.provider()
	if err != nil {
		return nil, err
	}
	if err := s.config.Allowed(server, p.name()); err != nil {
		return nil, err
	}
	s.config.Hide(p.name(), s.config.Vars()[p.name()])
	var r request
	if err := json.Unmarshal(params, &r); err != nil {
		return nil, fmt.Errorf("the request cannot be read: %w", err)
	}
	c, err := s.conversation(ctx, p, &r)
	if err != nil {
		return nil, err
	}
	return s.talk(ctx, p, c)
}

// talk goes on until the model answers with a text.
func (s *Sampler) talk(ctx context.Context, p provider, c *conversation) ([]byte, error) {
	for range mostRounds {
		m, stop, err := p.complete(ctx, c)
		if err != nil {
			return nil, err
		}
		calls := m.calls()
		if len(calls) == 0 {
			return json.Marshal(map[string]any{"role": "assistant", "model": c.model, "stopReason": stop,
				"content": map[string]string{"type": "text", "text": m.text()}})
		}
		results := message{role: "user"}
		for _, use := range calls {
			results.blocks = append(results.blocks, s.call(ctx, c, use))
		}
		c.messages = append(c.messages, *m, results)
	}
	return nil, fmt.Errorf("the language model has called tools %d times and given no answer", mostRounds)
}

// call makes a call of the model's, of a tool that it was offered.
func (s *Sampler) call(ctx context.Context, c *conversation, use block) block {
	i := slices.IndexFunc(c.tools, func(t tool) bool { return t.name == use.name })
	if i < 0 {
		return block{kind: toolResult, id: use.id, text: "there is no tool " + use.name, failed: true}
	}
	text, failed := s.config.Call(ctx, c.tools[i].id, use.input)
	return block{kind: toolResult, id: use.id, text: text, failed: failed}
}

// offered are the tools that the patterns cover and no rule forbids.
func (s *Sampler) offered(ctx context.Context, patterns []string) (list []tool) {
	if len(patterns) == 0 {
		return nil
	}
	for _, t := range s.config.Tools(ctx) {
		covers := func(p string) bool { return policy.Matches(p, t.ID) }
		if t.Permission == nodes.Deny || !slices.ContainsFunc(patterns, covers) {
			continue
		}
		schema := t.InputSchema
		if len(schema) == 0 {
			schema = []byte(`{"type":"object"}`)
		}
		list = append(list, tool{name: toolName(t.ID, len(list)), id: t.ID, description: t.Description, schema: schema})
	}
	return list
}

// toolName is a name that every provider takes: letters, digits, _ and -, 64 at most.
func toolName(id nodes.ToolID, n int) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, id.Server()+"__"+id.Name())
	if len(name) > 64 {
		name = fmt.Sprintf("%.58s_%d", name, n)
	}
	return name
}
