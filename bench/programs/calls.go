package programs

import (
	"context"
	"fmt"
	"runtime"
	"time"

	pml "github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/transport"
)

// Call is what one call takes, one after the other, on the same server: by hand-written JSON-RPC, by a bare mcp-go
// client, by pml's transport alone, and by a program that pml runs, with policy, routing, validation and trace.
type Call struct {
	// Answer is how long the answer is, in bytes; 0 is an echo of a few.
	Answer int   `json:"answer"`
	Ways   []Way `json:"ways"`
}

// Way is one way to make a call.
type Way struct {
	Name string        `json:"name"`
	Time time.Duration `json:"time"`
	// Allocs and Bytes are what one call allocates in the client.
	Allocs uint64 `json:"allocs"`
	Bytes  uint64 `json:"bytes"`
}

// caller makes n calls, one after the other; args is JSON.
type caller func(ctx context.Context, n int, tool, args string) error

// opener starts a server and gives a caller that talks to it, and what ends both.
type opener func(ctx context.Context, p *place) (call caller, closing func(), err error)

// ways are the callers that are compared.
var ways = []struct {
	name string
	open opener
}{{"by hand", byHand}, {"mcp-go", byMCPGo}, {"pml transport", byPool}, {"pml run", byProgram}}

// MeasureCalls measures calls with answers of several sizes.
func MeasureCalls(ctx context.Context, o Options) ([]Call, error) {
	p, err := newPlace(o)
	if err != nil {
		return nil, err
	}
	defer p.remove()
	var list []Call
	for _, c := range []struct{ answer, n int }{{0, 300}, {16 << 10, 300}, {1 << 20, 30}, {20 << 20, 2}} {
		tool, args := "echo", `{"text":"hello"}`
		if c.answer > 0 {
			tool, args = "big", fmt.Sprintf(`{"bytes":%d}`, c.answer)
		}
		call := Call{Answer: c.answer}
		for _, way := range ways {
			w, err := p.way(ctx, way.open, c.n, tool, args)
			if err != nil {
				return nil, fmt.Errorf("programs: %s, %d bytes: %w", way.name, c.answer, err)
			}
			w.Name = way.name
			call.Ways = append(call.Ways, w)
		}
		list = append(list, call)
	}
	return list, nil
}

// way measures n calls made in one way.
func (p *place) way(ctx context.Context, open opener, n int, tool, args string) (w Way, err error) {
	call, closing, err := open(ctx, p)
	if err != nil {
		return w, err
	}
	defer closing()
	var before, after runtime.MemStats
	took, err := p.repeat(func() (time.Duration, error) {
		runtime.GC()
		runtime.ReadMemStats(&before)
		start := time.Now()
		err := call(ctx, n, tool, args)
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		return took, err
	})
	calls := uint64(n)
	w.Time, w.Allocs, w.Bytes = took/time.Duration(n), (after.Mallocs-before.Mallocs)/calls,
		(after.TotalAlloc-before.TotalAlloc)/calls
	return w, err
}

// byPool is pml's transport, without anything above it.
func byPool(_ context.Context, p *place) (caller, func(), error) {
	pool := transport.NewPool([]transport.ServerConfig{p.server()}, transport.PoolOptions{})
	return func(ctx context.Context, n int, tool, args string) error {
		for range n {
			if _, err := pool.Call(ctx, "t", tool, []byte(args), nil); err != nil {
				return err
			}
		}
		return nil
	}, pool.Close, nil
}

// byProgram is a loop of a program, in which each call waits for the one before it. The plan is made beforehand.
func byProgram(ctx context.Context, p *place) (caller, func(), error) {
	s, err := p.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	plans := map[string]*pml.Planned{}
	return func(ctx context.Context, n int, tool, args string) error {
		source := fmt.Sprintf(`let last = 0, i = 0;
while (i < %d) {
  const r = await mcp.t.%s(last < 0 ? {} : %s);
  last = r.length ?? 0;
  i++;
}
return last;`, n, tool, args)
		if plans[source] == nil {
			planned, err := s.Plan(ctx, source, pml.PlanOptions{})
			if err != nil {
				return err
			}
			plans[source] = planned
		}
		if out := s.Run(ctx, plans[source], nil, pml.RunOptions{}); out.Err != nil {
			return out.Err
		}
		return nil
	}, s.Close, nil
}
