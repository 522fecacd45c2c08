package planner

import (
	"fmt"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/expr"
)

// toolCall appends a call node.
func (l *lifter) toolCall(b *block, e *ast.Call, async bool, label string) val {
	id := l.calls[e]
	tool := l.catalog.Tool(id)
	if tool == nil {
		refuse(e, "the tool %s is not known", id)
	}
	call := &nodes.Call{Tool: id, Effect: tool.Effect, Route: tool.Route, Scopes: l.scopes(tool, e), Permission: tool.Permission}
	n := &nodes.Node{Kind: nodes.KindCall, Pos: e.Pos, Label: label, Outs: []string{orDefault(label, "result")}, Async: async, Call: call}
	if len(e.Args) > 0 {
		call.Args = l.callArgs(b, n, e.Args[0])
	}
	return b.add(n)
}

// scopes are what a call touches: parts that its arguments name are known where those are literals, or constants.
func (l *lifter) scopes(tool *nodes.Tool, e *ast.Call) []string {
	return nodes.FillScopes(tool.Scopes, func(name string) (string, bool) {
		if len(e.Args) != 1 {
			return "", false
		}
		o, ok := e.Args[0].(*ast.Object)
		if !ok {
			return "", false
		}
		text, known := "", false
		for i := range o.Props {
			p := &o.Props[i]
			key, ok := propertyName(p)
			if !ok {
				return "", false // it may be the one, and the last counts
			}
			if key == name {
				text, known = l.text(p.Value)
			}
		}
		return text, known
	})
}

// text is the string that e surely is.
func (l *lifter) text(e ast.Expr) (string, bool) {
	if id, ok := e.(*ast.Ident); ok && l.known[id.Sym] != nil {
		e = l.known[id.Sym]
	}
	s, ok := e.(*ast.String)
	if !ok {
		return "", false
	}
	return s.Value, true
}

// callArgs makes the argument template of a call node. What cannot be computed natively becomes a script node before it.
func (l *lifter) callArgs(b *block, n *nodes.Node, arg ast.Expr) *nodes.Code {
	if _, spread := arg.(*ast.Spread); spread {
		refuse(arg, "a spread argument")
	}
	arg = l.lower(b, arg)
	var r *refusal
	var code *nodes.Code
	var ins []val
	r = l.attempt(func() {
		l.refuseRich(arg)
		var vars []*ast.Symbol
		code, ins, vars = l.code(b, nil, arg)
		switch err := expr.Check(code); {
		case len(vars) > 0:
			refuse(arg, "the arguments change %s", vars[0].Name)
		case code.Host || code.Dynamic || len(code.Tools) > 0:
			refuse(arg, "the arguments are no pure code")
		case n.Async && canThrow(arg):
			refuse(arg, "the arguments may throw")
		case err != nil:
			panic(unsupported(err, arg.Position()))
		}
	})
	if r != nil {
		held := l.hold(b, l.jsonOf(arg), "arguments")
		code, ins, _ = l.code(b, nil, held)
	}
	n.In = b.refs(ins)
	return code
}

// jsonOf is what a call sends of an argument, as plain data: JSON.parse(JSON.stringify(arg)); the argument itself where
// it is plain already.
func (l *lifter) jsonOf(arg ast.Expr) ast.Expr {
	if l.an.exoticExpr(arg) == "" && !l.an.holdsRich(l.an.exprs[arg]) {
		return arg
	}
	return jsonCall("parse", jsonCall("stringify", arg))
}

// jsonCall is JSON.name(x).
func jsonCall(name string, x ast.Expr) ast.Expr {
	return globalCall(x.Position(), "JSON", name, x)
}

// globalCall is object.name(args), where object is a global.
func globalCall(pos ast.Pos, object, name string, args ...ast.Expr) *ast.Call {
	id := &ast.Ident{Pos: pos, Sym: &ast.Symbol{Name: object, Unique: object}}
	return &ast.Call{Pos: pos, Args: args, Callee: &ast.Member{Pos: pos, Object: id, Name: name}}
}

