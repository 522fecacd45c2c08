package tool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"

	"github.com/mark3labs/mcp-go/server"
)

const (
	workers   = 64
	queue     = 4096
	maxLine   = 512 << 20 // one message; 64 MB of file content may grow sixfold when escaped
	version   = "1.0.0"
	errPrefix = "pml builtin "
)

// ErrLine reports a message longer than the limit.
var ErrLine = errors.New("a message is longer than 512 MB")

// Serve answers MCP requests for the tools on in and out until in ends or ctx is done.
func Serve(ctx context.Context, name string, tools []Tool, in io.Reader, out io.Writer, errs io.Writer) error {
	calls, hooks := newCalls(), &server.Hooks{}
	hooks.AddBeforeCallTool(calls.label)
	mcpServer := server.NewMCPServer(name, version, server.WithToolCapabilities(false), server.WithRecovery(),
		server.WithHooks(hooks))
	for _, t := range tools {
		entry, err := t.entry(calls)
		if err != nil {
			return err
		}
		mcpServer.AddTools(entry)
	}
	stdio := server.NewStdioServer(mcpServer)
	for _, option := range []server.StdioOption{
		server.WithWorkerPoolSize(workers),
		server.WithQueueSize(queue),
		server.WithErrorLogger(log.New(errs, errPrefix+name+": ", 0)),
	} {
		option(stdio)
	}
	if err := stdio.Listen(ctx, &lines{in: in, see: calls.sees}, out); err != nil && ctx.Err() == nil {
		return fmt.Errorf("server %s: %w", name, err)
	}
	return nil
}

// lines hands on what it reads and shows each line of it that is short to see. It fails when a line grows beyond maxLine,
// since the protocol library reads lines of any length.
type lines struct {
	in     io.Reader
	see    func(line []byte)
	length int // of the line at hand, so far
	line   []byte
}

// short is as long as a message can be that lines looks at.
const short = 4096

func (l *lines) Read(buffer []byte) (int, error) {
	n, err := l.in.Read(buffer)
	rest := buffer[:n]
	for {
		line, after, whole := bytes.Cut(rest, []byte{'\n'})
		if l.length += len(line); l.length <= short {
			l.line = append(l.line, line...)
		}
		if !whole {
			break
		}
		if l.length <= short {
			l.see(l.line)
		}
		l.length, l.line, rest = 0, l.line[:0], after
	}
	if l.length > maxLine {
		return 0, ErrLine
	}
	return n, err
}
