package planner

import (
	"math"

	"github.com/casys-ai/pml/nodes/ast"
)

// An object that was made for one variable, and that nothing else has got hold of yet, can be changed without a look at
// who may share it later: const row = {}; row.a = 1; rows.push(row).

// findEscapes looks at every variable that is declared with an array or object literal.
func (a *analysis) findEscapes(body []ast.Stmt) {
	a.escapes = map[*ast.Symbol]int{}
	harmless := map[*ast.Ident]bool{}
	for _, s := range body {
		ast.Walk(s, func(n ast.Node) bool { a.harmlessIn(n, harmless); return true })
	}
	for _, s := range body {
		ast.Walk(s, func(n ast.Node) bool {
			if decl, ok := n.(*ast.VarDecl); ok {
				for _, d := range decl.Decls {
					a.fresh(d, harmless)
				}
			}
			return true
		})
	}
	for _, s := range body {
		ast.Walk(s, func(n ast.Node) bool { a.escape(n, harmless); return true })
	}
	a.eachNamed(func(_ *ast.Func, free []*ast.Symbol) {
		for _, s := range free {
			delete(a.escapes, s)
		}
	})
}

// fresh notes a declaration that makes an object of its own.
func (a *analysis) fresh(d ast.Declarator, harmless map[*ast.Ident]bool) {
	id, ok := d.Target.(*ast.Ident)
	if !ok || a.assigned[id.Sym] > 0 {
		return
	}
	switch d.Init.(type) {
	case *ast.Array, *ast.Object:
		a.escapes[id.Sym] = math.MaxInt
		harmless[id] = true
	}
}

func (a *analysis) escape(n ast.Node, harmless map[*ast.Ident]bool) {
	id, ok := n.(*ast.Ident)
	if !ok || harmless[id] {
		return
	}
	if at, ok := a.escapes[id.Sym]; ok {
		a.escapes[id.Sym] = min(at, id.Pos.Offset)
	}
}

// harmlessIn marks the mentions below n, one step down, that do not hand the object itself on.
func (a *analysis) harmlessIn(n ast.Node, harmless map[*ast.Ident]bool) {
	mark := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok {
			harmless[id] = true
		}
	}
	switch n := n.(type) {
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.Call); ok {
			if m, ok := call.Callee.(*ast.Member); ok {
				mark(m.Object)
			}
		}
	case *ast.Call:
		a.harmlessCall(n, mark)
	case *ast.Member:
		if !self[n.Name] {
			mark(n.Object)
		}
	case *ast.Index:
		mark(n.Object)
	case *ast.Spread:
		mark(n.X)
	case *ast.Template:
		for _, x := range n.Exprs {
			mark(x)
		}
	case *ast.Binary:
		mark(n.X)
		mark(n.Y)
	case *ast.Unary:
		mark(n.X)
	case *ast.ForOf:
		mark(n.Right)
	case *ast.If:
		mark(n.Test)
	}
}

// harmlessCall marks the arguments of calls that copy what they are given.
func (a *analysis) harmlessCall(n *ast.Call, mark func(ast.Expr)) {
	copies := false
	if _, ok := a.calls[n]; ok {
		copies = true
	}
	if m, ok := n.Callee.(*ast.Member); ok {
		switch g := globalName(m.Object); g {
		case "JSON", "console", "Math":
			copies = true
		case "Object":
			copies = m.Name == "keys" || m.Name == "values" || m.Name == "entries"
		}
	}
	if !copies {
		return
	}
	for _, x := range n.Args {
		ast.Walk(x, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				mark(id)
			}
			_, isFunction := n.(*ast.FunctionExpr)
			return !isFunction
		})
	}
}

