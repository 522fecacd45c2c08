package planner

import (
	"slices"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// callee is the local function that a call must be inlined for: one that waits or calls tools. Nil for any other call.
func (l *lifter) callee(e *ast.Call) *ast.Func {
	if e.Chain == ast.ChainContinue {
		return nil
	}
	fn := l.functionOf(e.Callee) // f?.(x), where f is a function, is f(x)
	if fn == nil || !l.impureFunc(fn) {
		return nil
	}
	return fn
}

// functionOf is the function that e surely is.
func (l *lifter) functionOf(e ast.Expr) *ast.Func {
	switch e := e.(type) {
	case *ast.FunctionExpr:
		return e.Func
	case *ast.Ident:
		if fn := l.an.functions[e.Sym]; fn != nil {
			l.initialised(e, e.Sym)
			return fn
		}
	}
	return nil
}

// initialised refuses the use of a constant before its declaration (the temporal dead zone, ECMAScript §14.3.1).
func (l *lifter) initialised(at ast.Node, s *ast.Symbol) {
	if s.Kind != ast.SymFunction && !l.declared[s] {
		refuse(at, "%s is used before it is declared", s.Name)
	}
}

// inlinable refuses functions that cannot be lifted in the place of their call.
func (l *lifter) inlinable(fn *ast.Func, at ast.Node) {
	switch {
	case slices.Contains(l.inlining, fn):
		refuse(at, "the function calls itself")
	case fn.Generator:
		refuse(at, "a generator function")
	case fn.UsesThis || fn.UsesArguments:
		refuse(at, "the function uses this or arguments")
	}
}

// inline lifts a function's body in the place of a call that is not awaited and returns the value that the call yields.
func (l *lifter) inline(b *block, fn *ast.Func, e *ast.Call) val {
	l.inlinable(fn, e)
	return l.inlineWith(b, fn, e.Pos, l.arguments(b, fn, e), false)
}

// inlineWith makes a scope of a function's body, for arguments already evaluated. awaits says that the caller awaits
// what it returns.
func (l *lifter) inlineWith(b *block, fn *ast.Func, pos ast.Pos, args []binding, awaits bool) val {
	l.inlinable(fn, &ast.Null{Pos: pos})
	fe := &ast.FunctionExpr{Pos: pos, Func: fn}
	vars := l.changedIn(b, fe)
	if flat, ok := l.flat(fn); ok {
		return l.flatten(b, fn, flat, pos, args, awaits)
	}
	n := &nodes.Node{Kind: nodes.KindScope, Pos: pos, Label: functionName(fn), Outs: append([]string{"value"}, symbolNames(vars)...)}
	x := newBlock(b)
	t := &target{kind: targetReturn, node: n, vars: vars, async: awaits, tries: l.tryDepth}
	v := l.enter(x, fn, pos, args, t)
	if !x.ended {
		x.Results = x.refs(append([]val{v}, l.versions(x, vars)...))
	}
	l.returnLast(x, n)
	n.Scope = &nodes.Scope{Body: x.Block}
	return l.addWithVars(b, n, vars, 1)
}

func functionName(fn *ast.Func) string {
	if fn.Name != nil {
		return fn.Name.Sym.Name + "()"
	}
	return "function"
}

// flat reports whether fn's only return is its last statement: then its statements can stand in the caller's block.
func (l *lifter) flat(fn *ast.Func) (*ast.Return, bool) {
	n := len(fn.Body)
	if n == 0 {
		return nil, true
	}
	for _, s := range fn.Body[:n-1] {
		if returns(s) {
			return nil, false
		}
	}
	if ret, ok := fn.Body[n-1].(*ast.Return); ok {
		return ret, true
	}
	return nil, !returns(fn.Body[n-1])
}

// returns reports whether a return of this very function stands in s.
func returns(s ast.Stmt) bool {
	found := false
	eachReturn(s, func(*ast.Return) { found = true })
	return found
}

// flatten lifts the statements of fn into b itself.
func (l *lifter) flatten(b *block, fn *ast.Func, ret *ast.Return, pos ast.Pos, args []binding, awaits bool) val {
	l.inlining = append(l.inlining, fn)
	defer func() { l.inlining = l.inlining[:len(l.inlining)-1] }()
	l.bindArguments(b, fn, pos, args)
	body := fn.Body
	if ret != nil {
		body = body[:len(body)-1]
	}
	l.push(&target{kind: targetReturn, tries: l.tryDepth, async: awaits})
	defer l.pop()
	defer l.forget(b, fn)
	if l.guarded.block == b && len(l.guarded.vars) > 0 {
		body = l.halfway(body, l.guarded.vars)
	}
	l.stmts(b, body)
	switch {
	case ret == nil || ret.X == nil:
		return l.piece(b, pos, nil, &ast.Undefined{Pos: pos}, "undefined")
	case awaits:
		return l.awaited(b, ret.X, "")
	}
	return l.value(b, ret.X, "")
}

// forget drops what fn declared, once its body has been lifted into b.
func (l *lifter) forget(b *block, fn *ast.Func) {
	for _, s := range ast.Declared(&ast.FunctionExpr{Func: fn}) {
		b.drop(s)
	}
}

// enter lifts fn's parameters and body into x.
func (l *lifter) enter(x *block, fn *ast.Func, pos ast.Pos, args []binding, t *target) val {
	l.inlining = append(l.inlining, fn)
	l.push(t)
	l.bindArguments(x, fn, pos, args)
	l.stmts(x, fn.Body)
	l.pop()
	l.inlining = l.inlining[:len(l.inlining)-1]
	if x.ended {
		return val{}
	}
	return l.piece(x, pos, nil, &ast.Undefined{Pos: pos}, "undefined")
}

// startFunction starts an async function whose promise is kept.
func (l *lifter) startFunction(b *block, fn *ast.Func, e *ast.Call, w meanwhile) val {
	l.inlinable(fn, e)
	l.startsSafely(fn, e)
	l.concurrent(b, fn, e, w)
	for _, x := range e.Args {
		l.keeps(x, e, w)
	}
	args := l.arguments(b, fn, e)
	return l.asyncScope(b, e.Pos, functionName(fn), func(x *block, t *target) val {
		l.inlining = append(l.inlining, fn)
		l.bindArguments(x, fn, e.Pos, args)
		l.stmts(x, fn.Body)
		l.inlining = l.inlining[:len(l.inlining)-1]
		if x.ended {
			return val{}
		}
		return l.piece(x, e.Pos, nil, &ast.Undefined{Pos: e.Pos}, "undefined")
	})
}
