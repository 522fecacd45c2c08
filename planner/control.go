package planner

import (
	"slices"
	"strings"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

type targetKind uint8

const (
	targetReturn targetKind = iota // the program, an inlined function, a map item
	targetLoop
	targetLabel
)

// target is an enclosing construct that an exit can name.
type target struct {
	kind  targetKind
	label string
	// node catches the exit; nil is the program.
	node *nodes.Node
	// vars are the variables whose versions at the exit the node needs: its outputs for break and return, the carried
	// variables for continue.
	vars []*ast.Symbol
	// skip, in the body of a loop that must do something before its next iteration, catches continue.
	skip *target
	// async says that the function is async: what it returns is awaited. tries counts the try statements around it.
	async bool
	tries int
}

func (l *lifter) push(t *target) { l.targets = append(l.targets, t) }
func (l *lifter) pop()           { l.targets = l.targets[:len(l.targets)-1] }

// exit appends an exit node; nothing after it in the block can run.
func (l *lifter) exit(b *block, pos ast.Pos, mode nodes.ExitMode, t *target, vals []val) {
	n := &nodes.Node{Kind: nodes.KindExit, Pos: pos, Label: string(mode), In: b.refs(vals), Exit: &nodes.Exit{Mode: mode}}
	if t != nil {
		l.exits[n] = t.node
	}
	b.add(n)
	b.ended = true
}

// versions are the current values of vars.
func (l *lifter) versions(b *block, vars []*ast.Symbol) []val {
	out := make([]val, len(vars))
	for i, s := range vars {
		x, _ := b.lookup(s)
		out[i] = x.v
	}
	return out
}

func (l *lifter) returnStmt(b *block, s *ast.Return) {
	t := l.returnTarget()
	if s.X != nil && t.node == nil && l.impure(s.X) {
		l.refuseRich(s.X)
	}
	var v val
	switch {
	case s.X == nil:
		v = l.piece(b, s.Pos, nil, &ast.Undefined{Pos: s.Pos}, "undefined")
	case t.async && l.impure(s.X):
		if l.tryDepth > t.tries && l.isPromise(s.X) {
			refuse(s, "a promise is returned out of a try without await")
		}
		v = l.awaited(b, s.X, "result")
	default:
		v = l.value(b, l.programResult(s.X, t), "result")
	}
	l.exit(b, s.Pos, nodes.ExitReturn, t, append([]val{v}, l.versions(b, t.vars)...))
}

// programResult is what the program hands to its caller: of what cannot travel, what JSON makes of it.
func (l *lifter) programResult(x ast.Expr, t *target) ast.Expr {
	if t.node != nil || l.impure(x) || l.an.exoticExpr(x) == "" && !l.an.holdsRich(l.an.exprs[x]) {
		return x
	}
	text := &ast.Ident{Pos: x.Position(), Sym: l.temp("json")}
	value := &ast.Conditional{Pos: x.Position(), Then: text, Else: jsonCall("parse", text),
		Test: &ast.Binary{Pos: x.Position(), Op: "===", X: text, Y: &ast.Undefined{Pos: x.Position()}}}
	fn := &ast.FunctionExpr{Pos: x.Position(), Func: &ast.Func{Arrow: true, ExprBody: true,
		Params: []ast.Param{{Target: text}}, Body: []ast.Stmt{&ast.Return{Pos: x.Position(), X: value}}}}
	return &ast.Call{Pos: x.Position(), Callee: fn, Args: []ast.Expr{jsonCall("stringify", x)}}
}

func (l *lifter) returnTarget() *target {
	for i := len(l.targets) - 1; ; i-- {
		if l.targets[i].kind == targetReturn {
			return l.targets[i]
		}
	}
}

func (l *lifter) jump(b *block, s ast.Stmt, label string, mode nodes.ExitMode) {
	for i := len(l.targets) - 1; i >= 0; i-- {
		t := l.targets[i]
		if t.kind == targetReturn {
			break
		}
		if label != "" && t.label != label || label == "" && t.kind != targetLoop {
			continue
		}
		if mode == nodes.ExitContinue && t.skip != nil {
			t, mode = t.skip, nodes.ExitBreak
		}
		l.exit(b, s.Position(), mode, t, l.versions(b, t.vars))
		return
	}
	refuse(s, "%s has no target that can be lifted", mode)
}

func (l *lifter) ifStmt(b *block, s *ast.If) {
	cond := l.value(b, l.decided(s.Test), "test")
	n := &nodes.Node{Kind: nodes.KindBranch, Pos: s.Pos, In: []nodes.Ref{b.ref(cond)}, Label: ast.PrintExpr(s.Test)}
	then, els := newBlock(b), newBlock(b)
	l.nested(then, s.Then)
	if s.Else != nil {
		l.nested(els, s.Else)
	}
	n.Branch = &nodes.Branch{Then: then.Block, Else: els.Block}
	vars := l.merge(b, n, []*block{then, els})
	v := b.add(n)
	for i, sym := range vars {
		b.bind(sym, v.output(i))
	}
	b.ended = then.ended && els.ended
}

// nested lifts a statement that may be a block.
func (l *lifter) nested(b *block, s ast.Stmt) {
	if blk, ok := s.(*ast.Block); ok {
		l.stmts(b, blk.Body)
		return
	}
	l.stmts(b, []ast.Stmt{s})
}

// merge makes outputs of n of the variables of b that an arm which goes on has changed, and returns them.
func (l *lifter) merge(b *block, n *nodes.Node, arms []*block) []*ast.Symbol {
	var vars []*ast.Symbol
	for _, arm := range arms {
		if arm.ended {
			continue
		}
		for s, x := range arm.env {
			if outer, ok := b.lookup(s); ok && (outer.v != x.v || outer.kind != x.kind) && !slices.Contains(vars, s) {
				vars = append(vars, s)
			}
			if x.kind == isPromise && l.an.uses[s] > 1 {
				if _, ok := b.lookup(s); ok {
					panic(refusal{n.Pos, s.Name + " may hold a promise after this"})
				}
			}
		}
	}
	sortSymbols(vars)
	for _, s := range vars {
		n.Outs = append(n.Outs, s.Name)
		for _, arm := range arms {
			x, _ := arm.lookup(s)
			if arm.ended {
				x, _ = b.lookup(s)
			}
			if x.kind == isPromise {
				panic(refusal{n.Pos, s.Name + " may hold a promise after this"})
			}
			arm.Results = append(arm.Results, arm.ref(x.v))
		}
	}
	return vars
}

func sortSymbols(list []*ast.Symbol) {
	slices.SortFunc(list, func(x, y *ast.Symbol) int {
		if d := x.Decl.Offset - y.Decl.Offset; d != 0 {
			return d
		}
		return strings.Compare(x.Unique, y.Unique)
	})
}

// branchValue is a branch that yields a value, and new versions of the variables that its arms change.
func (l *lifter) branchValue(b *block, at ast.Expr, cond val, then, els func(*block) val) val {
	n := &nodes.Node{Kind: nodes.KindBranch, Pos: at.Position(), In: []nodes.Ref{b.ref(cond)}, Outs: []string{"value"}}
	t, e := newBlock(b), newBlock(b)
	tv, ev := then(t), els(e)
	t.Results, e.Results = []nodes.Ref{t.ref(tv)}, []nodes.Ref{e.ref(ev)}
	n.Branch = &nodes.Branch{Then: t.Block, Else: e.Block}
	vars := l.merge(b, n, []*block{t, e})
	v := b.add(n)
	for i, s := range vars {
		b.bind(s, v.output(i+1))
	}
	return v
}

// labeled lifts a labelled loop or block.
func (l *lifter) labeled(b *block, s *ast.Labeled) {
	switch body := s.Body.(type) {
	case *ast.ForOf:
		l.forOf(b, body, s.Label)
	case *ast.For:
		l.forStmt(b, body, s.Label)
	case *ast.While:
		l.loop(b, body, body.Test, nil, body.Body, true, s.Label)
	case *ast.DoWhile:
		l.loop(b, body, body.Test, nil, body.Body, false, s.Label)
	default:
		l.scope(b, s.Pos, s.Label, s.Label, l.changedIn(b, s.Body), func(x *block, _ *target) { l.nested(x, s.Body) })
	}
}

// scope lifts a block that a labelled break can leave. It returns its target.
func (l *lifter) scope(b *block, pos ast.Pos, name, label string, vars []*ast.Symbol, lift func(*block, *target)) {
	n := &nodes.Node{Kind: nodes.KindScope, Pos: pos, Label: name, Outs: symbolNames(vars)}
	x := newBlock(b)
	t := &target{kind: targetLabel, label: label, node: n, vars: vars}
	l.push(t)
	lift(x, t)
	l.pop()
	if !x.ended {
		x.Results = x.refs(l.versions(x, vars))
	}
	n.Scope = &nodes.Scope{Body: x.Block}
	l.addWithVars(b, n, vars, 0)
}

// addWithVars appends n, whose outputs from first on are new versions of vars.
func (l *lifter) addWithVars(b *block, n *nodes.Node, vars []*ast.Symbol, first int) val {
	v := b.add(n)
	for i, s := range vars {
		b.bind(s, v.output(first+i))
	}
	return v
}

func symbolNames(list []*ast.Symbol) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = s.Name
	}
	return out
}

// changedIn is changed, for the statements of a control construct: every variable must be able to travel.
func (l *lifter) changedIn(b *block, list ...ast.Node) []*ast.Symbol {
	vars := l.changed(b, list...)
	for _, s := range vars {
		l.plainVar(list[0], s)
		if x, _ := b.lookup(s); x.kind == isPromise {
			refuse(list[0], "%s, a promise, is assigned here", s.Name)
		}
	}
	return vars
}
