package planner

import (
	"math"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// analysis is what one walk over the whole program finds out about who shares and changes which objects.
type analysis struct {
	symbols map[*ast.Symbol]*region
	exprs   map[ast.Expr]*region
	// functions are the functions that a symbol is bound to once and for all.
	functions map[*ast.Symbol]*ast.Func
	// formatters are the constants that hold a formatter of Intl.
	formatters map[*ast.Symbol]bool
	// returns is what a function returns; this what `this` is in it.
	returns map[*ast.Func]*region
	changes map[ast.Node]*region
	// uses counts how often a symbol is mentioned, assigned how often it is assigned after its declaration.
	uses     map[*ast.Symbol]int
	assigned map[*ast.Symbol]int
	// lastUse is the byte offset of a symbol's last mention.
	lastUse map[*ast.Symbol]int
	// lastAssign is the byte offset of the last assignment to a symbol.
	lastAssign map[*ast.Symbol]int
	// escapes is where in the program the object that a variable was declared with may first get out of it.
	escapes map[*ast.Symbol]int
	// stores are what is put into objects: by assignments to properties, push and the like.
	stores []store
	// thrown is whatever the program throws, and catches.
	thrown *region
	// clones are the copies that structuredClone makes.
	clones []clone
	marks  int
	// circular says that a region is.
	circular bool
	// plainMatches are the calls of match and exec of whose result only the captured strings are used.
	plainMatches map[*ast.Call]bool
	// size is how many nodes the program's tree has.
	size    int
	current []*ast.Func
	calls   map[*ast.Call]nodes.ToolID
	copied  map[*ast.Func]bool
	facts   map[ast.Node]*facts
	// bodies are the facts about named functions, and acting those that change something; nil until they are asked for.
	bodies map[*ast.Func]*bodyFacts
	acting map[*ast.Func]bool
	// exotics remembers what exotic found, once the walk is over (settled) and regions no longer change.
	exotics map[*ast.Symbol]string
	settled bool
	scanner scanner
	// repeated are the loops and functions of the program, outer ones first; extents is where they are, once asked for.
	repeated []ast.Node
	extents  []span
	// owned are the calls of functions that objects hold, called those of values; strange says that the program uses classes or this: then what is
	// not known of objects may hold functions.
	owned, called []valueCall
	strange       bool
	// travels says that what is rich can be handed on.
	travels bool
	// throws says that a throw statement stands somewhere.
	throws bool
	// reads is what the functions that eachNamed visits read of the variables outside of them.
	reads map[*ast.Func][]*ast.Symbol
}

func analyse(body []ast.Stmt, calls map[*ast.Call]nodes.ToolID, copied map[*ast.Func]bool) *analysis {
	a := &analysis{
		calls: calls, copied: copied, thrown: newRegion(), facts: map[ast.Node]*facts{}, exotics: map[*ast.Symbol]string{},
		functions: map[*ast.Symbol]*ast.Func{}, formatters: map[*ast.Symbol]bool{},
		returns: map[*ast.Func]*region{}, changes: map[ast.Node]*region{},
		uses: map[*ast.Symbol]int{}, assigned: map[*ast.Symbol]int{}, lastAssign: map[*ast.Symbol]int{},
	}
	for _, s := range body {
		ast.Walk(s, a.count)
	}
	// The largest maps are made as large as they will be: to grow costs them more than all that is put in.
	a.exprs, a.symbols = make(map[ast.Expr]*region, a.size/3), make(map[*ast.Symbol]*region, len(a.uses))
	a.lastUse = make(map[*ast.Symbol]int, len(a.uses))
	for _, s := range body {
		ast.Walk(s, a.bindFunctions)
	}
	a.findPlainMatches(body)
	a.findLastUses(body)
	a.findAssignments(body)
	a.stmts(body)
	a.joinOwned()
	a.joinCalls()
	a.findCycles()
	a.joinClones()
	a.findEscapes(body)
	a.settled = true
	return a
}

// store is one place that puts a value into an object; added says that a method did it, push or the like.
type store struct {
	object, value *region
	added         bool
}

// findCycles marks the objects that something put into them may make hold themselves, such as a child that names its
// parent: JSON has no words for them, so they cannot travel. What is added to a list is mostly a tree, and only may be a
// circle: such objects are told apart when they leave a piece of code.
func (a *analysis) findCycles() {
	for _, s := range a.stores {
		target := s.object.find()
		a.marks++
		if target.exotic != "" || !reaches(s.value, a.marks, func(r *region) bool { return r == target }) {
			continue
		}
		if s.added {
			target.circular, a.circular = true, true
		} else {
			target.exotic = holdsItself
		}
	}
}

// count gathers mentions and assignments.
func (a *analysis) count(n ast.Node) bool {
	a.size++
	switch n := n.(type) {
	case *ast.Ident:
		a.uses[n.Sym]++
	case *ast.ClassDecl, *ast.ClassExpr, *ast.This:
		a.strange = true
	case *ast.For, *ast.ForOf, *ast.ForIn, *ast.While, *ast.DoWhile:
		a.repeated = append(a.repeated, n)
	case *ast.FunctionExpr, *ast.FunctionDecl:
		a.repeated = append(a.repeated, n)
	case *ast.Assign:
		a.assign(n.Target)
	case *ast.Throw:
		a.throws = true
	case *ast.Update:
		if id, ok := n.X.(*ast.Ident); ok {
			a.assigned[id.Sym]++
		}
	case *ast.VarDecl:
		for _, d := range n.Decls {
			if n.Kind == ast.DeclVar || d.Init == nil && n.Kind == ast.DeclLet {
				a.assign(d.Target)
			}
		}
	}
	return true
}

func (a *analysis) assign(p ast.Pattern) {
	for _, s := range ast.PatternSymbols(p) {
		a.assigned[s]++
	}
}

// bindFunctions finds the names that mean one function for good, declarations and const f = () => …, and those that mean
// one formatter.
func (a *analysis) bindFunctions(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FunctionDecl:
		if n.Name != nil && a.assigned[n.Name.Sym] == 0 {
			a.functions[n.Name.Sym] = n.Func
		}
	case *ast.VarDecl:
		for _, d := range n.Decls {
			id, ok := d.Target.(*ast.Ident)
			fn, isFn := d.Init.(*ast.FunctionExpr)
			switch {
			case !ok || a.assigned[id.Sym] > 0:
			case isFn:
				a.functions[id.Sym] = fn.Func
			case newFormatter(d.Init):
				a.formatters[id.Sym] = true
			}
		}
	}
	return true
}

