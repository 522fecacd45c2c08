// Package pipetest is a small MCP client for tests: raw JSON-RPC lines over real pipes, to a server in this process
// or to a subprocess. It keeps the raw answers, their order of arrival included.
package pipetest

import (
	"bufio"
	"encoding/json"
	"io"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// Patience is how long Wait waits for an answer.
const Patience = 60 * time.Second

// Answer is the answer to one tool call. Text is the text of the first content block; Error is set instead when
// the server refused the request itself.
type Answer struct {
	ID         int
	Text       string
	IsError    bool
	Structured map[string]any
	Raw        json.RawMessage
	Error      string
	Order      int // place in the order of arrival
}

// Client talks to one server.
type Client struct {
	t       *testing.T
	in      io.WriteCloser
	mu      sync.Mutex
	next    int
	arrived int
	waiting map[int]chan Answer
}

// Serve starts a server function on pipes and shakes hands with it; it is stopped when the test ends.
func Serve(t *testing.T, run func(in io.Reader, out io.Writer) error) *Client {
	t.Helper()
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- run(inRead, outWrite)
		outWrite.Close()
	}()
	c := start(t, inWrite, outRead)
	t.Cleanup(func() {
		inWrite.Close()
		if err := <-done; err != nil {
			t.Errorf("server: %v", err)
		}
	})
	return c
}

// Command starts a server as a subprocess.
func Command(t *testing.T, command *exec.Cmd) *Client {
	t.Helper()
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	c := start(t, in, out)
	t.Cleanup(func() {
		in.Close()
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	return c
}

func start(t *testing.T, in io.WriteCloser, out io.Reader) *Client {
	c := &Client{t: t, in: in, waiting: map[int]chan Answer{}}
	go c.read(out)
	c.Wait(c.Request("initialize", map[string]any{"protocolVersion": "2025-06-18",
		"capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "test", "version": "1"}}))
	c.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return c
}

// Request sends a request and gives its id.
func (c *Client) Request(method string, params any) int {
	c.mu.Lock()
	c.next++
	id := c.next
	c.waiting[id] = make(chan Answer, 1)
	c.mu.Unlock()
	c.send(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	return id
}

// Send calls a tool without waiting.
func (c *Client) Send(tool string, args any) int {
	return c.Request("tools/call", map[string]any{"name": tool, "arguments": args})
}

// Call calls a tool and waits for its answer.
func (c *Client) Call(tool string, args any) Answer {
	c.t.Helper()
	return c.Wait(c.Send(tool, args))
}

// Cancel tells the server that an answer is no longer wanted.
func (c *Client) Cancel(id int) {
	c.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/cancelled",
		"params": map[string]any{"requestId": id}})
}

// Wait waits for the answer to a request.
func (c *Client) Wait(id int) Answer {
	c.t.Helper()
	c.mu.Lock()
	channel := c.waiting[id]
	c.mu.Unlock()
	select {
	case answer := <-channel:
		return answer
	case <-time.After(Patience):
		c.t.Fatalf("no answer to request %d within %s", id, Patience)
		return Answer{}
	}
}

func (c *Client) send(message any) {
	line, err := json.Marshal(message)
	if err != nil {
		c.t.Error(err)
		return
	}
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		c.t.Errorf("write to server: %v", err)
	}
}

func (c *Client) read(out io.Reader) {
	reader := bufio.NewReader(out)
	for {
		line, err := reader.ReadBytes('\n')
		if err != nil {
			return
		}
		c.deliver(line)
	}
}

func (c *Client) deliver(line []byte) {
	var message struct {
		ID     *int
		Result json.RawMessage
		Error  *struct{ Message string }
	}
	if err := json.Unmarshal(line, &message); err != nil || message.ID == nil {
		return
	}
	answer := Answer{ID: *message.ID, Raw: message.Result}
	if message.Error != nil {
		answer.Error = message.Error.Message
	}
	var result struct {
		Content           []struct{ Text string }
		StructuredContent map[string]any
		IsError           bool
	}
	if json.Unmarshal(message.Result, &result) == nil {
		answer.IsError, answer.Structured = result.IsError, result.StructuredContent
		if len(result.Content) > 0 {
			answer.Text = result.Content[0].Text
		}
	}
	c.mu.Lock()
	c.arrived++
	answer.Order = c.arrived
	channel := c.waiting[answer.ID]
	c.mu.Unlock()
	if channel != nil {
		channel <- answer
	}
}
