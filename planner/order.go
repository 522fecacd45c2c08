package planner

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/expr"
)

// orderer gives every node its gate and its order edges (ARCHITECTURE.md, rules 2 and 3).
type orderer struct {
	speculate bool
	// awaited holds the Async nodes that an await node has been seen for, in program order.
	awaited map[*nodes.Node]bool
	// raced are those of them that only a race has been seen for: it does not wait for the slower ones.
	raced map[*nodes.Node]bool
	// timed are the races that a timer takes part in: what is later waits for the race, not for the timer.
	timed map[*nodes.Node]bool
	// rivals are what races with a timer: none may start before the timer does.
	rivals map[*nodes.Node]bool
	// writing says which nodes with blocks hold nodes that write.
	writing map[*nodes.Node]bool
}

// place is a block with the way outwards.
type place struct {
	block *nodes.Block
	outer *place
	// at is the index of the node at hand.
	at int
	// writers are the indices, below at, of the nodes that write or hold nodes that do.
	writers []int
	// owner is the node that the block belongs to; nil for the program.
	owner *nodes.Node
	// rival says that the block, or one around it, belongs to a rival of a timer.
	rival bool
	// uses counts those of the first output of every node: see ownership.
	uses []int
}

// order is the pass.
func order(root *nodes.Block, o Options) {
	w := &orderer{speculate: !o.NoSpeculation, awaited: map[*nodes.Node]bool{}, raced: map[*nodes.Node]bool{},
		timed: map[*nodes.Node]bool{}, rivals: map[*nodes.Node]bool{}, writing: map[*nodes.Node]bool{}}
	w.findRivals(&place{block: root})
	w.walk(&place{block: root})
}

// findRivals finds what takes part in a race with a timer.
func (w *orderer) findRivals(p *place) {
	for _, n := range p.block.Nodes {
		if n.Await == nodes.AwaitRace || n.Await == nodes.AwaitAny {
			var racing []*nodes.Node
			for _, r := range n.In {
				if m := p.resolve(r); m != nil {
					racing = append(racing, m)
				}
			}
			if slices.ContainsFunc(racing, sleeps) {
				for _, m := range racing {
					w.rivals[m] = true
				}
			}
		}
		for _, b := range n.Blocks() {
			w.findRivals(&place{block: b, outer: p, owner: n})
		}
	}
}

func (w *orderer) walk(p *place) {
	for i, n := range p.block.Nodes {
		p.at = i
		w.node(p, n)
		for _, b := range n.Blocks() {
			w.walk(&place{block: b, outer: p, owner: n, rival: p.rival || w.rivals[n]})
		}
		if w.writes(n) || w.timed[n] {
			p.writers = append(p.writers, i)
		}
	}
}

// writes reports whether n, or a node in it, writes.
func (w *orderer) writes(n *nodes.Node) bool {
	blocks := n.Blocks()
	if len(blocks) == 0 {
		return n.Effect() == nodes.Write
	}
	known, ok := w.writing[n]
	if ok {
		return known
	}
	for _, b := range blocks {
		known = known || slices.ContainsFunc(b.Nodes, w.writes)
	}
	w.writing[n] = known
	return known
}

func (w *orderer) node(p *place, n *nodes.Node) {
	switch n.Kind {
	case nodes.KindCall:
		w.call(p, n)
	case nodes.KindScript:
		n.Gate, n.Why = nodes.GateSafe, "a script runs in its place"
	case nodes.KindHost:
		n.Gate, n.Why = nodes.GateSafe, "what it sees or shows depends on its place"
	case nodes.KindMap:
		if takesTurns(n) {
			n.Gate, n.Why = nodes.GateSafe, "what it changes depends on which item is faster: none may start before the others"
		}
	case nodes.KindExpr:
		if expr.Heavy(n.Code) {
			n.Gate, n.Why = nodes.GatePassed, "it may take long"
		}
	case nodes.KindLoop:
		if !n.Loop.Each {
			n.Gate, n.Why = nodes.GatePassed, "it may take long"
		}
	case nodes.KindAwait:
		for _, r := range n.In {
			if m := p.resolve(r); m != nil && m.Async {
				w.await(n, m)
			}
		}
	}
}

// await notes that n waits for m.
func (w *orderer) await(n, m *nodes.Node) {
	race := n.Await == nodes.AwaitRace || n.Await == nodes.AwaitAny
	w.raced[m] = race && (w.raced[m] || !w.awaited[m])
	w.awaited[m] = true
	w.timed[n] = w.timed[n] || race && sleeps(m)
}

// sleeps reports whether a timer is in n.
func sleeps(n *nodes.Node) bool {
	if n.Kind == nodes.KindHost && n.Host == nodes.HostSleep {
		return true
	}
	for _, b := range n.Blocks() {
		if slices.ContainsFunc(b.Nodes, sleeps) {
			return true
		}
	}
	return false
}

// resolve finds the node that a ref of p's block names; nil for a param.
func (p *place) resolve(r nodes.Ref) *nodes.Node {
	for range r.Up {
		p = p.outer
	}
	if r.Node < 0 {
		return nil
	}
	return p.block.Nodes[r.Node]
}

