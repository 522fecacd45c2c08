package programs

import (
	"context"
	"strings"
	"time"
)

// Planning is the time that a program takes to plan, its tools being known.
type Planning struct {
	Lines int           `json:"lines"`
	Time  time.Duration `json:"time"`
}

// MeasurePlanning plans programs of 30 and 1,000 lines.
func MeasurePlanning(ctx context.Context, o Options) ([]Planning, error) {
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
	var list []Planning
	for _, lines := range []int{30, 1000} {
		source := long(lines)
		took, err := p.plan(ctx, s, source)
		if err != nil {
			return nil, err
		}
		list = append(list, Planning{strings.Count(source, "\n"), took})
	}
	return list, nil
}
