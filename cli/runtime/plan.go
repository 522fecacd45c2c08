package runtime

import (
	"context"
	"sync"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/planner"
)

// PlanOptions change how a program is planned.
type PlanOptions struct {
	// Script puts the whole program into one script node.
	Script bool
	// NoSpeculation makes reads wait until everything before them has succeeded.
	NoSpeculation bool
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
	p := planner.Parse(source)
	names, dynamic := p.Servers()
	if dynamic {
		names = s.names
	}
	out := &Planned{Source: source, Catalog: s.snapshot(ctx, names), options: o}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out.Graph, out.Diagnostics = p.Plan(out.Catalog, o.planner())
	return out, nil
}
