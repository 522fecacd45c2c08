package parcel

import (
	"fmt"
	"slices"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// Value is a value that is made here and goes along with a part: something that the program hands to one of its calls as
// it stands. Nothing else of what is known here is sent.
type Value struct {
	// Code computes it, In says from which of the part's inputs.
	Code *nodes.Code
	In   []int
	// Rows, if it is set, makes it instead.
	Rows *Rows
}

// argument is the argument of a call as it is sent: what is known here has become a param.
type argument struct {
	code *nodes.Code
	in   []source
}

// source is what a param of an argument stands for: a value that goes along, or an output of another item.
type source struct {
	value int // -1 for the output ref
	ref   nodes.Ref
}

// passer separates what of an argument is known here from what other calls of the part give.
type passer struct {
	code *nodes.Code
	in   []nodes.Ref
	// inside says which values the part gives; send lets the value of a piece go along, made from what in names, and gives
	// its number.
	inside func(nodes.Ref) bool
	send   func(c *nodes.Code, in []nodes.Ref) int
	out    argument
}

// pass makes the argument of a call. false: what is known here is not handed on as it stands.
func pass(n *nodes.Node, inside func(nodes.Ref) bool, send func(*nodes.Code, []nodes.Ref) int) (*argument, bool) {
	c := n.Call.Args
	if c == nil {
		return &argument{}, true
	}
	h := &passer{code: c, in: n.In, inside: inside, send: send, out: argument{code: &nodes.Code{}}}
	if !slices.ContainsFunc(n.In, inside) {
		h.out.code.Result = h.along(c)
		return &h.out, true
	}
	if len(c.Body) > 0 || len(c.Vars) > 0 {
		return nil, false
	}
	var ok bool
	if h.out.code.Result, ok = h.expr(c.Result); !ok {
		return nil, false
	}
	for i, s := range c.Params {
		if inside(n.In[i]) {
			h.out.code.Params = append(h.out.code.Params, s)
			h.out.in = append(h.out.in, source{-1, n.In[i]})
		}
	}
	return &h.out, true
}

// mentions says what an expression reads: what is known here, and what the part gives.
func (h *passer) mentions(e ast.Expr) (here, inside bool) {
	for _, s := range ast.FreeSymbols(e) {
		switch i := slices.Index(h.code.Params, s); {
		case i < 0:
		case h.inside(h.in[i]):
			inside = true
		default:
			here = true
		}
	}
	return here, inside
}

// expr goes down where values are handed on as they stand: members of objects and lists, and parts of texts.
func (h *passer) expr(e ast.Expr) (ast.Expr, bool) {
	here, inside := h.mentions(e)
	switch {
	case !here:
		return e, true
	case !inside:
		return h.along(&nodes.Code{Params: h.code.Params, Result: e}), true
	}
	switch e := e.(type) {
	case *ast.Object:
		return h.object(e)
	case *ast.Array:
		out := *e
		var ok bool
		out.Elems, ok = h.list(e.Elems, func(x ast.Expr) ast.Expr { return x })
		return &out, ok
	case *ast.Template:
		out := *e
		var ok bool
		out.Exprs, ok = h.list(e.Exprs, func(x ast.Expr) ast.Expr {
			return &ast.Template{Pos: x.Position(), Quasis: []string{"", ""}, Exprs: []ast.Expr{x}} // the text is sent, no more
		})
		return &out, ok
	}
	return nil, false
}

func (h *passer) object(e *ast.Object) (ast.Expr, bool) {
	out := *e
	out.Props = slices.Clone(e.Props)
	for i, p := range e.Props {
		if p.Computed || p.Kind != ast.PropInit || p.Method {
			here, _ := h.mentions(&ast.Object{Props: []ast.Property{p}})
			if here {
				return nil, false
			}
			continue
		}
		x, ok := h.expr(p.Value)
		if !ok {
			return nil, false
		}
		out.Props[i].Value = x
	}
	return &out, true
}

// list goes through members; whole is what is sent of one that is known here.
func (h *passer) list(elems []ast.Expr, whole func(ast.Expr) ast.Expr) ([]ast.Expr, bool) {
	out := slices.Clone(elems)
	for i, x := range elems {
		if x == nil {
			continue
		}
		here, inside := h.mentions(x)
		if _, spread := x.(*ast.Spread); spread && here {
			return nil, false
		}
		var ok bool
		if here && !inside {
			x = whole(x)
		}
		if out[i], ok = h.expr(x); !ok {
			return nil, false
		}
	}
	return out, true
}

// along lets the value of a piece go along, and gives the name that stands for it.
func (h *passer) along(c *nodes.Code) ast.Expr {
	own := &nodes.Code{Body: c.Body, Result: c.Result, Vars: c.Vars}
	var in []nodes.Ref
	for i, s := range h.code.Params {
		if !h.inside(h.in[i]) { // what the part gives is not read here
			own.Params, in = append(own.Params, s), append(in, h.in[i])
		}
	}
	k := h.send(own, in)
	name := fmt.Sprintf("$v%d", k)
	sym := &ast.Symbol{Name: name, Unique: name, Kind: ast.SymParam}
	h.out.code.Params = append(h.out.code.Params, sym)
	h.out.in = append(h.out.in, source{k, nodes.Ref{}})
	return &ast.Ident{Sym: sym}
}
