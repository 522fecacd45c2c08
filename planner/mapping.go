package planner

import (
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

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
	if vars := l.turned[m.call]; len(vars) > 0 && l.turnsOutlive(vars) {
		refuse(m.call, "%s is changed by callbacks that run at the same time, of which one may fail", vars[0].Name)
	}
	v := l.mapNode(b, m, mode == nodes.AwaitAllSettled, false, l.waits(mode))
	if label != "" {
		l.label(v, label)
	}
	return v
}

// mapNode lifts xs.map(f): one block per item, all at once, beside what w says.
func (l *lifter) mapNode(b *block, m *mapping, settled, async bool, w meanwhile) val {
	l.inlinable(m.fn, m.call)
	l.startsSafely(m.fn, m.call)
	l.concurrentMap(b, m, w)
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
	l.apart++
	v := l.enter(x, m.fn, m.call.Pos, values([]val{x.param(0), x.param(1)}[:len(m.fn.Params)]), t)
	l.apart--
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
