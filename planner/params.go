package planner

import (
	"slices"

	"github.com/casys-ai/pml/nodes/ast"
)

// arguments evaluates a call's arguments: one binding for each parameter that gets one.
func (l *lifter) arguments(b *block, fn *ast.Func, e *ast.Call) []binding {
	list := e.Args
	for i, x := range list {
		if _, spread := x.(*ast.Spread); spread && !restAt(fn, i) {
			refuse(x, "a spread argument of a function that calls tools")
		}
	}
	if slices.ContainsFunc(list, l.isPromise) {
		return l.promiseArguments(b, fn, e)
	}
	list = l.lowerList(b, list)
	for _, x := range list {
		if f := l.functionOf(x); f != nil {
			refuse(x, "a function is passed to a function that calls tools")
		}
	}
	if n := len(fn.Params); n > 0 && restAt(fn, n-1) {
		list = l.gatherRest(b, list, n-1, e)
	}
	vals := l.settleAll(b, list, "argument")
	return values(vals[:min(len(vals), len(fn.Params))])
}

func values(vals []val) []binding {
	out := make([]binding, len(vals))
	for i, v := range vals {
		out[i] = binding{v: v}
	}
	return out
}

// restAt reports whether argument i goes into a rest parameter of fn.
func restAt(fn *ast.Func, i int) bool {
	n := len(fn.Params)
	return n > 0 && fn.Params[n-1].Rest && i >= n-1
}

// noRest refuses a callback with a rest parameter.
func noRest(fn *ast.Func, at ast.Node) {
	if n := len(fn.Params); n > 0 && fn.Params[n-1].Rest {
		refuse(at, "a rest parameter of a callback")
	}
}

// gatherRest puts the arguments from first on into the array that a rest parameter gets.
func (l *lifter) gatherRest(b *block, list []ast.Expr, first int, e *ast.Call) []ast.Expr {
	for len(list) < first {
		list = append(list, &ast.Undefined{Pos: e.Pos})
	}
	rest := &ast.Array{Pos: e.Pos, Elems: list[first:]}
	r := newRegion()
	for _, x := range rest.Elems {
		if sp, ok := x.(*ast.Spread); ok {
			unify(r.element(), l.an.iterate(l.an.exprs[sp.X]))
		} else {
			unify(r.element(), l.an.exprs[x])
		}
	}
	l.an.exprs[rest] = r
	return append(list[:first:first], rest)
}

// promiseArguments starts the promises among the arguments, which the function may await.
func (l *lifter) promiseArguments(b *block, fn *ast.Func, e *ast.Call) []binding {
	if len(e.Args) > len(fn.Params) || restAt(fn, len(e.Args)-1) || l.changesSomething(e.Args) {
		refuse(e, "a promise is passed to a function")
	}
	var out []binding
	for i, x := range e.Args {
		if !l.isPromise(x) {
			out = append(out, binding{v: l.value(b, x, "argument")})
			continue
		}
		id, ok := fn.Params[i].Target.(*ast.Ident)
		if !ok || fn.Params[i].Default != nil || l.an.assigned[id.Sym] > 0 {
			refuse(x, "a promise is passed to a function")
		}
		v := l.start(b, x, false, meanwhile{})
		if n := v.node(); n == nil || !n.Async {
			refuse(x, "what is passed to a function may be a promise")
		}
		out = append(out, binding{kind: isPromise, v: v})
	}
	return out
}

// bindArguments binds parameters, with their defaults.
func (l *lifter) bindArguments(b *block, fn *ast.Func, pos ast.Pos, args []binding) {
	at := &ast.Null{Pos: pos}
	for i, p := range fn.Params {
		if i < len(args) && args[i].kind == isPromise {
			b.set(p.Target.(*ast.Ident).Sym, args[i])
			continue
		}
		var v val
		switch {
		case i < len(args):
			v = args[i].v
		case p.Rest:
			v = l.piece(b, pos, nil, &ast.Array{Pos: pos}, "rest")
		case p.Default != nil:
			v = l.value(b, p.Default, "default")
		default:
			v = l.piece(b, pos, nil, &ast.Undefined{Pos: pos}, "undefined")
		}
		if i < len(args) && p.Default != nil {
			v = l.withDefault(b, v, p.Default)
		}
		if i+1 < len(args) && l.changesSomething([]ast.Expr{&ast.FunctionExpr{Func: &ast.Func{Params: []ast.Param{p}}}}) {
			refuse(at, "a parameter's default value changes something")
		}
		for _, s := range ast.PatternSymbols(p.Target) {
			l.plainVar(at, s)
		}
		l.bindParam(b, p.Target, v)
	}
}

func (l *lifter) withDefault(b *block, v val, def ast.Expr) val {
	given := l.use(b, v, "given", def.Position())
	if l.impure(def) {
		refuse(def, "a tool call in a default value")
	}
	test := &ast.Binary{Pos: def.Position(), Op: "===", X: given, Y: &ast.Undefined{Pos: def.Position()}}
	return l.piece(b, def.Position(), nil, &ast.Conditional{Pos: def.Position(), Test: test, Then: def, Else: given}, "argument")
}
