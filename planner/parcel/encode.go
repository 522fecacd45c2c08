package parcel

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// Sending is what a part is sent with.
type Sending struct {
	// Values are its Values, written in a way that whoever decodes it reads.
	Values []byte
	// Key names its calls among all: their paths in the part's block follow it. Calls is how many may be made, 0 for any
	// number.
	Key   string
	Calls int
}

// Encode writes a part.
func (p *Part) Encode(s Sending) ([]byte, error) {
	e := &encoder{part: p, code: []string{unpack(len(p.Values))}, places: map[*nodes.Block]map[int]int{}}
	out := partJSON{Version: Version, Values: s.Values, Inputs: len(p.Values), Key: s.Key, Calls: s.Calls}
	place := map[int]int{}
	for k, i := range slices.Concat(p.literals, p.items) {
		place[i] = k
	}
	e.places[p.block] = place
	root := &level{block: p.block}
	for _, i := range slices.Concat(p.literals, p.items) {
		out.Items = append(out.Items, e.item(root, i))
	}
	out.Code = "return [\n" + strings.Join(e.code, ",\n") + "\n];\n"
	return json.Marshal(out)
}

// encoder writes the items of a part; their functions are in the order of the items, those of blocks behind their owner.
type encoder struct {
	part   *Part
	code   []string
	places map[*nodes.Block]map[int]int // of an index in a block, the item
	top    *control                     // that is being written
}

// item writes a node of the part's block.
func (e *encoder) item(root *level, i int) itemJSON {
	n := e.part.block.Nodes[i]
	if e.top = e.part.controls[i]; e.top != nil {
		return e.control(root, n)
	}
	return e.leaf(root, n, e.part.args[i])
}

// leaf writes a node without blocks; arg is the argument of a call, if it is not its own.
func (e *encoder) leaf(l *level, n *nodes.Node, arg *argument) itemJSON {
	item := itemJSON{ID: n.ID, Kind: n.Kind, Async: n.Async, Gate: n.Gate, Outs: len(n.Outs), Await: n.Await, After: e.afters(l, n)}
	c := n.Code
	if n.Kind == nodes.KindCall {
		item.Tool, item.Effect = n.Call.Tool, n.Call.Effect
		c = n.Call.Args
	}
	if arg == nil {
		item.In = e.refs(l, n.In)
	} else {
		c = arg.code
		for _, s := range arg.in {
			item.In = append(item.In, e.source(l, s))
		}
	}
	if c != nil {
		item.Func = &funcJSON{Result: c.Result != nil, Owned: c.Owned, Touched: c.Touched}
		e.code = append(e.code, function(c))
	}
	return item
}

// source writes what a param of an argument stands for.
func (e *encoder) source(l *level, s source) refJSON {
	switch {
	case s.value < 0:
		return e.ref(l, s.ref)
	case l.owner == nil:
		return refJSON{Item: -1, Out: s.value}
	}
	return refJSON{Item: 0, Out: s.value} // the row is taken apart first
}

// ref writes a value as it is seen from a level.
func (e *encoder) ref(l *level, r nodes.Ref) refJSON {
	for range r.Up {
		l = l.outer
	}
	out := refJSON{r.Up, r.Node, r.Out}
	if r.Node < 0 {
		if k := e.carried(l.owner, r.Out); k >= 0 {
			out.Out = k
		}
		return out
	}
	out.Item = e.places[l.block][r.Node]
	if n := l.block.Nodes[r.Node]; len(n.Blocks()) > 0 {
		out.Out = slices.Index(e.outs(n), r.Out)
	}
	return out
}

// carried is where a param of a loop's body stands that is carried; -1 for other params.
func (e *encoder) carried(owner *nodes.Node, k int) int {
	if owner.Kind != nodes.KindLoop {
		return -1
	}
	first := len(owner.Loop.Body.Params) - len(owner.Outs)
	if k < first {
		return -1
	}
	return first + slices.Index(e.outs(owner), k-first)
}

// outs are the outputs of a control node that go along.
func (e *encoder) outs(n *nodes.Node) []int {
	for _, c := range e.part.controls {
		if c.keep[n] {
			return c.outs[n]
		}
	}
	return nil
}

func (e *encoder) refs(l *level, list []nodes.Ref) (out []refJSON) {
	for _, r := range list {
		out = append(out, e.ref(l, r))
	}
	return out
}

// afters writes the order edges to what goes along.
func (e *encoder) afters(l *level, n *nodes.Node) (out []afterJSON) {
	for _, a := range n.After {
		at := l
		for up := a.Up; up > 0 && at != nil; up-- {
			at = at.outer
		}
		switch {
		case at == nil || a.Prev && at.owner == nil:
		case a.Prev:
			out = append(out, afterJSON{a.Up, -1, true, a.Port})
		default:
			if to, ok := e.places[at.block][a.Node]; ok {
				out = append(out, afterJSON{a.Up, to, false, a.Port})
			}
		}
	}
	return out
}

