package planner

import (
	"fmt"
	"slices"

	"github.com/casys-ai/pml/nodes/ast"
)

// spot is one place where a callback changes what it shares.
type spot struct {
	t *turns
	// consts evaluate, in the callback, what the change does not need the shared variables for; parts are their names in the
	// entry and their values, in turn.
	consts []ast.Stmt
	parts  []any
	// waits says that one of them waits, reads that the change depends on what the variables hold.
	waits, reads bool
}

// note is what stands in the callback for the change that s makes.
func (t *turns) note(s ast.Stmt) []ast.Stmt {
	x := &spot{t: t}
	change := x.stmt(s, true)
	if change == nil || x.waits && x.reads {
		t.wrong = true
		return nil
	}
	pos := s.Position()
	number := &ast.Number{Pos: pos, Value: float64(len(t.spots))}
	taken := &ast.Call{Pos: pos, Callee: &ast.Ident{Pos: pos, Sym: turn}}
	entry := record(pos, append([]any{"turn", taken, "spot", number}, x.parts...)...)
	t.spots = append(t.spots, change)
	push := &ast.Call{Pos: pos, Args: []ast.Expr{entry},
		Callee: &ast.Member{Pos: pos, Object: &ast.Ident{Pos: pos, Sym: t.log.Sym}, Name: "push", NamePos: pos}}
	return append(x.consts, &ast.ExprStmt{Pos: pos, X: push})
}

// stmt is the statement that makes the change: one expression, or what hangs on a look at the shared variables.
func (s *spot) stmt(x ast.Stmt, always bool) ast.Stmt {
	switch x := x.(type) {
	case *ast.ExprStmt:
		if e := s.change(x.X, always); e != nil {
			return &ast.ExprStmt{Pos: x.Pos, X: e}
		}
	case *ast.Block:
		c := &ast.Block{Pos: x.Pos}
		for _, inner := range x.Body {
			y := s.stmt(inner, always)
			if y == nil {
				return nil
			}
			c.Body = append(c.Body, y)
		}
		return c
	case *ast.If:
		c := &ast.If{Pos: x.Pos, Test: s.rest(x.Test, always), Then: s.stmt(x.Then, false)}
		if x.Else != nil {
			if c.Else = s.stmt(x.Else, false); c.Else == nil {
				return nil
			}
		}
		if c.Test != nil && c.Then != nil {
			return c
		}
	}
	return nil
}

// shared is the variable that e names; nil if it is none of those that the callbacks change.
func (s *spot) shared(e ast.Node) *ast.Symbol {
	if id, ok := e.(*ast.Ident); ok && slices.Contains(s.t.vars, id.Sym) {
		return id.Sym
	}
	return nil
}

// change is the change that e makes, over the entry of the log; nil if it may throw, or is of another kind. always says
// that it is made in any case.
func (s *spot) change(e ast.Expr, always bool) ast.Expr {
	switch e := e.(type) {
	case *ast.Call:
		m, ok := e.Callee.(*ast.Member)
		if !ok || e.Chain != ast.NoChain || m.Chain != ast.NoChain || !s.takes(s.shared(m.Object), m.Name) {
			return nil
		}
		c := *e
		c.Args = make([]ast.Expr, len(e.Args))
		for i, x := range e.Args {
			if c.Args[i] = s.rest(x, always); c.Args[i] == nil {
				return nil
			}
		}
		return &c
	case *ast.Update:
		target := s.target(e.X, always)
		s.reads = true
		x, ok := target.(ast.Expr)
		if !ok {
			return nil
		}
		c := *e
		c.X = x
		return &c
	case *ast.Assign:
		return s.assign(e, always)
	}
	return nil
}

func (s *spot) assign(e *ast.Assign, always bool) ast.Expr {
	c := *e
	if c.Target = s.target(e.Target, always); c.Target == nil {
		return nil
	}
	s.reads = s.reads || e.Op != "="
	if c.Value = s.rest(e.Value, always && len(e.Op) < 3); c.Value == nil {
		return nil
	}
	return &c
}

