package syntax

import "github.com/casys-ai/pml/nodes/ast"

func (m *mender) class(c *ast.ClassBody) {
	for _, field := range oddFields(c) {
		field.Computed = !field.Private
	}
	for i := range c.Members {
		p := &c.Members[i]
		if key, ok := p.Key.(*ast.String); ok && p.Private && m.private[key.Value] != "" {
			p.Key = &ast.String{Pos: key.Pos, Value: m.private[key.Value]}
		}
	}
	m.setters(c.Members)
}

// oddFields returns the class fields whose name goja takes for the beginning of a method.
func oddFields(c *ast.ClassBody) []*ast.Property {
	var out []*ast.Property
	for i := range c.Members {
		p := &c.Members[i]
		key, ok := p.Key.(*ast.String)
		if !ok || p.Kind != ast.PropField || p.Computed || p.Value == nil {
			continue
		}
		if key.Value == "get" || key.Value == "set" || (key.Value == "async" && !p.Private) {
			out = append(out, p)
		}
	}
	return out
}

// notePrivate finds other names for the private ones among the odd fields.
func (m *mender) notePrivate(c *ast.ClassBody) {
	for _, p := range oddFields(c) {
		if name := p.Key.(*ast.String).Value; p.Private {
			m.private[name] = name + "$"
		}
	}
}

// privateInParens puts #x in y, whose end goja misses, into parentheses: that is how a sequence of one is printed.
func privateInParens(e ast.Expr) (ast.Expr, bool) {
	in, ok := e.(*ast.PrivateIn)
	if !ok {
		return nil, false
	}
	x := ast.Rewrite{Expr: mendExpr}.Of(in.X)
	return &ast.Sequence{Pos: in.Pos, Exprs: []ast.Expr{&ast.PrivateIn{Pos: in.Pos, Name: in.Name, X: x}}}, true
}
