package parcel

import (
	"slices"

	"github.com/casys-ai/pml/nodes"
)

// Rows is a list with a row for each element of a list that is known here: what the calls of a loop's body hand on of it as
// it stands. Nothing else of the list is sent.
type Rows struct {
	// List is the part's input that is the list.
	List int
	// Steps are executed for each element, in order; Columns are the places that make a row.
	Steps   []Step
	Columns []Place
}

// Step is code with the places that it reads. Its outputs are the next places.
type Step struct {
	Code *nodes.Code
	In   []Place
}

// Place is where a value is: an input of the part, or one of what an element has: itself, its index, what the steps gave.
type Place struct {
	Input bool
	Index int
}

// The first places of an element.
const (
	placeElement = iota
	placeIndex
	placeSteps
)

// rows makes the Rows of a control node. A nil one knows nothing.
type rows struct {
	body *nodes.Block
	// at is where the outputs of the body's code begin that is executed here.
	at    map[*nodes.Node]int
	next  int
	steps []rowStep
	cols  []int
	// calls are those of the body, args their arguments as they are sent.
	calls []*nodes.Node
	args  map[*nodes.Node]*argument
}

// rowStep is a Step before it is known what the part's inputs are.
type rowStep struct {
	code *nodes.Code
	in   []nodes.Ref // as seen from the body
}

// findRows finds out whether the list of the node is known here, and what of its body is code that reads nothing else.
func (c *control) findRows(root *level) {
	n := c.top
	var body *nodes.Block
	switch {
	case n.Kind == nodes.KindMap:
		body = n.Map.Body
	case n.Kind == nodes.KindLoop && n.Loop.Each:
		body = n.Loop.Body
	}
	if body == nil || c.part.inside(n.In[0]) || c.part.literal(n.In[0]) {
		return
	}
	c.rows = &rows{body: body, at: map[*nodes.Node]int{}, next: placeSteps, args: map[*nodes.Node]*argument{}}
	l := &level{body, n, root}
	for _, x := range body.Nodes {
		if x.Kind == nodes.KindExpr && !x.Code.Rich && len(x.In) > 0 && !slices.ContainsFunc(x.In, func(r nodes.Ref) bool { return !c.here(l, r) }) {
			c.rows.at[x] = c.rows.add(&nodes.Code{Params: x.Code.Params, Touched: x.Code.Touched, Body: x.Code.Body, Result: x.Code.Result,
				Vars: x.Code.Vars}, x.In, len(x.Outs))
		}
	}
}

// add adds a step with so many outputs, and gives the place of the first.
func (r *rows) add(code *nodes.Code, in []nodes.Ref, outs int) int {
	r.steps = append(r.steps, rowStep{code, in})
	r.next += outs
	return r.next - outs
}

// here reports whether a value, seen from the body, is known here.
func (c *control) here(l *level, r nodes.Ref) bool {
	if r.Up == 0 {
		return c.rows.known(l, r)
	}
	r.Up--
	return !c.part.inside(r)
}

// holds reports whether a level is the body.
func (r *rows) holds(l *level) bool { return r != nil && l.block == r.body }

// makes reports whether a node is code of the body that is executed here.
func (r *rows) makes(l *level, n *nodes.Node) bool {
	if !r.holds(l) {
		return false
	}
	_, ok := r.at[n]
	return ok
}

// known reports whether a value of a level is one of the body that is known here.
func (r *rows) known(l *level, ref nodes.Ref) bool {
	switch {
	case !r.holds(l):
		return false
	case ref.Node < 0:
		return ref.Out < eachParams
	}
	return r.makes(l, l.block.Nodes[ref.Node])
}

// forbid notes that the node has an exit: then it is not certain that what is known here would be sent.
func (r *rows) forbid(c *control) {
	if r != nil {
		c.bad = true
	}
}

// pass makes the arguments of the body's calls. false: what is known here is not handed on as it stands.
func (r *rows) pass(c *control) bool {
	l := &level{r.body, c.top, &level{block: c.part.block}}
	inside := func(ref nodes.Ref) bool { return !c.here(l, ref) }
	for i := 0; i < len(r.calls); i++ { // what an argument needs may keep more calls
		n := r.calls[i]
		var ok bool
		if r.args[n], ok = pass(n, inside, r.column); !ok {
			return false
		}
		for _, s := range r.args[n].in {
			if s.value < 0 {
				c.need(l, s.ref)
			}
		}
	}
	return !c.bad && !slices.ContainsFunc(c.outer, func(ref nodes.Ref) bool {
		return !c.part.inside(ref) && !c.part.literal(ref) && ref != c.top.In[0]
	})
}

// column adds a column, and gives its number.
func (r *rows) column(code *nodes.Code, in []nodes.Ref) int {
	r.cols = append(r.cols, r.add(code, in, 1))
	return len(r.cols) - 1
}

// inputs are the values from outside that the steps read, as seen from the part's block.
func (r *rows) inputs() (refs []nodes.Ref) {
	for _, s := range r.steps {
		for _, ref := range s.in {
			if ref.Up > 0 {
				refs = append(refs, nodes.Ref{Up: ref.Up - 1, Node: ref.Node, Out: ref.Out})
			}
		}
	}
	return refs
}

// value is how the list is made; index gives the number of an input.
func (r *rows) value(top *nodes.Node, index func(nodes.Ref) int) Value {
	out := &Rows{List: index(top.In[0])}
	for _, s := range r.steps {
		step := Step{Code: s.code}
		for _, ref := range s.in {
			step.In = append(step.In, r.place(ref, index))
		}
		out.Steps = append(out.Steps, step)
	}
	for _, at := range r.cols {
		out.Columns = append(out.Columns, Place{Index: at})
	}
	return Value{Rows: out}
}

func (r *rows) place(ref nodes.Ref, index func(nodes.Ref) int) Place {
	switch {
	case ref.Up > 0:
		return Place{true, index(nodes.Ref{Up: ref.Up - 1, Node: ref.Node, Out: ref.Out})}
	case ref.Node < 0:
		return Place{false, placeElement + ref.Out}
	}
	return Place{false, r.at[r.body.Nodes[ref.Node]] + ref.Out}
}
