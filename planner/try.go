package planner

import (
	"slices"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// tryStmt lifts try {} catch {}.
func (l *lifter) tryStmt(b *block, s *ast.Try) {
	if s.Finally != nil {
		l.finally(b, s)
		return
	}
	l.catching(b, s, l.needed)
}

// catching lifts try {} catch {}. needed reports whether the value that a variable has when the body throws can be seen.
func (l *lifter) catching(b *block, s *ast.Try, needed func(*ast.Symbol, *ast.Try) bool) {
	inBody := l.changedIn(b, s.Body)
	vars := l.changedIn(b, s.Body, s.Handler)
	seen := slices.DeleteFunc(slices.Clone(inBody), func(sym *ast.Symbol) bool { return !needed(sym, s) })
	body := l.halfway(s.Body.Body, seen)
	seen = slices.DeleteFunc(seen, func(sym *ast.Symbol) bool { return tailChange(l, body, sym) })
	l.tryCatch(b, s.Pos, inBody, vars,
		func(x *block) {
			outer := l.guarded
			l.guarded = guarded{x, seen}
			l.stmts(x, body)
			l.guarded = outer
			for _, sym := range seen {
				if !l.inTime(x, sym) {
					refuse(s, "%s may be half changed when the try fails", sym.Name)
				}
			}
		},
		func(x *block, err val) {
			if s.Param != nil {
				l.bindParam(x, s.Param, err)
			}
			l.stmts(x, s.Handler.Body)
		})
}

// tryCatch makes a try node. inBody are the variables that the body changes, vars those that body or handler change.
func (l *lifter) tryCatch(b *block, pos ast.Pos, inBody, vars []*ast.Symbol, body func(*block), handler func(*block, val)) {
	n := &nodes.Node{Kind: nodes.KindTry, Pos: pos, Label: "try", Outs: symbolNames(vars)}
	x := newBlock(b)
	saved := make([][]nodes.Version, len(inBody))
	for i, s := range inBody {
		at, _ := b.lookup(s)
		saved[i] = []nodes.Version{{Ref: x.ref(at.v)}}
	}
	l.tryDepth++
	body(x)
	l.tryDepth--
	for _, y := range x.binds {
		if i := slices.Index(inBody, y.s); i >= 0 {
			saved[i] = append(saved[i], nodes.Version{From: y.at, Ref: x.ref(y.v)})
		}
	}
	h := newBlock(b, append([]string{"error"}, symbolNames(inBody)...)...)
	for i, s := range inBody {
		h.env[s] = binding{v: h.param(i + 1)}
	}
	handler(h, h.param(0))
	for _, arm := range []*block{x, h} {
		if !arm.ended {
			arm.Results = arm.refs(l.versions(arm, vars))
		}
	}
	n.Try = &nodes.Try{Body: x.Block, Handler: h.Block, Saved: saved}
	l.addWithVars(b, n, vars, 0)
	b.ended = x.ended && h.ended
}

// needed reports whether the value that a variable has when the body throws can be seen: by the handler, or later.
func (l *lifter) needed(s *ast.Symbol, t *ast.Try) bool {
	return l.an.uses[s] > countUses([]ast.Node{t.Body})[s]
}

// tailChange reports whether each statement changes s, if at all, as the very last thing it does, so that a statement
// that throws has not changed it.
func tailChange(l *lifter, list []ast.Stmt, s *ast.Symbol) bool {
	return !slices.ContainsFunc(list, func(x ast.Stmt) bool {
		if block, ok := x.(*ast.Block); ok && !l.outlasts[x] {
			return !tailChange(l, block.Body, s) // its statements are lifted as those around it
		}
		return !l.outlasts[x] && !l.tail(x, s)
	})
}

func (l *lifter) touchesSymbol(s *ast.Symbol, n ast.Node) bool {
	assigned, regions := l.an.effects(n)
	return assigned[s] || l.an.reaches(s, regions)
}

func (l *lifter) tail(x ast.Stmt, s *ast.Symbol) bool {
	if !l.touchesSymbol(s, x) {
		return true
	}
	switch x := x.(type) {
	case *ast.ExprStmt:
		return l.changesOnce(x.X, s)
	case *ast.VarDecl:
		return len(x.Decls) == 1 && x.Decls[0].Init != nil && isIdent(x.Decls[0].Target) && l.changesOnce(x.Decls[0].Init, s)
	case *ast.Block:
		return l.tailBlock(x.Body, s)
	case *ast.If:
		return !l.touchesSymbol(s, x.Test) && l.tail(x.Then, s) && (x.Else == nil || l.tail(x.Else, s))
	}
	return false
}

// tailBlock: inside a nested block only the last statement may change s.
func (l *lifter) tailBlock(list []ast.Stmt, s *ast.Symbol) bool {
	for i, x := range list {
		if i < len(list)-1 && l.touchesSymbol(s, x) || !l.tail(x, s) {
			return false
		}
	}
	return true
}

func isIdent(n ast.Node) bool { _, ok := n.(*ast.Ident); return ok }

// changesOnce reports whether the outermost operation of e is its only change of s: operands are evaluated before it, so
// what throws, throws before.
func (l *lifter) changesOnce(e ast.Expr, s *ast.Symbol) bool {
	var operands []ast.Expr
	switch e := e.(type) {
	case *ast.Assign:
		if _, ok := e.Target.(*ast.Ident); !ok && !isSimpleTarget(e.Target) {
			return false
		}
		operands = []ast.Expr{e.Value}
	case *ast.Update:
		return true
	case *ast.Call:
		operands = e.Args
		m, ok := e.Callee.(*ast.Member)
		if !ok || l.an.functions != nil && l.touchesSymbol(s, m.Object) {
			return false
		}
		operands = append(operands[:len(operands):len(operands)], m.Object)
	default:
		return false
	}
	for _, x := range operands {
		if l.touchesSymbol(s, x) {
			return false
		}
	}
	return true
}

func isSimpleTarget(p ast.Pattern) bool {
	switch p.(type) {
	case *ast.Member, *ast.Index:
		return true
	}
	return false
}
