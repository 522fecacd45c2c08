package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/casys-ai/pml/cli/agent"
	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/cli/sampling"
	"github.com/casys-ai/pml/nodes"
)

// asked answers what servers ask of their client; see transport.Events.
type asked func(ctx context.Context, server, method string, params []byte) ([]byte, error)

// sampled puts a Sampler behind who answers first: what no client answers it does, with the user's own key. session gives the
// Session, which is made later.
func (a *App) sampled(p *project, first asked, session func() *runtime.Session) (*sampling.Sampler, asked) {
	s := sampling.New(sampling.Config{
		Provider: p.Sampling.Provider, Model: p.Sampling.Model, Vars: a.keys(p),
		Hide:    func(name, value string) { session().Hide(name, value) },
		Allowed: func(server, key string) error { return session().MaySample(server, key) },
		Tools: func(ctx context.Context) []*nodes.Tool {
			list, _ := session().Tools(ctx)
			return list
		},
		Call: func(ctx context.Context, tool nodes.ToolID, args []byte) (string, bool) {
			return session().CallTool(ctx, tool, args)
		},
	})
	return s, func(ctx context.Context, server, method string, params []byte) ([]byte, error) {
		result, err := first(ctx, server, method, params)
		if method != sampling.Method || !errors.Is(err, agent.ErrNobody) {
			return result, err
		}
		result, err = s.Answer(ctx, server, []byte(session().Quiet(string(params))))
		if err != nil {
			return nil, errors.New(session().Quiet(err.Error()))
		}
		return []byte(session().Quiet(string(result))), nil
	}
}

// nobody is who answers servers where there is no client.
func nobody(_ context.Context, _, method string, _ []byte) ([]byte, error) {
	return nil, fmt.Errorf("%w %s", agent.ErrNobody, method)
}
