package expr

import (
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/value"
)

// objectPart is one member of an object literal: it adds itself to the object.
type objectPart func(fr *frame, o *value.Object)

// object compiles an object literal.
func (c *compiler) object(n *ast.Object) eval {
	parts := make([]objectPart, len(n.Props))
	for i := range n.Props {
		parts[i] = c.objectPart(&n.Props[i])
	}
	return func(fr *frame) value.Value {
		o := value.NewObject(len(parts))
		fr.m.alloc(48 + 32*len(parts))
		for _, p := range parts {
			p(fr, o)
		}
		return o
	}
}

func (c *compiler) objectPart(p *ast.Property) objectPart {
	switch p.Kind {
	case ast.PropInit:
	case ast.PropSpread:
		return c.objectSpread(p)
	default:
		refuse(p.Pos, "a getter or setter is not evaluated natively")
	}
	x := c.expr(p.Value)
	if !p.Computed {
		key := fixedKey(p.Key)
		if key == "__proto__" && !p.Method {
			refuse(p.Pos, "`__proto__` is not evaluated natively")
		}
		return func(fr *frame, o *value.Object) { o.Set(key, x(fr)) }
	}
	saved := c.inKey
	c.inKey = true
	k, pos := c.expr(p.Key), p.Pos
	c.inKey = saved
	return func(fr *frame, o *value.Object) {
		key := k(fr)
		fr.m.pos = &pos
		name := fr.m.toKey(key)
		o.Set(name, x(fr))
	}
}

// fixedKey gives the name of a property that is not computed.
func fixedKey(key ast.Expr) string {
	switch k := key.(type) {
	case *ast.String:
		return k.Value
	case *ast.Number:
		return value.NumberToString(k.Value)
	}
	refuse(key.Position(), "this kind of key is not evaluated natively")
	return ""
}

func (c *compiler) objectSpread(p *ast.Property) objectPart {
	x := p.Value
	if s, ok := x.(*ast.Spread); ok {
		x = s.X
	}
	from, pos := c.expr(x), p.Pos
	return func(fr *frame, o *value.Object) {
		v := from(fr)
		fr.m.pos = &pos
		fr.m.copyProps(o, v, nil)
	}
}

// copyProps is CopyDataProperties (§7.3.26): the own enumerable properties of v but those in except.
func (m *machine) copyProps(to *value.Object, v value.Value, except []string) {
	v = force(v)
	if isNullish(v) {
		return
	}
	if from, ok := v.(*value.Object); ok && len(except) == 0 {
		m.work(from.Len() / 4)
		m.alloc(32 * from.Len())
		for k, e := range from.All() {
			to.Set(k, e)
		}
		return
	}
keys:
	for _, k := range m.enumerable(v) {
		for _, x := range except {
			if x == k {
				continue keys
			}
		}
		m.step()
		to.Set(k, m.get(v, k))
	}
}

// enumerable is ownKeys of any value, numbers and booleans included.
func (m *machine) enumerable(v value.Value) []string {
	switch v.(type) {
	case value.Number, value.Bool, value.Undefined, value.Null, *function:
		return nil
	}
	keys := m.ownKeys(v)
	m.work(len(keys) / 4)
	m.alloc(48 * len(keys))
	return keys
}
