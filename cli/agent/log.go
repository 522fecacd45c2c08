package agent

import (
	"context"
	"log/slog"
	"sync/atomic"

	"github.com/casys-ai/pml/transport/serve"
)

// Log is a slog.Handler that passes messages on: to another handler, and to the MCP clients that want their level. Of the
// attributes clients are told the server that a message is about, as its logger.
type Log struct {
	next   slog.Handler
	server *atomic.Pointer[serve.Server]
	about  string
}

// NewLog makes a Log before there is a Server; see To.
func NewLog(next slog.Handler) *Log {
	return &Log{next: next, server: &atomic.Pointer[serve.Server]{}, about: "pml"}
}

// To says who has the clients.
func (l *Log) To(s *serve.Server) { l.server.Store(s) }

// Logger is a logger that writes to it.
func (l *Log) Logger() *slog.Logger { return slog.New(l) }

// Enabled implements slog.Handler: which levels a client wants is its own affair.
func (l *Log) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelInfo || l.next.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (l *Log) Handle(ctx context.Context, r slog.Record) error {
	if s := l.server.Load(); s != nil && r.Level >= slog.LevelInfo {
		s.Log(r.Level, l.about, r.Message)
	}
	if !l.next.Enabled(ctx, r.Level) {
		return nil
	}
	return l.next.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (l *Log) WithAttrs(attrs []slog.Attr) slog.Handler {
	out := *l
	out.next = l.next.WithAttrs(attrs)
	for _, x := range attrs {
		if x.Key == "server" {
			out.about = x.Value.String()
		}
	}
	return &out
}

// WithGroup implements slog.Handler.
func (l *Log) WithGroup(name string) slog.Handler {
	out := *l
	out.next = l.next.WithGroup(name)
	return &out
}
