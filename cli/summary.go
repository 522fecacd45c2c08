package cli

import (
	"fmt"
	"strings"

	"github.com/casys-ai/pml/cli/answer"
	"github.com/casys-ai/pml/nodes"
)

// summary is a graph in numbers.
type summary struct {
	Nodes int `json:"nodes"`
	// Calls counts the places in the program that call a tool, those inside scripts included.
	Calls    int            `json:"calls"`
	ByEffect map[string]int `json:"calls_by_effect"`
	ByRoute  map[string]int `json:"calls_by_route"`
	Scripts  int            `json:"scripts"`
	// Dynamic says that calls are made whose tools are known only at run time.
	Dynamic bool `json:"dynamic_calls"`
	// Depth is the longest chain of calls that wait for one another; a loop's body counts once.
	Depth int `json:"longest_chain"`
	// Requests are what goes to the cloud, Trips how many of them wait for one another; calls inside scripts not counted.
	Requests int `json:"cloud_requests"`
	Trips    int `json:"cloud_round_trips"`
}

// lookup finds a tool by its id.
type lookup func(nodes.ToolID) *nodes.Tool

func summarise(g *nodes.Graph, tool lookup) summary {
	s := summary{Nodes: g.Count, ByEffect: map[string]int{}, ByRoute: map[string]int{}, Depth: depth(g.Root, callsOf)}
	t := newTrips(g)
	s.Requests, s.Trips = t.count(g), depth(g.Root, t.weight)
	g.Root.Walk(func(n *nodes.Node) {
		switch n.Kind {
		case nodes.KindCall:
			s.count(n.Call.Effect, n.Call.Route)
		case nodes.KindScript:
			s.Scripts++
			s.Dynamic = s.Dynamic || n.Code.Dynamic
			for _, id := range n.Code.Tools {
				if t := tool(id); t != nil {
					s.count(t.Effect, t.Route)
				}
			}
		}
	})
	return s
}

func (s *summary) count(e nodes.Effect, r nodes.Route) {
	s.Calls++
	s.ByEffect[e.String()]++
	s.ByRoute[r.String()]++
}

// depth is the weight of the longest way through the block; weigh is that of a node without its blocks.
func depth(b *nodes.Block, weigh func(*nodes.Node) int) int {
	edges, longest := b.Edges(), 0
	upTo := make([]int, len(b.Nodes))
	for i, n := range b.Nodes {
		before := 0
		for _, e := range edges {
			if e.To == i {
				before = max(before, upTo[e.From])
			}
		}
		upTo[i] = before + weight(n, weigh)
		longest = max(longest, upTo[i])
	}
	return longest
}

// weight is the weight of the longest way through a node. A handler runs after the body that failed.
func weight(n *nodes.Node, weigh func(*nodes.Node) int) int {
	deepest := 0
	for _, b := range n.Blocks() {
		if n.Kind == nodes.KindTry {
			deepest += depth(b, weigh)
		} else {
			deepest = max(deepest, depth(b, weigh))
		}
	}
	return deepest + weigh(n)
}

// callsOf is how many calls a node makes one after the other. A script makes its calls one by one, as far as can be told.
func callsOf(n *nodes.Node) int {
	switch n.Kind {
	case nodes.KindCall:
		return 1
	case nodes.KindScript:
		return len(n.Code.Tools)
	}
	return 0
}

// String is the summary in one line.
func (s summary) String() string {
	parts := []string{plural(s.Nodes, "node"), s.calls()}
	switch {
	case s.Scripts == 1:
		parts = append(parts, "1 script")
	case s.Scripts > 1:
		parts = append(parts, fmt.Sprintf("%d scripts", s.Scripts))
	}
	if s.Calls > 0 {
		parts = append(parts, "longest chain "+plural(s.Depth, "call"))
	}
	if s.Requests > 0 {
		parts = append(parts, plural(s.Requests, "request")+" to the cloud in "+plural(s.Trips, "round trip"))
	}
	return strings.Join(parts, " · ")
}

// calls is "5 calls (4 read, 1 write; all client)".
func (s summary) calls() string {
	text := plural(s.Calls, "call")
	if s.Dynamic {
		text += " and more at run time"
	}
	if s.Calls == 0 {
		return text
	}
	effects := listed(s.ByEffect, "pure", "read", "write")
	routes := listed(s.ByRoute, "client", "server")
	if len(s.ByRoute) == 1 {
		routes = "all " + strings.TrimLeft(routes, "0123456789 ")
	}
	return text + " (" + effects + "; " + routes + ")"
}

func listed(counts map[string]int, order ...string) string {
	var parts []string
	for _, name := range order {
		if counts[name] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[name], name))
		}
	}
	return strings.Join(parts, ", ")
}

// plural is "1 call" or "2 calls".
var plural = answer.Plural
