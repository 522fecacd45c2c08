package planner

import (
	"slices"

	"github.com/casys-ai/pml/nodes/ast"
)

// Callbacks that run at the same time may change what they share: await Promise.all(xs.map(async (x) => { … out.push(r) })).
// What they change it to depends on which is faster. So each notes what it would have changed, and when its turn was; the
// changes are made behind, in the order of the turns:
//
//	const done = await Promise.all(xs.map(async (x) => { const log = []; … log.push({ turn: turn(), … }); return { log, … } }))
//	… sort what is in the logs by turn, and go through it
//
// That is so only if they look at it nowhere else, and if nothing sees what was changed when one of them fails.

// turn is the function that gives turns.
var turn = &ast.Symbol{Name: "turn", Unique: "turn$", Kind: ast.SymUnbound}

// takeTurns is the pass, for the statements of the program. It also makes loops of what is reduced; turns says whether it
// does anything else.
func takeTurns(l *lifter, turns bool) {
	s := newSpecialiser(l)
	p := &turnTaker{l: l, look: s.look, turns: turns, inits: map[*ast.Symbol]ast.Expr{}}
	ast.WalkAll(l.body, func(n ast.Node) bool {
		if decl, ok := n.(*ast.VarDecl); ok {
			for _, d := range decl.Decls {
				if id, ok := d.Target.(*ast.Ident); ok && decl.Kind == ast.DeclConst {
					p.inits[id.Sym] = d.Init
				}
			}
		}
		return true
	})
	l.body = p.list(l.body)
}

// turnTaker rewrites statement lists; what it does not change stays as it is.
type turnTaker struct {
	l     *lifter
	look  *lifter
	turns bool
	// inits are the initialisers of constants.
	inits map[*ast.Symbol]ast.Expr
}

func (p *turnTaker) list(list []ast.Stmt) []ast.Stmt {
	var out []ast.Stmt
	for _, s := range list {
		if again := p.reduced(s); again != nil {
			out = append(out, p.list(again)...)
			continue
		}
		if again := p.joined(s); p.turns && again != nil {
			out = append(out, again...)
		} else {
			out = append(out, p.inside(s))
		}
	}
	return out
}

// inside rewrites the lists inside of s.
func (p *turnTaker) inside(s ast.Stmt) ast.Stmt {
	switch s := s.(type) {
	case *ast.FunctionDecl:
		return &ast.FunctionDecl{Pos: s.Pos, Func: p.function(s.Func)}
	case *ast.VarDecl:
		return p.functions(s)
	case *ast.ExprStmt:
		return &ast.ExprStmt{Pos: s.Pos, X: p.value(s.X)}
	case *ast.Return:
		return &ast.Return{Pos: s.Pos, X: p.value(s.X)}
	}
	return eachList(s, p.list)
}

// value rewrites the function that e is, calls and waits for, or waits for once for each element.
func (p *turnTaker) value(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.FunctionExpr:
		return &ast.FunctionExpr{Pos: e.Pos, Func: p.function(e.Func)}
	case *ast.Await:
		return &ast.Await{Pos: e.Pos, X: p.called(e.X)}
	}
	return e
}

func (p *turnTaker) called(e ast.Expr) ast.Expr {
	call, ok := e.(*ast.Call)
	if !ok {
		return e
	}
	c := *call
	if fn, ok := call.Callee.(*ast.FunctionExpr); ok {
		c.Callee = p.value(fn)
		return &c
	}
	if len(call.Args) != 1 || promiseMethod(call) == "" {
		return e
	}
	list, ok := call.Args[0].(*ast.Call)
	if !ok || len(list.Args) != 1 {
		return e
	}
	if m, ok := list.Callee.(*ast.Member); !ok || m.Name != "map" {
		return e
	}
	mapped := *list
	mapped.Args = []ast.Expr{p.value(list.Args[0])}
	c.Args = []ast.Expr{&mapped}
	return &c
}

// functions rewrites the functions that are bound to names.
func (p *turnTaker) functions(s *ast.VarDecl) ast.Stmt {
	c := *s
	c.Decls = slices.Clone(s.Decls)
	for i, d := range c.Decls {
		c.Decls[i].Init = p.value(d.Init)
	}
	return &c
}

func (p *turnTaker) function(fn *ast.Func) *ast.Func {
	c := *fn
	c.Body = p.list(fn.Body)
	if p.l.copied[fn] {
		p.l.copied[&c] = true
	}
	return &c
}

