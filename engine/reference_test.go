package engine

import (
	"fmt"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// reference runs a graph as ECMAScript would: one node after the other, in program order. An Async node is run to its
// end where it stands; it is the generator's business that this makes no difference.
type reference struct {
	w      *world
	calls  []string
	origin map[*value.Error]string
	threw  bool // something failed that the program did not throw itself
}

// ended is how something ended abruptly; nil is normally.
type ended struct {
	mode   nodes.ExitMode
	target int
	vals   []value.Value
	path   string // for throw: of the node that threw
	at     int    // the index of the node in the block that ended
}

// scopeFrame is one execution of a block.
type scopeFrame struct {
	up     *scopeFrame
	path   string
	params []value.Value
	outs   [][]value.Value
	failed []*ended // of Async nodes
}

// program runs a whole graph: its result, or the exception and the path of the node that threw it.
func (r *reference) program(g *nodes.Graph, args value.Value) (value.Value, string) {
	e := r.block(g.Root, &scopeFrame{params: []value.Value{args}}, nil)
	switch {
	case e == nil:
		return value.Undefined{}, ""
	case e.mode == nodes.ExitThrow:
		return e.vals[0], r.thrownAt(e)
	case e.mode == nodes.ExitReturn && e.target == 0:
		return e.vals[0], ""
	}
	panic(fmt.Sprintf("%s %d left the program", e.mode, e.target))
}

func (r *reference) thrownAt(e *ended) string {
	if err, ok := e.vals[0].(*value.Error); ok {
		return r.origin[err]
	}
	return e.path
}

func (f *scopeFrame) get(ref nodes.Ref) value.Value {
	for range ref.Up {
		f = f.up
	}
	if ref.Node < 0 {
		return f.params[ref.Out]
	}
	return f.outs[ref.Node][ref.Out]
}

func (f *scopeFrame) all(refs []nodes.Ref) []value.Value {
	vals := make([]value.Value, len(refs))
	for i, ref := range refs {
		vals[i] = f.get(ref)
	}
	return vals
}

// block runs the nodes of b in f; results gets its results if it ends normally.
func (r *reference) block(b *nodes.Block, f *scopeFrame, results *[]value.Value) *ended {
	for i, n := range b.Nodes {
		out, e := r.node(n, f)
		for len(out) < len(n.Outs) {
			out = append(out, value.Undefined{})
		}
		f.outs, f.failed = append(f.outs, out), append(f.failed, nil)
		switch {
		case e == nil:
		case n.Async:
			f.failed[i] = e
		default:
			e.at = i
			return e
		}
	}
	if results != nil {
		*results = f.all(b.Results)
	}
	return nil
}

func (r *reference) throw(v value.Value, path string) *ended {
	if err, ok := v.(*value.Error); ok && r.origin[err] == "" {
		r.origin[err] = path
	}
	return &ended{mode: nodes.ExitThrow, vals: []value.Value{v}, path: path}
}

func (r *reference) node(n *nodes.Node, f *scopeFrame) ([]value.Value, *ended) {
	path := n.Path(f.path)
	switch n.Kind {
	case nodes.KindExpr:
		return r.outcome(n, path)(r.w.eval(n, f.all(n.In)))
	case nodes.KindCall, nodes.KindScript:
		r.calls = append(r.calls, path)
		return r.outcome(n, path)(r.w.run(n, path, f.all(n.In)))
	case nodes.KindExit:
		if n.Exit.Mode == nodes.ExitThrow {
			return nil, r.throw(f.get(n.In[0]), path)
		}
		return nil, &ended{mode: n.Exit.Mode, target: n.Exit.Target, vals: f.all(n.In)}
	case nodes.KindAwait:
		return r.await(n, f)
	case nodes.KindBranch:
		b := n.Branch.Else
		if value.ToBoolean(f.get(n.In[0])) {
			b = n.Branch.Then
		}
		return r.once(n, b, f, path)
	case nodes.KindScope:
		return r.once(n, n.Scope.Body, f, path)
	case nodes.KindMap:
		return r.mapNode(n, f, path)
	case nodes.KindLoop:
		return r.loop(n, f, path)
	}
	return r.try(n, f, path)
}

func (r *reference) outcome(n *nodes.Node, path string) func([]value.Value, error) ([]value.Value, *ended) {
	return func(out []value.Value, err error) ([]value.Value, *ended) {
		switch e := err.(type) {
		case nil:
			return out, nil
		case *Return:
			return nil, &ended{mode: nodes.ExitReturn, target: n.Code.Target, vals: []value.Value{e.Value}}
		}
		r.threw = true
		return nil, r.throw(err.(*value.Throw).Value, path)
	}
}

func (r *reference) once(n *nodes.Node, b *nodes.Block, f *scopeFrame, path string) (out []value.Value, e *ended) {
	e = r.block(b, &scopeFrame{up: f, path: path}, &out)
	if e != nil && e.mode != nodes.ExitThrow && e.target == n.ID {
		return e.vals, nil
	}
	return out, e
}

func (r *reference) await(n *nodes.Node, f *scopeFrame) ([]value.Value, *ended) {
	var vals []value.Value
	for _, ref := range n.In {
		from := f
		for range ref.Up {
			from = from.up
		}
		v := from.get(nodes.Ref{Node: ref.Node, Out: ref.Out})
		var e *ended
		if ref.Node >= 0 {
			e = from.failed[ref.Node]
		}
		switch {
		case e != nil && n.Await == nodes.AwaitAllSettled:
			v = settledAs("rejected", "reason", e.vals[0])
		case e != nil:
			again := *e
			r.threw = true
			return nil, &again
		case n.Await == nodes.AwaitAllSettled:
			v = settledAs("fulfilled", "value", v)
		}
		vals = append(vals, v)
	}
	if n.Await == nodes.AwaitOne {
		return vals, nil
	}
	return []value.Value{value.NewArray(vals...)}, nil
}

// mapNode runs all items, also after one has failed.
func (r *reference) mapNode(n *nodes.Node, f *scopeFrame, path string) ([]value.Value, *ended) {
	var failed *ended
	var vals []value.Value
	for i, item := range f.get(n.In[0]).(*value.Array).Elems {
		inner := &scopeFrame{up: f, path: fmt.Sprintf("%s[%d]", path, i), params: []value.Value{item, value.Number(i)}}
		var out []value.Value
		e := r.block(n.Map.Body, inner, &out)
		if e != nil && e.mode == nodes.ExitReturn && e.target == n.ID {
			out, e = e.vals, nil
		}
		switch {
		case e != nil && n.Map.Settled:
			out = []value.Value{settledAs("rejected", "reason", e.vals[0])}
		case e != nil && failed == nil:
			failed = e
			continue
		case e != nil:
			panic("two items failed")
		case n.Map.Settled:
			out = []value.Value{settledAs("fulfilled", "value", out[0])}
		}
		vals = append(vals, out[0])
	}
	return []value.Value{value.NewArray(vals...)}, failed
}

func (r *reference) loop(n *nodes.Node, f *scopeFrame, path string) ([]value.Value, *ended) {
	vars := f.all(n.In)
	var elems []value.Value
	if n.Loop.Each {
		elems, vars = vars[0].(*value.Array).Elems, vars[1:]
	}
	for i := 0; !n.Loop.Each || i < len(elems); i++ {
		inner := &scopeFrame{up: f, path: fmt.Sprintf("%s[%d]", path, i)}
		if n.Loop.Each {
			inner.params = append(inner.params, elems[i], value.Number(i))
		}
		inner.params = append(inner.params, vars...)
		var next []value.Value
		e := r.block(n.Loop.Body, inner, &next)
		switch {
		case e == nil:
		case e.mode == nodes.ExitBreak && e.target == n.ID:
			return e.vals, nil
		case e.mode == nodes.ExitContinue && e.target == n.ID:
			next = e.vals[:len(vars)]
		default:
			return nil, e
		}
		vars = next
	}
	return vars, nil
}

func (r *reference) try(n *nodes.Node, f *scopeFrame, path string) (out []value.Value, e *ended) {
	body := &scopeFrame{up: f, path: path}
	e = r.block(n.Try.Body, body, &out)
	if e == nil || e.mode != nodes.ExitThrow {
		return out, e
	}
	handler := &scopeFrame{up: f, path: path, params: []value.Value{e.vals[0]}}
	for _, versions := range n.Try.Saved {
		var v value.Value
		for _, x := range versions {
			if x.From <= e.at {
				v = body.get(x.Ref)
			}
		}
		handler.params = append(handler.params, v)
	}
	return out, r.block(n.Try.Handler, handler, &out)
}
