package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"
)

// asker is the shop beside a server that asks its client for whatever it is told to.
const asker = `{"servers": {"agent": {"tools": [{"name": "ask", "behaviour": "client"}]},
  "shop": {"tools": [
    {"name": "price", "effect": "read", "description": "Price of an item.", "responses": [{"result": {"item": "{{item}}", "eur": 3}}]},
    {"name": "buy", "effect": "write", "responses": [{"result": "bought"}]},
    {"name": "refund", "effect": "write", "responses": [{"result": "refunded"}]},
    {"name": "ship", "effect": "write", "responses": [{"result": "shipped"}]}]}}}`

const askerRules = `"permissions": {"allow": ["agent:*", "shop:price", "shop:buy"], "deny": ["shop:ship"]}`

// model stands at a provider's address: it calls the tools that it is told to, one a round, and then says what they gave.
type model struct {
	*httptest.Server
	calls []string // "NAME ARGS"

	mu      sync.Mutex
	bodies  []string
	headers []http.Header
}

func newModel(t *testing.T, calls ...string) *model {
	m := &model{calls: calls}
	m.Server = httptest.NewServer(http.HandlerFunc(m.serve))
	t.Cleanup(m.Close)
	return m
}

func (m *model) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	m.mu.Lock()
	defer m.mu.Unlock()
	round := len(m.bodies)
	m.bodies, m.headers = append(m.bodies, string(body)), append(m.headers, r.Header)
	claude := r.URL.Path == "/v1/messages"
	switch {
	case !claude && r.URL.Path != "/chat/completions":
		http.NotFound(w, r)
	case r.Header.Get("x-api-key") != "planted-key" && r.Header.Get("Authorization") != "Bearer planted-key":
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"error": {"message": "the key is not good"}}`)
	case round < len(m.calls) && claude:
		name, args, _ := strings.Cut(m.calls[round], " ")
		fmt.Fprintf(w, `{"model": "claude-x", "stop_reason": "tool_use", "content": [{"type": "tool_use", "id": "t%d", "name": %q, "input": %s}]}`,
			round, name, args)
	case round < len(m.calls):
		name, args, _ := strings.Cut(m.calls[round], " ")
		fmt.Fprintf(w, `{"model": "gpt-x", "choices": [{"finish_reason": "tool_calls", "message": {"content": null, "tool_calls":
			[{"id": "t%d", "type": "function", "function": {"name": %q, "arguments": %q}}]}}]}`, round, name, args)
	case claude:
		fmt.Fprint(w, `{"model": "claude-x", "stop_reason": "end_turn", "content": [{"type": "text", "text": "three euros"}]}`)
	default:
		fmt.Fprint(w, `{"model": "gpt-x", "choices": [{"finish_reason": "length", "message": {"content": "three euros"}}]}`)
	}
}

// withoutKeys keeps the keys of whoever runs the tests out of them: the environment wins over .env.
func withoutKeys(t *testing.T) {
	for _, name := range []string{"ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL"} {
		if old, set := os.LookupEnv(name); set {
			os.Unsetenv(name)
			t.Cleanup(func() { os.Setenv(name, old) })
		}
	}
}

const question = `"messages": [{"role": "user", "content": {"type": "text", "text": "What is a?"}}], "systemPrompt": "Be brief.",
  "maxTokens": 50, "stopSequences": ["END"]`

// ask lets the server ask, with more in the request, and gives what it was answered.
func (w *workspace) ask(more string) finished {
	w.tb.Helper()
	return w.pml("", "run", "--no-input", "--args", `{"method": "sampling/createMessage", "params": {`+question+more+`}}`, "-e",
		"const a = await mcp.agent.ask(args); return a.content ? `${a.role} ${a.content.text} ${a.model} ${a.stopReason}` : a.message")
}

// TestSampling (story 14.6): a server that asks for a language model is answered by Anthropic or OpenAI, with the user's own
// key; the model may call the tools that the request names, as everything else may.
func TestSampling(t *testing.T) {
	withoutKeys(t)
	for _, c := range []struct{ name, env, more, call, want string }{
		{"anthropic", "ANTHROPIC_API_KEY=planted-key\nANTHROPIC_BASE_URL=%s\n", "", "", "assistant three euros claude-x endTurn\n"},
		{"openai", "OPENAI_API_KEY=planted-key\nOPENAI_BASE_URL=%s/\n", "", "", "assistant three euros gpt-x maxTokens\n"},
		{"anthropic tool", "ANTHROPIC_API_KEY=planted-key\nANTHROPIC_BASE_URL=%s\n", `, "allowedToolPatterns": ["shop:p*", "shop:ship"]`,
			`shop__price {"item":"a"}`, "assistant three euros claude-x endTurn\n"},
		{"openai tool", "OPENAI_API_KEY=planted-key\nOPENAI_BASE_URL=%s\n", `, "metadata": {"allowedToolPatterns": ["shop:price"]}`,
			`shop__price {"item":"a"}`, "assistant three euros gpt-x maxTokens\n"},
		{"a tool that was not offered", "ANTHROPIC_API_KEY=planted-key\nANTHROPIC_BASE_URL=%s\n", `, "allowedToolPatterns": ["shop:price"]`,
			`shop__buy {}`, "assistant three euros claude-x endTurn\n"},
		{"a tool that asks", "ANTHROPIC_API_KEY=planted-key\nANTHROPIC_BASE_URL=%s\n", `, "allowedToolPatterns": ["shop:*"]`,
			`shop__refund {}`, "assistant three euros claude-x endTurn\n"},
		{"a bad key", "ANTHROPIC_API_KEY=another-key\nANTHROPIC_BASE_URL=%s\n", "", "", "/v1/messages answered 401 Unauthorized: the key is not good\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			var calls []string
			if c.call != "" {
				calls = []string{c.call}
			}
			m := newModel(t, calls...)
			w := newWorkspace(t, asker, askerRules)
			w.write(".env", fmt.Sprintf(c.env, m.URL))
			got := w.ask(c.more)
			is.Equal(strings.TrimPrefix(got.stdout, m.URL), c.want)
			is.Equal(len(m.bodies), 1+len(calls))
			for _, want := range []string{`"What is a?"`, `"Be brief."`, `"END"`, ":50"} {
				is.True(strings.Contains(m.bodies[0], want))
			}
			is.Equal(strings.Contains(m.bodies[0], `"shop__price"`), c.more != "")
			is.True(!strings.Contains(m.bodies[0], `"shop__ship"`)) // what is denied is not offered
			shop := string(w.bytes("shop.jsonl"))
			switch {
			case strings.HasPrefix(c.call, "shop__price"):
				is.True(strings.Contains(m.bodies[1], `\"eur\":3`)) // it is told what the tool gave
				is.True(strings.Contains(shop, `"event":"start"`))
			case c.call == "shop__buy {}":
				is.True(strings.Contains(m.bodies[1], "there is no tool shop__buy") && !strings.Contains(shop, `"start"`))
			case c.call != "":
				is.True(strings.Contains(m.bodies[1], "shop:refund needs a person's approval") && !strings.Contains(shop, `"start"`))
			}
			is.True(strings.Contains(string(w.bytes(".pml/audit.jsonl")), `"tool":"agent:sampling/createMessage"`))
			w.grep("planted-key")
		})
	}
}

