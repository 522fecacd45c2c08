package expr

import (
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/value"
)

// pattern compiles the binding of a value to a target: declare says that the names are being initialised. from is the
// text of the value's expression, for messages.
func (c *compiler) pattern(p ast.Pattern, declare bool, from origin) store {
	switch p := p.(type) {
	case *ast.Ident:
		if declare {
			return c.define(p)
		}
		return c.change(p)
	case *ast.Member, *ast.Index:
		ref := c.reference(p)
		return func(fr *frame, v value.Value) {
			o, k := ref.base(fr)
			ref.set(fr, o, k, v)
		}
	case *ast.ArrayPattern:
		return c.arrayPattern(p, declare, from)
	case *ast.ObjectPattern:
		return c.objectPattern(p, declare, from)
	}
	refuse(p.Position(), "this pattern is not evaluated natively")
	return nil
}

// withDefault compiles a target with its default value.
func (c *compiler) withDefault(p ast.Pattern, def ast.Expr, declare bool, from origin) store {
	set := c.pattern(p, declare, from)
	if def == nil {
		return set
	}
	x := c.expr(def)
	return func(fr *frame, v value.Value) {
		if isUndefined(v) {
			v = x(fr)
		}
		set(fr, v)
	}
}

func (c *compiler) arrayPattern(p *ast.ArrayPattern, declare bool, from origin) store {
	sets := make([]store, len(p.Elems))
	rest := false
	for i, e := range p.Elems {
		if e.Target != nil {
			sets[i] = c.withDefault(e.Target, e.Default, declare, partOrigin(e.Target, e.Default, origin{}))
		}
		rest = rest || e.Rest
	}
	pos := p.Pos
	return func(fr *frame, v value.Value) {
		fr.m.pos = &pos
		v = force(v)
		if a, ok := v.(*value.Array); ok {
			bindElements(fr, sets, rest, a)
			return
		}
		bindIterated(fr, sets, rest, fr.m.iterate(v, from))
	}
}

// bindElements takes apart an array, whose elements are read as they are at that moment.
func bindElements(fr *frame, sets []store, rest bool, a *value.Array) {
	for i, set := range sets {
		switch {
		case rest && i == len(sets)-1:
			var elems []value.Value
			if i < len(a.Elems) {
				elems = append(elems, a.Elems[i:]...)
			}
			fr.m.alloc(16 * len(elems))
			set(fr, &value.Array{Elems: unhole(elems)})
		case set != nil:
			set(fr, a.At(i))
		}
	}
}

func bindIterated(fr *frame, sets []store, rest bool, next func() (value.Value, bool)) {
	done := false
	pull := func() value.Value {
		if done {
			return undefined
		}
		v, ok := next()
		if !ok {
			done = true
			return undefined
		}
		return v
	}
	for i, set := range sets {
		if rest && i == len(sets)-1 {
			var elems []value.Value
			for v := pull(); !done; v = pull() {
				fr.m.step()
				elems = append(elems, v)
			}
			set(fr, &value.Array{Elems: elems})
			return
		}
		v := pull()
		if set != nil {
			set(fr, v)
		}
	}
}

func (c *compiler) objectPattern(p *ast.ObjectPattern, declare bool, from origin) store {
	type member struct {
		name string
		key  eval
		set  store
		rest bool
		pos  ast.Pos
	}
	members := make([]member, len(p.Props))
	first, read := "", false
	for i, e := range p.Props {
		mb := &members[i]
		mb.rest, mb.pos = e.Rest, e.Target.Position()
		switch {
		case e.Rest:
		case e.Computed:
			mb.key = c.expr(e.Key)
		default:
			mb.name = fixedKey(e.Key)
			c.checkKey(e.Key.Position(), mb.name)
			if e.Key.Position().IsValid() {
				mb.pos = e.Key.Position()
			}
			if i == 0 {
				first, read = mb.name, e.Default != nil
			}
		}
		mb.set = c.withDefault(e.Target, e.Default, declare, partOrigin(e.Target, e.Default, origin{kind: fromInside}))
	}
	pos := p.Pos
	return func(fr *frame, v value.Value) {
		v = force(v)
		if isNullish(v) {
			fr.m.pos = &pos
			from.notObject(fr.m, v, first, read)
		}
		var used []string
		for i := range members {
			mb := &members[i]
			fr.m.pos = &mb.pos
			if mb.rest {
				o := value.NewObject(0)
				fr.m.copyProps(o, v, used)
				mb.set(fr, o)
				break
			}
			name := mb.name
			if mb.key != nil {
				name = fr.m.toKey(mb.key(fr))
			}
			used = append(used, name)
			mb.set(fr, fr.m.get(v, name))
		}
	}
}

// partOrigin is where a part of what is taken apart comes from; array is what holds if it is taken apart as an array.
func partOrigin(p ast.Pattern, def ast.Expr, array origin) origin {
	if _, ok := p.(*ast.ObjectPattern); !ok {
		if def != nil {
			return origin{kind: fromOther}
		}
		return array
	}
	if def != nil {
		return origin{fromText, render(def)}
	}
	return origin{kind: fromInside}
}

// unhole replaces holes by undefined, in place.
func unhole(elems []value.Value) []value.Value {
	for i, e := range elems {
		if e == nil {
			elems[i] = undefined
		}
	}
	return elems
}
