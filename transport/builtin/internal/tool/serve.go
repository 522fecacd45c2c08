package tool

import (
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
	mcpServer := server.NewMCPServer(name, version, server.WithToolCapabilities(false), server.WithRecovery())
	for _, t := range tools {
		entry, err := t.entry()
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
	if err := stdio.Listen(ctx, &lineLimit{in: in}, out); err != nil && ctx.Err() == nil {
		return fmt.Errorf("server %s: %w", name, err)
	}
	return nil
}

// lineLimit fails when a line grows beyond maxLine, since the protocol library reads lines of any length.
type lineLimit struct {
	in   io.Reader
	line int
}

func (l *lineLimit) Read(buffer []byte) (int, error) {
	n, err := l.in.Read(buffer)
	for i := n - 1; i >= 0; i-- {
		if buffer[i] == '\n' {
			l.line = n - 1 - i
			return n, err
		}
	}
	if l.line += n; l.line > maxLine {
		return 0, ErrLine
	}
	return n, err
}
