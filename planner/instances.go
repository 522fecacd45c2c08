package planner

import "github.com/casys-ai/pml/nodes/ast"

// An instance of a class of the program is a record, too, if it is kept in a constant and goes nowhere: fields and methods
// become variables, and the constructor runs where the instance is made.

// instance makes a record of new C(…).
func (v *unpacker) instance(r *compound, n *ast.New) bool {
	id, ok := n.Callee.(*ast.Ident)
	if !ok || v.classes[id.Sym] == nil || v.look.an.assigned[id.Sym] > 0 {
		return false
	}
	r.class, r.args = v.classes[id.Sym], n.Args
	if r.class.Extends != nil || len(r.class.Decorators) > 0 {
		return false
	}
	for i := range r.class.Members {
		if !r.member(&r.class.Members[i]) {
			return false
		}
	}
	if len(r.parts) > mostParts || r.maker == nil {
		return len(r.parts) <= mostParts
	}
	return bindable(r.maker, n.Args) && !returnsIn(r.maker.Body) && !boundToFunction(r.maker.Body)
}

// member adds what a class declares; false if that is something out of the ordinary.
func (r *compound) member(m *ast.Property) bool {
	key, ok := m.Key.(*ast.String)
	if !ok || m.Computed || m.Static || m.Accessor || len(m.Decorators) > 0 {
		return false
	}
	name := key.Value
	if m.Private {
		name = "#" + name
	}
	fe, function := m.Value.(*ast.FunctionExpr)
	if m.Kind == ast.PropInit && name == "constructor" && function {
		r.maker = fe.Func
		return true
	}
	if inherited[name] || r.byName[name] != nil {
		return false
	}
	p := &part{name: name, init: m.Value, pos: key.Pos}
	switch {
	case m.Kind == ast.PropField:
		if m.Value == nil {
			p.init, p.assigned = nil, true
		}
		if function && fe.Arrow {
			p.fn, p.method = fe.Func, true
		}
	case (m.Kind == ast.PropInit || m.Kind == ast.PropGet) && function:
		p.fn, p.method, p.getter, p.self = fe.Func, true, m.Kind == ast.PropGet, true
	default:
		return false
	}
	r.add(p)
	return true
}

func returnsIn(list []ast.Stmt) bool {
	for _, s := range list {
		if returns(s) {
			return true
		}
	}
	return false
}

// made is what new C(…) does: the methods, the fields, then what the constructor says.
func (t *parting) made(r *compound) []ast.Stmt {
	outer := t.this
	var list []ast.Stmt
	for _, p := range r.parts {
		if p.method || p.getter {
			list = append(list, t.declare(p, t.method(r, p)))
		}
	}
	args, held := t.v.held(t.r, nil, r.args)
	list = append(list, held...)
	t.this = r
	defer func() { t.this = outer }()
	once := t.onceAssigned(r)
	for _, p := range r.parts {
		switch {
		case p.method || p.getter || once[p] != nil:
		case p.init == nil:
			list = append(list, t.declare(p, &ast.Undefined{Pos: p.pos}))
		default:
			list = append(list, t.declare(p, t.r.Of(p.init)))
		}
	}
	if r.maker == nil {
		return list
	}
	fn := t.v.renaming(&ast.FunctionExpr{Func: r.maker}).Func(r.maker)
	list = append(list, t.r.Stmts(t.v.binding(fn, r.pos, args))...)
	for i, s := range fn.Body {
		if p := partOf(once, r.maker.Body[i]); p != nil {
			p.assigned = false
			p.sym.Kind = ast.SymConst
			list = append(list, t.declare(p, t.r.Of(s.(*ast.ExprStmt).X.(*ast.Assign).Value)))
			continue
		}
		list = append(list, t.r.Stmts([]ast.Stmt{s})...)
	}
	ast.WalkAll(list, func(n ast.Node) bool {
		if fe, ok := n.(*ast.FunctionExpr); ok && fe.Arrow {
			fe.UsesThis = false
		}
		return true
	})
	return list
}

// onceAssigned finds the fields that are assigned once and for all by a statement of the constructor, before anything can
// look at them.
func (t *parting) onceAssigned(r *compound) map[*part]ast.Stmt {
	once := map[*part]ast.Stmt{}
	if r.maker == nil {
		return once
	}
	for _, s := range r.maker.Body {
		m, value := ownAssignment(s)
		if m == nil || mentionsThis(value) {
			break
		}
		if p := r.byName[memberName(m)]; p != nil && p.init == nil && p.times == 1 {
			once[p] = s
		}
	}
	for _, p := range r.parts {
		if p.init != nil && !p.method && mentionsThis(p.init) {
			clear(once)
		}
	}
	return once
}

// ownAssignment recognises this.name = value.
func ownAssignment(s ast.Stmt) (*ast.Member, ast.Expr) {
	x, ok := s.(*ast.ExprStmt)
	if !ok {
		return nil, nil
	}
	as, ok := x.X.(*ast.Assign)
	if !ok || as.Op != "=" {
		return nil, nil
	}
	m, ok := as.Target.(*ast.Member)
	if !ok {
		return nil, nil
	}
	if _, this := m.Object.(*ast.This); !this {
		return nil, nil
	}
	return m, as.Value
}

func mentionsThis(e ast.Expr) bool {
	found := false
	ast.Walk(e, func(n ast.Node) bool {
		_, this := n.(*ast.This)
		found = found || this
		return !found
	})
	return found
}

func partOf(once map[*part]ast.Stmt, s ast.Stmt) *part {
	for p, at := range once {
		if at == s {
			return p
		}
	}
	return nil
}

// dropClasses leaves out the declarations of classes that nothing names any more.
func (v *unpacker) dropClasses() bool {
	gone := map[ast.Stmt]bool{}
	ast.WalkAll(v.l.body, func(n ast.Node) bool {
		if c, ok := n.(*ast.ClassDecl); ok && c.Name != nil && v.look.an.uses[c.Name.Sym] == 1 && plainClass(c.ClassBody) {
			gone[c] = true
		}
		return true
	})
	if len(gone) == 0 {
		return false
	}
	v.copy(&ast.Rewrite{Each: func(s ast.Stmt) ([]ast.Stmt, bool) { return nil, gone[s] }})
	return true
}

// plainClass reports whether declaring a class does nothing else.
func plainClass(c *ast.ClassBody) bool {
	if c.Extends != nil || len(c.Decorators) > 0 {
		return false
	}
	for i := range c.Members {
		m := &c.Members[i]
		if m.Computed || len(m.Decorators) > 0 || m.Kind == ast.PropStaticBlock || m.Static && m.Kind == ast.PropField {
			return false
		}
	}
	return true
}
