package agent

import (
	"context"
	"log/slog"
	"sync/atomic"
)

// Log is a slog.Handler that passes messages on: to another handler, and to the MCP clients that want their level. Of the
// attributes clients are told the server that a message is about, as its logger.
type Log struct {
	next  slog.Handler
	agent *atomic.Pointer[Agent]
	about string
}

// NewLog makes a Log before there is an Agent; see To.
func NewLog(next slog.Handler) *Log {
	return &Log{next: next, agent: &atomic.Pointer[Agent]{}, about: "pml"}
}

// To says who has the clients.
func (l *Log) To(a *Agent) { l.agent.Store(a) }

// Logger is a logger that writes to it.
func (l *Log) Logger() *slog.Logger { return slog.New(l) }

// Enabled implements slog.Handler: which levels a client wants is its own affair.
func (l *Log) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelInfo || l.next.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (l *Log) Handle(ctx context.Context, r slog.Record) error {
	if a := l.agent.Load(); a != nil && r.Level >= slog.LevelInfo {
		a.told(r.Level, l.about, r.Message)
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