func (w *orderer) call(p *place, n *nodes.Node) {
	switch {
	case n.Call.Effect == nodes.Write:
		n.Gate, n.Why = nodes.GateSafe, "a write waits until nothing before it can fail"
	case n.Call.Permission == nodes.Ask:
		n.Gate, n.Why = nodes.GateSafe, "it may have to be asked for"
	case p.rival || w.rivals[n]:
		n.Gate, n.Why = nodes.GateSafe, "it races with a timer: neither may start before the other"
	case !w.speculate:
		n.Gate, n.Why = nodes.GateSafe, "reads do not run ahead"
	default:
		n.Gate, n.Why = nodes.GatePassed, "a read may run ahead of a failure, not of a branch that could skip it"
		w.afterWrites(p, n)
	}
}

// afterWrites makes a read wait for the writes before it that it conflicts with. Other calls need no such edges: their
// gate waits for everything.
func (w *orderer) afterWrites(p *place, n *nodes.Node) {
	for up := 0; p != nil; up++ {
		for _, j := range slices.Backward(p.writers) {
			m := p.block.Nodes[j]
			scope, ok := w.conflict(m, n)
			if !ok {
				continue
			}
			n.After = append(n.After, nodes.After{Up: up, Node: j, Port: w.port(m), Reason: reason(m, n, scope)})
			if m.Gate == nodes.GateSafe && !m.Async && len(m.Blocks()) == 0 {
				return
			}
		}
		if p.owner != nil && p.owner.Kind == nodes.KindLoop {
			if scope, ok := w.conflictIn(p.block, n); ok {
				n.After = append(n.After, nodes.After{Up: up, Node: -1, Prev: true, Port: nodes.PortWrites,
					Reason: fmt.Sprintf("order write→read %s (earlier iterations of line %d)", scope, p.owner.Pos.Line)})
			}
		}
		p = p.outer
	}
}

// takesTurns reports whether n is, or holds, a node that takes its turn.
func takesTurns(n *nodes.Node) bool {
	if n.Kind == nodes.KindHost && n.Host == nodes.HostTurn {
		return true
	}
	for _, b := range n.Blocks() {
		if slices.ContainsFunc(b.Nodes, takesTurns) {
			return true
		}
	}
	return false
}

// onlySleeps reports whether timers are all that n writes.
func onlySleeps(n *nodes.Node) bool {
	for _, b := range n.Blocks() {
		if slices.ContainsFunc(b.Nodes, func(m *nodes.Node) bool {
			return m.Effect() == nodes.Write && (m.Kind != nodes.KindHost || m.Host != nodes.HostSleep) || !onlySleeps(m)
		}) {
			return false
		}
	}
	return true
}

func (w *orderer) port(m *nodes.Node) nodes.Port {
	if m.Kind == nodes.KindAwait {
		return nodes.PortDone
	}
	if m.Async && !w.awaited[m] {
		return nodes.PortSent
	}
	return nodes.PortWrites
}

func reason(m, n *nodes.Node, scope string) string {
	return "order write→read " + scope + " (line " + strconv.Itoa(m.Pos.Line) + " → " + strconv.Itoa(n.Pos.Line) + ")"
}

// conflict reports whether m, or a node in it, must keep its place before the read n; and the resource that both touch.
func (w *orderer) conflict(m, n *nodes.Node) (string, bool) {
	if w.timed[m] {
		return string(nodes.HostSleep), true
	}
	if !w.writes(m) || m.Async && len(m.Blocks()) > 0 && (w.raced[m] || !w.awaited[m]) && onlySleeps(m) {
		return "", false
	}
	if scope, ok := leafConflict(m, n); ok {
		return scope, true
	}
	for _, b := range m.Blocks() {
		if scope, ok := w.conflictIn(b, n); ok {
			return scope, true
		}
	}
	return "", false
}

func (w *orderer) conflictIn(b *nodes.Block, n *nodes.Node) (string, bool) {
	for _, m := range b.Nodes {
		if scope, ok := w.conflict(m, n); ok {
			return scope, true
		}
	}
	return "", false
}

func leafConflict(m, n *nodes.Node) (string, bool) {
	a := &nodes.Tool{Effect: m.Effect()}
	if m.Kind == nodes.KindCall {
		a.Scopes = m.Call.Scopes
	}
	b := &nodes.Tool{Effect: n.Call.Effect, Scopes: n.Call.Scopes}
	if !nodes.Conflicts(a, b) {
		return "", false
	}
	if m.Kind == nodes.KindHost {
		return string(m.Host), true
	}
	return sharedScope(a.Scopes, b.Scopes), true
}

func sharedScope(a, b []string) string {
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return x
			}
		}
	}
	if len(b) > 0 && (len(a) == 0 || a[0] == nodes.World) {
		return strings.Join(b, ", ")
	}
	if len(a) > 0 {
		return strings.Join(a, ", ")
	}
	return nodes.World
}
