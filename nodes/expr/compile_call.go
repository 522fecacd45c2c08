package expr

import (
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/value"
)

// cut is what a part of an optional chain gives when the chain ends early; endChain makes it undefined.
type cutKind struct{}

// Kind implements value.Value.
func (*cutKind) Kind() value.Kind { return value.KindUndefined }

var cut value.Value = &cutKind{}

// endChain makes an expression of the last part of a chain.
func endChain(chain ast.Chain, x eval) eval {
	if chain == ast.NoChain {
		return x
	}
	return func(fr *frame) value.Value {
		if v := x(fr); v != cut {
			return v
		}
		return undefined
	}
}

// link compiles the object of a member access or call: in a chain it may give cut.
func (c *compiler) link(n ast.Expr, chain ast.Chain) eval {
	c.enter(n)
	defer c.leave()
	if chain != ast.ChainContinue {
		x := c.expr(n)
		if chain == ast.NoChain {
			return x
		}
		return func(fr *frame) value.Value {
			if v := x(fr); !isNullish(v) {
				return v
			}
			return cut
		}
	}
	switch n := n.(type) {
	case *ast.Member:
		return c.member(n)
	case *ast.Index:
		return c.index(n)
	case *ast.Call:
		return c.callExpr(n)
	}
	return c.expr(n)
}

// start makes the object of a ChainStart access inside a longer chain give cut, and pass a cut on.
func (c *compiler) object1(n ast.Expr, chain ast.Chain) eval {
	if chain == ast.ChainStart && inChain(n) {
		x := c.link(n, ast.ChainContinue)
		return func(fr *frame) value.Value {
			if v := x(fr); v != cut && !isNullish(v) {
				return v
			}
			return cut
		}
	}
	return c.link(n, chain)
}

// inChain reports whether n is itself part of the chain that its parent goes on with (a?.b?.c).
func inChain(n ast.Expr) bool {
	switch n := n.(type) {
	case *ast.Member:
		return n.Chain != ast.NoChain
	case *ast.Index:
		return n.Chain != ast.NoChain
	case *ast.Call:
		return n.Chain != ast.NoChain
	}
	return false
}

// member compiles object.name; in a chain it may give cut.
func (c *compiler) member(n *ast.Member) eval {
	c.checkName(n)
	if class := globalName(n.Object); class != "" {
		return c.static(n, class)
	}
	object, name, pos := c.object1(n.Object, n.Chain), n.Name, namePos(n)
	return func(fr *frame) value.Value {
		v := object(fr)
		if o, ok := v.(*value.Object); ok {
			if p, ok := o.Get(name); ok {
				return p
			}
		}
		if v == cut {
			return cut
		}
		fr.m.pos = &pos
		return fr.m.get(v, name)
	}
}

// static compiles Math.PI, Object.keys ….
func (c *compiler) static(n *ast.Member, class string) eval {
	v, ok := statics[class][n.Name]
	if !ok {
		refuse(n.Pos, "`%s.%s` is not evaluated natively", class, n.Name)
	}
	if n.Name == "assign" || n.Name == "freeze" {
		refuse(n.Pos, "`%s.%s` as a value is not evaluated natively", class, n.Name)
	}
	return constant(v)
}

// checkName refuses names whose meaning depends on what is not there.
func (c *compiler) checkName(n *ast.Member) {
	if n.Private {
		refuse(n.Pos, "a private name is not evaluated natively")
	}
	c.checkKey(namePos(n), n.Name)
}

func (c *compiler) checkKey(pos ast.Pos, name string) {
	switch name {
	case "constructor", "__proto__", "prototype", "stack", "caller", "callee":
		refuse(pos, "`.%s` is not evaluated natively", name)
	}
}

// index compiles object[index]; in a chain it may give cut.
func (c *compiler) index(n *ast.Index) eval {
	if globalName(n.Object) != "" {
		refuse(n.Pos, "a computed property of `%s` is not evaluated natively", globalName(n.Object))
	}
	object, pos := c.object1(n.Object, n.Chain), n.Pos
	if s, ok := n.Index.(*ast.String); ok {
		c.checkKey(pos, s.Value)
	}
	key := c.expr(n.Index)
	return func(fr *frame) value.Value {
		v := object(fr)
		if v == cut {
			return cut
		}
		k := key(fr)
		fr.m.pos = &pos
		return fr.m.getIndex(v, force(k))
	}
}

// callExpr compiles a call; in a chain it may give cut.
func (c *compiler) callExpr(n *ast.Call) eval {
	if n.Chain == ast.NoChain && inChain(n.Callee) {
		refuse(n.Pos, "a call of a parenthesised optional chain is not evaluated natively")
	}
	args := c.args(n.Args)
	switch f := n.Callee.(type) {
	case *ast.Member:
		c.checkName(f)
		if class := globalName(f.Object); class != "" {
			return c.callStatic(n, f, class, args)
		}
		return c.callMethod(n, f, args)
	case *ast.Index:
		return c.callIndex(n, f, args)
	case *ast.Ident:
		if name := globalName(f); name != "" {
			return c.callGlobal(n, name, args)
		}
	}
	callee, pos, text := c.object1(n.Callee, n.Chain), n.Pos, c.complains(n)
	return func(fr *frame) value.Value {
		f := callee(fr)
		if f == cut {
			return cut
		}
		return args(fr, undefined, f, &pos, text)
	}
}

