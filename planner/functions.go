package planner

import (
	"slices"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// callee is the local function that a call must be inlined for: one that waits or calls tools. Nil for any other call.
func (l *lifter) callee(e *ast.Call) *ast.Func {
	if e.Chain != ast.NoChain {
		return nil
	}
	fn := l.functionOf(e.Callee)
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
		v := l.start(b, x, false)
		if n := v.node(); n == nil || !n.Async {
			refuse(x, "what is passed to a function may be a promise")
		}
		out = append(out, binding{kind: isPromise, v: v})
	}
	return out
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

// startFunction starts an async function whose promise is kept.
func (l *lifter) startFunction(b *block, fn *ast.Func, e *ast.Call) val {
	l.inlinable(fn, e)
	l.startsSafely(fn, e)
	l.concurrent(b, fn, e)
	for _, x := range e.Args {
		l.keeps(x, e)
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

// mapping is xs.map(fn) where fn calls tools.
type mapping struct {
	call *ast.Call
	list ast.Expr
	fn   *ast.Func
}

// mapCall recognises xs.map(f) whose callback makes promises.
func (l *lifter) mapCall(e *ast.Call) *mapping { return l.callsEach(e, "map") }

// eachCall recognises xs.forEach(f) whose callback makes promises: nobody awaits them.
func (l *lifter) eachCall(e ast.Expr) *mapping {
	if call, ok := e.(*ast.Call); ok {
		return l.callsEach(call, "forEach")
	}
	return nil
}

// notArray reports whether e may be what has a forEach that is not that of arrays.
func (l *lifter) notArray(e ast.Expr) bool {
	r := l.an.exprs[e]
	return r != nil && r.find().exotic != ""
}

func (l *lifter) callsEach(e *ast.Call, method string) *mapping {
	m, ok := e.Callee.(*ast.Member)
	if !ok || m.Name != method || method == "forEach" && l.notArray(m.Object) || m.Chain != ast.NoChain || len(e.Args) != 1 {
		return nil
	}
	fn := l.functionOf(e.Args[0])
	if fn == nil || !l.impureFunc(fn) {
		return nil
	}
	if !fn.Async && !l.returnsPromise(fn) {
		return nil
	}
	return &mapping{e, m.Object, fn}
}

// mapAll lifts await Promise.all(xs.map(f)).
func (l *lifter) mapAll(b *block, m *mapping, mode nodes.AwaitMode, label string) val {
	if mode != nodes.AwaitAll && mode != nodes.AwaitAllSettled {
		refuse(m.call, "Promise.%s of a list that is not written out", mode)
	}
	v := l.mapNode(b, m, mode == nodes.AwaitAllSettled, false)
	if label != "" {
		l.label(v, label)
	}
	return v
}

// mapNode lifts xs.map(f): one block per item, all at once.
func (l *lifter) mapNode(b *block, m *mapping, settled, async bool) val {
	l.inlinable(m.fn, m.call)
	l.startsSafely(m.fn, m.call)
	l.concurrentMap(b, m, async)
	noRest(m.fn, m.call)
	if len(m.fn.Params) > 2 {
		refuse(m.call, "a callback with a third parameter")
	}
	items := l.mapItems(b, m)
	n := &nodes.Node{Kind: nodes.KindMap, Pos: m.call.Pos, In: []nodes.Ref{b.ref(items)}, Async: async,
		Label: "", Outs: []string{"values"}}
	x := newBlock(b, "item", "index")
	t := &target{kind: targetReturn, node: n, async: true, tries: l.tryDepth}
	l.loops = append(l.loops, span{m.call.Pos.Offset, l.an.lastOffset(m.call)})
	v := l.enter(x, m.fn, m.call.Pos, values([]val{x.param(0), x.param(1)}[:len(m.fn.Params)]), t)
	l.loops = l.loops[:len(l.loops)-1]
	if !x.ended {
		x.Results = []nodes.Ref{x.ref(v)}
	}
	l.returnLast(x, n)
	n.Map = &nodes.Map{Body: x.Block, Settled: settled}
	return b.add(n)
}

// returnLast turns a final return of a map item or async scope into the block's result.
func (l *lifter) returnLast(x *block, n *nodes.Node) {
	last := len(x.Nodes) - 1
	if last < 0 || x.Nodes[last].Kind != nodes.KindExit {
		return
	}
	e := x.Nodes[last]
	if e.Exit.Mode == nodes.ExitReturn && l.exits[e] == n {
		x.Results = e.In
		x.Nodes = x.Nodes[:last]
		delete(l.exits, e)
		x.ended = false
	}
}

// mapItems is the list to map over: it must be an array, as only arrays (in data) have map.
func (l *lifter) mapItems(b *block, m *mapping) val {
	low := l.hold(b, l.lower(b, m.list), "list")
	l.inherit(low, m.list)
	id := &ast.Ident{Pos: m.call.Pos, Sym: l.temp("x")}
	same := &ast.FunctionExpr{Pos: m.call.Pos, Func: &ast.Func{Arrow: true, ExprBody: true,
		Params: []ast.Param{{Target: id}}, Body: []ast.Stmt{&ast.Return{Pos: m.call.Pos, X: id}}}}
	callee := m.call.Callee.(*ast.Member)
	var list ast.Expr = &ast.Call{Pos: m.call.Pos, Args: []ast.Expr{same},
		Callee: &ast.Member{Pos: callee.Pos, Object: low, Name: callee.Name, NamePos: callee.NamePos}}
	if callee.Name == "forEach" {
		all := &ast.Array{Pos: m.call.Pos, Elems: []ast.Expr{&ast.Spread{Pos: m.call.Pos, X: low}}}
		list = &ast.Sequence{Pos: m.call.Pos, Exprs: []ast.Expr{list, all}}
	}
	if r := l.an.exprs[m.list]; r != nil {
		c := copyOf(r)
		l.an.exprs[list] = c
	}
	return l.piece(b, m.call.Pos, nil, list, "items")
}
