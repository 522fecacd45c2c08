package planner

import (
	"fmt"
	"slices"

	"github.com/casys-ai/pml/nodes/ast"
)

// leaver copies statements and replaces the ways out of them: returns, and the breaks and continues for something outside.
// instead gives what stands for one; nil leaves it as it is.
type leaver struct {
	instead func(way ast.Stmt) []ast.Stmt
	// breaks and continues count the constructs around that a plain one would find; labels are those around.
	breaks, continues int
	labels            []string
	// returns says that returns count as ways out.
	returns bool
}

func (l leaver) list(list []ast.Stmt) []ast.Stmt {
	var out []ast.Stmt
	for _, s := range list {
		x := l.stmt(s)
		if block, ok := x.(*ast.Block); ok && !isBlock(s) {
			out = append(out, block.Body...)
		} else {
			out = append(out, x)
		}
	}
	return out
}

func isBlock(s ast.Stmt) bool { _, ok := s.(*ast.Block); return ok }

// inside is l for the body of a loop or a switch.
func (l leaver) inside(continues int) leaver {
	l.breaks++
	l.continues += continues
	return l
}

func (l leaver) block(b *ast.Block) *ast.Block {
	if b == nil {
		return nil
	}
	return &ast.Block{Pos: b.Pos, Body: l.list(b.Body)}
}

func (l leaver) stmt(s ast.Stmt) ast.Stmt {
	switch s := s.(type) {
	case *ast.Return:
		if l.returns {
			return l.replaced(s)
		}
	case *ast.Break:
		if s.Label == "" && l.breaks == 0 || s.Label != "" && !has(l.labels, s.Label) {
			return l.replaced(s)
		}
	case *ast.Continue:
		if s.Label == "" && l.continues == 0 || s.Label != "" && !has(l.labels, s.Label) {
			return l.replaced(s)
		}
	case *ast.Block:
		return l.block(s)
	case *ast.If:
		c := *s
		c.Then = l.stmt(s.Then)
		if s.Else != nil {
			c.Else = l.stmt(s.Else)
		}
		return &c
	case *ast.Labeled:
		l.labels = append(l.labels[:len(l.labels):len(l.labels)], s.Label)
		return &ast.Labeled{Pos: s.Pos, Label: s.Label, Body: l.stmt(s.Body)}
	case *ast.Try:
		c := *s
		c.Body, c.Handler, c.Finally = l.block(s.Body), l.block(s.Handler), l.block(s.Finally)
		return &c
	case *ast.Switch:
		c := *s
		c.Cases = append([]ast.Case(nil), s.Cases...)
		for i := range c.Cases {
			c.Cases[i].Body = l.inside(0).list(s.Cases[i].Body)
		}
		return &c
	}
	return l.loop(s)
}

func (l leaver) loop(s ast.Stmt) ast.Stmt {
	body := func(s ast.Stmt) ast.Stmt { return l.inside(1).stmt(s) }
	switch s := s.(type) {
	case *ast.For:
		c := *s
		c.Body = body(s.Body)
		return &c
	case *ast.ForOf:
		c := *s
		c.Body = body(s.Body)
		return &c
	case *ast.ForIn:
		c := *s
		c.Body = body(s.Body)
		return &c
	case *ast.While:
		c := *s
		c.Body = body(s.Body)
		return &c
	case *ast.DoWhile:
		c := *s
		c.Body = body(s.Body)
		return &c
	}
	return s
}

func (l leaver) replaced(s ast.Stmt) ast.Stmt {
	if list := l.instead(s); list != nil {
		return &ast.Block{Pos: s.Position(), Body: list}
	}
	return s
}

// finally lifts try {B} catch (e) {H} finally {F}:
//
//	try { done: { try {B} catch (e) {H} } } catch (t) { F; throw t }
//	F
//
// What leaves B or H otherwise, a return or a jump, is noted and leaves done; it goes on behind F.
func (l *lifter) finally(b *block, s *ast.Try) {
	list := l.withoutFinally(s)
	at := slices.IndexFunc(list, func(s ast.Stmt) bool { _, ok := s.(*ast.Try); return ok })
	if at > 0 {
		l.stmts(b, list[:at])
	}
	l.catching(b, list[at].(*ast.Try), l.mentionedBehind)
	if !b.ended {
		l.stmts(b, list[at+1:])
	}
}

