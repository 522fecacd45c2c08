package nodes

import (
	"errors"
	"fmt"
)

// Check reports the first way in which g is no well-formed graph, or nil: every ref names an earlier value that is in
// scope, blocks hand on what their owners promise, exits name something that encloses them, promises are read by await
// nodes alone, ids count up in program order.
func Check(g *Graph) error {
	c := &check{}
	if err := c.block(&frame{block: g.Root}); err != nil {
		return err
	}
	if c.last != g.Count {
		return fmt.Errorf("the graph has %d nodes and says %d", c.last, g.Count)
	}
	return nil
}

// frame is a block with the way outwards; at is the index of the node at hand.
type frame struct {
	block *Block
	outer *frame
	owner *Node
	at    int
}

type check struct{ last int }

func (c *check) block(f *frame) error {
	for i, n := range f.block.Nodes {
		f.at = i
		if c.last++; n.ID != c.last {
			return fmt.Errorf("node %d of its block has id %d, want %d", i, n.ID, c.last)
		}
		if err := c.node(f, n); err != nil {
			return fmt.Errorf("n%d (%s, line %d): %w", n.ID, n.Kind, n.Pos.Line, err)
		}
	}
	f.at = len(f.block.Nodes)
	for _, r := range f.block.Results {
		if err := f.ref(r, false); err != nil {
			return fmt.Errorf("result: %w", err)
		}
	}
	return nil
}

func (c *check) node(f *frame, n *Node) error {
	for _, r := range n.In {
		if err := f.ref(r, n.Kind == KindAwait); err != nil {
			return err
		}
	}
	for _, a := range n.After {
		if err := f.after(a); err != nil {
			return err
		}
	}
	if err := n.shape(); err != nil {
		return err
	}
	if n.Kind == KindExit && n.Exit.Mode != ExitThrow && !f.encloses(n.Exit.Target) {
		return fmt.Errorf("%s names n%d, which does not enclose it", n.Exit.Mode, n.Exit.Target)
	}
	for _, b := range n.Blocks() {
		if b == nil {
			return fmt.Errorf("a block is missing")
		}
		if err := c.block(&frame{block: b, outer: f, owner: n}); err != nil {
			return err
		}
	}
	return nil
}

// ref checks that r is in scope; promise says that it may name an Async node.
func (f *frame) ref(r Ref, promise bool) error {
	for range r.Up {
		if f = f.outer; f == nil {
			return fmt.Errorf("a ref leaves the program: %v", r)
		}
	}
	switch {
	case r.Node == -1:
		if r.Out < 0 || r.Out >= len(f.block.Params) {
			return fmt.Errorf("a ref to param %d of %d", r.Out, len(f.block.Params))
		}
		return nil
	case r.Node < 0 || r.Node >= f.at:
		return fmt.Errorf("a ref to node %d, which is not before %d", r.Node, f.at)
	}
	n := f.block.Nodes[r.Node]
	if r.Out < 0 || r.Out >= len(n.Outs) {
		return fmt.Errorf("a ref to output %d of n%d, which has %d", r.Out, n.ID, len(n.Outs))
	}
	if n.Async && !promise {
		return fmt.Errorf("a ref to the promise of n%d outside of an await", n.ID)
	}
	return nil
}

func (f *frame) after(a After) error {
	for range a.Up {
		if f = f.outer; f == nil {
			return fmt.Errorf("an order edge leaves the program")
		}
	}
	if a.Prev {
		if a.Node != -1 || f.owner == nil || f.owner.Kind != KindLoop {
			return fmt.Errorf("an order edge to earlier iterations of what is no loop")
		}
		return nil
	}
	if a.Node < 0 || a.Node >= f.at {
		return fmt.Errorf("an order edge to node %d, which is not before %d", a.Node, f.at)
	}
	return nil
}

func (f *frame) encloses(id int) bool {
	for ; f != nil; f = f.outer {
		if f.owner != nil && f.owner.ID == id {
			return true
		}
	}
	return id == 0
}

var errMissing = errors.New("what a node of its kind needs is missing")

// shape checks what a node of its kind must have.
func (n *Node) shape() error {
	missing := errMissing
	switch n.Kind {
	case KindCall:
		if n.Call == nil || n.Call.Args != nil && len(n.Call.Args.Params) != len(n.In) {
			return missing
		}
	case KindExpr, KindScript:
		if n.Code == nil || len(n.Code.Params) != len(n.In) {
			return missing
		}
	case KindHost:
		if n.Host == "" {
			return missing
		}
	case KindAwait:
		if n.Await == "" {
			return missing
		}
	case KindBranch:
		if n.Branch == nil || len(n.In) != 1 {
			return missing
		}
	case KindMap:
		if n.Map == nil || len(n.In) != 1 || len(n.Outs) != 1 {
			return missing
		}
	case KindLoop:
		if n.Loop == nil || len(n.Loop.Body.Params) != n.loopParams() {
			return missing
		}
	case KindScope:
		if n.Scope == nil {
			return missing
		}
	case KindTry:
		if n.Try == nil || len(n.Try.Handler.Params) != 1+len(n.Try.Saved) {
			return missing
		}
	case KindExit:
		if n.Exit == nil {
			return missing
		}
	default:
		return fmt.Errorf("unknown kind %d", n.Kind)
	}
	return n.results()
}

func (n *Node) loopParams() int {
	if n.Loop.Each {
		return len(n.Outs) + 2
	}
	return len(n.Outs)
}

// results checks that each block of n hands on n's outputs; one that always leaves by an exit need not.
func (n *Node) results() error {
	for _, b := range n.Blocks() {
		if b == nil || len(b.Results) == len(n.Outs) {
			continue
		}
		if len(b.Results) == 0 && b.Leaves() {
			continue
		}
		return fmt.Errorf("a block has %d results for %d outputs", len(b.Results), len(n.Outs))
	}
	return nil
}

// Leaves reports whether the end of b cannot be reached.
func (b *Block) Leaves() bool {
	for _, n := range b.Nodes {
		switch n.Kind {
		case KindExit:
			return true
		case KindBranch:
			if n.Branch.Then.Leaves() && n.Branch.Else.Leaves() {
				return true
			}
		case KindTry:
			if n.Try.Body.Leaves() && n.Try.Handler.Leaves() {
				return true
			}
		}
	}
	return false
}
