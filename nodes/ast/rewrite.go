package ast

// Rewrite copies trees and changes the copy; the original stays as it is. The zero Rewrite makes a plain deep copy (but
// symbols are shared).
type Rewrite struct {
	// Expr may replace an expression: what it returns with true stands in the copy as it is. It is asked before an
	// expression's parts are, and not for names that are declared or assigned.
	Expr func(Expr) (Expr, bool)
	// Symbol may replace a symbol wherever it is declared, assigned or read.
	Symbol func(*Symbol) *Symbol
	// Target may replace a member that is assigned.
	Target func(Pattern) (Pattern, bool)
	// Each may replace a statement by several, which stand in the copy as they are.
	Each func(Stmt) ([]Stmt, bool)
}

// Substitute copies e with the expressions that f replaces; it looks inside everything, functions and classes too.
func Substitute(e Expr, f func(Expr) (Expr, bool)) Expr { return Rewrite{Expr: f}.Of(e) }

// SubstituteStmts does what Substitute does for statements.
func SubstituteStmts(list []Stmt, f func(Expr) (Expr, bool)) []Stmt {
	return Rewrite{Expr: f}.Stmts(list)
}

// Rename copies statements with other symbols, as inlining a function twice needs.
func Rename(list []Stmt, f func(*Symbol) *Symbol) []Stmt { return Rewrite{Symbol: f}.Stmts(list) }

// Stmts copies statements.
func (r Rewrite) Stmts(list []Stmt) []Stmt {
	if list == nil {
		return nil
	}
	out := make([]Stmt, 0, len(list))
	for _, s := range list {
		if many, ok := r.each(s); ok {
			out = append(out, many...)
		} else {
			out = append(out, r.stmt(s))
		}
	}
	return out
}

func (r Rewrite) each(s Stmt) ([]Stmt, bool) {
	if r.Each == nil || s == nil {
		return nil, false
	}
	return r.Each(s)
}

// Stmt copies one statement; nil stays nil.
func (r Rewrite) Stmt(s Stmt) Stmt {
	if many, ok := r.each(s); ok {
		return &Block{s.Position(), many}
	}
	return r.stmt(s)
}

func (r Rewrite) stmt(s Stmt) Stmt {
	switch s := s.(type) {
	case nil:
		return nil
	case *ExprStmt:
		return &ExprStmt{s.Pos, r.Of(s.X)}
	case *VarDecl:
		return r.varDecl(s)
	case *FunctionDecl:
		return &FunctionDecl{s.Pos, r.Func(s.Func)}
	case *ClassDecl:
		return &ClassDecl{s.Pos, r.class(s.ClassBody)}
	case *Block:
		return r.block(s)
	case *If:
		return &If{s.Pos, r.Of(s.Test), r.Stmt(s.Then), r.Stmt(s.Else)}
	case *Return:
		return &Return{s.Pos, r.Of(s.X)}
	case *Throw:
		return &Throw{s.Pos, r.Of(s.X)}
	case *Labeled:
		return &Labeled{s.Pos, s.Label, r.Stmt(s.Body)}
	case *Break:
		return &Break{s.Pos, s.Label}
	case *Continue:
		return &Continue{s.Pos, s.Label}
	case *Empty:
		return &Empty{s.Pos}
	}
	return r.control(s)
}

func (r Rewrite) control(s Stmt) Stmt {
	switch s := s.(type) {
	case *For:
		return &For{s.Pos, r.Stmt(s.Init), r.Of(s.Test), r.Of(s.Update), r.Stmt(s.Body)}
	case *ForIn:
		return &ForIn{s.Pos, r.Stmt(s.Left), r.Of(s.Right), r.Stmt(s.Body)}
	case *ForOf:
		return &ForOf{s.Pos, s.Await, r.Stmt(s.Left), r.Of(s.Right), r.Stmt(s.Body)}
	case *While:
		return &While{s.Pos, r.Of(s.Test), r.Stmt(s.Body)}
	case *DoWhile:
		return &DoWhile{s.Pos, r.Stmt(s.Body), r.Of(s.Test)}
	case *Try:
		return &Try{s.Pos, r.block(s.Body), r.Pattern(s.Param), r.block(s.Handler), r.block(s.Finally)}
	case *Switch:
		out := &Switch{s.Pos, r.Of(s.X), make([]Case, len(s.Cases))}
		for i, c := range s.Cases {
			out.Cases[i] = Case{c.Pos, r.Of(c.Test), r.Stmts(c.Body)}
		}
		return out
	}
	return s
}