func (c *compiler) callStatic(n *ast.Call, f *ast.Member, class string, args invoke) eval {
	target, ok := statics[class][f.Name]
	if !ok {
		refuse(f.Pos, "`%s.%s` is not evaluated natively", class, f.Name)
	}
	pos, text := n.Pos, c.complains(n)
	return func(fr *frame) value.Value { return args(fr, undefined, target, &pos, text) }
}

func (c *compiler) callGlobal(n *ast.Call, name string, args invoke) eval {
	target, ok := globals[name].(*function)
	if !ok || target.native == nil {
		refuse(n.Pos, "`%s()` is not evaluated natively", name)
	}
	pos := n.Pos
	return func(fr *frame) value.Value { return args(fr, undefined, target, &pos, uncertain) }
}

// callMethod compiles object.name(…).
func (c *compiler) callMethod(n *ast.Call, f *ast.Member, args invoke) eval {
	name, pos := f.Name, namePos(f)
	if refusedCall[name] {
		refuse(pos, "`.%s()` is not evaluated natively", name)
	}
	object, text := c.object1(f.Object, f.Chain), c.complains(n)
	known := methodsNamed(name)
	optional := n.Chain == ast.ChainStart
	return func(fr *frame) value.Value {
		o := object(fr)
		if o == cut {
			return cut
		}
		o = force(o)
		if m := known.of(o); m != nil {
			return args(fr, o, m, &pos, text)
		}
		fr.m.pos = &pos
		target := fr.m.get(o, name)
		if optional && isNullish(target) {
			return cut
		}
		return args(fr, o, target, &pos, text)
	}
}

// callIndex compiles object[index](…).
func (c *compiler) callIndex(n *ast.Call, f *ast.Index, args invoke) eval {
	if globalName(f.Object) != "" {
		refuse(f.Pos, "a computed method of `%s` is not evaluated natively", globalName(f.Object))
	}
	object, key, pos, text := c.object1(f.Object, f.Chain), c.expr(f.Index), n.Pos, c.complains(n)
	optional := n.Chain == ast.ChainStart
	return func(fr *frame) value.Value {
		o := object(fr)
		if o == cut {
			return cut
		}
		k := force(key(fr))
		fr.m.pos = &pos
		o = force(o)
		target := fr.m.getIndex(o, k)
		if optional && isNullish(target) {
			return cut
		}
		return args(fr, o, target, &pos, text)
	}
}

// invoke evaluates the arguments and calls f; text writes the message if that is no function.
type invoke func(fr *frame, this, f value.Value, pos *ast.Pos, text complaint) value.Value

// args compiles the arguments of a call.
func (c *compiler) args(list []ast.Expr) invoke {
	spread, xs := c.arguments(list)
	if spread {
		build := c.spreadList(list, true)
		return func(fr *frame, this, f value.Value, pos *ast.Pos, text complaint) value.Value {
			args := build(fr)
			return fr.m.apply(this, f, args, pos, text)
		}
	}
	n := len(xs)
	return func(fr *frame, this, f value.Value, pos *ast.Pos, text complaint) value.Value {
		args := fr.m.grab(n)
		for i, x := range xs {
			args[i] = x(fr)
		}
		v := fr.m.apply(this, f, args, pos, text)
		fr.m.release(n)
		return v
	}
}

// apply calls f, or throws a TypeError with the message that text writes.
func (m *machine) apply(this, f value.Value, args []value.Value, pos *ast.Pos, text complaint) value.Value {
	m.pos = pos
	if f, ok := f.(*function); ok {
		return m.call(f, this, args)
	}
	message := text()
	if message == "" {
		m.unsupported("the message of this exception")
	}
	m.typeError("%s", message)
	return nil
}

// newExpr compiles new Class(…) for the classes of the library.
func (c *compiler) newExpr(n *ast.New) eval {
	class := globalName(n.Callee)
	make, ok := constructors[class]
	if !ok {
		if class == "" {
			class = render(n.Callee)
		}
		refuse(n.Pos, "`new %s` is not evaluated natively", class)
	}
	if class == "Date" && len(n.Args) != 1 {
		refuse(n.Pos, "`new Date` with %d arguments is not evaluated natively", len(n.Args))
	}
	target := &function{name: class, native: make}
	args, pos := c.args(n.Args), n.Pos
	if class == "Date" {
		if _, ok := n.Args[0].(*ast.Spread); ok {
			refuse(n.Pos, "`new Date` with a spread is not evaluated natively")
		}
	}
	return func(fr *frame) value.Value { return args(fr, undefined, target, &pos, uncertain) }
}
