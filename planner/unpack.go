package planner

import (
	"fmt"
	"maps"

	"github.com/casys-ai/pml/nodes/ast"
)

// Functions that a program keeps in constants, lists and objects are brought out, before anything is lifted, where it can
// be seen which function is meant: an object of functions that goes nowhere becomes one constant for each of them, a loop
// over a list of functions one block for each, a call of a function that makes functions what that function says, a call
// by a computed name a choice between known functions. The text that comes out means the same, statement by statement.

// mostChanges bounds how often a program is gone through.
const mostChanges = 24

// mostNodes bounds how large a program may grow by copies.
const mostNodes = 20000

// unpack is the pass. It gives l a body of its own where there is something to bring out.
func unpack(l *lifter) {
	if !keepsFunctions(l.body) {
		return
	}
	l.calls = maps.Clone(l.calls)
	changed := false
	for made := 0; made < mostChanges; made++ {
		v := newUnpacker(l, made)
		if v.look.an.size > mostNodes || !v.change() {
			break
		}
		changed = true
	}
	if changed {
		newUnpacker(l, mostChanges).settle()
	}
}

// keepsFunctions reports whether there is anything that the pass is for.
func keepsFunctions(body []ast.Stmt) bool {
	found := false
	ast.WalkAll(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Object, *ast.Array:
			found = found || holdsFunctions(n.(ast.Expr))
		case *ast.ClassDecl:
			found = true
		case *ast.Return:
			_, function := n.X.(*ast.FunctionExpr)
			found = found || function || holdsFunctions(n.X)
		}
		return !found
	})
	return found
}

// holdsFunctions reports whether a literal holds a function, or the name of something that may be one.
func holdsFunctions(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Object:
		for i := range e.Props {
			switch v := e.Props[i].Value.(type) {
			case *ast.FunctionExpr, *ast.Ident:
				return true
			default:
				if holdsFunctions(v) {
					return true
				}
			}
		}
	case *ast.Array:
		for _, x := range e.Elems {
			switch x := x.(type) {
			case *ast.FunctionExpr, *ast.Ident:
				return true
			default:
				if holdsFunctions(x) {
					return true
				}
			}
		}
	}
	return false
}

// unpacker is one time through the program.
type unpacker struct {
	*specialiser
	round, count int
	// heads are the declarations in the heads of loops, which are no statements of a list.
	heads map[ast.Stmt]bool
	// callees are the expressions that are called, targets the members that are assigned.
	callees map[ast.Expr]bool
	targets map[ast.Node]bool
	labeled map[ast.Stmt]bool
	classes map[*ast.Symbol]*ast.ClassBody
	// present are the names of arguments that are surely not undefined.
	present map[*ast.Symbol]bool
}

func newUnpacker(l *lifter, round int) *unpacker {
	v := &unpacker{specialiser: newSpecialiser(l), round: round, heads: map[ast.Stmt]bool{}, callees: map[ast.Expr]bool{},
		targets: map[ast.Node]bool{}, labeled: map[ast.Stmt]bool{},
		classes: map[*ast.Symbol]*ast.ClassBody{}, present: map[*ast.Symbol]bool{}}
	ast.WalkAll(l.body, v.survey)
	return v
}

func (v *unpacker) survey(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.For:
		v.heads[n.Init] = true
	case *ast.ForOf:
		v.heads[n.Left] = true
	case *ast.ForIn:
		v.heads[n.Left] = true
	case *ast.ClassDecl:
		if n.Name != nil {
			v.classes[n.Name.Sym] = n.ClassBody
		}
	case *ast.Labeled:
		v.labeled[n.Body] = true
	case *ast.Call:
		v.callees[n.Callee] = true
	case *ast.Assign:
		v.target(n.Target)
	case *ast.Update:
		v.targets[n.X] = true
	case *ast.Unary:
		if n.Op == "delete" {
			v.targets[n.X] = true
		}
	}
	return true
}

func (v *unpacker) target(p ast.Pattern) {
	v.targets[p] = true
	ast.Walk(p, func(n ast.Node) bool {
		v.targets[n] = true // too much, as keys and defaults are no targets, which does no harm
		return true
	})
}

// change makes one kind of change, if there is one to make.
func (v *unpacker) change() bool {
	return v.split() || v.aliases() || v.heldLists() || v.factories() || v.records() || v.dropClasses()
}

// copy copies the program, with what the hooks replace, and keeps track of the tools' calls.
func (v *unpacker) copy(r *ast.Rewrite) { v.l.body = v.tracking(r).Stmts(v.l.body) }

