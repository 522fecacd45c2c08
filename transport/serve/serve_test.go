package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/transport"
	"github.com/casys-ai/pml/transport/serve"
)

// handler is a Handler whose one tool does what a test says.
type handler struct {
	call func(ctx context.Context, c serve.Call) string
	more []serve.Tool
}

// Tools implements serve.Handler.
func (h *handler) Tools() []serve.Tool {
	return append([]serve.Tool{{Name: "do", Aliases: []string{"pml:do"}, InputSchema: []byte(`{"type":"object"}`)},
		{Name: "hidden", InputSchema: []byte(`{"type":"object"}`), Hidden: true}}, h.more...)
}

// Call implements serve.Handler.
func (h *handler) Call(ctx context.Context, c serve.Call) *transport.Result {
	raw, _ := json.Marshal(map[string]string{"type": "text", "text": h.call(ctx, c)})
	return &transport.Result{Content: []transport.Content{{Raw: raw}}}
}

// Read implements serve.Handler.
func (h *handler) Read(_ context.Context, uri string) (serve.Text, error) {
	if strings.HasSuffix(uri, "/none") {
		return serve.Text{}, errors.New("there is none")
	}
	return serve.Text{MIMEType: "text/plain", Text: "at " + uri}, nil
}

// peer is the client's end of a Pipe.
type peer struct {
	t     *testing.T
	in    io.WriteCloser
	lines *bufio.Scanner
	done  chan error
}

func start(t *testing.T, h *handler) (*peer, *serve.Server) {
	t.Helper()
	s := serve.New(h, serve.Options{Name: "test", Version: "1",
		Resources: serve.Resources{Template: "pml://x/{id}", Name: "x"}})
	theirIn, ourOut := io.Pipe()
	ourIn, theirOut := io.Pipe()
	p := &peer{t: t, in: ourOut, lines: bufio.NewScanner(ourIn), done: make(chan error, 1)}
	go func() {
		p.done <- s.Pipe(t.Context(), theirIn, theirOut)
		theirOut.Close()
	}()
	p.send(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-06-18",` +
		`"capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}}`)
	p.next("init")
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return p, s
}

func (p *peer) send(format string, a ...any) {
	p.t.Helper()
	if _, err := fmt.Fprintf(p.in, format+"\n", a...); err != nil {
		p.t.Fatal(err)
	}
}

