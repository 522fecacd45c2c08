package syntax

import "github.com/casys-ai/pml/nodes/ast"

// mendParams makes one rest parameter of all that begin with the first that is refused.
func mendParams(fn *ast.Func) {
	for _, arrow := range conciseInParams(fn) {
		arrow.ExprBody = false
	}
	for i, p := range fn.Params {
		if p.Rest || !refused(p.Target, readAsList(fn) && p.Default != nil) {
			continue
		}
		rest := &ast.ArrayPattern{Pos: p.Target.Position()}
		for _, q := range fn.Params[i:] {
			rest.Elems = append(rest.Elems, ast.PatternElem(q))
		}
		fn.Params = append(fn.Params[:i:i], ast.Param{Target: rest, Rest: true})
		return
	}
}

// readAsList reports that goja reads the parameters as expressions in parentheses first.
func readAsList(fn *ast.Func) bool {
	return fn.Arrow && len(fn.Params) > 1 && !fn.Params[len(fn.Params)-1].Rest
}

// conciseInParams returns the async arrows without braces that stand in fn's parameters: goja takes their await for
// one of the parameters' own.
func conciseInParams(fn *ast.Func) []*ast.Func {
	var out []*ast.Func
	collect := func(n ast.Node) bool {
		if f, ok := n.(*ast.FunctionExpr); ok && f.Async && f.ExprBody {
			out = append(out, f.Func)
		}
		return true
	}
	for _, p := range fn.Params {
		ast.Walk(p.Target, collect)
		if p.Default != nil {
			ast.Walk(p.Default, collect)
		}
	}
	return out
}

// separateVars gives every var that goja does not let share its name with a parameter a name of its own; it starts with
// the parameter's value (ECMAScript §10.2.11, step 28).
func (m *mender) separateVars(fn *ast.Func) {
	for _, sym := range redeclared(fn) {
		own := m.temporary(sym.Decl)
		fn.Body = prepend(declare(ast.DeclVar, own, &ast.Ident{Pos: sym.Decl, Sym: sym}), replaced(fn.Body, sym, own.Sym))
	}
}

// redeclared returns the symbols that a pattern or rest among the parameters binds and a var of the body declares again.
func redeclared(fn *ast.Func) []*ast.Symbol {
	bound := map[*ast.Symbol]bool{}
	for _, p := range fn.Params {
		if _, simple := p.Target.(*ast.Ident); !simple || p.Rest {
			for _, sym := range ast.PatternSymbols(p.Target) {
				bound[sym] = true
			}
		}
	}
	if len(bound) == 0 {
		return nil
	}
	var out []*ast.Symbol
	ast.WalkAll(fn.Body, func(n ast.Node) bool {
		if decl, ok := n.(*ast.VarDecl); ok && decl.Kind == ast.DeclVar {
			for _, sym := range ast.Declared(&ast.VarDecl{Decls: targets(decl)}) {
				if bound[sym] {
					delete(bound, sym)
					out = append(out, sym)
				}
			}
		}
		return !isFunction(n)
	})
	return out
}

// targets are the declarators without their values.
func targets(decl *ast.VarDecl) []ast.Declarator {
	out := make([]ast.Declarator, len(decl.Decls))
	for i, d := range decl.Decls {
		out[i].Target = d.Target
	}
	return out
}

func isFunction(n ast.Node) bool {
	switch n.(type) {
	case *ast.FunctionDecl, *ast.FunctionExpr:
		return true
	}
	return false
}

// keepArguments keeps a function's arguments under a name that its arrows can see: in goja they see other arguments, or
// something that is no value at all.
func (m *mender) keepArguments(fn *ast.Func) {
	if sym := lentArguments(fn); sym != nil {
		kept := m.temporary(ast.Pos{})
		fn.Body = prepend(declare(ast.DeclConst, kept, &ast.Ident{Sym: sym}), replaced(fn.Body, sym, kept.Sym))
	}
}

// lentArguments returns the symbol of a function's own arguments if an arrow in its body mentions them.
func lentArguments(fn *ast.Func) *ast.Symbol {
	if fn.Arrow || !fn.UsesArguments {
		return nil
	}
	var found *ast.Symbol
	var visit func(n ast.Node, inArrow bool)
	visit = func(n ast.Node, inArrow bool) {
		if id, ok := n.(*ast.Ident); ok && inArrow && id.Sym.Kind == ast.SymUnbound && id.Sym.Name == "arguments" {
			found = id.Sym
		}
		arrow, _ := n.(*ast.FunctionExpr)
		if isFunction(n) && (arrow == nil || !arrow.Arrow) {
			return
		}
		for _, child := range ast.Children(n) {
			visit(child, inArrow || arrow != nil)
		}
	}
	for _, s := range fn.Body {
		visit(s, false)
	}
	return found
}

func replaced(list []ast.Stmt, old, with *ast.Symbol) []ast.Stmt {
	return ast.Rename(list, func(s *ast.Symbol) *ast.Symbol {
		if s == old {
			return with
		}
		return s
	})
}