// private maps the regions that the nodes change through one variable alone, whose object nothing else has got hold of
// by then, to that variable.
func (l *lifter) private(ns []ast.Node) map[*region]*ast.Symbol {
	bases := l.changeBases(ns)
	if len(bases) == 0 {
		return nil
	}
	owners := map[*region]*ast.Symbol{}
	shared := map[*region]bool{}
	for n, base := range bases {
		r := l.an.changes[n].find()
		if base == nil || owners[r] != nil && owners[r] != base || l.an.symbols[base] == nil || l.an.symbols[base].find() != r {
			shared[r] = true
			continue
		}
		owners[r] = base
	}
	end := l.an.lastOffset(ns...)
	for r, s := range owners {
		if shared[r] || !l.unescaped(s, end) {
			delete(owners, r)
		}
	}
	return owners
}

// hidden are the regions that the nodes change in objects of their own alone: those that they, or functions that they
// call, have made for a variable and given to nobody yet.
func (l *lifter) hidden(b *block, ns []ast.Node) map[*region]bool {
	hidden, seen := map[*region]bool{}, map[*region]bool{}
	for c, base := range l.changeBases(ns) {
		r := l.an.changes[c].find()
		if base == nil || !l.stillOwn(b, base, c) {
			seen[r] = true
			continue
		}
		hidden[r] = true
	}
	for r := range seen {
		delete(hidden, r)
	}
	return hidden
}

// stillOwn reports whether the object of s, which is declared inside of what c stands in, is known to s alone at c, in
// all iterations of the loops around c.
func (l *lifter) stillOwn(b *block, s *ast.Symbol, c ast.Node) bool {
	at, ok := l.an.escapes[s]
	if _, outside := b.lookup(s); !ok || outside || l.an.symbols[s] == nil || l.an.symbols[s].find() != l.an.changes[c].find() {
		return false
	}
	from := c.Position().Offset
	if s.Decl.Offset > from {
		return false
	}
	for i, around := range l.an.findExtents() {
		if s.Decl.Offset >= around.start || around.start > from || from > around.end {
			continue
		}
		switch l.an.repeated[i].(type) {
		case *ast.FunctionExpr, *ast.FunctionDecl:
			return false // who knows when it runs
		}
		from = around.end
	}
	return at > from
}

// findExtents is where the loops and functions of the program are.
func (a *analysis) findExtents() []span {
	for _, n := range a.repeated[len(a.extents):] {
		x := span{n.Position().Offset, n.Position().Offset}
		ast.Walk(n, func(n ast.Node) bool {
			x.end = max(x.end, n.Position().Offset)
			return true
		})
		a.extents = append(a.extents, x)
	}
	return a.extents
}

// changeBases lists the changes in the nodes, called functions included, with the variable whose object each changes
// directly; nil if it is no variable.
func (l *lifter) changeBases(ns []ast.Node) map[ast.Node]*ast.Symbol {
	var bases map[ast.Node]*ast.Symbol
	for _, n := range ns {
		for _, c := range l.an.of(n).changes {
			if bases == nil {
				bases = map[ast.Node]*ast.Symbol{}
			}
			bases[c] = nil
			if id, ok := changed(c).(*ast.Ident); ok {
				bases[c] = id.Sym
			}
		}
	}
	return bases
}

// changed is the expression whose object n changes.
func changed(n ast.Node) ast.Expr {
	switch n := n.(type) {
	case *ast.Call:
		if m, ok := n.Callee.(*ast.Member); ok && globalName(m.Object) == "" {
			return m.Object
		}
		if len(n.Args) > 0 {
			return n.Args[0]
		}
	case *ast.Member:
		return n.Object
	case *ast.Index:
		return n.Object
	case *ast.Assign:
		return changed(n.Target)
	case *ast.Update:
		return changed(n.X)
	case *ast.Unary:
		return changed(n.X)
	}
	return nil
}

// unescaped reports whether the object that s was declared with is known to s alone until the place end, on every way
// there.
func (l *lifter) unescaped(s *ast.Symbol, end int) bool {
	at, ok := l.an.escapes[s]
	if !ok || at <= end {
		return false
	}
	if k := len(l.inlining); k > 0 && !l.declaredIn(s, l.inlining[k-1]) {
		return false
	}
	for _, loop := range l.loops {
		if s.Decl.Offset < loop.start && at <= loop.end {
			return false
		}
	}
	return true
}
