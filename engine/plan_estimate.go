package engine

import (
	"math"

	"github.com/casys-ai/pml/nodes"
)

// Estimate says how many milliseconds a call of a tool takes, as far as is known; 0 for not known.
type Estimate func(tool nodes.ToolID) (milliseconds float64)

// clock turns estimates into weights: milliseconds, at least one.
type clock struct {
	estimate Estimate
	// usual is the weight of what is not known: the mean of what is, or 1 if nothing is.
	usual int32
	// most is the largest weight: no path of that many nodes is longer than an int32 can say.
	most int32
}

func newClock(g *nodes.Graph, estimate Estimate) *clock {
	k := &clock{estimate: estimate, usual: 1}
	if estimate == nil {
		return k
	}
	count, known, sum := 0, 0, 0.0
	g.Root.Walk(func(n *nodes.Node) {
		count++
		if n.Kind != nodes.KindCall {
			return
		}
		if ms := estimate(n.Call.Tool); ms > 0 {
			known++
			sum += ms
		}
	})
	k.most = int32(max(1, math.MaxInt32/2/max(1, count)))
	if known > 0 {
		k.usual = k.cut(sum / float64(known))
	}
	return k
}

// cut makes a weight of milliseconds.
func (k *clock) cut(ms float64) int32 { return int32(min(max(1, math.Round(ms)), float64(k.most))) }

// weight is how long a leaf task takes.
func (k *clock) weight(n *nodes.Node) int32 {
	if n.Kind != nodes.KindCall || k.estimate == nil {
		return k.usual
	}
	if ms := k.estimate(n.Call.Tool); ms > 0 {
		return k.cut(ms)
	}
	return k.usual
}

// CriticalPath is how many milliseconds the longest path through the program takes by the estimates that it was prepared
// with, each loop and map counted as one round; without estimates it is how many tasks are on it.
func (p *Program) CriticalPath() int { return int(p.root.length) }