func (a *analysis) symbol(s *ast.Symbol) *region {
	r := a.symbols[s]
	if r == nil {
		r = newRegion()
		a.symbols[s] = r
	}
	return r.find()
}

// change notes that n changes an object of r in place.
func (a *analysis) change(n ast.Node, r *region) {
	if r == nil {
		return
	}
	r = r.find()
	r.changed = true
	r.lastChange = max(r.lastChange, n.Position().Offset)
	if len(a.current) > 0 {
		r.lastChange = math.MaxInt // whenever the function is called
	}
	a.changes[n] = r
}

// exotic names what the symbol may hold that cannot travel on an edge; "" if nothing.
func (a *analysis) exotic(s *ast.Symbol) string {
	what, ok := a.exotics[s]
	if !ok {
		what = a.exoticRegion(a.symbols[s])
		if a.settled {
			a.exotics[s] = what
		}
	}
	return what
}

func (a *analysis) exoticExpr(e ast.Expr) string { return a.exoticRegion(a.exprs[e]) }

func (a *analysis) exoticRegion(r *region) string {
	if r == nil || a.settled && r.find().exotic == "" && !a.scanner.of(r).exotic {
		return ""
	}
	a.marks++
	what := ""
	reaches(r, a.marks, func(r *region) bool {
		if !(a.travels && rich[r.exotic]) {
			what = r.exotic
		}
		return what != ""
	})
	return what
}

// reaches reports whether an object of one of the regions in targets may be reached through the symbol.
func (a *analysis) reaches(s *ast.Symbol, targets map[*region]bool) bool {
	return a.leads(a.symbols[s], targets)
}

func (a *analysis) stmts(list []ast.Stmt) {
	for _, s := range list {
		a.stmt(s)
	}
}

func (a *analysis) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.VarDecl:
		for i := range s.Decls {
			a.declare(&s.Decls[i])
		}
	case *ast.FunctionDecl:
		unify(a.symbol(s.Name.Sym), a.fn(s.Func))
	case *ast.ClassDecl:
		r := a.class(s.ClassBody)
		if s.Name != nil {
			unify(a.symbol(s.Name.Sym), r)
		}
	case *ast.ExprStmt:
		a.expr(s.X)
	case *ast.Block:
		a.stmts(s.Body)
	case *ast.If:
		a.expr(s.Test)
		a.stmt(s.Then)
		a.maybe(s.Else)
	case *ast.For:
		a.maybe(s.Init)
		a.opt(s.Test)
		a.opt(s.Update)
		a.stmt(s.Body)
	case *ast.ForIn:
		a.opt(s.Right)
		a.loopVar(s.Left, nil)
		a.stmt(s.Body)
	case *ast.ForOf:
		a.loopVar(s.Left, a.iterate(a.expr(s.Right)))
		a.stmt(s.Body)
	case *ast.While:
		a.expr(s.Test)
		a.stmt(s.Body)
	case *ast.DoWhile:
		a.stmt(s.Body)
		a.expr(s.Test)
	case *ast.Return:
		var r *region
		if n := len(a.current); s.X != nil && n > 0 && a.current[n-1].Async {
			r = a.awaited(s.X)
		} else {
			r = a.opt(s.X)
		}
		if n := len(a.current); n > 0 {
			fn := a.current[n-1]
			a.returns[fn] = unify(a.returns[fn], r)
		}
	case *ast.Throw:
		unify(a.thrown, a.expr(s.X))
	case *ast.Try:
		a.stmts(s.Body.Body)
		if s.Param != nil {
			a.bind(s.Param, a.thrown)
		}
		if s.Handler != nil {
			a.stmts(s.Handler.Body)
		}
		if s.Finally != nil {
			a.stmts(s.Finally.Body)
		}
	case *ast.Switch:
		a.expr(s.X)
		for _, c := range s.Cases {
			a.opt(c.Test)
			a.stmts(c.Body)
		}
	case *ast.Labeled:
		a.stmt(s.Body)
	}
}

