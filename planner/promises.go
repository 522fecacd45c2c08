package planner

import (
	"slices"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// awaited lifts `await e` and returns the value it yields.
func (l *lifter) awaited(b *block, e ast.Expr, label string) val {
	switch e := e.(type) {
	case *ast.Call:
		return l.awaitedCall(b, e, label)
	case *ast.Conditional:
		cond := l.value(b, e.Test, "test")
		return l.branchValue(b, e, cond,
			func(x *block) val { return l.awaited(x, e.Then, label) },
			func(x *block) val { return l.awaited(x, e.Else, label) })
	case *ast.Logical:
		if l.isPromise(e.Y) {
			left := l.awaited(b, e.X, "left")
			return l.logical(b, e, left, func(*block) val { return left },
				func(x *block) val { return l.awaited(x, e.Y, label) })
		}
	case *ast.Ident:
		if x, ok := b.lookup(e.Sym); ok && x.kind == isPromise {
			return l.awaitedVar(b, e, x)
		}
	case *ast.New:
		if t := timerOf(e); t != nil && t.rejects {
			v := l.asyncScope(b, e.Pos, "timer", func(x *block, _ *target) val { return l.timer(x, t) })
			return l.join(b, e.Pos, nodes.AwaitOne, []val{v}, label)
		} else if t != nil {
			return l.timer(b, t)
		}
	}
	return l.value(b, e, label)
}

func (l *lifter) awaitedCall(b *block, e *ast.Call, label string) val {
	if _, ok := l.calls[e]; ok {
		return l.toolCall(b, e, false, label)
	}
	if m := promiseMethod(e); m != "" {
		return l.awaitedPromise(b, e, m, label)
	}
	if m, ok := e.Callee.(*ast.Member); ok && l.isPromise(m.Object) {
		return l.chained(b, e, m, label)
	}
	if fn := l.callee(e); fn != nil {
		l.inlinable(fn, e)
		return l.inlineWith(b, fn, e.Pos, l.arguments(b, fn, e), true)
	}
	return l.value(b, e, label)
}

// promiseMethod is all, allSettled, race, any or resolve for a call of Promise.that; else "".
func promiseMethod(e *ast.Call) string {
	if m, ok := e.Callee.(*ast.Member); ok && globalName(m.Object) == "Promise" && e.Chain == ast.NoChain {
		return m.Name
	}
	return ""
}

// awaitedPromise lifts await Promise.all(…) and its like.
func (l *lifter) awaitedPromise(b *block, e *ast.Call, method, label string) val {
	if method == "resolve" && len(e.Args) == 1 {
		return l.awaited(b, e.Args[0], label)
	}
	if method == "resolve" && len(e.Args) == 0 {
		return l.piece(b, e.Pos, nil, &ast.Undefined{Pos: e.Pos}, label)
	}
	if len(e.Args) != 1 {
		refuse(e, "Promise.%s", method)
	}
	mode := nodes.AwaitMode(method)
	switch mode {
	case nodes.AwaitAll, nodes.AwaitAllSettled, nodes.AwaitRace, nodes.AwaitAny:
	default:
		refuse(e, "Promise.%s", method)
	}
	switch list := e.Args[0].(type) {
	case *ast.Array:
		return l.join(b, e.Pos, mode, l.startAll(b, list, mode), orDefault(label, method))
	case *ast.Call:
		if m := l.mapCall(list); m != nil {
			return l.mapAll(b, m, mode, label)
		}
	case *ast.Ident:
		if x, ok := b.lookup(list.Sym); ok && x.kind == isPromise {
			l.yieldsOnce(b, list)
			return l.joinMap(b, e, list, x.v, mode, label)
		}
	}
	if l.impure(e.Args[0]) {
		refuse(e.Args[0], "a list of promises that is not written out")
	}
	if mode == nodes.AwaitAll {
		return l.iterable(b, e.Args[0])
	}
	refuse(e, "Promise.%s of a list that is not written out", method)
	return val{}
}

// startAll starts everything in the list that makes a promise, in order; mode says how they are awaited where they are
// made, "" that they are not.
func (l *lifter) startAll(b *block, list *ast.Array, mode nodes.AwaitMode) []val {
	var in []val
	held := make([]ast.Expr, len(list.Elems))
	for i, x := range list.Elems {
		if x == nil {
			refuse(list, "a hole in a list of promises")
		}
		if _, spread := x.(*ast.Spread); spread {
			refuse(x, "a spread in a list of promises")
		}
		if l.isPromise(x) || l.holdsPromise(b, x) {
			in = append(in, l.start(b, x, false, l.waits(mode, others(list.Elems, i)...)))
			continue
		}
		in = append(in, val{})
		held[i] = l.hold(b, l.lower(b, x), "value")
	}
	for i, x := range held {
		if x != nil {
			in[i] = l.settle(b, x, "value")
		}
	}
	return in
}

// others are all elements but the i-th.
func others(list []ast.Expr, i int) []ast.Node {
	var out []ast.Node
	for k, x := range list {
		if k != i && x != nil {
			out = append(out, x)
		}
	}
	return out
}

// holdsPromise reports whether e is a variable that holds a promise which the graph knows.
func (l *lifter) holdsPromise(b *block, e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	x, ok := b.lookup(id.Sym)
	return ok && x.kind == isPromise
}

// awaitedVar lifts await p. All that wait for p get one object: if that is changed in place, the first await in p's own
// block keeps it as a variable, which later ones read.
func (l *lifter) awaitedVar(b *block, id *ast.Ident, x binding) val {
	if x.yields != nil {
		return l.value(b, &ast.Ident{Pos: id.Pos, Sym: x.yields}, id.Sym.Name)
	}
	_, here := b.env[id.Sym]
	if !here {
		l.yieldsOnce(b, id)
	}
	v := l.join(b, id.Pos, nodes.AwaitOne, []val{x.v}, id.Sym.Name)
	if here && l.mayShare(b, id.Sym) {
		x.yields = &ast.Symbol{Name: id.Sym.Name, Unique: id.Sym.Unique + "$yields", Kind: ast.SymConst, Decl: id.Sym.Decl}
		l.an.symbols[x.yields] = settled(l.an.symbols[id.Sym])
		b.set(x.yields, binding{v: v})
		b.set(id.Sym, x)
	}
	return v
}

// yieldsOnce refuses a promise that may be awaited more than once if what it yields is changed in place: each await
// node hands on the value as it came, while in JavaScript all of them yield one object.
func (l *lifter) yieldsOnce(b *block, id *ast.Ident) {
	if l.mayShare(b, id.Sym) {
		refuse(id, "what %s yields is changed in place, and may be awaited again", id.Sym.Name)
	}
}

// mayShare reports whether what the promise s yields is changed in place and may be awaited more than once.
func (l *lifter) mayShare(b *block, s *ast.Symbol) bool {
	return l.an.changesIn(l.an.symbols[s]) && (l.an.uses[s] > 2 || l.repeats(b, s))
}

// repeats reports whether what is being lifted may run several times in the life of s: in a function or a loop that s does
// not belong to.
func (l *lifter) repeats(b *block, s *ast.Symbol) bool {
	if k := len(l.inlining); k > 0 && !l.declaredIn(s, l.inlining[k-1]) {
		return true
	}
	_, here := b.env[s]
	return !here && slices.ContainsFunc(l.loops, func(loop span) bool { return s.Decl.Offset < loop.start })
}

// start evaluates e where its promise is kept: an Async node for what makes a promise, else its plain value. w is what
// runs beside it.
func (l *lifter) start(b *block, e ast.Expr, alone bool, w meanwhile) val {
	switch e := e.(type) {
	case *ast.Call:
		if _, ok := l.calls[e]; ok {
			return l.toolCall(b, e, true, "")
		}
		if fn := l.callee(e); fn != nil {
			return l.startFunction(b, fn, e, w)
		}
		if m, ok := e.Callee.(*ast.Member); ok && l.isPromise(m.Object) {
			for _, fn := range l.handlers(e) {
				l.concurrent(b, fn, e, w)
			}
			if vars := l.changed(b, e); len(vars) > 0 {
				refuse(e, "%s is changed where a promise is made", vars[0].Name)
			}
			return l.asyncScope(b, e.Pos, "promise", func(x *block, _ *target) val { return l.chained(x, e, m, "") })
		}
		if m := promiseMethod(e); m != "" {
			return l.startPromise(b, e, m, w)
		}
	case *ast.New:
		if t := timerOf(e); t != nil {
			return l.startTimer(b, t, w)
		}
	case *ast.Conditional:
		if l.isPromise(e) {
			return l.startEither(b, e, w)
		}
	case *ast.Ident:
		if x, ok := b.lookup(e.Sym); ok && x.kind == isPromise {
			l.yieldsOnce(b, e)
			return x.v
		}
	}
	if l.isPromise(e) {
		refuse(e, "this promise is kept in a way that cannot be lifted")
	}
	if alone {
		l.effect(b, e)
		return val{}
	}
	return l.value(b, e, "value")
}

// startEither starts one of two promises. Which one is known before anything behind it starts, and neither may throw
// instead of making its promise.
func (l *lifter) startEither(b *block, e *ast.Conditional, w meanwhile) val {
	if l.isPromise(e.Test) {
		refuse(e, "a promise decides which one is made")
	}
	for _, arm := range []ast.Expr{e.Then, e.Else} {
		if call, ok := arm.(*ast.Call); ok && slices.ContainsFunc(call.Args, canThrow) || !ok && canThrow(arm) {
			refuse(arm, "one of two promises is made, or an exception thrown")
		}
		if vars := l.changed(b, arm); len(vars) > 0 {
			refuse(arm, "%s is changed where a promise is made", vars[0].Name)
		}
		l.seesNoChange(b, arm, e, w)
	}
	cond := l.value(b, e.Test, "test")
	return l.asyncScope(b, e.Pos, "promise", func(x *block, _ *target) val {
		return l.branchValue(x, e, cond,
			func(x *block) val { return l.awaited(x, e.Then, "") },
			func(x *block) val { return l.awaited(x, e.Else, "") })
	})
}

// startPromise starts Promise.all(…) and its like: what they are given is evaluated now, and only waiting for it is put
// off.
func (l *lifter) startPromise(b *block, e *ast.Call, method string, w meanwhile) val {
	name, mode := "Promise."+method, nodes.AwaitMode(method)
	if len(e.Args) != 1 {
		refuse(e, "%s", name)
	}
	switch list := e.Args[0].(type) {
	case *ast.Array:
		if method != "resolve" {
			for _, x := range list.Elems {
				if x != nil && !l.isPromise(x) {
					l.keeps(x, e, w)
				}
			}
			in := l.startAll(b, list, "")
			return l.asyncScope(b, e.Pos, name, func(x *block, _ *target) val { return l.join(x, e.Pos, mode, in, method) })
		}
	case *ast.Call:
		if m := l.mapCall(list); m != nil && (mode == nodes.AwaitAll || mode == nodes.AwaitAllSettled) {
			return l.mapNode(b, m, mode == nodes.AwaitAllSettled, true, w)
		}
	}
	if method != "resolve" || l.impure(e.Args[0]) {
		refuse(e, "%s of what is not written out", name)
	}
	l.keeps(e.Args[0], e, w)
	v := l.value(b, e.Args[0], "value")
	return l.asyncScope(b, e.Pos, name, func(*block, *target) val { return v })
}

// isPromise reports whether e yields a promise that the program can keep: a tool call, a call of an async function that
// must be lifted, a chain, Promise.all.
func (l *lifter) isPromise(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Call:
		if _, ok := l.calls[e]; ok {
			return true
		}
		if promiseMethod(e) != "" {
			return true
		}
		if m := l.mapCall(e); m != nil {
			return true
		}
		if m, ok := e.Callee.(*ast.Member); ok && (m.Name == "then" || m.Name == "catch" || m.Name == "finally") {
			return l.isPromise(m.Object)
		}
		if fn := l.callee(e); fn != nil {
			return fn.Async || l.returnsPromise(fn)
		}
	case *ast.Conditional:
		return l.isPromise(e.Then) || l.isPromise(e.Else)
	case *ast.New:
		return globalName(e.Callee) == "Promise"
	}
	return false
}

