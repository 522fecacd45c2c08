package planner

import (
	"fmt"

	"github.com/casys-ai/pml/nodes/ast"
)

// A reduce whose callback waits for what the one before made is a loop:
//
//	const all = await xs.reduce(async (before, x) => { const acc = await before; …; return acc }, Promise.resolve([]))
//	await xs.reduce((before, x) => before.then(() => start(x)), Promise.resolve())
//
// All callbacks are called at once, but nothing in them happens before the one before has ended.

// reduced is what stands for such a statement; nil for any other.
func (p *turnTaker) reduced(s ast.Stmt) []ast.Stmt {
	wait, target := awaitIn(s)
	if ret, ok := s.(*ast.Return); ok {
		wait, _ = ret.X.(*ast.Await)
	}
	if wait == nil {
		return nil
	}
	call, ok := wait.X.(*ast.Call)
	if !ok || len(call.Args) != 2 || call.Chain != ast.NoChain {
		return nil
	}
	m, ok := call.Callee.(*ast.Member)
	fn, isFn := call.Args[0].(*ast.FunctionExpr)
	if !ok || !isFn || m.Name != "reduce" || m.Chain != ast.NoChain || fn.Generator || fn.UsesThis || fn.UsesArguments {
		return nil
	}
	r := &reduction{p: p, pos: s.Position()}
	step := r.step(fn.Func)
	if step == nil {
		return nil
	}
	return r.loop(s, m, fn.Func, call.Args[1], step, target)
}

// reduction is one reduce.
type reduction struct {
	p   *turnTaker
	pos ast.Pos
	acc *ast.Ident
}

func (r *reduction) name(hint string) *ast.Ident {
	id := &ast.Ident{Pos: r.pos, Sym: r.p.l.temp(hint)}
	r.p.l.placeless[id.Sym] = true
	return id
}

func (r *reduction) use(id *ast.Ident) *ast.Ident { return &ast.Ident{Pos: r.pos, Sym: id.Sym} }

// step is what the loop does for one element; nil if fn is no such callback.
func (r *reduction) step(fn *ast.Func) []ast.Stmt {
	if len(fn.Params) != 2 || fn.Params[0].Default != nil || fn.Params[1].Default != nil || fn.Params[1].Rest || len(fn.Body) == 0 {
		return nil
	}
	before, ok := fn.Params[0].Target.(*ast.Ident)
	if _, named := fn.Params[1].Target.(*ast.Ident); !ok || !named {
		return nil
	}
	r.acc = r.name("acc")
	r.acc.Sym.Kind = ast.SymLet
	if mentionsOf(fn.Body, before.Sym) != 1 {
		return nil
	}
	if !fn.Async {
		return r.chain(fn, before.Sym)
	}
	decl, ok := fn.Body[0].(*ast.VarDecl)
	if !ok || len(decl.Decls) != 1 || decl.Kind == ast.DeclVar {
		return nil
	}
	wait, ok := decl.Decls[0].Init.(*ast.Await)
	if !ok {
		return nil
	}
	if id, ok := wait.X.(*ast.Ident); !ok || id.Sym != before.Sym {
		return nil
	}
	first := *decl
	first.Decls = []ast.Declarator{{Pos: decl.Decls[0].Pos, Target: decl.Decls[0].Target, Init: r.use(r.acc)}}
	return r.body(append([]ast.Stmt{&first}, fn.Body[1:]...))
}

// mentionsOf counts how often the statements name s.
func mentionsOf(list []ast.Stmt, s *ast.Symbol) int {
	n := 0
	ast.WalkAll(list, func(x ast.Node) bool {
		if id, ok := x.(*ast.Ident); ok && id.Sym == s {
			n++
		}
		return true
	})
	return n
}

