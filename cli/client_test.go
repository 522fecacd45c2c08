package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// client is an MCP client of `pml stdio`, which it starts.
type client struct {
	tb     testing.TB
	cmd    *exec.Cmd
	in     io.WriteCloser
	stderr bytes.Buffer
	hello  json.RawMessage // what the server said of itself

	mu      sync.Mutex
	last    int
	waiting map[int]chan message
	notes   []message
	arrived chan struct{} // gets one when a note has arrived
	answer  func(m message) any
	ended   chan struct{}
	close   func()
}

// message is one JSON-RPC message.
type message struct {
	ID     *int            `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *struct {
		Code    int
		Message string
	} `json:"error,omitempty"`
}

// toolResult is what a tool answered.
type toolResult struct {
	Content []struct {
		Type, Text, Data, MIMEType string
	}
	StructuredContent json.RawMessage
	IsError           bool
}

// stdio starts `pml stdio` in the workspace and shakes hands. capabilities is the client's JSON; answer answers what the
// server asks.
func (w *workspace) stdio(capabilities string, answer func(message) any) *client {
	w.tb.Helper()
	c := &client{tb: w.tb, cmd: w.command("stdio"), waiting: map[int]chan message{}, arrived: make(chan struct{}, 1),
		answer: answer, ended: make(chan struct{})}
	in, err := c.cmd.StdinPipe()
	if err != nil {
		w.tb.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		w.tb.Fatal(err)
	}
	c.in, c.cmd.Stderr = in, &c.stderr
	if err := c.cmd.Start(); err != nil {
		w.tb.Fatal(err)
	}
	c.close = sync.OnceFunc(c.end)
	go c.read(out)
	w.tb.Cleanup(c.close)
	c.hello = c.request("initialize", json.RawMessage(`{"protocolVersion":"2025-06-18","capabilities":`+capabilities+
		`,"clientInfo":{"name":"test","version":"1"}}`))
	c.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return c
}

// read hands messages to whoever waits. Anything but protocol on standard output fails the test.
func (c *client) read(out io.Reader) {
	defer close(c.ended)
	for r := bufio.NewReaderSize(out, 1<<20); ; {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return
		}
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			c.tb.Errorf("standard output holds what is no message: %q", line)
			continue
		}
		c.mu.Lock()
		switch {
		case m.ID != nil && m.Method == "":
			if reply := c.waiting[*m.ID]; reply != nil {
				reply <- m
			} else {
				c.tb.Errorf("nobody waits for %s", line)
			}
			delete(c.waiting, *m.ID)
		case m.ID != nil:
			go c.send(map[string]any{"jsonrpc": "2.0", "id": *m.ID, "result": c.answer(m)})
		default:
			c.notes = append(c.notes, m)
			select {
			case c.arrived <- struct{}{}:
			default:
			}
		}
		c.mu.Unlock()
	}
}

func (c *client) send(v any) {
	text, err := json.Marshal(v)
	if err != nil {
		c.tb.Error(err)
		return
	}
	if _, err := c.in.Write(append(text, '\n')); err != nil {
		c.tb.Errorf("%v\n%s", err, c.stderr.String())
	}
}

// begin sends a request and gives its id and where its answer comes.
func (c *client) begin(method string, params any) (int, <-chan message) {
	reply := make(chan message, 1)
	c.mu.Lock()
	c.last++
	id := c.last
	c.waiting[id] = reply
	c.mu.Unlock()
	c.send(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	return id, reply
}

// request sends a request and waits for its result.
func (c *client) request(method string, params any) json.RawMessage {
	c.tb.Helper()
	_, reply := c.begin(method, params)
	m := c.wait(reply)
	if m.Error != nil {
		c.tb.Fatalf("%s: %d %s", method, m.Error.Code, m.Error.Message)
	}
	return m.Result
}

func (c *client) wait(reply <-chan message) message {
	c.tb.Helper()
	select {
	case m := <-reply:
		return m
	case <-c.ended:
		c.tb.Fatalf("the server has ended:\n%s", c.stderr.String())
	case <-time.After(time.Minute):
		c.tb.Fatalf("no answer:\n%s", c.stderr.String())
	}
	return message{}
}

// call calls a tool.
func (c *client) call(name string, args any) toolResult {
	c.tb.Helper()
	return c.result(c.request("tools/call", map[string]any{"name": name, "arguments": args}))
}

func (c *client) result(raw json.RawMessage) (r toolResult) {
	c.tb.Helper()
	if err := json.Unmarshal(raw, &r); err != nil {
		c.tb.Fatalf("%v: %s", err, raw)
	}
	return r
}

// execute runs a program and gives the answer as a map.
func (c *client) execute(code string) (toolResult, map[string]any) {
	c.tb.Helper()
	r := c.call("execute", map[string]any{"code": code})
	return r, r.object(c.tb)
}

// object is the structured content.
func (r toolResult) object(tb testing.TB) map[string]any {
	tb.Helper()
	var out map[string]any
	if err := json.Unmarshal(r.StructuredContent, &out); err != nil {
		tb.Fatalf("%v: %s", err, r.StructuredContent)
	}
	return out
}

// listed are the names of tools/list, and the description of execute.
func (c *client) listed() (names []string, execute string) {
	c.tb.Helper()
	var list struct {
		Tools []struct{ Name, Description string }
	}
	if err := json.Unmarshal(c.request("tools/list", map[string]any{}), &list); err != nil {
		c.tb.Fatal(err)
	}
	for _, t := range list.Tools {
		if names = append(names, t.Name); t.Name == "execute" {
			execute = t.Description
		}
	}
	return names, execute
}

// note waits for a notification that fits.
func (c *client) note(fits func(message) bool) message {
	c.tb.Helper()
	timeout := time.After(time.Minute)
	for from := 0; ; {
		c.mu.Lock()
		list := c.notes
		c.mu.Unlock()
		for ; from < len(list); from++ {
			if fits(list[from]) {
				return list[from]
			}
		}
		select {
		case <-c.arrived:
		case <-c.ended:
			c.tb.Fatalf("the server has ended:\n%s", c.stderr.String())
		case <-timeout:
			c.tb.Fatalf("no such notification: %v", list)
		}
	}
}

// method fits notifications of a method whose parameters hold a text.
func method(name, holds string) func(message) bool {
	return func(m message) bool { return m.Method == name && strings.Contains(string(m.Params), holds) }
}

// end ends the server as clients do, and checks that it ends by itself.
func (c *client) end() {
	c.in.Close()
	done := make(chan error, 1)
	<-c.ended
	go func() { done <- c.cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			c.tb.Errorf("pml stdio: %v\n%s", err, c.stderr.String())
		}
	case <-time.After(20 * time.Second):
		c.cmd.Process.Kill()
		c.tb.Error(fmt.Errorf("pml stdio does not end when its standard input does"))
	}
}
