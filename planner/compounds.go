package planner

import (
	"slices"
	"strconv"

	"github.com/casys-ai/pml/nodes/ast"
)

// A compound is a constant object or array with functions in it that goes nowhere: the program only ever names its parts.
// It comes apart into one variable for each part.
type compound struct {
	sym    *ast.Symbol
	pos    ast.Pos
	object *ast.Object // or
	array  *ast.Array  // or
	class  *ast.ClassBody
	maker  *ast.Func // the constructor of the class, if it has one
	args   []ast.Expr
	parts  []*part
	byName map[string]*part
	// fine counts the mentions that name a part; bad says that it does not come apart. listed says that all its parts are
	// named together.
	fine        int
	bad, listed bool
}

// part is one property or element.
type part struct {
	name string
	// init is what it starts with; nil for one that a method gives it.
	init ast.Expr
	// fn is the function that it is for good, if method says so; getter says that it is called when it is read.
	fn             *ast.Func
	method, getter bool
	// self says that the method names this.
	self, assigned bool
	// times counts the assignments.
	times int
	pos   ast.Pos
	sym   *ast.Symbol
}

// inherited are the names that every object has anyway.
var inherited = set("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString",
	"valueOf", "__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "toJSON", "then")

// mostParts bounds what is taken apart, and the copies of a loop's body.
const mostParts = 24

// records takes all records apart that there are.
func (v *unpacker) records() bool {
	found := map[*ast.Symbol]*compound{}
	var order []*ast.Symbol
	v.eachConstant(func(id *ast.Ident, init ast.Expr) {
		if r := v.record(id, init); r != nil {
			found[id.Sym] = r
			order = append(order, id.Sym)
		}
	})
	if len(found) == 0 {
		return false
	}
	c := &recordCheck{v: v, found: found}
	for _, r := range found {
		c.inside(r)
	}
	ast.WalkAll(v.l.body, c.mention)
	for again := true; again; {
		again = false
		for s, r := range found {
			if r.bad || r.listed && !r.steady() || r.fine != v.look.an.uses[s]-1 {
				delete(found, s)
				again = true
			}
		}
	}
	if len(found) == 0 {
		return false
	}
	v.takeApart(found, order)
	return true
}

// record is what a constant is made of, if it may come apart.
func (v *unpacker) record(id *ast.Ident, init ast.Expr) *compound {
	r := &compound{sym: id.Sym, pos: id.Pos, byName: map[string]*part{}}
	switch init := init.(type) {
	case *ast.Object:
		r.object = init
		if !v.properties(r, init) {
			return nil
		}
	case *ast.Array:
		r.array = init
		for i, x := range init.Elems {
			if _, spread := x.(*ast.Spread); spread || x == nil {
				return nil
			}
			r.add(&part{name: strconv.Itoa(i), init: x, pos: x.Position()})
		}
	case *ast.New:
		if !v.instance(r, init) {
			return nil
		}
		return r
	default:
		return nil
	}
	if len(r.parts) > mostParts || !slices.ContainsFunc(r.parts, func(p *part) bool { return p.getter || v.isFunction(p.init) }) {
		return nil
	}
	return r
}

// more is a part that is not there from the start: it is undefined until it is assigned.
func (r *compound) more(name string, pos ast.Pos) *part {
	p := &part{name: name, pos: pos, assigned: true}
	r.add(p)
	return p
}

// steady reports whether the parts are there from the start, and stay what they are.
func (r *compound) steady() bool {
	return !slices.ContainsFunc(r.parts, func(p *part) bool { return p.init == nil || p.assigned || p.getter })
}

func (r *compound) add(p *part) {
	r.parts = append(r.parts, p)
	r.byName[p.name] = p
}

// isFunction reports whether e is a function of the program, or holds one.
func (v *unpacker) isFunction(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.FunctionExpr:
		return true
	case *ast.Ident:
		return v.look.an.functions[e.Sym] != nil
	case *ast.Object:
		return slices.ContainsFunc(e.Props, func(p ast.Property) bool { return p.Kind == ast.PropGet || v.isFunction(p.Value) })
	case *ast.Array:
		return slices.ContainsFunc(e.Elems, v.isFunction)
	}
	return false
}

func (v *unpacker) properties(r *compound, o *ast.Object) bool {
	for i := range o.Props {
		p := &o.Props[i]
		key, ok := p.Key.(*ast.String)
		if !ok || p.Computed || inherited[key.Value] || r.byName[key.Value] != nil || isIndex(key.Value) ||
			p.Kind != ast.PropInit && p.Kind != ast.PropGet {
			return false
		}
		x := &part{name: key.Value, init: p.Value, pos: key.Pos, getter: p.Kind == ast.PropGet}
		if fe, ok := p.Value.(*ast.FunctionExpr); ok {
			x.fn, x.method = fe.Func, !fe.Arrow
			x.self = fe.UsesThis
			if fe.Arrow && fe.UsesThis {
				return false
			}
		}
		r.add(x)
	}
	return true
}

// recordCheck looks at every mention of a record.
type recordCheck struct {
	v     *unpacker
	found map[*ast.Symbol]*compound
}

