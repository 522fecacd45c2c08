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
	part *Part
	code *nodes.Code
	in   []nodes.Ref
	out  argument
}

// pass makes the argument of a call of the part. false: what is known here is not handed on as it stands.
func (p *Part) pass(n *nodes.Node) (*argument, bool) {
	c := n.Call.Args
	if c == nil {
		return &argument{}, true
	}
	h := &passer{part: p, code: c, in: n.In, out: argument{code: &nodes.Code{}}}
	if !h.mentionsInside(c) {
		h.out.code.Result = h.send(c)
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
		if p.inside(n.In[i].Up, n.In[i].Node) {
			h.out.code.Params = append(h.out.code.Params, s)
			h.out.in = append(h.out.in, source{-1, n.In[i]})
		}
	}
	return &h.out, true
}

// mentionsInside reports whether a piece reads what another item of the part gives.
func (h *passer) mentionsInside(c *nodes.Code) bool {
	return slices.ContainsFunc(h.in, func(r nodes.Ref) bool { return h.part.inside(r.Up, r.Node) })
}

// mentions says what an expression reads: what is known here, and what the part gives.
func (h *passer) mentions(e ast.Expr) (here, inside bool) {
	for _, s := range ast.FreeSymbols(e) {
		switch i := slices.Index(h.code.Params, s); {
		case i < 0:
		case h.part.inside(h.in[i].Up, h.in[i].Node):
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
		return h.send(&nodes.Code{Params: h.code.Params, Result: e}), true
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

// send lets the value of a piece go along, and gives the name that stands for it.
func (h *passer) send(c *nodes.Code) ast.Expr {
	v := Value{Code: &nodes.Code{Body: c.Body, Result: c.Result, Vars: c.Vars}}
	for i, s := range h.code.Params {
		k := slices.Index(h.part.inputs, h.in[i])
		if k < 0 {
			continue // what the part gives: not read here
		}
		v.Code.Params = append(v.Code.Params, s)
		v.In = append(v.In, k)
	}
	name := fmt.Sprintf("$v%d", len(h.part.Values))
	sym := &ast.Symbol{Name: name, Unique: name, Kind: ast.SymParam}
	h.out.code.Params = append(h.out.code.Params, sym)
	h.out.in = append(h.out.in, source{len(h.part.Values), nodes.Ref{}})
	h.part.Values = append(h.part.Values, v)
	return &ast.Ident{Sym: sym}
}