// joined is what stands for await Promise.all(xs.map(f)), alone or as the value of a constant, where f changes what is
// outside of it; nil for anything else.
func (p *turnTaker) joined(s ast.Stmt) []ast.Stmt {
	wait, target := awaitIn(s)
	if wait == nil {
		return nil
	}
	all, ok := wait.X.(*ast.Call)
	if !ok || promiseMethod(all) != "all" || len(all.Args) != 1 {
		return nil
	}
	list, ok := all.Args[0].(*ast.Call)
	if !ok || len(list.Args) != 1 {
		return nil
	}
	m, ok := list.Callee.(*ast.Member)
	fn, isFn := list.Args[0].(*ast.FunctionExpr)
	if !ok || !isFn || m.Name != "map" || !fn.Async || fn.Generator {
		return nil
	}
	t := &turns{p: p, pos: fn.Pos, used: target != nil}
	body := t.callback(fn)
	if body == nil {
		return nil
	}
	mapped := &ast.Call{Pos: list.Pos, Callee: list.Callee, Args: []ast.Expr{body}}
	p.l.turned[mapped] = t.vars
	done := t.name("done")
	again := &ast.Await{Pos: wait.Pos, X: &ast.Call{Pos: all.Pos, Callee: all.Callee, Args: []ast.Expr{mapped}}}
	out := []ast.Stmt{constant(s.Position(), done, again), t.changes(done)}
	if target != nil {
		out = append(out, constant(s.Position(), target, t.values(done)))
	}
	return out
}

// awaitIn is the await that s is, and what its value is for.
func awaitIn(s ast.Stmt) (*ast.Await, ast.Pattern) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		wait, _ := s.X.(*ast.Await)
		return wait, nil
	case *ast.VarDecl:
		if len(s.Decls) == 1 && s.Kind == ast.DeclConst {
			wait, _ := s.Decls[0].Init.(*ast.Await)
			return wait, s.Decls[0].Target
		}
	}
	return nil, nil
}

// hidden reports whether a local function that fn calls mentions one of vars.
func (p *turnTaker) hidden(fn *ast.FunctionExpr, vars []*ast.Symbol) bool {
	direct := set(ast.FreeSymbols(fn)...)
	for _, s := range p.look.reads(fn) {
		if f := p.look.an.functions[s]; f != nil {
			for _, x := range p.look.reads(&ast.FunctionExpr{Func: f}) {
				if slices.Contains(vars, x) {
					return true
				}
			}
		}
	}
	return slices.ContainsFunc(vars, func(s *ast.Symbol) bool { return !direct[s] })
}

// restsOn reports whether fn awaits something that may be there at once: which callback is the next to go on then depends
// on more than on what they wait for.
func (p *turnTaker) restsOn(fn *ast.Func) bool {
	soft := false
	ast.WalkAll(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Await:
			soft = soft || !p.waitsLong(n.X, 0)
		case *ast.ForOf:
			soft = soft || n.Await
		case *ast.FunctionExpr:
			soft = soft || n.Async
		}
		return !soft
	})
	return soft
}

// waitsLong reports whether an await of e surely waits for something outside of the program.
func (p *turnTaker) waitsLong(e ast.Expr, depth int) bool {
	switch e := e.(type) {
	case *ast.New:
		return timerOf(e) != nil
	case *ast.Call:
		if _, ok := p.l.calls[e]; ok {
			return true
		}
		if m := promiseMethod(e); m != "" {
			list, ok := ast.Expr(nil), len(e.Args) == 1
			if ok {
				list = e.Args[0]
			}
			arr, ok := list.(*ast.Array)
			return ok && (m == "all" || m == "allSettled") && slices.ContainsFunc(arr.Elems, func(x ast.Expr) bool { return x != nil && p.waitsLong(x, depth) })
		}
		if m, ok := e.Callee.(*ast.Member); ok && (m.Name == "then" || m.Name == "catch" || m.Name == "finally") {
			return p.waitsLong(m.Object, depth)
		}
		if fn := p.look.knownFunction(e.Callee); fn != nil && fn.Async && len(fn.Body) > 0 && depth < 3 && !p.restsOn(fn) {
			return p.startsWaiting(fn.Body[0], depth+1)
		}
	}
	return false
}

// startsWaiting reports whether s surely waits for something outside of the program.
func (p *turnTaker) startsWaiting(s ast.Stmt, depth int) bool {
	var e ast.Expr
	switch s := s.(type) {
	case *ast.VarDecl:
		e = s.Decls[0].Init
	case *ast.ExprStmt:
		e = s.X
	case *ast.Return:
		if e = s.X; p.waitsLong(e, depth) {
			return true
		}
	}
	for {
		switch x := e.(type) {
		case *ast.Await:
			return p.waitsLong(x.X, depth)
		case *ast.Member:
			e = x.Object
		case *ast.Index:
			e = x.Object
		default:
			return false
		}
	}
}

// turnsOutlive reports whether something may see what callbacks have changed although one of them has failed: their changes
// are made only when all have ended.
func (l *lifter) turnsOutlive(vars []*ast.Symbol) bool {
	if l.tryDepth+l.apart == 0 {
		return false
	}
	k := len(l.inlining)
	return k == 0 || l.tryDepth > l.returnTarget().tries || slices.ContainsFunc(vars, func(s *ast.Symbol) bool {
		return !l.declaredIn(s, l.inlining[k-1])
	})
}
