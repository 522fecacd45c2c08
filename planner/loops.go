package planner

import (
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// forOf lifts for (const x of xs).
func (l *lifter) forOf(b *block, s *ast.ForOf, label string) {
	if s.Await {
		refuse(s, "for await")
	}
	decl, ok := s.Left.(*ast.VarDecl)
	if !ok || decl.Kind == ast.DeclVar {
		refuse(s, "the loop assigns to a variable declared outside of it")
	}
	if l.changesItems(s) {
		l.indexed(b, s, label)
		return
	}
	items := l.iterable(b, s.Right)
	n := &nodes.Node{Kind: nodes.KindLoop, Pos: s.Pos, Label: "for " + ast.PrintExpr(s.Right)}
	vars := l.changedIn(b, s.Body)
	x := l.loopBody(b, n, vars, 2, "item", "index")
	l.push(&target{kind: targetLoop, label: label, node: n, vars: vars})
	l.loops = append(l.loops, span{s.Pos.Offset, l.an.lastOffset(s)})
	l.bindParam(x, decl.Decls[0].Target, x.param(0))
	l.nested(x, s.Body)
	l.loops = l.loops[:len(l.loops)-1]
	l.pop()
	l.finishLoop(b, n, x, vars, &nodes.Loop{Each: true}, []val{items})
}

// iterable is the array of what e yields, so that the loop can count it.
func (l *lifter) iterable(b *block, e ast.Expr) val {
	if call, ok := e.(*ast.Call); ok && l.impure(e) {
		if _, ok := l.calls[call]; ok {
			refuse(e, "the promise of a tool call is used other than by await")
		}
	}
	if what := l.lazy(e); what != "" {
		refuse(e, "the loop goes through %s, which runs as the loop does", what)
	}
	low := l.lower(b, e)
	list := &ast.Array{Pos: e.Position(), Elems: []ast.Expr{&ast.Spread{Pos: e.Position(), X: low}}}
	if r := l.an.exprs[e]; r != nil {
		l.an.exprs[list] = listOf(l.an.iterate(r))
	}
	return l.piece(b, e.Position(), nil, list, "items")
}

// lazy names what may compute the elements of e only as they are asked for: a generator, an iterator of the program's
// own. "" if the elements are there from the start.
func (l *lifter) lazy(e ast.Expr) string {
	what := l.an.exoticExpr(e)
	switch what {
	case "a Map", "a Set", "an iterator":
		return ""
	}
	return what
}

// changesItems reports whether the loop's body changes what the loop goes through.
func (l *lifter) changesItems(s *ast.ForOf) bool {
	_, regions := l.an.effects(s.Body)
	return l.touchesSource(s.Right, regions)
}

// indexed lifts for (const x of xs) whose body changes xs, or an object in it, as a loop that counts: each element is read
// when its turn comes, as the iterator of an array does (ECMAScript §23.1.5.1).
func (l *lifter) indexed(b *block, s *ast.ForOf, label string) {
	l.refuseRich(s.Right)
	if what := l.an.exoticExpr(s.Right); what != "" {
		refuse(s, "the loop changes %s while it goes through it", what)
	}
	pos, r := s.Right.Position(), l.an.exprs[s.Right]
	xs := l.lower(b, s.Right)
	if !isIdent(xs) {
		xs = l.hold(b, xs, "items")
	}
	list := &ast.Conditional{Pos: pos, Test: globalCall(pos, "Array", "isArray", xs), Then: xs,
		Else: &ast.Array{Pos: pos, Elems: []ast.Expr{&ast.Spread{Pos: pos, X: xs}}}}
	l.an.exprs[list] = r
	items := l.use(b, l.value(b, list, "items"), "items", pos)
	i := l.use(b, l.value(b, &ast.Number{Pos: pos}, "i"), "i", pos)
	i.Sym.Kind = ast.SymLet
	item := &ast.Index{Pos: pos, Object: items, Index: i}
	l.an.symbols[items.Sym], l.an.exprs[items], l.an.exprs[item] = r, r, r.element()
	decl := *s.Left.(*ast.VarDecl)
	decl.Decls = []ast.Declarator{{Pos: decl.Pos, Target: decl.Decls[0].Target, Init: item}}
	body := &ast.Block{Pos: s.Body.Position(), Body: []ast.Stmt{&decl, s.Body}}
	test := &ast.Binary{Pos: pos, Op: "<", X: i, Y: &ast.Member{Pos: pos, Object: items, Name: "length"}}
	l.loop(b, s, test, &ast.Update{Pos: pos, Op: "++", X: i}, body, true, label)
}

// touchesSource reports whether an object of targets can be reached from what a loop over e goes through: e, and for
// xs.entries() and the like xs itself.
func (l *lifter) touchesSource(e ast.Expr, targets map[*region]bool) bool {
	for e != nil {
		if l.an.leads(l.an.exprs[e], targets) {
			return true
		}
		call, ok := e.(*ast.Call)
		if !ok {
			return false
		}
		m, ok := call.Callee.(*ast.Member)
		if !ok || !iterator[m.Name] {
			return false
		}
		e = m.Object
	}
	return false
}

// loopBody makes the block of a loop's body, with its params bound.
func (l *lifter) loopBody(b *block, n *nodes.Node, vars []*ast.Symbol, first int, params ...string) *block {
	x := newBlock(b, append(params, symbolNames(vars)...)...)
	for i, s := range vars {
		x.env[s] = binding{v: x.param(first + i)}
	}
	n.Outs = symbolNames(vars)
	return x
}

// bindParam binds a loop variable or parameter, destructuring it if need be.
func (l *lifter) bindParam(b *block, p ast.Pattern, v val) {
	if id, ok := p.(*ast.Ident); ok {
		b.bind(id.Sym, v)
		return
	}
	src := l.use(b, v, "item", p.Position())
	decl := constant(p.Position(), p, src)
	if l.impure(decl) {
		refuse(p, "a tool call in a destructuring pattern")
	}
	l.piece(b, p.Position(), []ast.Stmt{decl}, nil, "")
}

func (l *lifter) finishLoop(b *block, n *nodes.Node, x *block, vars []*ast.Symbol, loop *nodes.Loop, in []val) {
	if !x.ended {
		x.Results = x.refs(l.versions(x, vars))
	}
	loop.Body = x.Block
	n.Loop = loop
	n.In = b.refs(append(in, l.versions(b, vars)...))
	l.addWithVars(b, n, vars, 0)
}

// forStmt lifts for (init; test; update).
func (l *lifter) forStmt(b *block, s *ast.For, label string) {
	if s.Init != nil {
		l.stmts(b, []ast.Stmt{s.Init})
	}
	l.loop(b, s, s.Test, s.Update, s.Body, true, label)
}

// loop lifts a loop with a condition: an endless loop with a break. testFirst tells while from do…while.
func (l *lifter) loop(b *block, s ast.Stmt, test, update ast.Expr, body ast.Stmt, testFirst bool, label string) {
	parts := []ast.Node{body}
	if test != nil {
		parts = append(parts, test)
	}
	if update != nil {
		parts = append(parts, update)
	}
	vars := l.changedIn(b, parts...)
	n := &nodes.Node{Kind: nodes.KindLoop, Pos: s.Position(), Label: "loop"}
	if test != nil {
		n.Label = "while " + ast.PrintExpr(test)
	}
	x := l.loopBody(b, n, vars, 0)
	t := &target{kind: targetLoop, label: label, node: n, vars: vars}
	l.loops = append(l.loops, span{firstOffset(parts), l.an.lastOffset(s)})
	if testFirst && test != nil {
		l.breakUnless(x, test, t)
	}
	l.iteration(x, t, body, update != nil || !testFirst)
	if !x.ended && update != nil {
		l.effect(x, update)
	}
	if !x.ended && !testFirst && test != nil {
		l.breakUnless(x, test, t)
	}
	l.loops = l.loops[:len(l.loops)-1]
	l.finishLoop(b, n, x, vars, &nodes.Loop{}, nil)
}

// firstOffset is where the first of the nodes starts: what a for statement declares in its head lives outside of what it
// repeats.
func firstOffset(ns []ast.Node) int {
	start := ns[0].Position().Offset
	for _, n := range ns {
		start = min(start, n.Position().Offset)
	}
	return start
}

// iteration lifts the body proper. If something is still to be done after it, a continue only leaves a scope around it.
func (l *lifter) iteration(x *block, t *target, body ast.Stmt, more bool) {
	if !more || !continues(body) {
		l.push(t)
		l.nested(x, body)
		l.pop()
		return
	}
	vars := l.changedIn(x, body)
	l.scope(x, body.Position(), "iteration", "", vars, func(in *block, skip *target) {
		inner := *t
		inner.skip = skip
		l.push(&inner)
		l.nested(in, body)
		l.pop()
	})
}

// continues reports whether a continue stands in s, for whatever loop.
func continues(s ast.Stmt) bool {
	found := false
	ast.Walk(s, func(n ast.Node) bool {
		_, ok := n.(*ast.Continue)
		found = found || ok
		return !found
	})
	return found
}

// breakUnless ends the loop when test fails.
func (l *lifter) breakUnless(x *block, test ast.Expr, t *target) {
	cond := l.value(x, test, "test")
	n := &nodes.Node{Kind: nodes.KindBranch, Pos: test.Position(), In: []nodes.Ref{x.ref(cond)}, Label: ast.PrintExpr(test)}
	goOn, stop := newBlock(x), newBlock(x)
	l.exit(stop, test.Position(), nodes.ExitBreak, t, l.versions(stop, t.vars))
	n.Branch = &nodes.Branch{Then: goOn.Block, Else: stop.Block}
	x.add(n)
}