// canThrow reports whether evaluating e could throw: anything but names, literals, and objects and arrays of them.
func canThrow(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.Null, *ast.Undefined, *ast.Bool, *ast.Number, *ast.String:
		return false
	case *ast.Array:
		for _, x := range e.Elems {
			if x == nil || canThrow(x) {
				return true
			}
		}
		return false
	case *ast.Object:
		for _, p := range e.Props {
			if p.Kind != ast.PropInit || p.Computed || canThrow(p.Value) {
				return true
			}
		}
		return false
	}
	return true
}

// script makes a script node of statements that cannot be lifted, if that is sound; else it passes the refusal on to the
// statement around them.
func (l *lifter) script(b *block, list []ast.Stmt, why refusal) {
	r := l.attempt(func() { l.scriptNode(b, list, why) })
	if r != nil {
		panic(why)
	}
}

func (l *lifter) scriptNode(b *block, list []ast.Stmt, why refusal) {
	all := make([]ast.Node, len(list))
	for i, s := range list {
		all[i] = s
		if jumps(s) {
			refuse(s, "a way out of the code that is not lifted")
		}
	}
	c, ins, vars := l.code(b, list, nil)
	if l.unfinished(list) {
		refuse(list[0], "a promise is left running")
	}
	l.outlived(b, list)
	l.plainCode(c, why)
	c.Effect = l.strongest(c)
	n := &nodes.Node{Kind: nodes.KindScript, Pos: list[0].Position(), In: b.refs(ins), Code: c}
	n.Label = names(vars)
	l.returning(n, list)
	l.unlifted[n] = why
	l.finishPiece(b, n, vars)
}

// returning says in n that the statements may return from the function around them, if they may.
func (l *lifter) returning(n *nodes.Node, list []ast.Stmt) {
	for _, s := range list {
		eachReturn(s, func(r *ast.Return) {
			n.Code.Returns = true
			if r.X == nil {
				return
			}
			if what := l.an.exoticExpr(r.X); what != "" && what != aPromise {
				refuse(r, "what it returns may hold %s, which cannot leave the code that made it", what)
			}
		})
	}
	if !n.Code.Returns {
		return
	}
	t := l.returnTarget()
	if len(t.vars) > 0 {
		refuse(list[0], "a return that changes %s", t.vars[0].Name)
	}
	for _, s := range list {
		eachReturn(s, func(r *ast.Return) {
			if l.tryDepth > t.tries && r.X != nil && l.impure(r.X) {
				refuse(r, "a promise may be returned out of a try without await")
			}
		})
	}
	l.exits[n] = t.node
}

// eachReturn visits the returns of the function that s stands in.
func eachReturn(s ast.Stmt, visit func(*ast.Return)) {
	ast.Walk(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Return:
			visit(n)
		case *ast.FunctionExpr, *ast.FunctionDecl, *ast.ClassExpr, *ast.ClassDecl:
			return false
		}
		return true
	})
}

// strongest is the strongest effect of the tools that a piece may call.
func (l *lifter) strongest(c *nodes.Code) nodes.Effect {
	if c.Dynamic {
		return nodes.Write
	}
	effect := nodes.Pure
	for _, id := range c.Tools {
		if t := l.catalog.Tool(id); t == nil {
			return nodes.Write
		} else if t.Effect < effect {
			effect = t.Effect
		}
	}
	return effect
}

// wholeProgram is the graph of last resort: one script node that returns the program's result.
func wholeProgram(l *lifter, why refusal) *nodes.Block {
	root := newBlock(nil, "args")
	g := &gatherer{l: l, b: root, code: &nodes.Code{Program: true, Host: true}}
	for _, s := range l.body {
		g.traits(s)
	}
	g.code.Effect = l.strongest(g.code)
	args := &ast.Symbol{Name: "args", Unique: "args"}
	g.code.Params = []*ast.Symbol{args}
	g.code.Owned = []bool{false}
	n := &nodes.Node{Kind: nodes.KindScript, Pos: why.pos, Label: "program", In: []nodes.Ref{nodes.Param(0)},
		Outs: []string{"result"}, Code: g.code}
	v := root.add(n)
	l.unlifted[n] = why
	l.targets = []*target{{kind: targetReturn}}
	l.exit(root, why.pos, nodes.ExitReturn, l.targets[0], []val{v})
	return root.Block
}

func (r refusal) String() string { return fmt.Sprintf("%d:%d: %s", r.pos.Line, r.pos.Column, r.reason) }