// tracking makes r keep track of the tools' calls.
func (v *unpacker) tracking(r *ast.Rewrite) ast.Rewrite {
	own := r.Expr
	r.Expr = func(e ast.Expr) (ast.Expr, bool) {
		if own != nil {
			if x, ok := own(e); ok {
				return x, true
			}
		}
		call, ok := e.(*ast.Call)
		if !ok {
			return nil, false
		}
		return v.call(*r, call), true
	}
	return *r
}

// call copies a call.
func (v *unpacker) call(r ast.Rewrite, call *ast.Call) *ast.Call {
	to := &ast.Call{Pos: call.Pos, Callee: r.Of(call.Callee), Args: copies(r, call.Args), Chain: call.Chain}
	if id, ok := v.l.calls[call]; ok {
		v.l.calls[to] = id
	}
	return to
}

func copies(r ast.Rewrite, list []ast.Expr) []ast.Expr {
	out := make([]ast.Expr, len(list))
	for i, x := range list {
		out[i] = r.Of(x)
	}
	return out
}

// renaming copies trees with new symbols for what they declare.
func (v *unpacker) renaming(ns ...ast.Node) ast.Rewrite {
	renamed := map[*ast.Symbol]*ast.Symbol{}
	v.count++
	for _, sym := range ast.Declared(ns...) {
		if v.l.aliases[sym] == nil {
			own := *sym
			own.Unique = v.unique(sym.Unique)
			renamed[sym] = &own
		}
	}
	return v.tracking(&ast.Rewrite{Symbol: func(s *ast.Symbol) *ast.Symbol {
		if to := renamed[s]; to != nil {
			return to
		}
		return s
	}})
}

func (v *unpacker) unique(name string) string { return fmt.Sprintf("%s$%d_%d", name, v.round, v.count) }

// symbol makes a variable.
func (v *unpacker) symbol(name, unique string, kind ast.SymbolKind, pos ast.Pos) *ast.Symbol {
	v.count++
	return &ast.Symbol{Name: name, Unique: v.unique(unique), Kind: kind, Decl: pos}
}

// settle gives the program symbols of its own, and offsets that say again what comes first.
func (v *unpacker) settle() {
	renamed := map[*ast.Symbol]*ast.Symbol{}
	for _, s := range ast.Declared(asNodes(v.l.body)...) {
		if v.l.aliases[s] == nil {
			own := *s
			renamed[s] = &own
		}
	}
	v.copy(&ast.Rewrite{Symbol: func(s *ast.Symbol) *ast.Symbol {
		if to := renamed[s]; to != nil {
			return to
		}
		return s
	}})
	known := map[*ast.Symbol]ast.Expr{}
	for s, e := range v.l.known {
		if to := renamed[s]; to != nil {
			s = to
		}
		known[s] = e
	}
	v.l.known = known
	ast.Renumber(v.l.body)
}

