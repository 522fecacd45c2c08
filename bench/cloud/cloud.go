// Package cloud measures what calls of a gateway cost over a network that is slow: a real gateway, a real TCP relay in
// front of it that delays each direction, and the requests counted.
//
//	runtime.Session ─▶ relay, half a round trip each way ─▶ counter ─▶ gateway ─▶ test server
//	      └ a test server of its own, for what is local
package cloud

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/nodes/value"
)

// RoundTrip is the time that the network takes there and back.
const RoundTrip = 100 * time.Millisecond

// Options say what is measured with.
type Options struct {
	// Self starts this binary. "testserver" and its flags, or "script-child", are appended: see cmd/pmlbench.
	Self []string
	// Runs is of how many runs each figure is the median.
	Runs int
}

// Result is one program, run in one way.
type Result struct {
	Program string `json:"program"`
	Way     string `json:"way"`
	// Requests is how many the gateway got, Time the median of the runs.
	Requests int           `json:"requests"`
	Time     time.Duration `json:"time"`
}

// Trips is the time in round trips.
func (r Result) Trips() float64 { return float64(r.Time) / float64(RoundTrip) }

// The ways to run a program.
const (
	Together = "pml"
	InTurn   = "call by call"
)

// ways are how the programs are run. A script makes one call after the other, as a program in a sandbox does.
var ways = []struct {
	name string
	plan runtime.PlanOptions
}{{Together, runtime.PlanOptions{}}, {InTurn, runtime.PlanOptions{Script: true}}}

// Run measures every program in every way. progress is told of each before it starts.
func Run(ctx context.Context, o Options, progress func(string)) (*Report, error) {
	p, err := newPlace(ctx, o)
	if err != nil {
		return nil, err
	}
	defer p.close()
	s, err := p.client(ctx)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	r := &Report{}
	for _, program := range Programs() {
		for _, way := range ways {
			progress("cloud: " + program.Name + ", " + way.name)
			result, err := p.measure(ctx, s, program, way.plan)
			if err != nil {
				return nil, fmt.Errorf("cloud: %s, %s: %w", program.Name, way.name, err)
			}
			result.Way = way.name
			r.Results = append(r.Results, result)
		}
	}
	return r, nil
}

// measure runs a program once to warm the connections up, and then as often as is asked for.
func (p *place) measure(ctx context.Context, s *runtime.Session, program Program, o runtime.PlanOptions) (Result, error) {
	r := Result{Program: program.Name}
	planned, err := s.Plan(ctx, program.Source, o)
	if err != nil {
		return r, err
	}
	var times []time.Duration
	for range p.options.Runs + 1 {
		p.requests.Store(0)
		out := s.Run(ctx, planned, nil, runtime.RunOptions{})
		if out.Err != nil {
			return r, out.Err
		}
		if got, _, _ := value.Stringify(out.Value); got != strconv.Quote(program.Result) {
			return r, fmt.Errorf("the result is %s, not %q", got, program.Result)
		}
		times, r.Requests = append(times, out.Duration), int(p.requests.Load())
	}
	times = slices.Sorted(slices.Values(times[1:]))
	r.Time = times[len(times)/2]
	return r, nil
}