func (l *lifter) returnsPromise(fn *ast.Func) bool {
	if len(fn.Body) == 0 {
		return false
	}
	ret, ok := fn.Body[len(fn.Body)-1].(*ast.Return)
	return ok && ret.X != nil && l.isPromise(ret.X)
}

// promiseVar lifts const p = …, where … makes a promise.
func (l *lifter) promiseVar(b *block, id *ast.Ident, d *ast.Declarator) {
	if id.Sym.Kind != ast.SymConst && l.an.assigned[id.Sym] > 0 {
		refuse(d, "%s, a promise, is assigned again", id.Sym.Name)
	}
	var v val
	if call, ok := d.Init.(*ast.Call); ok {
		if m := l.mapCall(call); m != nil {
			v = l.mapNode(b, m, false, true, l.joined(id.Sym))
		}
	}
	if v.b == nil {
		v = l.start(b, d.Init, false, l.joined(id.Sym))
	}
	if n := v.node(); n == nil || !n.Async {
		refuse(d, "%s may hold a promise", id.Sym.Name)
	}
	l.label(v, id.Sym.Name)
	b.set(id.Sym, binding{kind: isPromise, v: v})
}

// join appends an await node.
func (l *lifter) join(b *block, pos ast.Pos, mode nodes.AwaitMode, in []val, label string) val {
	return b.add(&nodes.Node{Kind: nodes.KindAwait, Pos: pos, Label: label, Await: mode, In: b.refs(in), Outs: []string{orDefault(label, "value")}})
}

