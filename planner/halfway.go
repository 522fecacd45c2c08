package planner

import (
	"slices"

	"github.com/casys-ai/pml/nodes/ast"
)

// A handler sees what the body of its try had changed when it failed. The versions of a variable are known for the
// statements of the body itself; what is changed inside of one of them is known behind it. So a statement that may fail
// half-way, having changed something, is made one that ends, and whose failure is thrown behind it:
//
//	let failed = false, thrown
//	while (…) { try { … } catch (t) { failed = true; thrown = t; break } }
//	if (failed) throw thrown

// halfway rewrites the statements of a try's body in which one of vars may be half changed.
func (l *lifter) halfway(list []ast.Stmt, vars []*ast.Symbol) []ast.Stmt {
	var out []ast.Stmt
	for i, s := range list {
		again := l.outlasting(s, vars)
		if again != nil && out == nil {
			out = slices.Clone(list[:i])
		}
		switch {
		case again != nil:
			out = append(out, again...)
		case out != nil:
			out = append(out, s)
		}
	}
	if out == nil {
		return list
	}
	return out
}

// outlasting is what stands for s; nil if it may stay as it is, or nothing can.
func (l *lifter) outlasting(s ast.Stmt, vars []*ast.Symbol) []ast.Stmt {
	vars = slices.DeleteFunc(slices.Clone(vars), func(v *ast.Symbol) bool { return tailChange(l, []ast.Stmt{s}, v) })
	if len(vars) == 0 {
		return nil
	}
	if block, ok := s.(*ast.Block); ok {
		return []ast.Stmt{&ast.Block{Pos: block.Pos, Body: l.halfway(block.Body, vars)}}
	}
	if t, ok := s.(*ast.Try); ok && t.Finally != nil {
		return l.halfway(l.withoutFinally(t), vars)
	}
	g := &guard{l: l, vars: vars, pos: s.Position()}
	made := g.stmt(s)
	if made == nil {
		return nil
	}
	l.outlasts[made] = true
	return []ast.Stmt{
		&ast.VarDecl{Pos: g.pos, Kind: ast.DeclLet, Decls: []ast.Declarator{
			{Pos: g.pos, Target: g.failed, Init: &ast.Bool{Pos: g.pos}},
			{Pos: g.pos, Target: g.thrown, Init: &ast.Undefined{Pos: g.pos}}}},
		made,
		&ast.If{Pos: g.pos, Test: g.failed, Then: &ast.Throw{Pos: g.pos, X: g.thrown}},
	}
}

// guard makes one statement outlast its failure.
type guard struct {
	l    *lifter
	vars []*ast.Symbol
	pos  ast.Pos
	// failed and thrown are the variables that keep the failure, once one is needed.
	failed, thrown *ast.Ident
}

// stmt is s with the lists of statements inside of it guarded; nil if something else in it changes the variables.
func (g *guard) stmt(s ast.Stmt) ast.Stmt {
	if !g.l.impure(s) && !leaves(s) {
		return g.list([]ast.Stmt{s}, false)
	}
	switch s := s.(type) {
	case *ast.If:
		if g.touches(s.Test) {
			return nil
		}
		c := *s
		c.Then = g.list([]ast.Stmt{s.Then}, false)
		if s.Else != nil {
			c.Else = g.list([]ast.Stmt{s.Else}, false)
		}
		return &c
	case *ast.Switch:
		return g.cases(s)
	case *ast.Try:
		c := *s
		c.Handler = g.list(s.Handler.Body, false)
		return &c
	case *ast.Labeled:
		body := g.labeled(s.Body)
		if body == nil {
			return nil
		}
		return &ast.Labeled{Pos: s.Pos, Label: s.Label, Body: body}
	}
	return g.loop(s)
}

func (g *guard) labeled(s ast.Stmt) ast.Stmt {
	if block, ok := s.(*ast.Block); ok {
		return g.list(block.Body, false)
	}
	return g.loop(s)
}

