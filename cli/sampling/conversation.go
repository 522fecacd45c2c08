package sampling

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/casys-ai/pml/nodes"
)

// conversation is what a provider is asked to go on with.
type conversation struct {
	model, system string
	maxTokens     int
	temperature   *float64
	stop          []string
	messages      []message
	tools         []tool
}

type message struct {
	role   string
	blocks []block
}

// kind is what a block holds.
type kind int

const (
	plainText kind = iota
	image
	toolUse
	toolResult
)

// block is one part of a message.
type block struct {
	kind     kind
	text     string // of a text, or of a result
	data     string // of an image, in base64
	mimeType string
	id, name string // of a call, or of its result
	input    []byte
	failed   bool
}

// tool is one that the model may call.
type tool struct {
	name, description string
	id                nodes.ToolID
	schema            []byte
}

func (m *message) calls() (list []block) {
	for _, b := range m.blocks {
		if b.kind == toolUse {
			list = append(list, b)
		}
	}
	return list
}

func (m *message) text() string {
	var b strings.Builder
	for _, x := range m.blocks {
		if x.kind == plainText {
			b.WriteString(x.text)
		}
	}
	return b.String()
}

// conversation makes one of a request.
func (s *Sampler) conversation(ctx context.Context, p provider, r *request) (*conversation, error) {
	if len(r.Messages) == 0 {
		return nil, errors.New("the request has no messages")
	}
	c := &conversation{model: s.config.Model, system: r.SystemPrompt, maxTokens: min(max(r.MaxTokens, 1), mostTokens),
		temperature: r.Temperature, stop: r.StopSequences, tools: s.offered(ctx, r.patterns())}
	if c.model == "" {
		var hints []string
		for _, h := range r.ModelPreferences.Hints {
			hints = append(hints, h.Name)
		}
		c.model = p.model(hints)
	}
	for _, m := range r.Messages {
		blocks, err := contents(m.Content)
		if err != nil {
			return nil, err
		}
		c.messages = append(c.messages, message{m.Role, blocks})
	}
	return c, nil
}

// contents reads one content block, or a list of them.
func contents(raw []byte) (list []block, err error) {
	type content struct{ Type, Text, Data, MimeType string }
	var many []content
	if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) {
		err = json.Unmarshal(raw, &many)
	} else {
		many = make([]content, 1)
		err = json.Unmarshal(raw, &many[0])
	}
	if err != nil {
		return nil, fmt.Errorf("a message cannot be read: %w", err)
	}
	for _, x := range many {
		switch x.Type {
		case "text":
			list = append(list, block{text: x.Text})
		case "image":
			list = append(list, block{kind: image, data: x.Data, mimeType: x.MimeType})
		default:
			return nil, fmt.Errorf("a message holds %s, which cannot be handed to a language model here", x.Type)
		}
	}
	return list, nil
}

// remote is where a provider is reached, and with which key.
type remote struct{ variable, key, url string }

func (r *remote) name() string { return r.variable }

// answerLimit bounds an answer of a provider, patience the time for one.
const (
	answerLimit = 16 << 20
	patience    = 3 * time.Minute
)

// post sends a request and reads the answer. An error names the provider's own message.
func (r *remote) post(ctx context.Context, path string, headers map[string]string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	q.Header.Set("Content-Type", "application/json")
	for name, v := range headers {
		q.Header.Set(name, v)
	}
	a, err := http.DefaultClient.Do(q)
	if err != nil {
		return fmt.Errorf("the language model cannot be reached: %w", err)
	}
	defer a.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(a.Body, answerLimit))
	if err != nil {
		return fmt.Errorf("the answer of the language model broke off: %w", err)
	}
	if a.StatusCode != http.StatusOK {
		var failed struct{ Error struct{ Message string } }
		_ = json.Unmarshal(answer, &failed)
		return fmt.Errorf("%s%s answered %s: %s", r.url, path, a.Status, orElse(failed.Error.Message, "no reason given"))
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return fmt.Errorf("the answer of the language model cannot be read: %w", err)
	}
	return nil
}
