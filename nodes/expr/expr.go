// Package expr evaluates lifted pieces of JavaScript: synchronous pure code on plain data, compiled to Go closures. It
// gives exactly what Node gives, result or exception, or says beforehand that it does not know how.
//
//	*nodes.Code ─ analyse (what may it change?) ─ resolve (slots) ─ compile (closures) ─▶ *Program ─ Run
//
// A Program holds no state of its own: it may run many times at once.
package expr

import (
	"context"
	"slices"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/value"
)

// Program is a compiled piece.
type Program struct {
	code   *funcCode
	params []param
	// fresh are the variables that only Vars names: they start as undefined.
	fresh  []variable
	result eval
	vars   []eval
	// walk says that the outputs must be looked through, because they might be cyclic or hold something internal.
	walk bool
	// rich says that the outputs may hold a Map, Set or Date.
	rich bool
}

// param is an input.
type param struct {
	v     variable
	owned bool
	// change says how much of it the piece may change.
	change change
}

type change uint8

const (
	unchanged change = iota
	rootOnly
	anywhere
)

// Check reports why a piece cannot be evaluated natively, as an *Unsupported; nil if it can.
func Check(c *nodes.Code) error {
	w := workspaces.Get().(*workspace)
	defer workspaces.Put(w)
	w.reset()
	return w.compile(c, &w.program)
}

// Compile makes a piece ready to run. The error is an *Unsupported.
func Compile(c *nodes.Code) (*Program, error) {
	p := &Program{code: &funcCode{}}
	if err := new(workspace).compile(c, p); err != nil {
		return nil, err
	}
	return p, nil
}

// compile makes p of a piece.
func (w *workspace) compile(c *nodes.Code, p *Program) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Unsupported:
			err = r
		default:
			panic(r)
		}
	}()
	if c.Program || c.Dynamic || c.Returns || len(c.Tools) > 0 {
		refuse(ast.Pos{}, "a piece that calls tools or returns from its surroundings is a script")
	}
	r, top, comp := &w.names, &w.top, &w.compiler
	resolvePiece(r, c, top)
	comp.res, comp.scope = r, top
	p.rich = c.Rich
	p.code.body = comp.block(c.Body)
	if c.Result != nil {
		p.result = comp.expr(c.Result)
	}
	for _, sym := range c.Vars {
		p.fresh = append(p.fresh, *r.vars.get(sym))
		p.vars = append(p.vars, comp.load(&ast.Ident{Sym: sym, Pos: sym.Decl}))
	}
	p.code.slots, p.code.cells, p.code.vars = top.slots, top.cells, top.vars
	p.params = slices.Grow(p.params, len(c.Params))
	for i, sym := range c.Params {
		owned := i < len(c.Owned) && c.Owned[i]
		p.params = append(p.params, param{v: *r.vars.get(sym), owned: owned})
	}
	p.settleChanges(c, &w.aliases)
	return nil
}

// resolvePiece declares the names of the piece and gives them their places.
func resolvePiece(r *resolver, c *nodes.Code, top *scope) {
	for _, sym := range c.Params {
		if sym.Kind == ast.SymUnbound && globals[sym.Name] != nil {
			refuse(sym.Decl, "`%s` as an input hides a global", sym.Name)
		}
		r.declare(sym, top)
	}
	for _, sym := range c.Vars {
		r.declare(sym, top)
	}
	for _, list := range [][]*ast.Symbol{c.Params, c.Vars} {
		for _, sym := range list {
			r.refs = append(r.refs, reference{&ast.Ident{Sym: sym, Pos: sym.Decl}, top})
		}
	}
	for _, s := range c.Body {
		r.visit(s, top)
	}
	if c.Result != nil {
		r.visit(c.Result, top)
	}
	if id := r.assign(); id != nil {
		refuse(id.Pos, "`%s` is no input of the computation", id.Sym.Name)
	}
}

