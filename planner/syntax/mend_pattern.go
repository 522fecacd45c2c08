package syntax

import "github.com/casys-ai/pml/nodes/ast"

// refused reports that goja does not parse p where names are declared. A pattern with a default, and all inside it, it
// reads as an assignment first (eager); turning that into a declaration, it forgets that elements may have defaults.
// Below an array pattern that was not read that way it turns nothing, so there it takes everything.
func refused(p ast.Pattern, eager bool) bool {
	switch p := p.(type) {
	case *ast.ArrayPattern:
		for _, e := range p.Elems {
			if (eager && e.Default != nil) || ((eager || e.Rest) && refused(e.Target, eager)) {
				return true
			}
		}
	case *ast.ObjectPattern:
		for _, prop := range p.Props {
			if refused(prop.Target, eager || prop.Default != nil) {
				return true
			}
		}
	}
	return false
}

func mendDeclarators(decl *ast.VarDecl) {
	for i := range decl.Decls {
		if d := &decl.Decls[i]; d.Init != nil && refused(d.Target, false) {
			d.Target, d.Init = wrapped(d.Target, nil), listOf(d.Init)
		}
	}
}

// loop moves what a loop declares into its body.
func (m *mender) loop(left ast.Stmt, body *ast.Stmt) {
	decl, ok := left.(*ast.VarDecl)
	if !ok || !refused(decl.Decls[0].Target, false) {
		return
	}
	target, kind := decl.Decls[0].Target, decl.Kind
	item := m.temporary(target.Position())
	decl.Kind, decl.Decls[0].Target = ast.DeclConst, item
	*body = &ast.Block{Pos: (*body).Position(), Body: []ast.Stmt{bind(kind, target, nil, item), *body}}
}

// catch moves what a catch clause binds into its block.
func (m *mender) catch(try *ast.Try) {
	if try.Param == nil || !refused(try.Param, false) {
		return
	}
	target, caught := try.Param, m.temporary(try.Param.Position())
	try.Param = caught
	try.Handler.Body = prepend(bind(ast.DeclLet, target, nil, caught), try.Handler.Body)
}

// setters moves the parameter of setters, which cannot be a rest parameter, into their body.
func (m *mender) setters(props []ast.Property) {
	for i := range props {
		fn, ok := props[i].Value.(*ast.FunctionExpr)
		if props[i].Kind != ast.PropSet || !ok || !refused(fn.Params[0].Target, false) {
			continue
		}
		p := &fn.Params[0]
		value := m.temporary(p.Target.Position())
		fn.Body = prepend(bind(ast.DeclVar, p.Target, p.Default, value), fn.Body)
		*p = ast.Param{Target: value}
	}
}

// bind is the declaration kind [target = def] = [value].
func bind(kind ast.DeclKind, target ast.Pattern, def, value ast.Expr) ast.Stmt {
	return declare(kind, wrapped(target, def), listOf(value))
}

func declare(kind ast.DeclKind, target ast.Pattern, init ast.Expr) ast.Stmt {
	pos := target.Position()
	return &ast.VarDecl{Pos: pos, Kind: kind, Decls: []ast.Declarator{{Pos: pos, Target: target, Init: init}}}
}

func wrapped(target ast.Pattern, def ast.Expr) ast.Pattern {
	return &ast.ArrayPattern{Pos: target.Position(), Elems: []ast.PatternElem{{Target: target, Default: def}}}
}

func listOf(x ast.Expr) ast.Expr { return &ast.Array{Pos: x.Position(), Elems: []ast.Expr{x}} }

func prepend(s ast.Stmt, list []ast.Stmt) []ast.Stmt { return append([]ast.Stmt{s}, list...) }