func asNodes(list []ast.Stmt) []ast.Node {
	out := make([]ast.Node, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// constantOf is the declarator of s if it declares one constant in a statement list; several are split before.
func (v *unpacker) constantOf(s ast.Stmt) (*ast.Ident, ast.Expr) {
	decl, ok := s.(*ast.VarDecl)
	if !ok || v.heads[s] || len(decl.Decls) != 1 || decl.Kind != ast.DeclConst && decl.Kind != ast.DeclLet {
		return nil, nil
	}
	id, ok := decl.Decls[0].Target.(*ast.Ident)
	if !ok || decl.Decls[0].Init == nil || v.look.an.assigned[id.Sym] > 0 {
		return nil, nil
	}
	return id, decl.Decls[0].Init
}

// eachConstant visits the constants that are declared in statement lists.
func (v *unpacker) eachConstant(visit func(id *ast.Ident, init ast.Expr)) {
	ast.WalkAll(v.l.body, func(n ast.Node) bool {
		if s, ok := n.(*ast.VarDecl); ok {
			if id, init := v.constantOf(s); id != nil {
				visit(id, init)
			}
		}
		return true
	})
}

// aliases makes the names of functions that are only other names for functions go away: const f = g. So it does with names of records.
func (v *unpacker) aliases() bool {
	to := map[*ast.Symbol]*ast.Symbol{}
	records := map[*ast.Symbol]bool{}
	v.eachConstant(func(id *ast.Ident, init ast.Expr) {
		if v.record(id, init) != nil {
			records[id.Sym] = true
		}
	})
	v.eachConstant(func(id *ast.Ident, init ast.Expr) {
		if from, ok := init.(*ast.Ident); ok && (v.look.an.functions[from.Sym] != nil || records[from.Sym]) && v.late(id) {
			to[id.Sym] = from.Sym
		}
	})
	if len(to) == 0 {
		return false
	}
	final := func(s *ast.Symbol) *ast.Symbol {
		for to[s] != nil {
			s = to[s]
		}
		return s
	}
	v.copy(&ast.Rewrite{Symbol: final, Each: func(s ast.Stmt) ([]ast.Stmt, bool) {
		id, _ := v.constantOf(s)
		return nil, id != nil && to[id.Sym] != nil
	}})
	return true
}

// late reports whether the name is mentioned after its declaration only, and not by functions that may be called before.
func (v *unpacker) late(id *ast.Ident) bool {
	ok := true
	hoisted, declared := 0, -1
	var visit func(ast.Node) bool
	visit = func(n ast.Node) bool {
		if decl, isDecl := n.(*ast.FunctionDecl); isDecl {
			hoisted++
			for _, s := range decl.Body {
				ast.Walk(s, visit)
			}
			hoisted--
			return false
		}
		if x, isIdent := n.(*ast.Ident); isIdent && x.Sym == id.Sym {
			if x == id {
				declared = hoisted
			} else {
				ok = ok && declared == hoisted
			}
		}
		return ok
	}
	ast.WalkAll(v.l.body, visit)
	return ok
}

// split makes one declaration of each of const f = () => …, o = {…}.
func (v *unpacker) split() bool {
	found := map[ast.Stmt]bool{}
	ast.WalkAll(v.l.body, func(n ast.Node) bool {
		decl, ok := n.(*ast.VarDecl)
		if !ok || v.heads[decl] || len(decl.Decls) < 2 || decl.Kind != ast.DeclConst && decl.Kind != ast.DeclLet {
			return true
		}
		for _, d := range decl.Decls {
			_, made := d.Init.(*ast.New)
			_, called := d.Init.(*ast.Call)
			found[decl] = found[decl] || made || called || d.Init != nil && holdsFunctions(d.Init)
		}
		if !found[decl] {
			delete(found, decl)
		}
		return true
	})
	if len(found) == 0 {
		return false
	}
	r := &ast.Rewrite{}
	r.Each = func(s ast.Stmt) ([]ast.Stmt, bool) {
		if !found[s] {
			return nil, false
		}
		decl := s.(*ast.VarDecl)
		var list []ast.Stmt
		for _, d := range decl.Decls {
			list = append(list, &ast.VarDecl{Pos: d.Pos, Kind: decl.Kind,
				Decls: []ast.Declarator{{Pos: d.Pos, Target: r.Pattern(d.Target), Init: r.Of(d.Init)}}})
		}
		return list, true
	}
	v.copy(r)
	return true
}

// heldLists makes constants of the lists of functions that loops go through, and of what is taken apart where it is made.
func (v *unpacker) heldLists() bool {
	found := map[ast.Stmt]bool{}
	ast.WalkAll(v.l.body, func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.ForOf:
			if !v.labeled[s] && v.record(&ast.Ident{Sym: &ast.Symbol{}}, s.Right) != nil {
				found[s] = true
			}
		case *ast.VarDecl:
			if v.heads[s] || len(s.Decls) != 1 || s.Kind == ast.DeclVar || isIdent(s.Decls[0].Target) {
				return true
			}
			if v.record(&ast.Ident{Sym: &ast.Symbol{}}, s.Decls[0].Init) != nil {
				found[s] = true
			}
		}
		return true
	})
	if len(found) == 0 {
		return false
	}
	r := &ast.Rewrite{}
	r.Each = func(s ast.Stmt) ([]ast.Stmt, bool) {
		if !found[s] {
			return nil, false
		}
		if decl, ok := s.(*ast.VarDecl); ok {
			d := decl.Decls[0]
			id := &ast.Ident{Pos: d.Pos, Sym: v.symbol("whole", "whole", ast.SymConst, d.Pos)}
			return []ast.Stmt{constant(d.Pos, id, r.Of(d.Init)), &ast.VarDecl{Pos: decl.Pos, Kind: decl.Kind,
				Decls: []ast.Declarator{{Pos: d.Pos, Target: r.Pattern(d.Target), Init: &ast.Ident{Pos: d.Pos, Sym: id.Sym}}}}}, true
		}
		loop := s.(*ast.ForOf)
		pos := loop.Right.Position()
		id := &ast.Ident{Pos: pos, Sym: v.symbol("list", "list", ast.SymConst, pos)}
		return []ast.Stmt{constant(pos, id, r.Of(loop.Right)),
			&ast.ForOf{Pos: loop.Pos, Await: loop.Await, Left: r.Stmt(loop.Left), Right: id, Body: r.Stmt(loop.Body)}}, true
	}
	v.copy(r)
	return true
}
