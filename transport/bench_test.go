package transport

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

const benchTools = `{"tools":[{"name":"echo","behaviour":"echo"},{"name":"big","behaviour":"big"}]}`

// caller makes one call of tool "echo" or "big" and drops the answer.
type caller func(tool, args string) error

// BenchmarkCall compares Pool with a bare mcp-go client and with hand-written JSON-RPC, on the same server.
func BenchmarkCall(b *testing.B) {
	for _, size := range []struct{ name, tool, args string }{
		{"echo", "echo", `{"text":"hello"}`}, {"16KB", "big", `{"bytes":16384}`}, {"1MB", "big", `{"bytes":1048576}`},
	} {
		for _, inFlight := range []int{1, 64} {
			for _, way := range []struct {
				name string
				open func(testing.TB, ServerConfig) caller
			}{{"raw", rawCaller}, {"pml", poolCaller}, {"mcp-go", mcpGoCaller}} {
				if inFlight > 1 && size.name == "1MB" {
					continue
				}
				b.Run(fmt.Sprintf("%s/%d/%s", size.name, inFlight, way.name), func(b *testing.B) {
					config := testServer(b, benchTools)
					config.Args = config.Args[:2] // no log
					hammer(b, inFlight, way.open(b, config), size.tool, size.args)
				})
			}
		}
	}
}

func hammer(b *testing.B, inFlight int, call caller, tool, args string) {
	if err := call(tool, args); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	work := make(chan struct{}, inFlight)
	var wg sync.WaitGroup
	for range inFlight {
		wg.Go(func() {
			for range work {
				if err := call(tool, args); err != nil {
					b.Error(err)
				}
			}
		})
	}
	for range b.N {
		work <- struct{}{}
	}
	close(work)
	wg.Wait()
}

func poolCaller(b testing.TB, c ServerConfig) caller {
	p := NewPool([]ServerConfig{c}, PoolOptions{})
	b.Cleanup(p.Close)
	return func(tool, args string) error {
		_, err := p.Call(context.Background(), "s", tool, []byte(args), nil)
		return err
	}
}

func mcpGoCaller(b testing.TB, c ServerConfig) caller {
	m, err := client.NewStdioMCPClient(c.Command, nil, c.Args...)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { m.Close() })
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = mcp.ProtocolVersion20250618
	if _, err := m.Initialize(context.Background(), hello); err != nil {
		b.Fatal(err)
	}
	return func(tool, args string) error {
		var r mcp.CallToolRequest
		r.Params.Name, r.Params.Arguments = tool, json.RawMessage(args)
		_, err := m.CallTool(context.Background(), r)
		return err
	}
}

// rawCaller is JSON-RPC as one writes it by hand: a map of channels, encoding/json for the envelope, nothing checked.
func rawCaller(b testing.TB, c ServerConfig) caller {
	cmd := exec.Command(c.Command, c.Args...)
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { in.Close(); _ = cmd.Wait() })
	var mu sync.Mutex
	waiting := map[int]chan json.RawMessage{}
	go func() {
		for r := bufio.NewReaderSize(out, 1<<16); ; {
			line, err := r.ReadBytes('\n')
			if err != nil {
				return
			}
			var m struct {
				ID     int
				Result json.RawMessage
			}
			_ = json.Unmarshal(line, &m)
			mu.Lock()
			waiting[m.ID] <- m.Result
			delete(waiting, m.ID)
			mu.Unlock()
		}
	}()
	next := 0
	return func(tool, args string) error {
		answer := make(chan json.RawMessage, 1)
		mu.Lock()
		next++
		waiting[next] = answer
		line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s","arguments":%s}}`,
			next, tool, args)
		_, err := in.Write([]byte(line + "\n"))
		mu.Unlock()
		if result := <-answer; err == nil && !strings.Contains(string(result), "content") {
			return fmt.Errorf("bad result %s", result)
		}
		return err
	}
}
