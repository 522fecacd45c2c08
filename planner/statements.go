package planner

import (
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

func (l *lifter) varDecl(b *block, s *ast.VarDecl) {
	if s.Kind == ast.DeclUsing || s.Kind == ast.DeclAwaitUsing {
		refuse(s, "using")
	}
	if s.Kind == ast.DeclVar && !l.impure(s) {
		l.piece(b, s.Pos, []ast.Stmt{s}, nil, "")
		return
	}
	for i := range s.Decls {
		l.declarator(b, s.Kind, &s.Decls[i])
	}
}

func (l *lifter) declarator(b *block, kind ast.DeclKind, d *ast.Declarator) {
	id, simple := d.Target.(*ast.Ident)
	if simple {
		l.declared[id.Sym] = true
	}
	if simple && (l.an.functions[id.Sym] != nil || l.aliases[id.Sym] != nil || l.remade[id.Sym] != nil) || l.declaresAliases(d) {
		return
	}
	if d.Init == nil {
		if kind == ast.DeclVar {
			refuse(d, "var without a value")
		}
		b.bind(id.Sym, l.piece(b, d.Pos, nil, &ast.Undefined{Pos: d.Pos}, id.Sym.Name))
		return
	}
	l.plainMatch(d)
	if simple && l.isPromise(d.Init) {
		l.promiseVar(b, id, d)
		return
	}
	if simple {
		v := l.value(b, d.Init, id.Sym.Name)
		l.plainVar(d, id.Sym)
		l.label(v, id.Sym.Name)
		b.bind(id.Sym, v)
		return
	}
	l.destructure(b, kind, d)
}

// declaresAliases reports whether d only gives tools and servers shorter names.
func (l *lifter) declaresAliases(d *ast.Declarator) bool {
	syms := ast.PatternSymbols(d.Target)
	for _, s := range syms {
		if l.aliases[s] == nil {
			return false
		}
	}
	return len(syms) > 0
}

// label names the node that holds v after the variable it is for, unless it has a name.
func (l *lifter) label(v val, name string) {
	if n := v.node(); n != nil && n.Label == "" && v.out == 0 {
		n.Label = name
		if len(n.Outs) > 0 {
			n.Outs[0] = name
		}
	}
}

// destructure lifts const {a, b} = …: the value first, then one piece that takes it apart.
func (l *lifter) destructure(b *block, kind ast.DeclKind, d *ast.Declarator) {
	init := d.Init
	if arr, ok := parallelParts(d); ok {
		l.bindParts(b, d.Target.(*ast.ArrayPattern), arr)
		return
	}
	if l.impure(init) {
		init = l.hold(b, l.lower(b, init), "value")
	}
	decl := &ast.VarDecl{Pos: d.Pos, Kind: kind, Decls: []ast.Declarator{{Pos: d.Pos, Target: d.Target, Init: init}}}
	if l.impure(decl) {
		l.withDefaults(b, d, init)
		return
	}
	l.piece(b, d.Pos, []ast.Stmt{decl}, nil, "")
}

// parallelParts recognises const [a, b] = await Promise.all([x, y]).
func parallelParts(d *ast.Declarator) (*ast.Call, bool) {
	aw, ok := d.Init.(*ast.Await)
	if !ok {
		return nil, false
	}
	call, ok := aw.X.(*ast.Call)
	pat, isArr := d.Target.(*ast.ArrayPattern)
	if !ok || !isArr || promiseMethod(call) != "all" || len(call.Args) != 1 {
		return nil, false
	}
	arr, ok := call.Args[0].(*ast.Array)
	if !ok || len(arr.Elems) < len(pat.Elems) {
		return nil, false
	}
	for _, e := range pat.Elems {
		if e.Rest || e.Default != nil {
			return nil, false
		}
	}
	for _, e := range arr.Elems {
		if _, spread := e.(*ast.Spread); spread || e == nil {
			return nil, false
		}
	}
	return call, true
}

// bindParts takes the joined array apart.
func (l *lifter) bindParts(b *block, p *ast.ArrayPattern, call *ast.Call) {
	v := l.awaited(b, call, "all")
	src := l.use(b, v, "all", call.Pos)
	if r := l.an.exprs[call]; r != nil {
		l.an.symbols[src.Sym] = r
	}
	for i, e := range p.Elems {
		if e.Target == nil {
			continue
		}
		part := &ast.Index{Pos: e.Target.Position(), Object: src, Index: &ast.Number{Pos: p.Pos, Value: float64(i)}}
		if id, ok := e.Target.(*ast.Ident); ok {
			l.plainVar(id, id.Sym)
			b.bind(id.Sym, l.piece(b, id.Pos, nil, part, id.Sym.Name))
			continue
		}
		l.bindParam(b, e.Target, l.piece(b, p.Pos, nil, part, "part"))
	}
}

func (l *lifter) exprStmt(b *block, s *ast.ExprStmt) {
	e := s.X
	if as, ok := e.(*ast.Assign); ok {
		l.assignStmt(b, as)
		return
	}
	if l.isPromise(e) {
		l.start(b, e, true, meanwhile{})
		return
	}
	if m := l.eachCall(e); m != nil {
		l.mapNode(b, m, false, true, meanwhile{})
		return
	}
	if aw, ok := e.(*ast.Await); ok {
		l.awaited(b, aw.X, "")
		return
	}
	l.effect(b, e)
}

func (l *lifter) assignStmt(b *block, as *ast.Assign) {
	id, ok := as.Target.(*ast.Ident)
	if ok && as.Op == "=" && l.isPromise(as.Value) {
		refuse(as, "a promise is assigned to a variable")
	}
	if !ok && !l.impure(as) {
		l.piece(b, as.Pos, []ast.Stmt{&ast.ExprStmt{Pos: as.Pos, X: as}}, nil, "")
		return
	}
	if !ok || l.impure(as) || len(as.Op) == 3 {
		l.effect(b, as)
		return
	}
	value := as.Value
	if as.Op != "=" {
		value = &ast.Binary{Pos: as.Pos, Op: as.Op[:len(as.Op)-1], X: id, Y: as.Value}
	}
	l.assign(b, id.Sym, value, as)
}

// host appends a host node.
func (l *lifter) host(b *block, pos ast.Pos, op nodes.HostOp, in []val) val {
	n := &nodes.Node{Kind: nodes.KindHost, Pos: pos, Label: string(op), Host: op, In: b.refs(in), Outs: []string{string(op)}}
	return b.add(n)
}

func (l *lifter) hostCall(b *block, e *ast.Call, op nodes.HostOp) val {
	for _, x := range e.Args {
		l.refuseRich(x)
	}
	return l.host(b, e.Pos, op, l.settleAll(b, l.lowerList(b, e.Args), "text"))
}
