package planner

import "github.com/casys-ai/pml/nodes/ast"

// prepare rearranges a statement list, without changing what it means, so that less of it has to stay together: a Map or
// Set is made just before it is first mentioned, and a loop over one gets its items from a list made before the loop.
func (l *lifter) prepare(list []ast.Stmt) []ast.Stmt {
	out := make([]ast.Stmt, 0, len(list))
	for _, s := range l.gatherLoops(list) {
		out = append(out, l.splitLoop(s)...)
	}
	for i := len(out) - 2; i >= 0; i-- {
		sym, ok := l.sinkable(out[i])
		if !ok {
			continue
		}
		j := i + 1
		for j < len(out) && !l.mentions(out[j], sym) {
			j++
		}
		s := out[i]
		copy(out[i:j-1], out[i+1:j])
		out[j-1] = s
	}
	return out
}

// sinkable recognises const m = new Map(): it depends on nothing, cannot fail and does nothing else.
func (l *lifter) sinkable(s ast.Stmt) (*ast.Symbol, bool) {
	decl, ok := s.(*ast.VarDecl)
	if !ok || len(decl.Decls) != 1 || decl.Kind == ast.DeclVar {
		return nil, false
	}
	id, ok := decl.Decls[0].Target.(*ast.Ident)
	if !ok || !l.cannotTravel(id.Sym) {
		return nil, false
	}
	made, ok := decl.Decls[0].Init.(*ast.New)
	if !ok {
		return nil, false
	}
	name := globalName(made.Callee)
	return id.Sym, (name == "Map" || name == "Set") && literal(made.Args...)
}

// literal reports whether the expressions are made of constants alone.
func literal(list ...ast.Expr) bool {
	for _, e := range list {
		switch e := e.(type) {
		case *ast.Null, *ast.Undefined, *ast.Bool, *ast.Number, *ast.String:
		case *ast.Array:
			if !literal(e.Elems...) {
				return false
			}
		case *ast.Object:
			for _, p := range e.Props {
				if p.Kind != ast.PropInit || p.Computed || p.Method || !literal(p.Value) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// splitLoop turns for (const x of m) body, where m cannot travel, into const items = [...m]; for (const x of items) body,
// if the body calls tools and does not mention m.
func (l *lifter) splitLoop(s ast.Stmt) []ast.Stmt {
	loop, ok := s.(*ast.ForOf)
	if !ok || loop.Await || l.impure(loop.Right) || !l.impure(loop.Body) || !l.usesExotic(loop.Right) || l.lazy(loop.Right) != "" || l.changesShared(loop) {
		return []ast.Stmt{s}
	}
	sym := l.temp("items")
	list := &ast.Array{Pos: loop.Right.Position(), Elems: []ast.Expr{&ast.Spread{Pos: loop.Right.Position(), X: loop.Right}}}
	r := listOf(l.an.iterate(l.an.exprs[loop.Right]))
	l.an.exprs[list], l.an.symbols[sym] = r, r
	l.an.uses[sym], l.an.lastUse[sym] = 2, loop.Pos.Offset
	id := &ast.Ident{Pos: loop.Right.Position(), Sym: sym}
	l.an.exprs[id] = r
	decl := constant(loop.Pos, id, list)
	again := *loop
	again.Right = id
	return []ast.Stmt{decl, &again}
}

func (l *lifter) usesExotic(e ast.Expr) bool {
	for _, s := range ast.FreeSymbols(e) {
		if l.cannotTravel(s) {
			return true
		}
	}
	return false
}

// changesShared reports whether the loop's body mentions what the loop goes through, or changes an object in it.
func (l *lifter) changesShared(loop *ast.ForOf) bool {
	for _, s := range ast.FreeSymbols(loop.Right) {
		if l.cannotTravel(s) && l.mentions(loop.Body, s) {
			return true
		}
	}
	_, regions := l.an.effects(loop.Body)
	return l.touchesSource(loop.Right, regions)
}

// constants finds the names that stand for a value which can be made anew wherever it is needed: a regular expression
// without state, a formatter of Intl, a Map or Set of constants that is never changed.
func (l *lifter) constants(body []ast.Stmt) map[*ast.Symbol]ast.Stmt {
	found := map[*ast.Symbol]ast.Stmt{}
	patterns := map[*ast.Symbol]int{}
	ast.WalkAll(body, func(n ast.Node) bool { l.countPatterns(n, patterns); return true })
	for _, s := range body {
		ast.Walk(s, func(n ast.Node) bool {
			decl, ok := n.(*ast.VarDecl)
			if !ok || decl.Kind != ast.DeclConst {
				return true
			}
			for _, d := range decl.Decls {
				id, ok := d.Target.(*ast.Ident)
				if ok && l.remakeable(id.Sym, d.Init, patterns[id.Sym]) {
					found[id.Sym] = &ast.VarDecl{Pos: d.Pos, Kind: ast.DeclConst, Decls: []ast.Declarator{d}}
				}
			}
			return true
		})
	}
	return found
}

// newFormatter recognises new Intl.NumberFormat(…) and its like. Nothing changes such an object, and it keeps nothing of what
// it is given.
func newFormatter(e ast.Expr) bool {
	n, ok := e.(*ast.New)
	if !ok {
		return false
	}
	m, ok := n.Callee.(*ast.Member)
	return ok && globalName(m.Object) == "Intl"
}

// countPatterns counts the mentions as a pattern of methods that start at the front whatever was found before.
func (l *lifter) countPatterns(n ast.Node, uses map[*ast.Symbol]int) {
	call, ok := n.(*ast.Call)
	if !ok || len(call.Args) == 0 {
		return
	}
	m, isMember := call.Callee.(*ast.Member)
	id, isIdent := call.Args[0].(*ast.Ident)
	if !isMember || !isIdent || m.Name != "replace" && m.Name != "replaceAll" && m.Name != "match" && m.Name != "matchAll" && m.Name != "split" {
		return
	}
	if r := l.an.exprs[m.Object]; r != nil {
		c := r.find().holds.find()
		if i, own := c.place(m.Name); own && c.fields[i].find().calls != nil || c.merged {
			return
		}
	}
	uses[id.Sym]++
}

// remakeable reports whether the value of s can be made again. patterns counts its mentions as a pattern.
func (l *lifter) remakeable(s *ast.Symbol, init ast.Expr, patterns int) bool {
	switch init := init.(type) {
	case *ast.RegExp:
		for _, flag := range init.Flags {
			if flag == 'g' && patterns != l.an.uses[s]-1 || flag == 'y' {
				return false
			}
		}
		return true
	case *ast.New:
		if newFormatter(init) {
			return literal(init.Args...)
		}
		name := globalName(init.Callee)
		return (name == "Map" || name == "Set") && literal(init.Args...) && !l.an.changesIn(l.an.symbols[s])
	}
	return false
}