// target is what is assigned to: a variable, or a property of the object that a constant holds.
func (s *spot) target(p ast.Node, always bool) ast.Pattern {
	switch p := p.(type) {
	case *ast.Ident:
		if sym := s.shared(p); sym != nil && s.t.p.inits[sym] == nil {
			return p
		}
	case *ast.Member:
		if s.holds(s.shared(p.Object)) && p.Chain == ast.NoChain {
			return p
		}
	case *ast.Index:
		if !s.holds(s.shared(p.Object)) || p.Chain != ast.NoChain {
			return nil
		}
		c := *p
		if c.Index = s.rest(p.Index, always); c.Index == nil {
			return nil
		}
		return &c
	}
	return nil
}

// holds reports whether the constant was made as an array or a plain object.
func (s *spot) holds(sym *ast.Symbol) bool {
	switch s.t.p.inits[sym].(type) {
	case *ast.Array, *ast.Object:
		return true
	}
	return false
}

// takes reports whether the constant surely has the method, which cannot fail.
func (s *spot) takes(sym *ast.Symbol, method string) bool {
	switch init := s.t.p.inits[sym].(type) {
	case *ast.Array:
		return method == "push" || method == "unshift"
	case *ast.New:
		switch globalName(init.Callee) {
		case "Map":
			return method == "set" || method == "delete"
		case "Set":
			return method == "add" || method == "delete"
		}
	}
	return false
}

// looks are the methods that only look, and cannot fail.
var looks = set("get", "has", "includes", "indexOf")

// rest is what is evaluated with the change: e, but for what does not need the shared variables. always says that e is
// evaluated in any case; where it is not, what may fail or wait must not be evaluated before. Nil if that cannot be done.
func (s *spot) rest(e ast.Expr, always bool) ast.Expr {
	if sp, ok := e.(*ast.Spread); ok {
		if s.t.mentions(sp.X) {
			return nil
		}
		return &ast.Spread{Pos: sp.Pos, X: s.keep(&ast.Array{Pos: sp.Pos, Elems: []ast.Expr{sp}}, always)}
	}
	if !s.t.mentions(e) {
		return s.keep(e, always)
	}
	s.reads = true
	switch e := e.(type) {
	case *ast.Ident:
		return e
	case *ast.Member:
		if s.holds(s.shared(e.Object)) || e.Name == "length" && s.shared(e.Object) != nil && s.t.p.inits[s.shared(e.Object)] != nil {
			return e
		}
	case *ast.Index:
		if s.holds(s.shared(e.Object)) {
			c := *e
			if c.Index = s.rest(e.Index, always); c.Index != nil {
				return &c
			}
		}
	case *ast.Call:
		m, ok := e.Callee.(*ast.Member)
		if !ok || !looks[m.Name] || s.shared(m.Object) == nil || s.t.p.inits[s.shared(m.Object)] == nil || len(e.Args) != 1 {
			return nil
		}
		c := *e
		c.Args = []ast.Expr{s.rest(e.Args[0], always)}
		if c.Args[0] != nil {
			return &c
		}
	case *ast.Binary:
		c := *e
		c.X, c.Y = s.rest(e.X, always), s.rest(e.Y, always)
		if c.X != nil && c.Y != nil && e.Op != "in" && e.Op != "instanceof" {
			return &c
		}
	case *ast.Unary:
		c := *e
		if c.X = s.rest(e.X, always); c.X != nil && (e.Op == "!" || e.Op == "typeof") {
			return &c
		}
	case *ast.Logical:
		c := *e
		c.X, c.Y = s.rest(e.X, always), s.rest(e.Y, false)
		if c.X != nil && c.Y != nil {
			return &c
		}
	}
	return nil
}

// keep evaluates e in the callback, and gives its place in the entry; nil if it must not be.
func (s *spot) keep(e ast.Expr, always bool) ast.Expr {
	if literal(e) {
		return e
	}
	if !always && canThrow(e) {
		return nil
	}
	ast.Walk(e, func(n ast.Node) bool {
		_, wait := n.(*ast.Await)
		s.waits = s.waits || wait
		return true
	})
	part, name := s.t.name("part"), fmt.Sprintf("part%d_%d", len(s.t.spots), len(s.consts))
	s.consts = append(s.consts, constant(e.Position(), part, e))
	s.parts = append(s.parts, name, s.t.use(part))
	return s.t.field(s.t.entry, name)
}
