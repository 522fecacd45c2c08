package expr

import (
	"strings"

	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/value"
)

// memberRef is a member or index expression that is read and written.
type memberRef struct {
	object eval
	key    eval // nil for a fixed name
	name   string
	pos    ast.Pos
}

// reference compiles the target of an assignment that is no name and no pattern.
func (c *compiler) reference(n ast.Node) *memberRef {
	switch n := n.(type) {
	case *ast.Member:
		c.checkName(n)
		return &memberRef{object: c.expr(n.Object), name: n.Name, pos: namePos(n)}
	case *ast.Index:
		return &memberRef{object: c.expr(n.Object), key: c.expr(n.Index), pos: n.Pos}
	}
	refuse(n.Position(), "an assignment to this is not evaluated natively")
	return nil
}

func namePos(n *ast.Member) ast.Pos {
	if n.NamePos.IsValid() {
		return n.NamePos
	}
	return n.Pos
}

// base evaluates object and key.
func (r *memberRef) base(fr *frame) (o, k value.Value) {
	o = force(r.object(fr))
	if r.key != nil {
		k = force(r.key(fr))
	}
	return o, k
}

func (r *memberRef) get(fr *frame, o, k value.Value) value.Value {
	fr.m.pos = &r.pos
	if r.key == nil {
		return fr.m.get(o, r.name)
	}
	return fr.m.getIndex(o, k)
}

func (r *memberRef) set(fr *frame, o, k, v value.Value) {
	fr.m.pos = &r.pos
	if r.key == nil {
		fr.m.set(o, r.name, v)
		return
	}
	fr.m.setIndex(o, k, v)
}

// assign compiles an assignment expression (§13.15).
func (c *compiler) assign(n *ast.Assign) eval {
	if n.Value == nil {
		refuse(n.Pos, "this assignment is not evaluated natively")
	}
	switch t := n.Target.(type) {
	case *ast.Ident:
		return c.assignName(n, t)
	case *ast.Member, *ast.Index:
		return c.assignMember(n, c.reference(t))
	}
	x := c.expr
	if _, ok := n.Target.(*ast.ArrayPattern); ok {
		x = c.iterates
	}
	return bindTo(x(n.Value), c.pattern(n.Target, false, originOfInit(n.Value, false)))
}

// bindTo evaluates x and takes it apart; the value is that of x.
func bindTo(x eval, bind store) eval {
	return func(fr *frame) value.Value {
		v := x(fr)
		bind(fr, v)
		return v
	}
}

func (c *compiler) assignName(n *ast.Assign, id *ast.Ident) eval {
	x, set := c.expr(n.Value), c.change(id)
	if n.Op == "=" {
		return func(fr *frame) value.Value {
			v := x(fr)
			set(fr, v)
			return v
		}
	}
	load := c.load(id)
	if skip := shortCircuit(n.Op); skip != nil {
		return func(fr *frame) value.Value {
			v := load(fr)
			if skip(v) {
				return v
			}
			v = x(fr)
			set(fr, v)
			return v
		}
	}
	op, pos := c.compound(n), n.Pos
	return func(fr *frame) value.Value {
		a := load(fr)
		b := x(fr)
		fr.m.pos = &pos
		v := op(fr.m, a, b)
		set(fr, v)
		return v
	}
}

func (c *compiler) assignMember(n *ast.Assign, ref *memberRef) eval {
	x := c.expr(n.Value)
	if n.Op == "=" {
		return func(fr *frame) value.Value {
			o, k := ref.base(fr)
			v := x(fr)
			ref.set(fr, o, k, v)
			return v
		}
	}
	skip := shortCircuit(n.Op)
	var op operator
	if skip == nil {
		op = c.compound(n)
	}
	return func(fr *frame) value.Value {
		o, k := ref.base(fr)
		v := ref.get(fr, o, k)
		if skip != nil {
			if skip(v) {
				return v
			}
			v = x(fr)
		} else {
			b := x(fr)
			fr.m.pos = &ref.pos
			v = op(fr.m, v, b)
		}
		ref.set(fr, o, k, v)
		return v
	}
}

// shortCircuit says, for a logical assignment, when it leaves its target alone; nil for the other operators.
func shortCircuit(op string) func(value.Value) bool {
	switch op {
	case "&&=":
		return func(v value.Value) bool { return !truthy(v) }
	case "||=":
		return truthy
	case "??=":
		return func(v value.Value) bool { return !isNullish(v) }
	}
	return nil
}

// compound gives the operator of an assignment such as +=.
func (c *compiler) compound(n *ast.Assign) operator {
	op := binaryOp(strings.TrimSuffix(n.Op, "="))
	if op == nil {
		refuse(n.Pos, "the operator %s is not evaluated natively", n.Op)
	}
	return op
}
