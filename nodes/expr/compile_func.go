package expr

import (
	"strings"

	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/value"
)

// funcCode is a compiled function.
type funcCode struct {
	slots, cells int
	// vars are the names that start as undefined.
	vars []variable
	// params bind one argument each; rest, if not nil, the others.
	params []store
	rest   store
	// direct says that parameter i is simply slot i, for all params.
	direct []int
	// locals are parameters that start a cell of their own.
	fresh []variable
	self  *variable
	body  exec
	value eval // instead of body for x => value
}

// bind puts arguments into parameters.
func (f *funcCode) bind(fr *frame, self *function, args []value.Value) {
	if f.direct != nil {
		for i, slot := range f.direct {
			if i < len(args) && args[i] != nil {
				fr.slots[slot] = args[i]
			} else {
				fr.slots[slot] = undefined
			}
		}
		return
	}
	for i := range f.fresh {
		f.fresh[i].init(fr, nil)
	}
	if f.self != nil {
		f.self.init(fr, self)
	}
	for i, set := range f.params {
		v := undefined
		if i < len(args) && args[i] != nil {
			v = args[i]
		}
		set(fr, v)
	}
	if f.rest != nil {
		list := &value.Array{}
		if n := len(f.params); n < len(args) {
			list.Elems = unhole(append(list.Elems, args[n:]...))
		}
		f.rest(fr, list)
	}
}

func (f *funcCode) run(fr *frame) value.Value {
	if f.value != nil {
		return f.value(fr)
	}
	if f.body(fr) == returned {
		return fr.ret
	}
	return undefined
}

// function compiles a function expression or declaration to what makes its function object.
func (c *compiler) function(f *ast.Func, pos ast.Pos) eval {
	switch {
	case f.Async:
		refuse(pos, "an async function is not evaluated natively")
	case f.Generator:
		refuse(pos, "a generator is not evaluated natively")
	case f.UsesThis:
		refuse(pos, "a function that uses `this` is not evaluated natively")
	case f.UsesArguments:
		refuse(pos, "a function that uses `arguments` is not evaluated natively")
	}
	s := c.res.funcs[f]
	inner := &compiler{res: c.res, scope: s, inFunction: true, depth: c.depth}
	code := inner.funcCode(f)
	code.slots, code.cells, code.vars = s.slots, s.cells, s.vars
	name := ""
	if f.Name != nil {
		name = f.Name.Sym.Name
	}
	return c.closure(code, s.free, name)
}

func (c *compiler) funcCode(f *ast.Func) *funcCode {
	code := &funcCode{}
	if f.Name != nil {
		if v := c.res.vars.get(f.Name.Sym); v.owner == c.scope {
			code.self = v
		}
	}
	simple := code.self == nil
	for _, p := range f.Params {
		bound(p.Target, func(id *ast.Ident) {
			v := c.res.vars.get(id.Sym)
			simple = simple && !v.captured
			code.fresh = append(code.fresh, *v)
		})
		id, ok := p.Target.(*ast.Ident)
		from := origin{}
		if _, isArray := p.Target.(*ast.ArrayPattern); p.Default != nil && !isArray {
			from = origin{fromText, strings.Repeat("(intermediate value)", 3)}
		}
		set := c.withDefault(p.Target, p.Default, true, from)
		simple = simple && ok && p.Default == nil && !p.Rest
		if simple {
			code.direct = append(code.direct, c.res.vars.get(id.Sym).index)
		}
		if p.Rest {
			code.rest = set
		} else {
			code.params = append(code.params, set)
		}
	}
	if !simple {
		code.direct = nil
	} else if code.direct == nil {
		code.direct = []int{}
	}
	if f.ExprBody && len(f.Body) == 1 {
		if r, ok := f.Body[0].(*ast.Return); ok && r.X != nil {
			code.value = c.expr(r.X)
			return code
		}
	}
	code.body = c.block(f.Body)
	return code
}

// closure makes the function object: the cells of the free variables are fetched from the frame at hand.
func (c *compiler) closure(code *funcCode, free []*variable, name string) eval {
	if len(free) == 0 {
		return func(*frame) value.Value { return &function{name: name, code: code} }
	}
	places := make([]place, len(free))
	for i, v := range free {
		places[i] = c.scope.place(v)
	}
	return func(fr *frame) value.Value {
		cells := make([]*cell, len(places))
		for i, p := range places {
			if p.kind == inFree {
				cells[i] = fr.free[p.index]
			} else {
				cells[i] = fr.cells[p.index]
			}
		}
		return &function{name: name, code: code, free: cells}
	}
}
