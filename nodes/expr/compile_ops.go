package expr

import (
	"math"

	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/value"
)

// unary compiles an operator of one operand.
func (c *compiler) unary(n *ast.Unary) eval {
	switch n.Op {
	case "!":
		t := c.test(n)
		return func(fr *frame) value.Value { return value.Bool(t(fr)) }
	case "delete":
		return c.deletion(n)
	case "typeof":
		x := c.expr(n.X)
		return func(fr *frame) value.Value { return str(typeOf(x(fr))) }
	case "void":
		x := c.expr(n.X)
		return func(fr *frame) value.Value { x(fr); return undefined }
	}
	var op func(float64) float64
	switch n.Op {
	case "-":
		op = func(f float64) float64 { return -f }
	case "+":
		op = func(f float64) float64 { return f }
	case "~":
		op = func(f float64) float64 { return float64(^toInt32(f)) }
	default:
		refuse(n.Pos, "the operator %s is not evaluated natively", n.Op)
	}
	x, pos := c.expr(n.X), n.Pos
	return func(fr *frame) value.Value {
		v := x(fr)
		if f, ok := v.(value.Number); ok {
			return number(op(float64(f)))
		}
		fr.m.pos = &pos
		return number(op(fr.m.toNumber(v)))
	}
}

func (c *compiler) deletion(n *ast.Unary) eval {
	pos := n.Pos
	switch t := n.X.(type) {
	case *ast.Member:
		if t.Chain == ast.NoChain && !t.Private {
			o, key := c.expr(t.Object), t.Name
			return func(fr *frame) value.Value {
				v := o(fr)
				fr.m.pos = &pos
				return boolean(fr.m.remove(v, key))
			}
		}
	case *ast.Index:
		if t.Chain == ast.NoChain {
			o, key := c.expr(t.Object), c.expr(t.Index)
			return func(fr *frame) value.Value {
				v, k := o(fr), key(fr)
				fr.m.pos = &pos
				return boolean(fr.m.remove(v, fr.m.toKey(k)))
			}
		}
	}
	refuse(n.Pos, "delete of this operand is not evaluated natively")
	return nil
}

// binary compiles an operator of two operands.
func (c *compiler) binary(n *ast.Binary) eval {
	if t := c.compare(n); t != nil {
		return func(fr *frame) value.Value { return value.Bool(t(fr)) }
	}
	op := binaryOp(n.Op)
	if op == nil {
		refuse(n.Pos, "the operator %s is not evaluated natively", n.Op)
	}
	x, y, pos := c.expr(n.X), c.expr(n.Y), n.Pos
	return func(fr *frame) value.Value {
		a, b := x(fr), y(fr)
		fr.m.pos = &pos
		return op(fr.m, a, b)
	}
}

// operator computes a op b.
type operator func(m *machine, a, b value.Value) value.Value

func binaryOp(op string) operator {
	switch op {
	case "+":
		return add
	case "-":
		return arith(func(a, b float64) float64 { return a - b })
	case "*":
		return arith(func(a, b float64) float64 { return a * b })
	case "/":
		return arith(func(a, b float64) float64 { return a / b })
	case "%":
		return arith(remainder)
	case "**":
		return arith(value.Pow)
	case "&":
		return arith(func(a, b float64) float64 { return float64(toInt32(a) & toInt32(b)) })
	case "|":
		return arith(func(a, b float64) float64 { return float64(toInt32(a) | toInt32(b)) })
	case "^":
		return arith(func(a, b float64) float64 { return float64(toInt32(a) ^ toInt32(b)) })
	case "<<":
		return arith(func(a, b float64) float64 { return float64(toInt32(a) << (toUint32(b) & 31)) })
	case ">>":
		return arith(func(a, b float64) float64 { return float64(toInt32(a) >> (toUint32(b) & 31)) })
	case ">>>":
		return arith(func(a, b float64) float64 { return float64(toUint32(a) >> (toUint32(b) & 31)) })
	}
	return nil
}

func remainder(a, b float64) float64 {
	if x, y := int64(a), int64(b); float64(x) == a && float64(y) == b && x > 0 && y > 0 {
		return float64(x % y)
	}
	return value.Remainder(a, b)
}

func arith(op func(a, b float64) float64) operator {
	return func(m *machine, a, b value.Value) value.Value {
		x, ok1 := a.(value.Number)
		y, ok2 := b.(value.Number)
		if ok1 && ok2 {
			return number(op(float64(x), float64(y)))
		}
		f := m.toNumber(a)
		return number(op(f, m.toNumber(b)))
	}
}

// add is the + operator (§13.15.3).
func add(m *machine, a, b value.Value) value.Value {
	switch x := a.(type) {
	case value.Number:
		if y, ok := b.(value.Number); ok {
			return number(float64(x) + float64(y))
		}
	case value.String:
		if y, ok := b.(value.String); ok {
			return str(m.concat(string(x), string(y)))
		}
	}
	a, b = m.toPrimitive(a, "default"), m.toPrimitive(b, "default")
	_, s1 := a.(value.String)
	_, s2 := b.(value.String)
	if s1 || s2 {
		return str(m.concat(m.toString(a), m.toString(b)))
	}
	return number(m.toNumber(a) + m.toNumber(b))
}