// TestSamplingRefused: without a key, and where a rule forbids it, nobody is asked.
func TestSamplingRefused(t *testing.T) {
	is := is.New(t)
	withoutKeys(t)
	w := newWorkspace(t, asker, askerRules)
	c := w.stdio("{}", nil)
	params := json.RawMessage(`{"method": "sampling/createMessage", "params": {` + question + `}}`)
	is.True(strings.Contains(c.call("agent:ask", params).Content[0].Text, "neither ANTHROPIC_API_KEY nor OPENAI_API_KEY is set"))
	m := newModel(t)
	w = newWorkspace(t, asker, `"permissions": {"allow": ["agent:ask"], "deny": ["agent:sampling/createMessage"]}`)
	w.write(".env", "ANTHROPIC_API_KEY=planted-key\nANTHROPIC_BASE_URL="+m.URL+"\n")
	is.Equal(w.ask("").stdout, "asking a language model is forbidden by the rule \"deny agent:sampling/createMessage\"\n")
	is.Equal(len(m.bodies), 0)
	w.write(".pml.json", `{"sampling": {"provider": "me"}}`)
	is.True(strings.Contains(w.pml("", "run", "-e", "return 1").stderr, `it is "anthropic" or "openai"`))
}

// TestSamplingByClient: a client that can sample is asked, and no provider.
func TestSamplingByClient(t *testing.T) {
	is := is.New(t)
	withoutKeys(t)
	m := newModel(t)
	w := newWorkspace(t, asker, askerRules)
	w.write(".env", "ANTHROPIC_API_KEY=planted-key\nANTHROPIC_BASE_URL="+m.URL+"\n")
	params := json.RawMessage(`{"method": "sampling/createMessage", "params": {` + question + `}}`)
	c := w.stdio(`{"sampling": {}}`, func(message) any {
		return map[string]any{"role": "assistant", "content": map[string]any{"type": "text", "text": "mine"}, "model": "own"}
	})
	is.True(strings.Contains(c.call("agent:ask", params).Content[0].Text, `"mine"`))
	is.Equal(len(m.bodies), 0)
	c = w.stdio(`{}`, nil) // and where it cannot, the provider is
	is.True(strings.Contains(c.call("agent:ask", params).Content[0].Text, "three euros"))
	is.Equal(len(m.bodies), 1)
}
