package programs

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

// byMCPGo is a bare mcp-go client, pinned to the protocol version at which it is fastest.
func byMCPGo(ctx context.Context, p *place) (caller, func(), error) {
	server := p.server()
	m, err := client.NewStdioMCPClient(server.Command, nil, server.Args...)
	if err != nil {
		return nil, nil, err
	}
	closing := func() { _ = m.Close() }
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = mcp.ProtocolVersion20250618
	if _, err := m.Initialize(ctx, hello); err != nil {
		closing()
		return nil, nil, err
	}
	return func(ctx context.Context, n int, tool, args string) error {
		for range n {
			var r mcp.CallToolRequest
			r.Params.Name, r.Params.Arguments = tool, json.RawMessage(args)
			if _, err := m.CallTool(ctx, r); err != nil {
				return err
			}
		}
		return nil
	}, closing, nil
}

// hand is JSON-RPC as one writes it: a map of channels, encoding/json for the envelope, nothing checked.
type hand struct {
	in      io.WriteCloser
	mu      sync.Mutex
	next    int
	waiting map[int]chan json.RawMessage
}

// byHand starts the server without a handshake, which the test server does not insist on.
func byHand(_ context.Context, p *place) (caller, func(), error) {
	server := p.server()
	cmd := exec.Command(server.Command, server.Args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	h := &hand{in: in, waiting: map[int]chan json.RawMessage{}}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		h.read(bufio.NewReaderSize(out, 1<<16))
	}()
	return h.calls, func() { _ = in.Close(); <-ended; _ = cmd.Wait() }, nil
}

func (h *hand) read(r *bufio.Reader) {
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return
		}
		var m struct {
			ID     int
			Result json.RawMessage
		}
		if json.Unmarshal(line, &m) != nil {
			continue
		}
		h.mu.Lock()
		answer := h.waiting[m.ID]
		delete(h.waiting, m.ID)
		h.mu.Unlock()
		if answer != nil {
			answer <- m.Result
		}
	}
}

const request = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s","arguments":%s}}` + "\n"

func (h *hand) calls(ctx context.Context, n int, tool, args string) error {
	for range n {
		if err := h.call(ctx, tool, args); err != nil {
			return err
		}
	}
	return nil
}

func (h *hand) call(ctx context.Context, tool, args string) error {
	answer := make(chan json.RawMessage, 1)
	h.mu.Lock()
	h.next++
	h.waiting[h.next] = answer
	_, err := fmt.Fprintf(h.in, request, h.next, tool, args)
	h.mu.Unlock()
	if err != nil {
		return err
	}
	select {
	case raw := <-answer:
		return read(raw)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// read takes the text out of a result.
func read(raw json.RawMessage) error {
	var r struct {
		Content []struct{ Text string }
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	if len(r.Content) == 0 || strings.TrimSpace(r.Content[0].Text) == "" {
		return fmt.Errorf("programs: an empty result: %.100s", raw)
	}
	return nil
}
