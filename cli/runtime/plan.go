package runtime

import (
	"context"
	"sync"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/planner"
)

// PlanOptions change how a program is planned.
type PlanOptions struct {
	// Script puts the whole program into one script node.
	Script bool
	// NoSpeculation makes reads wait until everything before them has succeeded.
	NoSpeculation bool
	// Elsewhere takes a server that is not known for one of another machine, where any tool may be: its tools are called
	// by clients.
	Elsewhere bool
	// Extra are tools of servers that the Session does not know.
	Extra []*nodes.Tool
}

func (o PlanOptions) planner() planner.Options {
	return planner.Options{Script: o.Script, NoSpeculation: o.NoSpeculation}
}

// Planned is a program that was planned. It can be run any number of times, also at once.
type Planned struct {
	// Graph is nil if an error is among the diagnostics.
	Graph       *nodes.Graph
	Diagnostics []nodes.Diagnostic
	Catalog     *Catalog
	Source      string

	options PlanOptions
	tools   []nodes.ToolID
	dynamic bool
	// estimate says how long calls take; nil if that is not asked.
	estimate engine.Estimate

	once sync.Once
	code *compiled
}

// Plan plans a program. It starts the servers that the program names, or all if it computes names as it runs, and
// calls nothing. The error is that of ctx or ErrClosed; what is wrong with the program is in the diagnostics.
func (s *Session) Plan(ctx context.Context, source string, o PlanOptions) (*Planned, error) {
	ctx, leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	source, p, broken := s.link(ctx, source)
	names, dynamic := p.Servers()
	if dynamic {
		names = s.offered(ctx)
	}
	out := &Planned{Source: source, Catalog: s.snapshot(ctx, names), options: o, tools: p.Tools(),
		dynamic: dynamic, estimate: s.latencies.of}
	for name, err := range broken {
		out.Catalog.add(name, nil, err)
	}
	out.Catalog.extend(o.Extra)
	if o.Elsewhere {
		out.Catalog.addForeign(out.tools)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out.Graph, out.Diagnostics = p.Plan(out.Catalog, o.planner())
	out.Diagnostics = append(out.Diagnostics, s.missingKeys(out)...)
	return out, nil
}

// Tools are the tools that the program names, in the order in which it first does; dynamic says that it may call others
// too.
func (p *Planned) Tools() (used []nodes.ToolID, dynamic bool) { return p.tools, p.dynamic }