// control writes a node with blocks.
func (e *encoder) control(l *level, n *nodes.Node) itemJSON {
	outs := e.top.outs[n]
	item := itemJSON{ID: n.ID, Kind: n.Kind, Gate: n.Gate, Outs: len(outs), After: e.afters(l, n)}
	switch {
	case n == e.top.top && e.top.rows != nil:
		item.In = []refJSON{{Item: -1, Out: e.part.lists[e.place(n)]}}
	case len(n.In) > 0 && (n.Kind != nodes.KindLoop || n.Loop.Each):
		item.In = e.refs(l, n.In[:1])
	}
	switch n.Kind {
	case nodes.KindLoop:
		item.Each = n.Loop.Each
		for _, k := range outs {
			item.In = append(item.In, e.ref(l, n.In[carriedAt(n)+k]))
		}
	case nodes.KindMap:
		item.Settled, item.Outs = n.Map.Settled, 1
	}
	for _, in := range inner(l, n) {
		item.Blocks = append(item.Blocks, e.block(in, outs))
	}
	return item
}

// place is the index of a node in the part's block.
func (e *encoder) place(n *nodes.Node) int { return slices.Index(e.part.block.Nodes, n) }

// block writes a block of a control node, of which so many outputs go along.
func (e *encoder) block(l *level, outs []int) blockJSON {
	out := blockJSON{Params: len(l.block.Params)}
	if l.owner.Kind == nodes.KindLoop {
		out.Params += len(outs) - len(l.owner.Outs)
	}
	if e.top.rows.holds(l) && len(e.top.rows.cols) > 0 {
		cols := len(e.top.rows.cols)
		out.Items = append(out.Items, itemJSON{Kind: nodes.KindExpr, In: []refJSON{{Item: -1}}, Outs: cols, Func: &funcJSON{}})
		e.code = append(e.code, unpack(cols))
	}
	place := map[int]int{}
	e.places[l.block] = place
	for i, n := range l.block.Nodes {
		if !e.top.keep[n] {
			continue
		}
		place[i] = len(out.Items)
		out.Items = append(out.Items, e.inner(l, n))
	}
	switch {
	case l.owner.Kind == nodes.KindMap && len(outs) == 0 && len(l.block.Results) > 0:
		out.Results = []refJSON{{Item: -1, Out: 1}} // nobody asks for it
	case len(l.block.Results) > 0:
		for _, k := range outs {
			out.Results = append(out.Results, e.ref(l, l.block.Results[k]))
		}
	}
	return out
}

// inner writes a node of a block of a control node.
func (e *encoder) inner(l *level, n *nodes.Node) itemJSON {
	switch {
	case n.Kind == nodes.KindExit:
		return e.exit(l, n)
	case len(n.Blocks()) > 0:
		return e.control(l, n)
	case n.Kind == nodes.KindCall && e.top.rows.holds(l):
		return e.leaf(l, n, e.top.rows.args[n])
	}
	return e.leaf(l, n, nil)
}

// exit writes an exit. One that leaves the part ends it.
func (e *encoder) exit(l *level, n *nodes.Node) itemJSON {
	item := itemJSON{ID: n.ID, Kind: n.Kind, Gate: n.Gate, Exit: n.Exit.Mode, After: e.afters(l, n)}
	target := e.top.target(l, n)
	switch {
	case n.Exit.Mode == nodes.ExitThrow:
		item.In = e.refs(l, n.In)
	case target == nil:
		item.In = e.refs(l, n.In[:1])
	case target.Kind == nodes.KindMap:
		item.Target, item.In = target.ID, e.refs(l, n.In)
	default:
		item.Target = target.ID
		for _, k := range e.top.outs[target] {
			item.In = append(item.In, e.ref(l, n.In[k]))
		}
	}
	return item
}

// function is a piece of code as a JavaScript function from its inputs to the list of its outputs.
func function(c *nodes.Code) string {
	var params, outputs []string
	for _, s := range c.Params {
		params = append(params, s.Unique)
	}
	var fresh strings.Builder
	for _, s := range c.Fresh() {
		fmt.Fprintf(&fresh, "let %s;\n", s.Unique)
	}
	if c.Result != nil {
		outputs = append(outputs, "("+ast.PrintExpr(c.Result)+")")
	}
	for _, s := range c.Vars {
		outputs = append(outputs, s.Unique)
	}
	return fmt.Sprintf("function (%s) {\n%s%sreturn [%s];\n}", strings.Join(params, ", "), fresh.String(),
		ast.PrintStmts(c.Body), strings.Join(outputs, ", "))
}

// unpack is the function that takes the list of inputs apart.
func unpack(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("$in[%d]", i))
	}
	if n == 0 {
		return "function ($in) {\nreturn [undefined];\n}"
	}
	var lets, outputs []string
	for i, text := range list {
		lets = append(lets, fmt.Sprintf("const $%d = %s;\n", i, text))
		outputs = append(outputs, fmt.Sprintf("$%d", i))
	}
	return fmt.Sprintf("function ($in) {\n%sreturn [%s];\n}", strings.Join(lets, ""), strings.Join(outputs, ", "))
}
