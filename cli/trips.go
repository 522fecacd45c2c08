package cli

import (
	"fmt"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/planner/parcel"
)

// trips says which calls of a graph go to the cloud together.
type trips struct {
	// leader is, for each call that goes along with another node, the id of that one: a call, or the control node that it
	// stands in.
	leader map[int]int
	// first are the calls that stand for a part which a control node leads.
	first map[int]bool
}

func newTrips(g *nodes.Graph) trips {
	t := trips{map[int]int{}, map[int]bool{}}
	for _, p := range parcel.Find(g) {
		for _, n := range p.Calls {
			if n != p.Leader {
				t.leader[n.ID] = p.Leader.ID
			}
		}
		t.first[p.Calls[0].ID] = p.Leader != p.Calls[0]
	}
	return t
}

// weight is 1 for a call that costs a request.
func (t trips) weight(n *nodes.Node) int {
	if n.Kind == nodes.KindCall && n.Call.Route == nodes.Server && (t.leader[n.ID] == 0 || t.first[n.ID]) {
		return 1
	}
	return 0
}

// route is where a call runs, and with which other one it is sent.
func (t trips) route(n *nodes.Node) string {
	if leader := t.leader[n.ID]; leader != 0 {
		return fmt.Sprintf("%s, with n%d", n.Call.Route, leader)
	}
	return n.Call.Route.String()
}

// count is how many requests a graph costs; a loop's body counts once.
func (t trips) count(g *nodes.Graph) (requests int) {
	g.Root.Walk(func(n *nodes.Node) { requests += t.weight(n) })
	return requests
}
