package syntax

import "github.com/casys-ai/pml/nodes/ast"

// entry is a function that wraps the program, and how it is called.
type entry struct {
	fn *ast.Func
	// name is what the function is declared as; nil for one that is called where it stands.
	name *ast.Symbol
	// called says that the program calls it with args; otherwise whoever runs it would.
	called bool
	args   []ast.Expr
	// others are the statements beside it.
	others []ast.Stmt
}

// unwrap takes off a function that wraps the whole program, and one inside that, as long as nothing can tell the
// difference but the result: what the wrapper returns becomes the result of the program.
func (c *converter) unwrap(body []ast.Stmt) []ast.Stmt {
	for range 3 {
		e := c.findEntry(body)
		if e == nil || !c.sound(e, body) || !c.bindParams(e) {
			break
		}
		body = append(e.others, e.fn.Body...)
		c.wrapped = true
		if x := c.exported; x != nil && (x.fn == e.fn || (x.sym != nil && x.sym == e.name)) {
			c.exported = nil
		}
	}
	if c.exported != nil {
		c.diags = append(c.diags, moduleSyntax(c.exported.pos, "export"))
	}
	return body
}

// findEntry returns the function that the program comes down to: the only statement, or what is called last after
// nothing but declarations.
func (c *converter) findEntry(body []ast.Stmt) *entry {
	body = withoutEmpty(body)
	if len(body) == 0 {
		return nil
	}
	if x := c.exported; x != nil && x.byDefault {
		if e := exportedEntry(x, body); e != nil {
			return e
		}
	}
	last := body[len(body)-1]
	if e := soleFunction(body); e != nil {
		return e
	}
	call, ok := finalCall(last)
	if !ok || call.Chain != ast.NoChain || !onlyDeclarations(body[:len(body)-1]) {
		return nil
	}
	switch callee := call.Callee.(type) {
	case *ast.FunctionExpr:
		e := &entry{fn: callee.Func, called: true, args: call.Args, others: body[:len(body)-1]}
		if callee.Name != nil {
			e.name = callee.Name.Sym
		}
		return e
	case *ast.Ident:
		return declaredEntry(callee.Sym, call.Args, body[:len(body)-1])
	}
	return nil
}

func withoutEmpty(body []ast.Stmt) []ast.Stmt {
	out := make([]ast.Stmt, 0, len(body))
	for _, s := range body {
		if _, empty := s.(*ast.Empty); !empty {
			out = append(out, s)
		}
	}
	return out
}

// soleFunction reports a program that is one function which nobody calls.
func soleFunction(body []ast.Stmt) *entry {
	if len(body) != 1 {
		return nil
	}
	switch s := body[0].(type) {
	case *ast.FunctionDecl:
		return &entry{fn: s.Func, name: s.Name.Sym}
	case *ast.VarDecl:
		if fn, sym := declaredFunction(s); fn != nil {
			return &entry{fn: fn, name: sym}
		}
	case *ast.ExprStmt:
		if fn, ok := s.X.(*ast.FunctionExpr); ok {
			e := &entry{fn: fn.Func}
			if fn.Name != nil {
				e.name = fn.Name.Sym
			}
			return e
		}
	}
	return nil
}

// exportedEntry finds what `export default` named.
func exportedEntry(x *export, body []ast.Stmt) *entry {
	if x.sym != nil {
		return uncalled(declaredEntry(x.sym, nil, body))
	}
	for i, s := range body {
		if es, ok := s.(*ast.ExprStmt); ok {
			if fn, ok := es.X.(*ast.FunctionExpr); ok && fn.Func == x.fn {
				return &entry{fn: fn.Func, others: without(body, i)}
			}
		}
	}
	return nil
}

func uncalled(e *entry) *entry {
	if e == nil || !onlyDeclarations(e.others) {
		return nil
	}
	e.called = false
	return e
}

// finalCall returns the call in f(), await f(), return f() and return await f().
func finalCall(s ast.Stmt) (*ast.Call, bool) {
	var x ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		x = s.X
	case *ast.Return:
		x = s.X
	}
	if await, ok := x.(*ast.Await); ok {
		x = await.X
	}
	call, ok := x.(*ast.Call)
	return call, ok
}

// declaredEntry finds the declaration of sym among body as function or const.
func declaredEntry(sym *ast.Symbol, args []ast.Expr, body []ast.Stmt) *entry {
	for i, s := range body {
		switch s := s.(type) {
		case *ast.FunctionDecl:
			if s.Name.Sym == sym {
				return &entry{fn: s.Func, name: sym, called: true, args: args, others: without(body, i)}
			}
		case *ast.VarDecl:
			if fn, name := declaredFunction(s); fn != nil && name == sym {
				return &entry{fn: fn, name: sym, called: true, args: args, others: without(body, i)}
			}
		}
	}
	return nil
}

// declaredFunction reports const name = function.
func declaredFunction(s *ast.VarDecl) (*ast.Func, *ast.Symbol) {
	if s.Kind != ast.DeclConst || len(s.Decls) != 1 {
		return nil, nil
	}
	id, named := s.Decls[0].Target.(*ast.Ident)
	fn, ok := s.Decls[0].Init.(*ast.FunctionExpr)
	if !named || !ok || fn.Name != nil {
		return nil, nil
	}
	return fn.Func, id.Sym
}

func without(body []ast.Stmt, i int) []ast.Stmt {
	return append(append([]ast.Stmt(nil), body[:i]...), body[i+1:]...)
}

func onlyDeclarations(body []ast.Stmt) bool {
	for _, s := range body {
		switch s.(type) {
		case *ast.FunctionDecl, *ast.ClassDecl, *ast.VarDecl:
		default:
			return false
		}
	}
	return true
}

// sound reports that the body of the wrapper means the same without it: it has no this or arguments of its own, is no
// generator, and nothing else refers to it.
func (c *converter) sound(e *entry, body []ast.Stmt) bool {
	if e.fn.Generator || (!e.fn.Arrow && (e.fn.UsesThis || e.fn.UsesArguments)) || (!e.fn.Async && namesAwait(e.fn)) {
		return false
	}
	if e.name == nil {
		return true
	}
	mentions := 0
	ast.WalkAll(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Sym == e.name {
			mentions++
		}
		return true
	})
	if e.called && (e.fn.Name == nil || e.fn.Name.Sym != e.name || !isExpr(e, body)) {
		return mentions == 2
	}
	return mentions == 1
}

// namesAwait reports that a function uses await as a name, which a program cannot.
func namesAwait(fn *ast.Func) bool {
	found := false
	ast.WalkAll(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			found = found || n.Sym.Name == "await"
		case *ast.Labeled:
			found = found || n.Label == "await"
		}
		return !found
	})
	return found
}

// isExpr reports that the wrapper is a named function expression that is called where it stands.
func isExpr(e *entry, body []ast.Stmt) bool {
	call, ok := finalCall(body[len(body)-1])
	if !ok {
		return false
	}
	fn, ok := call.Callee.(*ast.FunctionExpr)
	return ok && fn.Func == e.fn
}
