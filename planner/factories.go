package planner

import (
	"slices"

	"github.com/casys-ai/pml/nodes/ast"
)

// A function that makes functions is written out where it is called: const next = makeCounter("a").

// factories writes out all calls of such functions that there are.
func (v *unpacker) factories() bool {
	found := map[ast.Stmt]*ast.Func{}
	ast.WalkAll(v.l.body, func(n ast.Node) bool {
		if s, ok := n.(*ast.VarDecl); ok && !v.heads[s] && len(s.Decls) == 1 && s.Kind != ast.DeclVar {
			if fn := v.factory(s.Decls[0].Init); fn != nil {
				found[s] = fn
			}
		}
		return true
	})
	if len(found) == 0 {
		return false
	}
	r := &ast.Rewrite{}
	r.Each = func(s ast.Stmt) ([]ast.Stmt, bool) {
		fn := found[s]
		if fn == nil {
			return nil, false
		}
		decl := s.(*ast.VarDecl)
		args, list := v.held(*r, fn, decl.Decls[0].Init.(*ast.Call).Args)
		own := v.renaming(&ast.FunctionExpr{Func: fn}).Func(fn)
		list = append(list, v.binding(own, decl.Pos, args)...)
		last := len(own.Body) - 1
		list = append(list, own.Body[:last]...)
		made := &ast.VarDecl{Pos: decl.Pos, Kind: decl.Kind, Decls: []ast.Declarator{{Pos: decl.Pos,
			Target: r.Pattern(decl.Decls[0].Target), Init: own.Body[last].(*ast.Return).X}}}
		return append(list, made), true
	}
	v.copy(r)
	return true
}

// factory is the function that e calls, if that makes functions.
func (v *unpacker) factory(e ast.Expr) *ast.Func {
	call, ok := e.(*ast.Call)
	if !ok || call.Chain != ast.NoChain {
		return nil
	}
	fn := v.look.knownFunction(call.Callee)
	if fn == nil || fn.Async || fn.Generator || fn.UsesThis || fn.UsesArguments || len(fn.Body) == 0 ||
		v.mentionsItself(call.Callee, fn) || !bindable(fn, call.Args) {
		return nil
	}
	last := len(fn.Body) - 1
	ret, ok := fn.Body[last].(*ast.Return)
	if !ok || ret.X == nil || returnsIn(fn.Body[:last]) || !v.makes(fn.Body[:last], ret.X) {
		return nil
	}
	if boundToFunction(fn.Body) {
		return nil
	}
	return fn
}

// boundToFunction reports whether the statements mean something else outside of the function they stand in: var belongs to
// a function, and two labels of one name cannot stand in one another.
func boundToFunction(list []ast.Stmt) bool {
	found := false
	ast.WalkAll(list, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.VarDecl:
			found = found || n.Kind == ast.DeclVar
		case *ast.Labeled:
			found = true
		case *ast.FunctionExpr, *ast.FunctionDecl:
			return false
		}
		return !found
	})
	return found
}

// makes reports whether what is returned behind the statements is a function, or holds one.
func (v *unpacker) makes(body []ast.Stmt, x ast.Expr) bool {
	if v.isFunction(x) {
		return true
	}
	id, ok := x.(*ast.Ident)
	if !ok {
		return false
	}
	return slices.ContainsFunc(body, func(s ast.Stmt) bool {
		own, init := v.constantOf(s)
		return own != nil && own.Sym == id.Sym && v.record(own, init) != nil
	})
}

// bindable reports whether parameters can be declared as variables for arguments.
func bindable(fn *ast.Func, args []ast.Expr) bool {
	for i, x := range args {
		if _, spread := x.(*ast.Spread); spread && !restAt(fn, i) {
			return false
		}
	}
	return !slices.ContainsFunc(fn.Params, func(p ast.Param) bool { return p.Rest && !isIdent(p.Target) })
}

// held evaluates arguments of fn, in their order, and returns what stands for them: themselves, where the parameters are
// names and nothing else.
func (v *unpacker) held(r ast.Rewrite, fn *ast.Func, args []ast.Expr) (names []ast.Expr, list []ast.Stmt) {
	plain := fn != nil && (len(args) <= len(fn.Params) || restAt(fn, len(args)-1)) && !slices.ContainsFunc(fn.Params, func(p ast.Param) bool { return p.Default != nil || !isIdent(p.Target) })
	for i, x := range args {
		if plain && (i < len(fn.Params) || restAt(fn, i)) {
			names = append(names, r.Of(x))
			continue
		}
		if sp, ok := x.(*ast.Spread); ok {
			names = append(names, &ast.Spread{Pos: sp.Pos, X: v.hold(&list, r.Of(sp.X))})
			continue
		}
		names = append(names, v.hold(&list, r.Of(x)))
	}
	return names, list
}

// hold gives e a name, unless it is as good as one.
func (v *unpacker) hold(list *[]ast.Stmt, e ast.Expr) ast.Expr {
	if literal(e) {
		return e
	}
	if id, ok := e.(*ast.Ident); ok && (v.look.an.functions[id.Sym] != nil || globalName(id) != "" && globalName(id) != "args") {
		return e
	}
	sym := v.symbol("argument", "argument", ast.SymConst, e.Position())
	switch e.(type) {
	case *ast.FunctionExpr, *ast.Object, *ast.Array, *ast.Template:
		v.present[sym] = true
	}
	id := &ast.Ident{Pos: e.Position(), Sym: sym}
	*list = append(*list, constant(e.Position(), id, e))
	return &ast.Ident{Pos: e.Position(), Sym: sym}
}

// binding declares the parameters of fn, whose symbols are its own, for arguments that are held.
func (v *unpacker) binding(fn *ast.Func, pos ast.Pos, args []ast.Expr) []ast.Stmt {
	var list []ast.Stmt
	assigned := set(ast.Assigned(&ast.FunctionExpr{Func: fn})...)
	for i, p := range fn.Params {
		var init ast.Expr = &ast.Undefined{Pos: pos}
		switch {
		case p.Rest:
			init = &ast.Array{Pos: pos, Elems: args[min(i, len(args)):]}
		case i < len(args) && p.Default != nil && !v.isPresent(args[i]):
			missing := &ast.Binary{Pos: pos, Op: "===", X: args[i], Y: &ast.Undefined{Pos: pos}}
			init = &ast.Conditional{Pos: pos, Test: missing, Then: p.Default, Else: args[i]}
		case i < len(args) && !isUndefined(args[i]):
			init = args[i]
		case p.Default != nil:
			init = p.Default
		}
		decl := constant(pos, p.Target, init)
		for _, s := range ast.PatternSymbols(p.Target) {
			if assigned[s] {
				decl.Kind = ast.DeclLet
			}
		}
		list = append(list, decl)
	}
	return list
}

// isPresent reports whether e is surely something else than undefined.
func (v *unpacker) isPresent(e ast.Expr) bool {
	if id, ok := e.(*ast.Ident); ok {
		return v.present[id.Sym] || v.look.an.functions[id.Sym] != nil
	}
	return literal(e)
}

func isUndefined(e ast.Expr) bool { _, ok := e.(*ast.Undefined); return ok }
