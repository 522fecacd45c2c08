package planner

import (
	"fmt"
	"slices"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// A helper that is handed a function, such as retry(() => mcp.a.b({})), is copied for that call with the function inside
// of it as a constant: then every call of it is one of a known function, and can be lifted.

// Helpers that hand their functions on to helpers are copied a level a round.
const (
	mostRounds = 4
	mostCopies = 100
)

// specialise is the pass. It gives l a body of its own where there is something to copy.
func specialise(l *lifter) {
	if !handsFunctionsOn(l.body) {
		return
	}
	copies := 0
	for range mostRounds {
		s := newSpecialiser(l)
		if !s.needed() {
			return
		}
		calls := l.calls
		l.calls = map[*ast.Call]nodes.ToolID{}
		s.made = copies
		l.body = s.rewrite(calls, nil).Stmts(l.body)
		copies = s.made
	}
}

// handsFunctionsOn reports whether a call may hand a function to a function of the program: most programs have none, and are
// not looked at any closer.
func handsFunctionsOn(body []ast.Stmt) bool {
	found := false
	ast.WalkAll(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.Call); ok && mayBeFunction(call.Callee) {
			found = found || slices.ContainsFunc(call.Args, mayBeFunction)
		}
		return !found
	})
	return found
}

// mayBeFunction reports whether knownFunction may know e.
func mayBeFunction(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.FunctionExpr:
		return true
	case *ast.Ident:
		return e.Sym.Kind != ast.SymUnbound
	}
	return false
}

// specialiser is one round.
type specialiser struct {
	l *lifter
	// look is a lifter that knows the program's functions, and nothing else yet.
	look *lifter
	made int
}

func newSpecialiser(l *lifter) *specialiser {
	an := &analysis{functions: map[*ast.Symbol]*ast.Func{}, formatters: map[*ast.Symbol]bool{}, uses: map[*ast.Symbol]int{},
		assigned: map[*ast.Symbol]int{}}
	for _, s := range l.body {
		ast.Walk(s, an.count)
	}
	for _, s := range l.body {
		ast.Walk(s, an.bindFunctions)
	}
	return &specialiser{l: l, look: &lifter{an: an, calls: l.calls, aliases: l.aliases,
		impurity: map[ast.Node]bool{}, impureFuncs: map[*ast.Func]bool{}}}
}

func (s *specialiser) needed() bool {
	found := false
	for _, stmt := range s.l.body {
		ast.Walk(stmt, func(n ast.Node) bool {
			if call, ok := n.(*ast.Call); ok && !found {
				_, params := s.helper(call)
				found = len(params) > 0
			}
			return !found
		})
	}
	return found
}

// helper is the function that a call hands functions to, and the parameters that they are for; none if it is not to be
// copied.
func (s *specialiser) helper(call *ast.Call) (fn *ast.Func, params []int) {
	fn = s.look.knownFunction(call.Callee)
	if fn == nil || call.Chain != ast.NoChain || fn.Generator || fn.UsesThis || fn.UsesArguments {
		return nil, nil
	}
	impure := false
	for i, x := range call.Args {
		if _, spread := x.(*ast.Spread); spread || i >= len(fn.Params) || fn.Params[i].Rest {
			break
		}
		given := s.look.knownFunction(x)
		id, ok := fn.Params[i].Target.(*ast.Ident)
		if given == nil || !ok || fn.Params[i].Default != nil || s.look.an.assigned[id.Sym] > 0 {
			continue
		}
		impure = impure || s.look.impureFunc(given)
		params = append(params, i)
	}
	if !impure && !s.look.impureFunc(fn) || len(params) > 0 && s.mentionsItself(call.Callee, fn) {
		return nil, nil
	}
	return fn, params
}

// mentionsItself keeps a helper that calls itself from being copied for ever.
func (s *specialiser) mentionsItself(callee ast.Expr, fn *ast.Func) bool {
	id, ok := callee.(*ast.Ident)
	return ok && slices.Contains(ast.FreeSymbols(&ast.FunctionExpr{Func: fn}), id.Sym)
}

// rewrite copies trees, with some symbols replaced. calls are the tools of the calls in what is copied.
func (s *specialiser) rewrite(calls map[*ast.Call]nodes.ToolID, renamed map[*ast.Symbol]*ast.Symbol) ast.Rewrite {
	r := ast.Rewrite{Symbol: func(sym *ast.Symbol) *ast.Symbol {
		if to := renamed[sym]; to != nil {
			return to
		}
		return sym
	}}
	r.Expr = func(e ast.Expr) (ast.Expr, bool) {
		call, ok := e.(*ast.Call)
		if !ok {
			return nil, false
		}
		to := &ast.Call{Pos: call.Pos, Callee: r.Of(call.Callee), Chain: call.Chain}
		for _, x := range call.Args {
			to.Args = append(to.Args, r.Of(x))
		}
		if id, ok := calls[call]; ok {
			s.l.calls[to] = id
		}
		if fn, params := s.helper(call); len(params) > 0 && renamed == nil && s.made < mostCopies {
			s.made++
			s.hand(to, fn, params, calls)
		}
		return to, true
	}
	return r
}

// hand makes call one of a copy of fn, with the functions given for params inside of it.
func (s *specialiser) hand(call *ast.Call, fn *ast.Func, params []int, calls map[*ast.Call]nodes.ToolID) {
	renamed := s.names(fn)
	for _, i := range params {
		if id, ok := call.Args[i].(*ast.Ident); ok {
			renamed[fn.Params[i].Target.(*ast.Ident).Sym] = id.Sym
		}
	}
	to := s.rewrite(calls, renamed).Func(fn)
	to.ExprBody = false
	s.l.copied[to] = true
	var consts []ast.Stmt
	for _, i := range slices.Backward(params) {
		if given, ok := call.Args[i].(*ast.FunctionExpr); ok {
			consts = append(consts, constant(given.Pos, to.Params[i].Target, given))
		}
		call.Args = slices.Delete(call.Args, i, i+1)
		to.Params = slices.Delete(to.Params, i, i+1)
	}
	to.Body = append(consts, to.Body...)
	call.Callee = &ast.FunctionExpr{Pos: call.Pos, Func: to}
}

// names are new symbols for what fn declares.
func (s *specialiser) names(fn *ast.Func) map[*ast.Symbol]*ast.Symbol {
	renamed := map[*ast.Symbol]*ast.Symbol{}
	for _, sym := range ast.Declared(&ast.FunctionExpr{Func: fn}) {
		if s.l.aliases[sym] == nil {
			own := *sym
			own.Unique = fmt.Sprintf("%s$copy%d", sym.Unique, s.made)
			renamed[sym] = &own
		}
	}
	return renamed
}

// constant is const target = init.
func constant(pos ast.Pos, target ast.Pattern, init ast.Expr) *ast.VarDecl {
	return &ast.VarDecl{Pos: pos, Kind: ast.DeclConst, Decls: []ast.Declarator{{Pos: pos, Target: target, Init: init}}}
}