// compare compiles the operators that give a boolean; nil for the others.
func (c *compiler) compare(n *ast.Binary) test {
	var op func(m *machine, a, b value.Value) bool
	switch n.Op {
	case "===":
		return c.strict(n, true)
	case "!==":
		return c.strict(n, false)
	case "==":
		op = (*machine).looseEqual
	case "!=":
		op = func(m *machine, a, b value.Value) bool { return !m.looseEqual(a, b) }
	case "<", ">", "<=", ">=":
		return c.order(n)
	case "in":
		op = (*machine).in
	case "instanceof":
		return c.instanceOf(n)
	default:
		return nil
	}
	x, y, pos := c.expr(n.X), c.expr(n.Y), n.Pos
	return func(fr *frame) bool {
		a, b := x(fr), y(fr)
		fr.m.pos = &pos
		return op(fr.m, a, b)
	}
}

func (c *compiler) strict(n *ast.Binary, want bool) test {
	x := c.expr(n.X)
	if s, ok := n.Y.(*ast.String); ok {
		text := value.String(s.Value)
		return func(fr *frame) bool {
			a, ok := force(x(fr)).(value.String)
			return (ok && a == text) == want
		}
	}
	y := c.expr(n.Y)
	return func(fr *frame) bool {
		a := x(fr)
		b := y(fr)
		if p, ok := a.(value.Number); ok {
			if q, ok := b.(value.Number); ok {
				return (p == q) == want
			}
		}
		return fr.m.strictEqual(a, b) == want
	}
}

// order compiles < > <= >= (§7.2.13).
func (c *compiler) order(n *ast.Binary) test {
	x, y, pos := c.expr(n.X), c.expr(n.Y), n.Pos
	slow := func(fr *frame, a, b value.Value) int {
		fr.m.pos = &pos
		return fr.m.order(a, b)
	}
	switch n.Op {
	case "<":
		return func(fr *frame) bool {
			a, b := x(fr), y(fr)
			if p, ok := a.(value.Number); ok {
				if q, ok := b.(value.Number); ok {
					return p < q
				}
			}
			return slow(fr, a, b) == -1
		}
	case ">":
		return func(fr *frame) bool {
			a, b := x(fr), y(fr)
			if p, ok := a.(value.Number); ok {
				if q, ok := b.(value.Number); ok {
					return p > q
				}
			}
			return slow(fr, a, b) == 1
		}
	case "<=":
		return func(fr *frame) bool {
			d := slow(fr, x(fr), y(fr))
			return d == -1 || d == 0
		}
	}
	return func(fr *frame) bool {
		d := slow(fr, x(fr), y(fr))
		return d == 1 || d == 0
	}
}

// unordered is what order gives where NaN is involved.
const unordered = 2

// order gives -1, 0 or 1 for a < b, a equal to b, a > b, or unordered.
func (m *machine) order(a, b value.Value) int {
	a, b = m.toPrimitive(a, "number"), m.toPrimitive(b, "number")
	if s, ok := a.(value.String); ok {
		if t, ok := b.(value.String); ok {
			return value.CompareUTF16(string(s), string(t))
		}
	}
	p, q := m.toNumber(a), m.toNumber(b)
	switch {
	case p < q:
		return -1
	case p > q:
		return 1
	case p == q:
		return 0
	}
	return unordered
}

// instanceOf knows the classes of the library by name.
func (c *compiler) instanceOf(n *ast.Binary) test {
	class := globalName(n.Y)
	if _, known := globals[class].(*function); !known || class == "Function" {
		refuse(n.Pos, "instanceof with this right-hand side is not evaluated natively")
	}
	x := c.expr(n.X)
	return func(fr *frame) bool { return isInstance(force(x(fr)), class) }
}

// isInstance reports whether v was made by a class of the library; an error keeps the name of its class.
func isInstance(v value.Value, class string) bool {
	if class == "Object" {
		return isObject(v)
	}
	switch v := v.(type) {
	case *value.Array:
		return class == "Array"
	case *value.Error:
		return class == "Error" || class == v.Name
	case *collection:
		return class == "Map" && !v.set || class == "Set" && v.set
	case *date:
		return class == "Date"
	case *regExp:
		return class == "RegExp"
	}
	return false
}

// update compiles ++ and --.
func (c *compiler) update(n *ast.Update) eval {
	by := 1.0
	if n.Op == "--" {
		by = -1
	}
	if id, ok := n.X.(*ast.Ident); ok {
		return c.updateName(n, id, by)
	}
	ref := c.reference(n.X)
	return func(fr *frame) value.Value {
		o, k := ref.base(fr)
		old := ref.get(fr, o, k)
		f := fr.m.toNumber(old)
		ref.set(fr, o, k, number(f+by))
		if n.Prefix {
			return number(f + by)
		}
		return number(f)
	}
}

func (c *compiler) updateName(n *ast.Update, id *ast.Ident, by float64) eval {
	load, set := c.load(id), c.change(id)
	pos := n.Pos
	return func(fr *frame) value.Value {
		v := load(fr)
		f, ok := v.(value.Number)
		if !ok {
			fr.m.pos = &pos
			f = value.Number(fr.m.toNumber(v))
			v = f
		}
		next := number(float64(f) + by)
		set(fr, next)
		if n.Prefix {
			return next
		}
		return v
	}
}

var nan value.Value = value.Number(math.NaN())