func (r Rewrite) block(b *Block) *Block {
	if b == nil {
		return nil
	}
	return &Block{b.Pos, r.Stmts(b.Body)}
}

func (r Rewrite) varDecl(s *VarDecl) *VarDecl {
	out := &VarDecl{s.Pos, s.Kind, make([]Declarator, len(s.Decls))}
	for i, d := range s.Decls {
		out.Decls[i] = Declarator{d.Pos, r.Pattern(d.Target), r.Of(d.Init)}
	}
	return out
}

func (r Rewrite) ident(id *Ident) *Ident {
	if id == nil {
		return nil
	}
	if r.Symbol == nil {
		return &Ident{id.Pos, id.Sym}
	}
	return &Ident{id.Pos, r.Symbol(id.Sym)}
}

// Func copies a function; nil stays nil.
func (r Rewrite) Func(f *Func) *Func {
	if f == nil {
		return nil
	}
	out := *f
	out.Name = r.ident(f.Name)
	out.Params = make([]Param, len(f.Params))
	for i, p := range f.Params {
		out.Params[i] = Param{r.Pattern(p.Target), r.Of(p.Default), p.Rest}
	}
	out.Body = r.Stmts(f.Body)
	return &out
}

func (r Rewrite) class(c *ClassBody) *ClassBody {
	return &ClassBody{r.ident(c.Name), r.Of(c.Extends), r.properties(c.Members), r.exprs(c.Decorators)}
}

func (r Rewrite) properties(list []Property) []Property {
	out := make([]Property, len(list))
	for i, p := range list {
		p.Decorators = r.exprs(p.Decorators)
		if p.Computed {
			p.Key = r.Of(p.Key)
		}
		p.Value = r.value(&p)
		out[i] = p
	}
	return out
}

// value copies a property's value. What a method or static block is must not change, so it is not offered to Expr.
func (r Rewrite) value(p *Property) Expr {
	if fn, ok := p.Value.(*FunctionExpr); ok && (p.Method || (p.Kind != PropInit && p.Kind != PropField)) {
		return &FunctionExpr{fn.Pos, r.Func(fn.Func)}
	}
	return r.Of(p.Value)
}

// Pattern copies a pattern; nil stays nil.
func (r Rewrite) Pattern(p Pattern) Pattern {
	if r.Target != nil && p != nil {
		if x, ok := r.Target(p); ok {
			return x
		}
	}
	return r.pattern(p)
}

func (r Rewrite) pattern(p Pattern) Pattern {
	switch p := p.(type) {
	case *Ident:
		return r.ident(p)
	case *Member:
		out := *p
		out.Object = r.Of(p.Object)
		return &out
	case *Index:
		return &Index{p.Pos, r.Of(p.Object), r.Of(p.Index), p.Chain}
	case *ArrayPattern:
		out := &ArrayPattern{p.Pos, make([]PatternElem, len(p.Elems))}
		for i, e := range p.Elems {
			out.Elems[i] = PatternElem{r.Pattern(e.Target), r.Of(e.Default), e.Rest}
		}
		return out
	case *ObjectPattern:
		out := &ObjectPattern{p.Pos, make([]PatternProp, len(p.Props))}
		for i, prop := range p.Props {
			if prop.Computed {
				prop.Key = r.Of(prop.Key)
			}
			prop.Target, prop.Default = r.Pattern(prop.Target), r.Of(prop.Default)
			out.Props[i] = prop
		}
		return out
	}
	return nil
}