func (p *peer) call(id int, name string) {
	p.t.Helper()
	p.send(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"_meta":{"progressToken":"t"}}}`, id, name)
}

// line is the next message.
func (p *peer) line() string {
	p.t.Helper()
	if !p.lines.Scan() {
		p.t.Fatal("the server has ended")
	}
	return p.lines.Text()
}

// next is the next message, which must hold all of the texts.
func (p *peer) next(holds ...string) string {
	p.t.Helper()
	line := p.line()
	for strings.Contains(line, "list_changed") {
		line = p.line()
	}
	for _, text := range holds {
		if !strings.Contains(line, text) {
			p.t.Fatalf("got %s, want %s", line, text)
		}
	}
	return line
}

// end closes the input and waits for the end.
func (p *peer) end() {
	p.t.Helper()
	p.in.Close()
	for p.lines.Scan() {
	}
	if err := <-p.done; err != nil {
		p.t.Error(err)
	}
}

// TestCancel: of many calls at once every one can be taken back, however far it has come; it is not answered then.
func TestCancel(t *testing.T) {
	const calls = 300
	var entered, left sync.WaitGroup
	entered.Add(calls)
	left.Add(calls)
	free := make(chan struct{})
	p, _ := start(t, &handler{call: func(ctx context.Context, _ serve.Call) string {
		entered.Done()
		defer left.Done()
		select {
		case <-free:
			return "done"
		case <-ctx.Done():
			return "cancelled"
		}
	}})
	for id := range calls {
		p.call(id, "do")
		if id%2 == 0 { // perhaps before it has begun
			p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id)
		}
	}
	entered.Wait()
	close(free)
	seen := map[int]bool{}
	for range calls / 2 {
		var m struct{ ID int }
		if err := json.Unmarshal([]byte(p.next("done")), &m); err != nil || m.ID%2 == 0 || seen[m.ID] {
			t.Fatal(err, m.ID)
		}
		seen[m.ID] = true
	}
	left.Wait()
	p.end()
}

// TestEnd: when the input ends, what is under way is called off.
func TestEnd(t *testing.T) {
	entered := make(chan struct{})
	p, _ := start(t, &handler{call: func(ctx context.Context, _ serve.Call) string {
		close(entered)
		<-ctx.Done()
		return ""
	}})
	p.call(1, "do")
	<-entered
	p.end()
}

// TestProgress: every notification comes before the answer, in order, whatever their number.
func TestProgress(t *testing.T) {
	const steps = 1000
	p, _ := start(t, &handler{call: func(_ context.Context, c serve.Call) string {
		for i := range steps {
			c.Client.Progress(transport.Progress{Progress: float64(i)})
		}
		return "end"
	}})
	p.call(1, "do")
	for i := range steps {
		p.next(fmt.Sprintf(`"progress":%d,"progressToken":"t"`, i))
	}
	p.next(`"id":1`, "end")
	p.end()
}

// TestMalformed: what is no message is answered with an error, and does no harm.
func TestMalformed(t *testing.T) {
	p, _ := start(t, &handler{call: func(context.Context, serve.Call) string { panic("oops") }})
	p.send("{not JSON")
	p.next("-32700")
	p.send(`{"jsonrpc":"2.0","id":7,"result":{}}`) // nobody asked
	p.send("")
	p.send(`{"jsonrpc":"2.0","id":8,"method":"no/such"}`)
	p.next(`"id":8`, "-32601")
	p.call(9, "do")
	p.next(`"id":9`, "error", "oops")
	p.call(10, "nowhere")
	p.in.Close() // it waits for tools that never come
	p.end()
}

// TestElicit: a question goes to the client, and its answer comes back; also the answer that it will not.
func TestElicit(t *testing.T) {
	p, _ := start(t, &handler{call: func(ctx context.Context, c serve.Call) string {
		r, err := c.Client.Elicit(ctx, serve.Form{Message: "may I?", Schema: map[string]any{"type": "object"}})
		if err != nil {
			return err.Error()
		}
		return fmt.Sprintf("%t %s %v", c.Client.CanElicit(), r.Action, r.Content)
	}})
	p.call(1, "do")
	p.next(`"id":1`, "elicitation/create", "may I?")
	p.send(`{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"a":true}}}`)
	p.next(`"id":1`, "true accept map[a:true]")
	p.call(2, "do")
	p.next(`"id":2`, "elicitation/create")
	p.send(`{"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"not today"}}`)
	p.next(`"id":2`, "not today")
	p.call(3, "do")
	p.next(`"id":3`, "elicitation/create")
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
	p.next("notifications/cancelled", `"requestId":3`) // the question is taken back with the call
	p.end()
}

// TestTools: hidden tools and aliases are called and not listed; who asks early waits; a change is told.
func TestTools(t *testing.T) {
	is := is.New(t)
	h := &handler{call: func(_ context.Context, c serve.Call) string { return c.Tool }}
	p, s := start(t, h)
	for id, name := range []string{"do", "pml:do", "hidden"} {
		p.call(id, name)
		p.next(`"text":"` + strings.TrimPrefix(name, "pml:") + `"`)
	}
	p.call(5, "late")
	p.send(`{"jsonrpc":"2.0","id":6,"method":"tools/list"}`)
	h.more = []serve.Tool{{Name: "late", InputSchema: []byte(`{"type":"object"}`)}}
	s.Changed()
	both := p.next() + p.next()
	is.True(strings.Contains(both, `"text":"late"`))
	is.True(strings.Contains(both, `"name":"do"`) && strings.Contains(both, `"name":"late"`))
	is.True(!strings.Contains(both, "hidden") && !strings.Contains(both, "pml:do"))
	h.more = nil
	s.Changed()
	is.True(strings.Contains(p.line(), "notifications/tools/list_changed"))
	s.Changed() // nothing is new
	p.send(`{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"pml://x/1"}}`)
	is.True(strings.Contains(p.line(), `"text":"at pml://x/1"`))
	p.send(`{"jsonrpc":"2.0","id":8,"method":"resources/read","params":{"uri":"pml://x/none"}}`)
	p.next(`"id":8`, "there is none")
	p.end()
}

// TestClientStopsReading: one that keeps its pipes open and reads no more does not keep a Pipe that is to end.
func TestClientStopsReading(t *testing.T) {
	s := serve.New(&handler{}, serve.Options{Name: "test", Version: "1"})
	in, send := io.Pipe()
	read, out := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Pipe(ctx, in, out) }()
	fmt.Fprintln(send, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if _, err := read.Read(make([]byte, 1)); err != nil { // the rest of the answer stays unread
		t.Fatal(err)
	}
	cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Error("it waits for a client that does not read")
	}
	read.Close()
}