// settleChanges finds what the piece may change, and refuses outputs that are no plain data.
func (p *Program) settleChanges(c *nodes.Code, a *aliases) {
	if allOf(c.Body, harmlessStmt) && harmless(c.Result) && !slices.Contains(c.Touched, true) {
		if len(c.Vars) > 1 {
			p.copyTogether(c)
		}
		return
	}
	a.analyse(c)
	if a.untraced != nil {
		refuse(*a.untraced, "a change of an object whose origin is not seen")
	}
	for _, o := range a.objs {
		if o.mutated && o.frozen {
			refuse(ast.Pos{}, "a change of a frozen object is not evaluated natively")
		}
		if o.mutated && o.param >= 0 {
			how := rootOnly
			if o.nested {
				how = anywhere
			}
			p.params[o.param].change = max(p.params[o.param].change, how)
		}
	}
	p.copyTogether(c)
	out := a.reach(a.result)
	a.each(out, func(o *abstract) {
		if o.internal != "" && !(c.Rich && rich[o.internal]) {
			pos := ast.Pos{}
			if c.Result != nil {
				pos = c.Result.Position()
			}
			refuse(pos, "%s may leave the computation", o.internal)
		}
		if o.mutated && a.reach(o.content).has(o.id) {
			p.walk = true
		}
	})
}

// copyTogether has inputs that may share objects copied as one, if the piece changes any of them: those that it changes,
// those that lead to what it changes, and those that it only hands on, which are changed through another. What it owns is
// shared with nobody.
func (p *Program) copyTogether(c *nodes.Code) {
	list := make([]ast.Node, 0, len(c.Body)+1)
	for _, s := range c.Body {
		list = append(list, s)
	}
	if c.Result != nil {
		list = append(list, c.Result)
	}
	assigned := ast.Assigned(list...)
	var shared []*param
	for i, sym := range c.Params {
		handed := slices.Contains(c.Vars, sym) && !slices.Contains(assigned, sym)
		touched := i < len(c.Touched) && c.Touched[i]
		if q := &p.params[i]; !q.owned && (q.change != unchanged || handed || touched) {
			shared = append(shared, q)
		}
	}
	if len(shared) > 1 {
		for _, q := range shared {
			q.change = anywhere
		}
	}
}

// Run evaluates the piece. Its outputs are the Result, if there is one, and the values of Vars. The error is an
// *Exception for what the program throws, else an *Unsupported, *NotPlain or *Limit.
func (p *Program) Run(in []value.Value) ([]value.Value, error) {
	return p.RunContext(context.Background(), in)
}

// RunContext is Run; when ctx ends it gives up soon, with ctx's error.
func (p *Program) RunContext(ctx context.Context, in []value.Value) (out []value.Value, err error) {
	m := newMachine(ctx)
	c := cloner{m: m}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *thrown:
			out = []value.Value{r.value}
			c.restore(out, p.rich)
			out, err = nil, m.exception(&thrown{value: out[0], pos: r.pos})
		case fatal:
			out, err = nil, r.err
		default:
			panic(r)
		}
	}()
	fr := m.enter(p.code, nil)
	p.bindInputs(&c, fr, in)
	p.code.body(fr)
	out = make([]value.Value, 0, 1+len(p.vars))
	if p.result != nil {
		out = append(out, p.result(fr))
	}
	for _, v := range p.vars {
		out = append(out, v(fr))
	}
	c.restore(out, p.rich)
	if p.walk || m.holes || m.matches != nil {
		for _, v := range out {
			if err := leaves(m, v, p.rich); err != nil {
				return nil, err
			}
		}
	}
	m.reuse()
	return out, nil
}

// exception makes the error of what left the piece.
func (m *machine) exception(t *thrown) error {
	m.steps, m.polls, m.memory = pollEvery, maxSteps/pollEvery, maxMemory
	if err := plainError(m, t.value); err != nil {
		return err
	}
	return &Exception{Throw: &value.Throw{Value: t.value}, Pos: t.pos}
}

// bindInputs puts the inputs into their variables, copied as far as the piece may change them.
func (p *Program) bindInputs(c *cloner, fr *frame, in []value.Value) {
	for i := range p.fresh {
		p.fresh[i].init(fr, undefined)
	}
	for i := range p.params {
		q := &p.params[i]
		v := undefined
		if i < len(in) && in[i] != nil {
			v = in[i]
		}
		switch {
		case q.change == unchanged:
		case q.owned && q.change == rootOnly:
			v = force(v)
		case q.owned:
			v = c.m.decoded(v)
		case q.change == rootOnly:
			v = c.shallow(v)
		default:
			v = c.clone(v)
		}
		q.v.init(fr, v)
	}
}