// declare follows a declarator. The parts of const [a, b] = await Promise.all([x, y]) have nothing to do with each other.
func (a *analysis) declare(d *ast.Declarator) {
	if d.Init == nil {
		return
	}
	call, ok := parallelParts(d)
	if !ok {
		a.bind(d.Target, a.expr(d.Init))
		return
	}
	targets := d.Target.(*ast.ArrayPattern).Elems
	for i, x := range call.Args[0].(*ast.Array).Elems {
		r := settled(a.expr(x))
		if i < len(targets) && targets[i].Target != nil {
			a.bind(targets[i].Target, r)
		}
	}
	a.exprs[call], a.exprs[d.Init] = promiseOf(newRegion()), newRegion()
}

func (a *analysis) maybe(s ast.Stmt) {
	if s != nil {
		a.stmt(s)
	}
}

func (a *analysis) opt(e ast.Expr) *region {
	if e == nil {
		return nil
	}
	return a.expr(e)
}

func (a *analysis) loopVar(left ast.Stmt, r *region) {
	switch left := left.(type) {
	case *ast.VarDecl:
		a.bind(left.Decls[0].Target, r)
	case *ast.ExprStmt:
		if as, ok := left.X.(*ast.Assign); ok {
			a.bind(as.Target, r)
		}
	}
}

// bind gives the pattern the objects of r.
func (a *analysis) bind(p ast.Pattern, r *region) {
	switch p := p.(type) {
	case *ast.Ident:
		if r != nil {
			unify(a.symbol(p.Sym), r)
		}
	case *ast.Member:
		o := a.expr(p.Object)
		a.change(p, o)
		if o != nil && r != nil {
			o.store(p.Name, r)
			a.stores = append(a.stores, store{object: o, value: r})
		}
	case *ast.Index:
		o := a.expr(p.Object)
		a.expr(p.Index)
		a.change(p, o)
		if o != nil {
			unify(a.indexed(o, p.Index), r)
			a.stores = append(a.stores, store{object: o, value: r})
		}
	case *ast.ArrayPattern:
		for _, e := range p.Elems {
			a.bindElem(e.Target, e.Default, e.Rest, r, a.iterate(r))
		}
	case *ast.ObjectPattern:
		for _, e := range p.Props {
			var part *region
			if e.Key != nil {
				a.expr(e.Key)
				part = a.indexed(r, e.Key)
			}
			a.bindElem(e.Target, e.Default, e.Rest, r, part)
		}
	}
}

func (a *analysis) bindElem(target ast.Pattern, def ast.Expr, rest bool, whole, part *region) {
	if target == nil {
		return
	}
	if rest {
		part = copyOf(whole)
	}
	if def != nil {
		part = unify(part, a.expr(def))
	}
	a.bind(target, part)
}

// indexed is what o[key] holds.
func (a *analysis) indexed(o *region, key ast.Expr) *region {
	switch k := key.(type) {
	case *ast.String:
		return o.field(k.Value)
	case *ast.Number:
		return o.element()
	}
	if o == nil {
		return newRegion()
	}
	return o.element()
}

// iterate is what going through r yields.
func (a *analysis) iterate(r *region) *region {
	e := r.element()
	if r != nil && r.find().exotic != "" {
		// A Map yields [key, value] pairs that are new each time: take pair and content for one.
		pair := newRegion()
		unify(pair.element(), e)
		return unify(e, pair)
	}
	return e
}

func (a *analysis) fn(f *ast.Func) *region {
	a.current = append(a.current, f)
	if a.returns[f] == nil {
		a.returns[f] = newRegion()
	}
	var params []*region
	for _, p := range f.Params {
		var def *region
		if p.Default != nil {
			def = a.expr(p.Default)
		}
		r := unify(newRegion(), def)
		a.bind(p.Target, r)
		params = append(params, r)
	}
	r := a.function(f, params)
	if f.Name != nil {
		unify(a.symbol(f.Name.Sym), r)
	}
	a.stmts(f.Body)
	a.current = a.current[:len(a.current)-1]
	return r
}

func (a *analysis) class(c *ast.ClassBody) *region {
	r := exoticRegion("a class")
	if c.Name != nil {
		unify(a.symbol(c.Name.Sym), r)
	}
	a.opt(c.Extends)
	for _, m := range c.Members {
		if m.Computed {
			a.expr(m.Key)
		}
		a.opt(m.Value)
	}
	return r
}
