package planner

import (
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// chained lifts the await of p.then(f), p.then(f, g), p.catch(g) and p.finally(h) (ECMAScript §27.2.5).
func (l *lifter) chained(b *block, e *ast.Call, m *ast.Member, label string) val {
	var handlers []*ast.Func
	for _, x := range e.Args {
		fn := l.functionOf(x)
		if fn == nil {
			refuse(x, "a promise handler that is not a function of the program")
		}
		noRest(fn, x)
		handlers = append(handlers, fn)
	}
	c := &chain{l, e, m.Object, label}
	switch {
	case m.Name == "then" && len(handlers) == 1:
		v := l.awaited(b, m.Object, "")
		return c.call(b, handlers[0], v)
	case m.Name == "then" && len(handlers) == 2:
		return c.either(b, handlers[0], handlers[1])
	case m.Name == "catch" && len(handlers) == 1:
		return c.rescued(b, handlers[0])
	case m.Name == "finally" && len(handlers) == 1:
		return c.finally(b, handlers[0])
	}
	refuse(e, ".%s", m.Name)
	return val{}
}

// chain is one link: e is the call, p the promise that it is called on.
type chain struct {
	l     *lifter
	e     *ast.Call
	p     ast.Expr
	label string
}

func (c *chain) call(b *block, handler *ast.Func, args ...val) val {
	return c.l.inlineWith(b, handler, c.e.Pos, values(args), true)
}

// attempt makes a try around the await of p. Its outputs are what body makes of the value, or handler of the error;
// neither may change variables, as each sees those of before.
func (c *chain) attempt(b *block, outs []string, body, handler func(*block, val) []val) val {
	if len(c.l.changed(b, c.p)) > 0 {
		refuse(c.e, "a promise whose making changes variables, and its failure is handled")
	}
	n := &nodes.Node{Kind: nodes.KindTry, Pos: c.e.Pos, Label: orDefault(c.label, "try"), Outs: outs}
	x, h := newBlock(b), newBlock(b, "error")
	c.l.tryDepth++
	v := c.l.awaited(x, c.p, c.label)
	c.l.tryDepth--
	x.Results = x.refs(body(x, v))
	if vals := handler(h, h.param(0)); !h.ended {
		h.Results = h.refs(vals)
	}
	n.Try = &nodes.Try{Body: x.Block, Handler: h.Block}
	return b.add(n)
}

// keepsVariables refuses a handler that changes variables.
func (c *chain) keepsVariables(b *block, handler *ast.Func) {
	if vars := c.l.changed(b, &ast.FunctionExpr{Pos: c.e.Pos, Func: handler}); len(vars) > 0 {
		refuse(c.e, "%s is changed where a promise's failure is handled", vars[0].Name)
	}
}

// rescued lifts p.catch(g).
func (c *chain) rescued(b *block, g *ast.Func) val {
	c.keepsVariables(b, g)
	return c.attempt(b, []string{"value"},
		func(_ *block, v val) []val { return []val{v} },
		func(h *block, err val) []val { return []val{c.call(h, g, err)} })
}

// either lifts p.then(f, g): g does not see what f throws, so f runs behind the try.
func (c *chain) either(b *block, f, g *ast.Func) val {
	c.keepsVariables(b, g)
	flag := func(x *block, ok bool) val {
		return c.l.piece(x, c.e.Pos, nil, &ast.Bool{Pos: c.e.Pos, Value: ok}, "ok")
	}
	v := c.attempt(b, []string{"ok", "value"},
		func(x *block, v val) []val { return []val{flag(x, true), v} },
		func(h *block, err val) []val { return []val{flag(h, false), c.call(h, g, err)} })
	return c.l.branchValue(b, c.e, v,
		func(x *block) val { return c.call(x, f, v.output(1)) },
		func(*block) val { return v.output(1) })
}

// finally lifts p.finally(h): h runs in any case, and only its failure counts.
func (c *chain) finally(b *block, handler *ast.Func) val {
	if c.l.tryDepth > 0 {
		c.keepsVariables(b, handler)
	}
	v := c.attempt(b, []string{"value"},
		func(_ *block, v val) []val { return []val{v} },
		func(h *block, err val) []val {
			c.call(h, handler)
			if !h.ended {
				c.l.exit(h, c.e.Pos, nodes.ExitThrow, nil, []val{err})
			}
			return nil
		})
	c.call(b, handler)
	return v
}
