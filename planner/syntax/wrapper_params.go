package syntax

import "github.com/casys-ai/pml/nodes/ast"

// bindParams makes the wrapper's parameters the program's own free names, if they mean the same.
func (c *converter) bindParams(e *entry) bool {
	names := map[*ast.Symbol]string{}
	if e.called && len(e.args) != len(e.fn.Params) {
		return false
	}
	for i, p := range e.fn.Params {
		if p.Default != nil || p.Rest || !paramMeaning(e, i, p.Target, names) {
			return false
		}
	}
	nodes := make([]ast.Node, len(e.fn.Body))
	for i, s := range e.fn.Body {
		nodes[i] = s
	}
	for _, sym := range append(ast.Assigned(nodes...), ast.Declared(nodes...)...) {
		if _, changed := names[sym]; changed {
			return false
		}
	}
	c.replace(e.fn.Body, names)
	return true
}

// paramMeaning notes which free name each symbol of a parameter stands for.
func paramMeaning(e *entry, i int, target ast.Pattern, names map[*ast.Symbol]string) bool {
	switch t := target.(type) {
	case *ast.Ident:
		name := t.Sym.Name
		if e.called {
			arg, ok := e.args[i].(*ast.Ident)
			if !ok || arg.Sym.Kind != ast.SymUnbound {
				return false
			}
			name = arg.Sym.Name
		}
		names[t.Sym] = name
		return name == "args" || name == "mcp"
	case *ast.ObjectPattern:
		if e.called {
			return false
		}
		for _, p := range t.Props {
			key, fixed := p.Key.(*ast.String)
			id, simple := p.Target.(*ast.Ident)
			if !fixed || !simple || p.Computed || p.Default != nil || (key.Value != "args" && key.Value != "mcp") {
				return false
			}
			names[id.Sym] = key.Value
		}
		return true
	}
	return false
}

// replace lets the names mean the free names that the program was given.
func (c *converter) replace(body []ast.Stmt, names map[*ast.Symbol]string) {
	if len(names) == 0 {
		return
	}
	ast.WalkAll(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if name, ok := names[id.Sym]; ok {
				id.Sym = c.syms.free(name, false)
			}
		}
		return true
	})
	c.syms.drop(names)
}