// body is the callback's body with its returns made assignments.
func (r *reduction) body(list []ast.Stmt) []ast.Stmt {
	last := len(list) - 1
	end, ok := list[last].(*ast.Return)
	if ok {
		list = list[:last]
	} else {
		end = &ast.Return{Pos: r.pos}
	}
	label, left := fmt.Sprintf("step%d", r.p.l.temps), false
	list = leaver{returns: true, breaks: 1, continues: 1, instead: func(way ast.Stmt) []ast.Stmt {
		ret, ok := way.(*ast.Return)
		if !ok {
			return nil
		}
		left = true
		return append(r.assign(ret), &ast.Break{Pos: ret.Pos, Label: label})
	}}.list(list)
	list = append(list, r.assign(end)...)
	if left {
		list = []ast.Stmt{&ast.Labeled{Pos: r.pos, Label: label, Body: &ast.Block{Pos: r.pos, Body: list}}}
	}
	return list
}

func (r *reduction) assign(ret *ast.Return) []ast.Stmt {
	var x ast.Expr = &ast.Undefined{Pos: ret.Pos}
	if ret.X != nil {
		x = &ast.Await{Pos: ret.Pos, X: ret.X}
	}
	return []ast.Stmt{assignment(ret.Pos, r.acc, x)}
}

// chain is the step of (before, x) => before.then(f).then(g).
func (r *reduction) chain(fn *ast.Func, before *ast.Symbol) []ast.Stmt {
	ret, ok := fn.Body[0].(*ast.Return)
	if !ok || len(fn.Body) != 1 {
		return nil
	}
	e := r.onwards(ret.X, before)
	if e == nil {
		return nil
	}
	return []ast.Stmt{assignment(ret.Pos, r.acc, &ast.Await{Pos: ret.Pos, X: e})}
}

// onwards is e, which must be a chain of then with one handler each, on Promise.resolve(acc) instead of before.
func (r *reduction) onwards(e ast.Expr, before *ast.Symbol) ast.Expr {
	call, ok := e.(*ast.Call)
	if !ok || len(call.Args) != 1 || call.Chain != ast.NoChain {
		return nil
	}
	m, ok := call.Callee.(*ast.Member)
	if _, isFn := call.Args[0].(*ast.FunctionExpr); !ok || !isFn || m.Name != "then" {
		return nil
	}
	var object ast.Expr
	if id, ok := m.Object.(*ast.Ident); ok && id.Sym == before {
		object = globalCall(id.Pos, "Promise", "resolve", r.use(r.acc))
	} else if object = r.onwards(m.Object, before); object == nil {
		return nil
	}
	return &ast.Call{Pos: call.Pos, Args: call.Args, Callee: &ast.Member{Pos: m.Pos, Object: object, Name: m.Name, NamePos: m.NamePos}}
}

// loop puts the parts together: the elements are those that are there when reduce is called.
func (r *reduction) loop(s ast.Stmt, m *ast.Member, fn *ast.Func, init ast.Expr, step []ast.Stmt, target ast.Pattern) []ast.Stmt {
	items, x := r.name("items"), r.name("x")
	same := &ast.FunctionExpr{Pos: r.pos, Func: &ast.Func{Arrow: true, ExprBody: true, Params: []ast.Param{{Target: x}},
		Body: []ast.Stmt{&ast.Return{Pos: r.pos, X: r.use(x)}}}}
	list := &ast.Call{Pos: m.Pos, Args: []ast.Expr{same},
		Callee: &ast.Member{Pos: m.Pos, Object: m.Object, Name: "map", NamePos: m.NamePos}}
	at := fn.Body[0].Position()
	out := []ast.Stmt{
		constant(r.pos, items, list),
		&ast.VarDecl{Pos: r.pos, Kind: ast.DeclLet, Decls: []ast.Declarator{{Pos: r.pos, Target: r.acc, Init: &ast.Await{Pos: r.pos, X: init}}}},
		&ast.ForOf{Pos: r.pos, Left: constant(at, fn.Params[1].Target, nil), Right: r.use(items), Body: &ast.Block{Pos: at, Body: step}},
	}
	switch s.(type) {
	case *ast.VarDecl:
		out = append(out, constant(r.pos, target, r.use(r.acc)))
	case *ast.Return:
		out = append(out, &ast.Return{Pos: r.pos, X: r.use(r.acc)})
	}
	return out
}