// withoutFinally is what stands for a try with a finally: variables, a try without, and what follows it.
func (l *lifter) withoutFinally(s *ast.Try) []ast.Stmt {
	if leaves(s.Finally) {
		refuse(s, "a return, break or continue inside of finally")
	}
	f := &finallyLifter{l: l, at: s}
	body := f.body()
	thrown := &ast.Ident{Pos: s.Finally.Pos, Sym: l.temp("thrown")}
	l.an.symbols[thrown.Sym] = newRegion()
	again := &ast.Throw{Pos: s.Finally.Pos, X: thrown}
	outer := &ast.Try{Pos: s.Pos, Body: &ast.Block{Pos: s.Pos, Body: body}, Param: thrown,
		Handler: &ast.Block{Pos: s.Finally.Pos, Body: append(s.Finally.Body[:len(s.Finally.Body):len(s.Finally.Body)], again)}}
	return append(append(f.before, outer, s.Finally), f.behind...)
}

// mentionedBehind is needed for a handler that throws again: only what it says itself can see a variable.
func (l *lifter) mentionedBehind(s *ast.Symbol, t *ast.Try) bool {
	return slices.Contains(l.reads(t.Handler), s)
}

// finallyLifter gathers the ways out of one try with a finally.
type finallyLifter struct {
	l  *lifter
	at *ast.Try
	// way is the number of the way taken, result what is returned.
	way, result    *ast.Ident
	before, behind []ast.Stmt
	label          string
}

// body is what stands before finally, with its ways out redirected.
func (f *finallyLifter) body() []ast.Stmt {
	s := f.at
	var body ast.Stmt = s.Body
	if s.Handler != nil {
		inner := *s
		inner.Finally = nil
		body = &inner
	}
	if !leaves(body) {
		return []ast.Stmt{body}
	}
	f.way, f.result = f.variable("way"), f.variable("result")
	f.label = fmt.Sprintf("done%d", f.l.temps)
	body = leaver{instead: f.redirect, returns: true}.stmt(body)
	return []ast.Stmt{&ast.Labeled{Pos: s.Pos, Label: f.label, Body: &ast.Block{Pos: s.Pos, Body: []ast.Stmt{body}}}}
}

// variable makes a variable that holds undefined.
func (f *finallyLifter) variable(hint string) *ast.Ident {
	id := &ast.Ident{Pos: f.at.Pos, Sym: f.l.temp(hint)}
	id.Sym.Kind = ast.SymLet
	f.l.an.symbols[id.Sym] = newRegion()
	f.before = append(f.before, &ast.VarDecl{Pos: f.at.Pos, Kind: ast.DeclLet,
		Decls: []ast.Declarator{{Pos: f.at.Pos, Target: id, Init: &ast.Undefined{Pos: f.at.Pos}}}})
	return id
}

// redirect notes one way out.
func (f *finallyLifter) redirect(way ast.Stmt) []ast.Stmt {
	pos := way.Position()
	number := &ast.Number{Pos: pos, Value: float64(len(f.behind) + 1)}
	onward := way
	var list []ast.Stmt
	if ret, ok := way.(*ast.Return); ok {
		if ret.X != nil {
			if f.l.isPromise(ret.X) {
				refuse(ret, "a promise is returned out of a try without await")
			}
			if r := f.l.an.exprs[ret.X]; r != nil {
				unify(f.l.an.symbols[f.result.Sym], r)
			}
			list = append(list, assignment(pos, f.result, ret.X))
		}
		onward = &ast.Return{Pos: pos, X: f.result}
	}
	f.behind = append(f.behind, &ast.If{Pos: pos, Test: equals(f.way, number), Then: onward})
	return append(list, assignment(pos, f.way, number), &ast.Break{Pos: pos, Label: f.label})
}

func assignment(pos ast.Pos, target *ast.Ident, value ast.Expr) ast.Stmt {
	return &ast.ExprStmt{Pos: pos, X: &ast.Assign{Pos: pos, Op: "=", Target: target, Value: value}}
}
