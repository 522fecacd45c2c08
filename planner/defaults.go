package planner

import "github.com/casys-ai/pml/nodes/ast"

// withDefaults lifts const { a = await f(), b } = init: the parts first, then what stands for those that are undefined,
// one after the other.
func (l *lifter) withDefaults(b *block, d *ast.Declarator, init ast.Expr) {
	pattern, ok := d.Target.(*ast.ObjectPattern)
	if !ok || l.impure(init) {
		refuse(d, "a tool call in a destructuring pattern")
	}
	plain := &ast.ObjectPattern{Pos: pattern.Pos}
	parts := make([]*ast.Ident, len(pattern.Props))
	for i, p := range pattern.Props {
		id, ok := p.Target.(*ast.Ident)
		if !ok || p.Rest || p.Computed || p.Default != nil && l.changesSomething([]ast.Expr{p.Default}) {
			refuse(d, "a tool call in a destructuring pattern")
		}
		parts[i] = &ast.Ident{Pos: id.Pos, Sym: l.temp(id.Sym.Name)}
		l.an.symbols[parts[i].Sym] = l.an.symbols[id.Sym]
		l.an.uses[parts[i].Sym] = 2 // in the pattern, and behind it
		plain.Props = append(plain.Props, ast.PatternProp{Key: p.Key, Target: parts[i]})
	}
	l.piece(b, d.Pos, []ast.Stmt{constant(d.Pos, plain, init)}, nil, "")
	for i, p := range pattern.Props {
		id, part := p.Target.(*ast.Ident), parts[i]
		l.plainVar(id, id.Sym)
		l.declared[id.Sym] = true
		if p.Default == nil {
			b.bind(id.Sym, l.value(b, part, id.Sym.Name))
			continue
		}
		missing := l.value(b, equals(part, &ast.Undefined{Pos: id.Pos}), "missing")
		v := l.branchValue(b, p.Default, missing,
			func(x *block) val { return l.value(x, p.Default, id.Sym.Name) },
			func(x *block) val { return l.value(x, part, id.Sym.Name) })
		b.bind(id.Sym, v)
	}
}