// joinMap lifts await Promise.all(ps) where ps is a map that was started before.
func (l *lifter) joinMap(b *block, e *ast.Call, id *ast.Ident, v val, mode nodes.AwaitMode, label string) val {
	n := v.node()
	if n.Kind != nodes.KindMap || l.an.uses[id.Sym] != 2 {
		refuse(e, "Promise.%s of a promise", mode)
	}
	switch mode {
	case nodes.AwaitAll:
	case nodes.AwaitAllSettled:
		n.Map.Settled = true
	default:
		refuse(e, "Promise.%s of a list that is not written out", mode)
	}
	return l.join(b, e.Pos, nodes.AwaitOne, []val{v}, orDefault(label, string(mode)))
}

// asyncScope starts a block of its own that nobody waits for yet.
func (l *lifter) asyncScope(b *block, pos ast.Pos, name string, lift func(*block, *target) val) val {
	n := &nodes.Node{Kind: nodes.KindScope, Pos: pos, Label: name, Outs: []string{"value"}, Async: true}
	x := newBlock(b)
	t := &target{kind: targetReturn, node: n, async: true, tries: l.tryDepth}
	l.push(t)
	l.apart++
	v := lift(x, t)
	l.apart--
	l.pop()
	if !x.ended {
		x.Results = []nodes.Ref{x.ref(v)}
	}
	l.returnLast(x, n)
	n.Scope = &nodes.Scope{Body: x.Block}
	return b.add(n)
}

// handlers are the functions of a chain of .then and the like.
func (l *lifter) handlers(e *ast.Call) []*ast.Func {
	var list []*ast.Func
	m, ok := e.Callee.(*ast.Member)
	if !ok || !l.isPromise(m.Object) {
		return nil
	}
	if inner, ok := m.Object.(*ast.Call); ok {
		list = l.handlers(inner)
	}
	for _, x := range e.Args {
		if fn := l.functionOf(x); fn != nil {
			list = append(list, fn)
		}
	}
	return list
}
