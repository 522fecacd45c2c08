package programs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/fixtures"
	"github.com/casys-ai/pml/planner"
	"github.com/casys-ai/pml/planner/syntax"
	"github.com/casys-ai/pml/transport"
)

// Result is what was measured of one program. All are medians.
type Result struct {
	Name  string `json:"name"`
	Calls int    `json:"calls"`
	// Critical is the longest path: its calls, each as long as the bare transport takes for one.
	Critical time.Duration `json:"critical"`
	// Native, Script and Node are the times of a run; Node 0 if there is none.
	Native time.Duration `json:"native"`
	Script time.Duration `json:"script"`
	Node   time.Duration `json:"node,omitempty"`
	// Plan is the planner's time, the tools being known; FirstCall that from the start of a native run to its first call.
	Plan      time.Duration `json:"plan"`
	FirstCall time.Duration `json:"first_call"`
	// Cold is the time from nothing to the first call: the server is started, asked for its tools, the program planned;
	// Start is what of it the server took by itself.
	Cold  time.Duration `json:"cold"`
	Start time.Duration `json:"start"`
}

// Measure measures the five programs.
func Measure(ctx context.Context, o Options) ([]Result, error) {
	p, err := newPlace(o)
	if err != nil {
		return nil, err
	}
	defer p.remove()
	s, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	latency, err := p.latency(ctx)
	if err != nil {
		return nil, err
	}
	var list []Result
	for _, shape := range Shapes() {
		r := Result{Name: shape.Name, Calls: shape.Calls, Critical: latency * time.Duration(shape.Depth)}
		if err := p.measure(ctx, s, shape, &r); err != nil {
			return nil, fmt.Errorf("programs: %s: %w", shape.Name, err)
		}
		list = append(list, r)
	}
	return list, nil
}

func (p *place) measure(ctx context.Context, s *runtime.Session, shape Shape, r *Result) (err error) {
	if r.Native, r.FirstCall, err = p.run(ctx, s, shape.Source, false); err != nil {
		return err
	}
	if r.Script, _, err = p.run(ctx, s, shape.Source, true); err != nil {
		return err
	}
	if r.Plan, err = p.plan(ctx, s, shape.Source); err != nil {
		return err
	}
	if r.Cold, r.Start, err = p.cold(ctx, shape.Source); err != nil {
		return err
	}
	r.Node, err = p.node(ctx, shape)
	return err
}

// run is a warm run: servers, tools, script children and plan are there. It gives the time of a run, and that from its
// start to the first call.
func (p *place) run(ctx context.Context, s *runtime.Session, source string, script bool) (
	total, first time.Duration, err error) {
	planned, err := s.Plan(ctx, source, runtime.PlanOptions{Script: script})
	if err != nil {
		return 0, 0, err
	}
	var totals, firsts []time.Duration
	for range p.Runs + 1 {
		out := s.Run(ctx, planned, nil, runtime.RunOptions{})
		if out.Err != nil {
			return 0, 0, out.Err
		}
		if len(out.Spans) == 0 {
			return 0, 0, errors.New("the program calls nothing")
		}
		totals, firsts = append(totals, out.Duration), append(firsts, firstCall(out))
	}
	return median(totals[1:]), median(firsts[1:]), nil // the first warms up
}

// firstCall is when the first tool call of a run left, from its start.
func firstCall(out *runtime.Outcome) time.Duration {
	for _, span := range out.Spans {
		if span.Tool != "" {
			return span.Start.Sub(out.Started)
		}
	}
	return 0
}

// plan is the planner's part alone.
func (p *place) plan(ctx context.Context, s *runtime.Session, source string) (time.Duration, error) {
	planned, err := s.Plan(ctx, source, runtime.PlanOptions{})
	if err != nil {
		return 0, err
	}
	return p.repeat(func() (time.Duration, error) {
		start := time.Now()
		g, diags := planner.Parse(source).Plan(planned.Catalog, planner.Options{})
		if g == nil {
			return 0, fmt.Errorf("cannot be planned: %v", diags)
		}
		return time.Since(start), nil
	})
}

// cold is what `pml run` does from its configuration to the first call, and what of it the server took: from its start
// to its list of tools.
func (p *place) cold(ctx context.Context, source string) (total, server time.Duration, err error) {
	var totals, servers []time.Duration
	for range p.Runs + 1 {
		total, server, err := p.coldOnce(ctx, source)
		if err != nil {
			return 0, 0, err
		}
		totals, servers = append(totals, total), append(servers, server)
	}
	return median(totals[1:]), median(servers[1:]), nil
}

func (p *place) coldOnce(ctx context.Context, source string) (total, server time.Duration, err error) {
	start := time.Now()
	s, err := p.open(ctx)
	if err != nil {
		return 0, 0, err
	}
	defer s.Close()
	opened := time.Now()
	s.Tools(ctx)
	server = time.Since(opened)
	planned, err := s.Plan(ctx, source, runtime.PlanOptions{})
	if err != nil {
		return 0, 0, err
	}
	out := s.Run(ctx, planned, nil, runtime.RunOptions{})
	if out.Err != nil {
		return 0, 0, out.Err
	}
	return out.Started.Add(firstCall(out)).Sub(start), server, nil
}

// latency is what one call of 20 ms takes over the bare transport.
func (p *place) latency(ctx context.Context) (time.Duration, error) {
	pool := transport.NewPool([]transport.ServerConfig{p.server()}, transport.PoolOptions{})
	defer pool.Close()
	return p.repeat(func() (time.Duration, error) {
		start := time.Now()
		_, err := pool.Call(ctx, "t", "get", []byte(`{"key":"k"}`), nil)
		return time.Since(start), err
	})
}

// node runs the program in Node as it is written, its tools in the same process. 0 if there is no Node.
func (p *place) node(ctx context.Context, shape Shape) (time.Duration, error) {
	js, err := syntax.StripTypes(shape.Source)
	if err != nil {
		return 0, err
	}
	js = "const $start = Date.now();\nawait (async () => {\n" + js + "\n})();\nreturn Date.now() - $start;"
	took, err := p.repeat(func() (time.Duration, error) {
		results, err := fixtures.RunNode(ctx, []fixtures.NodeJob{{Name: shape.Name, JS: js, Tools: []byte(tools)}})
		if err != nil {
			return 0, err
		}
		if e := results[0].Error; e != nil {
			return 0, errors.New(e.Text())
		}
		return time.ParseDuration(results[0].Result + "ms")
	})
	if errors.Is(err, fixtures.ErrNoNode) {
		return 0, nil
	}
	return took, err
}

// repeat is the median of what one gives, after one for warming up.
func (p *place) repeat(one func() (time.Duration, error)) (time.Duration, error) {
	var list []time.Duration
	for range p.Runs + 1 {
		d, err := one()
		if err != nil {
			return 0, err
		}
		list = append(list, d)
	}
	return median(list[1:]), nil
}

func median(list []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(list))[len(list)/2]
}
