package runtime

import (
	"context"
	"errors"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/expr"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/casys-ai/pml/planner/parcel"
)

// part is a part with the programs of what goes along with it.
type part struct {
	*parcel.Part
	values []ready
}

// ready is a value that goes along, ready to be made: its program, or those of the steps of its rows.
type ready struct {
	program *expr.Program
	steps   []*expr.Program
}

// readyPart compiles what goes along with a part; nil if that cannot be evaluated here.
func readyPart(p *parcel.Part) *part {
	out := &part{Part: p, values: make([]ready, len(p.Values))}
	for i, v := range p.Values {
		codes := []*nodes.Code{v.Code}
		if v.Rows != nil {
			codes = nil
			for _, s := range v.Rows.Steps {
				codes = append(codes, s.Code)
			}
		}
		for _, c := range codes {
			program, err := expr.Compile(c)
			if err != nil {
				return nil
			}
			out.values[i].program = program
			out.values[i].steps = append(out.values[i].steps, program)
		}
	}
	return out
}

// compute computes what goes along, from the inputs of the part.
func (p *part) compute(ctx context.Context, in []value.Value) ([]value.Value, error) {
	out := make([]value.Value, len(p.values))
	for k, r := range p.values {
		if rows := p.Values[k].Rows; rows != nil {
			list, err := r.rows(ctx, rows, in)
			if err != nil {
				return nil, err
			}
			out[k] = list
			continue
		}
		var own []value.Value
		for _, i := range p.Values[k].In {
			own = append(own, in[i])
		}
		v, err := r.program.RunContext(ctx, own)
		if err != nil {
			return nil, err
		}
		out[k] = v[0]
	}
	return out, nil
}

// errNoList says that rows cannot be made of what is no array.
var errNoList = errors.New("not an array")

// rows makes a row of each element of a list.
func (r *ready) rows(ctx context.Context, rows *parcel.Rows, in []value.Value) (value.Value, error) {
	list, ok := value.Force(in[rows.List]).(*value.Array)
	if !ok {
		return nil, errNoList
	}
	out := make([]value.Value, list.Len())
	for i := range out {
		places := []value.Value{list.At(i), value.Number(i)}
		at := func(p parcel.Place) value.Value {
			if p.Input {
				return in[p.Index]
			}
			return places[p.Index]
		}
		for k, s := range rows.Steps {
			var own []value.Value
			for _, p := range s.In {
				own = append(own, at(p))
			}
			v, err := r.steps[k].RunContext(ctx, own)
			if err != nil {
				return nil, err
			}
			places = append(places, v...)
		}
		row := make([]value.Value, len(rows.Columns))
		for k, p := range rows.Columns {
			row[k] = at(p)
		}
		out[i] = value.NewArray(row...)
	}
	return value.NewArray(out...), nil
}
