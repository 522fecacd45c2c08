package runtime

import (
	"context"
	"errors"

	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/transport"
)

// pipes lets a Caller use a Pool.
type pipes struct {
	pool    *transport.Pool
	session *Session
}

// Call implements call.Transport.
func (p pipes) Call(ctx context.Context, server, tool string, args []byte, sent func()) (call.Reply, error) {
	r, err := p.session.secrets.answer(ReplyOf(p.pool.Call(ctx, server, tool, args, sent)))
	return p.session.confined(server, r, err)
}

// ReplyOf hands on what a transport gave.
func ReplyOf(result *transport.Result, err error) (call.Reply, error) {
	var failure *transport.Error
	switch {
	case err == nil:
		return reply(result), nil
	case errors.As(err, &failure):
		return call.Reply{}, &call.Fault{Code: failure.Code, Message: failure.Message}
	}
	return call.Reply{}, err
}

func reply(r *transport.Result) call.Reply {
	out := call.Reply{Structured: r.Structured, Meta: r.Meta, IsError: r.IsError}
	if len(r.Content) > 0 {
		out.Content = make([]call.Block, len(r.Content))
		for i, c := range r.Content {
			out.Content[i] = call.Block(c)
		}
	}
	return out
}