// loop guards what a loop does in each iteration.
func (g *guard) loop(s ast.Stmt) ast.Stmt {
	switch s := s.(type) {
	case *ast.While:
		return &ast.While{Pos: s.Pos, Test: &ast.Bool{Pos: s.Pos, Value: true}, Body: g.list([]ast.Stmt{breakUnless(s.Test), s.Body}, true)}
	case *ast.DoWhile:
		if continues(s.Body) {
			return nil
		}
		return &ast.While{Pos: s.Pos, Test: &ast.Bool{Pos: s.Pos, Value: true}, Body: g.list([]ast.Stmt{s.Body, breakUnless(s.Test)}, true)}
	case *ast.For:
		if s.Init != nil && g.touches(s.Init) || s.Update != nil && !calm(s.Update) {
			return nil
		}
		list := []ast.Stmt{s.Body}
		if s.Test != nil {
			list = []ast.Stmt{breakUnless(s.Test), s.Body}
		}
		return &ast.For{Pos: s.Pos, Init: s.Init, Update: s.Update, Body: g.list(list, true)}
	case *ast.ForOf:
		decl, ok := s.Left.(*ast.VarDecl)
		if !ok || s.Await || g.touches(s.Right) || decl.Kind == ast.DeclVar || g.l.lazy(s.Right) != "" {
			return nil
		}
		c := *s
		list := []ast.Stmt{s.Body}
		if target := decl.Decls[0].Target; !isIdent(target) {
			item := &ast.Ident{Pos: decl.Pos, Sym: g.l.temp("item")}
			if r := g.l.an.exprs[s.Right]; r != nil {
				g.l.an.symbols[item.Sym] = g.l.an.iterate(r)
			}
			c.Left = constant(decl.Pos, item, nil)
			again := *decl
			again.Decls = []ast.Declarator{{Pos: decl.Pos, Target: target, Init: item}}
			list = []ast.Stmt{&again, s.Body}
		}
		c.Body = g.list(list, true)
		return &c
	}
	return nil
}

func breakUnless(test ast.Expr) ast.Stmt {
	pos := test.Position()
	return &ast.If{Pos: pos, Test: &ast.Unary{Pos: pos, Op: "!", X: test}, Then: &ast.Break{Pos: pos}}
}

// calm reports whether e can hardly throw: i++, i += 2.
func calm(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Update:
		return isIdent(e.X)
	case *ast.Assign:
		_, number := e.Value.(*ast.Number)
		return number && isIdent(e.Target)
	}
	return false
}

// cases guards the cases of a switch, none of which may mention what another declares.
func (g *guard) cases(s *ast.Switch) ast.Stmt {
	c := *s
	if g.touches(s.X) {
		return nil
	}
	c.Cases = slices.Clone(s.Cases)
	for i, x := range s.Cases {
		if x.Test != nil && g.touches(x.Test) || slices.ContainsFunc(x.Body, func(s ast.Stmt) bool { return len(topLevel(s)) > 0 }) {
			return nil
		}
		if len(x.Body) > 0 {
			c.Cases[i].Body = []ast.Stmt{g.list(x.Body, false)}
			if end, ok := x.Body[len(x.Body)-1].(*ast.Break); ok && end.Label == "" {
				c.Cases[i].Body = []ast.Stmt{g.list(x.Body[:len(x.Body)-1], false), end}
			}
		}
	}
	return &c
}

// touches reports whether evaluating n changes one of the variables.
func (g *guard) touches(n ast.Node) bool {
	return slices.ContainsFunc(g.vars, func(s *ast.Symbol) bool { return g.l.touchesSymbol(s, n) })
}

// list is try { list } catch (t) { failed = true; thrown = t; break }, as a block.
func (g *guard) list(list []ast.Stmt, loop bool) *ast.Block {
	if g.failed == nil {
		g.failed, g.thrown = g.variable("failed"), g.variable("thrown")
		g.l.an.symbols[g.thrown.Sym] = g.l.an.thrown
	}
	// What a loop repeats must not seem to start before what its head declares.
	pos := g.pos
	if len(list) > 0 {
		pos = list[0].Position()
	}
	t := &ast.Ident{Pos: pos, Sym: g.l.temp("t")}
	g.l.an.symbols[t.Sym] = g.l.an.thrown
	handler := []ast.Stmt{assignment(pos, g.failed, &ast.Bool{Pos: pos, Value: true}), assignment(pos, g.thrown, t)}
	if loop {
		handler = append(handler, &ast.Break{Pos: pos})
	}
	if len(list) == 1 {
		if block, ok := list[0].(*ast.Block); ok {
			list = block.Body
		}
	}
	return &ast.Block{Pos: pos, Body: []ast.Stmt{&ast.Try{Pos: pos, Body: &ast.Block{Pos: pos, Body: list},
		Param: t, Handler: &ast.Block{Pos: pos, Body: handler}}}}
}

func (g *guard) variable(hint string) *ast.Ident {
	id := &ast.Ident{Pos: g.pos, Sym: g.l.temp(hint)}
	id.Sym.Kind = ast.SymLet
	g.l.an.symbols[id.Sym] = newRegion()
	return id
}
