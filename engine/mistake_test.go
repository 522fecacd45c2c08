package engine

import (
	"testing"

	"github.com/casys-ai/pml/nodes"
)

// mistake is something wrong, put in on purpose: the property test must find it, or it would not find it in the engine.
type mistake string

const (
	noMistake       mistake = ""
	ignoresSafe     mistake = "a call does not wait for what may fail before it"
	ignoresPassed   mistake = "a call does not wait for what may skip it"
	ignoresOrder    mistake = "a call does not wait for an earlier one that it conflicts with"
	startsTwice     mistake = "a task is started twice"
	losesAnEnd      mistake = "the end of a task is lost"
	dropsFailures   mistake = "a failure is dropped"
	forgetsTheLimit mistake = "one call too many is under way"
)

// spoil makes the mistakes that are in the graph: the reference, which runs it in order, does not notice them.
func (m mistake) spoil(b *nodes.Block) {
	if b == nil {
		return
	}
	for _, n := range b.Nodes {
		switch {
		case m == ignoresSafe && n.Gate == nodes.GateSafe, m == ignoresPassed && n.Gate == nodes.GatePassed:
			n.Gate = nodes.GateNone
		case m == ignoresOrder:
			n.After = nil
		}
		for _, inner := range n.Blocks() {
			m.spoil(inner)
		}
	}
}

func TestMistakesAreFound(t *testing.T) {
	const most = 600
	all := []mistake{ignoresSafe, ignoresPassed, ignoresOrder, startsTwice, losesAnEnd, dropsFailures, forgetsTheLimit}
	for _, m := range all {
		t.Run(string(m), func(t *testing.T) {
			for seed := range uint64(most) {
				if compare(seed, m) != "" {
					return
				}
			}
			t.Errorf("not found in %d programs", most)
		})
	}
}
