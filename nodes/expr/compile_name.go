package expr

import (
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/value"
)

// store changes a variable, or whatever a target names.
type store func(fr *frame, v value.Value)

// load compiles a name that is read.
func (c *compiler) load(id *ast.Ident) eval {
	v := c.res.vars.get(id.Sym)
	if v == nil {
		return c.global(id)
	}
	p, i := c.scope.place(v), 0
	i = p.index
	switch p.kind {
	case inSlot:
		return func(fr *frame) value.Value {
			if v := fr.slots[i]; v != nil {
				return v
			}
			return fr.m.uninitialised(id)
		}
	case inCell:
		return func(fr *frame) value.Value {
			if v := fr.cells[i].v; v != nil {
				return v
			}
			return fr.m.uninitialised(id)
		}
	}
	return func(fr *frame) value.Value {
		if v := fr.free[i].v; v != nil {
			return v
		}
		return fr.m.uninitialised(id)
	}
}

func (m *machine) uninitialised(id *ast.Ident) value.Value {
	m.pos = &id.Pos
	m.throw("ReferenceError", "Cannot access '%s' before initialization", id.Sym.Name)
	return nil
}

// global compiles a name that the program does not declare.
func (c *compiler) global(id *ast.Ident) eval {
	if id.Sym != nil && id.Sym.Kind == ast.SymUnbound {
		if v, ok := globals[id.Sym.Name]; ok {
			return constant(v)
		}
	}
	name := "?"
	if id.Sym != nil {
		name = id.Sym.Name
	}
	refuse(id.Pos, "`%s` is not evaluated natively", name)
	return nil
}

// globalName gives the name of a global of the language that x names, or "". Other free names may be inputs.
func globalName(x ast.Expr) string {
	id, ok := x.(*ast.Ident)
	if !ok || id.Sym == nil || id.Sym.Kind != ast.SymUnbound || globals[id.Sym.Name] == nil {
		return ""
	}
	return id.Sym.Name
}

// define compiles the initialisation of a declared name. The cell is there already: see hoist.
func (c *compiler) define(id *ast.Ident) store {
	v := c.res.vars.get(id.Sym)
	p := c.scope.place(v)
	i := p.index
	switch p.kind {
	case inSlot:
		return func(fr *frame, v value.Value) { fr.slots[i] = v }
	case inCell:
		return func(fr *frame, v value.Value) { fr.cells[i].v = v }
	}
	return func(fr *frame, v value.Value) { fr.free[i].v = v }
}

// change compiles an assignment to a name.
func (c *compiler) change(id *ast.Ident) store {
	v := c.res.vars.get(id.Sym)
	if v == nil {
		refuse(id.Pos, "an assignment to the undeclared name `%s`", id.Sym.Name)
	}
	load := c.load(id)
	switch id.Sym.Kind {
	case ast.SymConst:
		return func(fr *frame, _ value.Value) {
			load(fr)
			fr.m.pos = &id.Pos
			fr.m.typeError("Assignment to constant variable.")
		}
	case ast.SymVar, ast.SymParam, ast.SymCatch:
		return c.define(id)
	case ast.SymLet:
		define := c.define(id)
		return func(fr *frame, v value.Value) {
			load(fr)
			define(fr, v)
		}
	}
	refuse(id.Pos, "an assignment to the function `%s`", id.Sym.Name)
	return nil
}

// hoist prepares the names that a list of statements declares in its own block: names of let and const are
// uninitialised, functions are made. Each time the block is entered its captured names get new cells.
func (c *compiler) hoist(body []ast.Stmt) func(fr *frame) {
	var names []variable
	for _, s := range body {
		if d, ok := s.(*ast.VarDecl); ok && d.Kind != ast.DeclVar {
			names = append(names, c.locals(d)...)
		}
	}
	type made struct {
		v    variable
		make eval
	}
	var funcs []made
	for _, s := range body {
		if f, ok := s.(*ast.FunctionDecl); ok {
			v := *c.res.vars.get(f.Name.Sym)
			names = append(names, v)
			funcs = append(funcs, made{v: v})
		}
	}
	k := 0
	for _, s := range body {
		if f, ok := s.(*ast.FunctionDecl); ok {
			funcs[k].make = c.function(f.Func, f.Pos)
			k++
		}
	}
	if len(names) == 0 {
		return nil
	}
	return func(fr *frame) {
		for i := range names {
			names[i].init(fr, nil)
		}
		for i := range funcs {
			f := funcs[i].make(fr)
			if v := &funcs[i].v; v.captured {
				fr.cells[v.index].v = f
			} else {
				fr.slots[v.index] = f
			}
		}
	}
}

// locals lists the variables that a let or const declares.
func (c *compiler) locals(d *ast.VarDecl) (out []variable) {
	for _, decl := range d.Decls {
		bound(decl.Target, func(id *ast.Ident) { out = append(out, *c.res.vars.get(id.Sym)) })
	}
	return out
}