// of is the record that e names.
func (c *recordCheck) of(e ast.Node) *compound {
	if id, ok := e.(*ast.Ident); ok {
		return c.found[id.Sym]
	}
	return nil
}

func (c *recordCheck) mention(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Member:
		c.member(c.of(n.Object), n, n.Name, n.Chain != ast.NoChain || n.Private)
	case *ast.Index:
		c.index(n)
	case *ast.Call:
		c.call(n)
	case *ast.VarDecl:
		for i := range n.Decls {
			c.destructured(&n.Decls[i])
		}
	case *ast.Binary:
		if r := c.of(n.X); r != nil && n.Op == "instanceof" && r.class != nil && c.v.classes[symbolOf(n.Y)] == r.class {
			r.fine++
		}
	case *ast.ForOf:
		if r := c.of(n.Right); r != nil && c.unrolls(r, n) {
			r.fine++
		}
	}
	return true
}

func symbolOf(e ast.Expr) *ast.Symbol {
	if id, ok := e.(*ast.Ident); ok {
		return id.Sym
	}
	return nil
}

// member checks o.name.
func (c *recordCheck) member(r *compound, at ast.Expr, name string, odd bool) {
	if r == nil {
		return
	}
	p := r.byName[name]
	assigned := c.v.targets[at]
	if r.array != nil && name == "length" && !assigned {
		r.fine++
		return
	}
	if odd || p == nil && (r.array != nil || inherited[name] || isIndex(name)) {
		return
	}
	if p == nil {
		p = r.more(name, at.Position())
	}
	called := c.v.callees[at]
	if p.getter && assigned || p.self && !called && !p.getter || r.array != nil && assigned {
		return
	}
	if assigned {
		p.assigned = true
		p.times++
		r.bad = r.bad || p.method
	}
	r.fine++
}

func (c *recordCheck) index(n *ast.Index) {
	r := c.of(n.Object)
	if r == nil || n.Chain != ast.NoChain {
		return
	}
	switch k := n.Index.(type) {
	case *ast.String:
		if r.object != nil {
			c.member(r, n, k.Value, false)
		}
	case *ast.Number:
		if r.array != nil {
			c.member(r, n, strconv.FormatFloat(k.Value, 'f', -1, 64), false)
		}
	}
}

// destructured checks const { a, b } = o and const [a, b] = o.
func (c *recordCheck) destructured(d *ast.Declarator) {
	r := c.of(d.Init)
	if r == nil {
		return
	}
	switch t := d.Target.(type) {
	case *ast.ObjectPattern:
		for _, p := range t.Props {
			key, ok := p.Key.(*ast.String)
			if !ok || p.Computed || p.Rest || p.Default != nil || r.object == nil || r.byName[key.Value] == nil ||
				r.byName[key.Value].self || !isIdent(p.Target) {
				return
			}
		}
		r.fine++
	case *ast.ArrayPattern:
		for i, e := range t.Elems {
			if r.array == nil || i >= len(r.parts) || e.Rest || e.Default != nil {
				return
			}
		}
		r.fine++
	}
}

// inside checks what the record's own functions say of this.
func (c *recordCheck) inside(r *compound) {
	for i := 0; i < len(r.parts); i++ {
		switch p := r.parts[i]; {
		case p.method || p.getter:
			c.method(r, p.fn)
		case r.class != nil && p.init != nil:
			c.method(r, &ast.Func{Body: []ast.Stmt{&ast.ExprStmt{X: p.init}}})
		}
	}
	if r.maker != nil {
		c.method(r, r.maker)
	}
}

// method checks what a method says of this.
func (c *recordCheck) method(r *compound, fn *ast.Func) {
	good := map[ast.Node]bool{}
	each := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Member:
			if this, ok := n.Object.(*ast.This); ok && n.Chain == ast.NoChain && !inherited[n.Name] {
				good[this] = true
				c.ownMember(r, n)
			}
		case *ast.This:
			r.bad = r.bad || !good[n]
		case *ast.Super, *ast.NewTarget, *ast.ClassDecl, *ast.ClassExpr:
			r.bad = true
		case *ast.FunctionExpr:
			r.bad = r.bad || !n.Arrow && n.UsesThis
		case *ast.FunctionDecl:
			r.bad = r.bad || n.UsesThis
		}
		return !r.bad
	}
	for _, p := range fn.Params {
		ast.Walk(p.Target, each)
		if p.Default != nil {
			ast.Walk(p.Default, each)
		}
	}
	ast.WalkAll(fn.Body, each)
}

// ownMember checks this.name.
func (c *recordCheck) ownMember(r *compound, n *ast.Member) {
	p := r.byName[memberName(n)]
	assigned := c.v.targets[n]
	if p == nil {
		p = r.more(memberName(n), n.NamePos)
	}
	if assigned {
		p.assigned = true
		p.times++
	}
	if assigned && (p.method || p.getter) || p.self && !c.v.callees[n] && !p.getter {
		r.bad = true
	}
}

// memberName tells private names from others.
func memberName(n *ast.Member) string {
	if n.Private {
		return "#" + n.Name
	}
	return n.Name
}
