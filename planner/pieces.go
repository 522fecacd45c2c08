package planner

import (
	"slices"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/expr"
)

const callsInside = "it calls tools from inside code that cannot be lifted"

// piece makes one node of pure code: statements, then an optional result. It returns the node's first output.
func (l *lifter) piece(b *block, pos ast.Pos, stmts []ast.Stmt, result ast.Expr, label string) val {
	c, ins, vars := l.code(b, stmts, result)
	if len(c.Tools) > 0 || c.Dynamic {
		refuse(at(stmts, result), callsInside)
	}
	n := &nodes.Node{Kind: nodes.KindExpr, Pos: pos, Label: label, In: b.refs(ins), Code: c}
	if c.Host {
		l.scripted(n, refusal{pos, "it uses the clock, randomness, timers or the console inside code that is not lifted"})
	} else if err := expr.Check(c); err != nil {
		l.scripted(n, unsupported(err, pos))
	}
	return l.finishPiece(b, n, vars)
}

// scripted turns an expr node into a script node and remembers why.
func (l *lifter) scripted(n *nodes.Node, why refusal) {
	l.plainCode(n.Code, why)
	n.Kind = nodes.KindScript
	l.unlifted[n] = why
}

// finishPiece adds the node and makes its outputs the current versions of vars.
func (l *lifter) finishPiece(b *block, n *nodes.Node, vars []*ast.Symbol) val {
	first := 0
	if n.Code.Result != nil {
		n.Outs = append(n.Outs, orDefault(n.Label, "value"))
		first = 1
	}
	for _, s := range vars {
		n.Outs = append(n.Outs, s.Name)
	}
	if n.Label == "" && len(vars) > 0 {
		n.Label = names(vars)
	}
	v := b.add(n)
	for i, s := range vars {
		b.bind(s, v.output(first+i))
	}
	for s := range declaredSet(n.Code.Body) {
		l.declared[s] = true
	}
	return v
}

func orDefault(s, def string) string {
	if s == "" {
		return def
	}
	return s
}

func names(list []*ast.Symbol) string {
	out := ""
	for i, s := range list {
		if i > 0 {
			out += ", "
		}
		out += s.Name
	}
	return out
}

func at(stmts []ast.Stmt, result ast.Expr) ast.Node {
	if len(stmts) > 0 {
		return stmts[0]
	}
	return result
}

func unsupported(err error, pos ast.Pos) refusal {
	if u, ok := err.(*expr.Unsupported); ok && u.Pos.IsValid() {
		return refusal{u.Pos, u.Reason}
	}
	return refusal{pos, err.Error()}
}

// code gathers what a piece of the program reads and changes: its inputs, the variables it hands on, and the local
// functions it needs, which come along as declarations.
func (l *lifter) code(b *block, stmts []ast.Stmt, result ast.Expr) (c *nodes.Code, ins []val, vars []*ast.Symbol) {
	g := &gatherer{l: l, b: b, code: &nodes.Code{Result: result}}
	all := make([]ast.Node, 0, len(stmts)+1)
	for _, s := range stmts {
		all = append(all, s)
	}
	if result != nil {
		all = append(all, result)
	}
	declared, free := ast.Names(all...)
	g.seen = declared
	g.reads(all[0], free)
	g.traits(all...)
	l.spend(len(g.ins), all[0])
	c = g.code
	c.Body = append(g.prelude, stmts...)
	for _, s := range c.Body {
		l.plainThrows(s)
	}
	if result != nil {
		l.plainThrows(result)
	}
	vars = l.outputs(b, stmts, all)
	l.spend(len(vars), all[0])
	g.needs(vars)
	for _, s := range vars {
		l.plainVar(at(stmts, result), s)
	}
	if result != nil {
		if what := l.an.exoticExpr(result); what != "" {
			refuse(result, "its value may hold %s, which cannot leave the code that made it", what)
		}
	}
	c.Vars = vars
	c.Rich = l.richCode(vars, result) || l.circularCode(c)
	c.Owned = make([]bool, len(c.Params))
	if _, regions := l.an.effects(all...); len(regions) > 0 {
		c.Touched = make([]bool, len(c.Params))
		for i, s := range c.Params {
			c.Touched[i] = l.an.reaches(s, regions)
		}
	}
	return c, g.ins, vars
}

func declaredSet(stmts []ast.Stmt) (set map[*ast.Symbol]bool) {
	for _, s := range stmts {
		for _, sym := range topLevel(s) {
			if set == nil {
				set = map[*ast.Symbol]bool{}
			}
			set[sym] = true
		}
	}
	return set
}

// needs makes inputs of the variables that a piece hands on without declaring or naming them.
func (g *gatherer) needs(vars []*ast.Symbol) {
	for _, s := range vars {
		if x, ok := g.b.lookup(s); ok && x.kind == isValue && g.seen.Add(s) {
			g.code.Params = append(g.code.Params, s)
			g.ins = append(g.ins, x.v)
		}
	}
}

func (l *lifter) plainVar(at ast.Node, s *ast.Symbol) {
	if what := l.an.exotic(s); what != "" {
		refuse(at, "%s may hold %s, which cannot leave the code that made it", s.Name, what)
	}
}

// gatherer collects the inputs of a piece.
type gatherer struct {
	l       *lifter
	b       *block
	code    *nodes.Code
	ins     []val
	prelude []ast.Stmt
	seen    ast.SymbolSet
}

// reads makes what at reads come along.
func (g *gatherer) reads(at ast.Node, free []*ast.Symbol) {
	for _, s := range free {
		if g.seen.Add(s) {
			g.symbol(at, s)
		}
	}
}

func (g *gatherer) symbol(at ast.Node, s *ast.Symbol) {
	if x, ok := g.b.lookup(s); ok {
		if x.kind == isPromise {
			refuse(at, "%s is a promise used other than by await", s.Name)
		}
		g.code.Params = append(g.code.Params, s)
		g.ins = append(g.ins, x.v)
		return
	}
	if a := g.l.aliases[s]; a != nil {
		g.prelude = append(g.prelude, a.decl())
		g.code.Dynamic = g.code.Dynamic || a.dynamic
		return
	}
	if fn := g.l.an.functions[s]; fn != nil {
		g.l.initialised(at, s)
		g.function(s, fn)
		return
	}
	if decl := g.l.remade[s]; decl != nil {
		g.l.initialised(at, s)
		g.prelude = append(g.prelude, decl)
		return
	}
	if s == turn {
		refuse(at, "a turn is taken inside of code that is not lifted")
	}
	if s.Kind != ast.SymUnbound {
		refuse(at, "%s is read before it has a value that is known", s.Name)
	}
}

// function brings a local function along, with everything that it reads in turn.
func (g *gatherer) function(s *ast.Symbol, fn *ast.Func) {
	pos := ast.Pos{}
	if len(fn.Body) > 0 {
		pos = fn.Body[0].Position()
	}
	decl := &ast.VarDecl{Kind: ast.DeclConst, Decls: []ast.Declarator{{
		Target: &ast.Ident{Sym: s}, Init: &ast.FunctionExpr{Pos: pos, Func: anonymous(fn, s)}}}}
	if fn.UsesThis || fn.UsesArguments {
		refuse(&ast.Ident{Pos: pos, Sym: s}, "function %s uses this or arguments", s.Name)
	}
	g.reads(decl, ast.FreeSymbols(decl))
	g.traits(decl)
	g.prelude = append(g.prelude, decl)
}

// anonymous is fn without its own name where that name is the variable that the function is bound to.
func anonymous(fn *ast.Func, s *ast.Symbol) *ast.Func {
	if fn.Name == nil || fn.Name.Sym != s {
		return fn
	}
	f := *fn
	f.Name = nil
	return &f
}

// traits notes which tools the code calls and whether it observes or changes its surroundings.
func (g *gatherer) traits(ns ...ast.Node) {
	for _, n := range ns {
		ast.Walk(n, func(n ast.Node) bool {
			g.l.spent++
			switch n := n.(type) {
			case *ast.Call:
				if id, ok := g.l.calls[n]; ok {
					g.code.Calls++
					if !slices.Contains(g.code.Tools, id) {
						g.code.Tools = append(g.code.Tools, id)
					}
					for _, x := range n.Args {
						g.traits(x)
					}
					return false
				}
			case *ast.Ident:
				if isMCP(n) {
					g.code.Dynamic = true
					g.code.Calls++
				}
			}
			g.code.Host = g.code.Host || observes(n)
			return true
		})
	}
}

// outputs are the variables that a piece hands on: those it changes, and those it declares that are mentioned elsewhere.
func (l *lifter) outputs(b *block, stmts []ast.Stmt, all []ast.Node) []*ast.Symbol {
	var vars []*ast.Symbol
	local := declaredSet(stmts)
	var inside map[*ast.Symbol]int
	if len(local) > 0 {
		inside = countUses(all)
	}
	for _, s := range stmts {
		for _, sym := range topLevel(s) {
			if l.an.uses[sym] > inside[sym] && l.an.functions[sym] == nil {
				vars = append(vars, sym)
			}
		}
	}
	end := l.an.lastOffset(all...)
	handedOn := l.changes(b, func(s *ast.Symbol) bool { return !local[s] && l.live(s, end) }, all...)
	return append(vars, handedOn...)
}

// topLevel lists what a statement declares for the statements after it.
func topLevel(s ast.Stmt) []*ast.Symbol {
	switch s := s.(type) {
	case *ast.VarDecl:
		var out []*ast.Symbol
		for _, d := range s.Decls {
			out = append(out, ast.PatternSymbols(d.Target)...)
		}
		return out
	case *ast.ClassDecl:
		if s.Name != nil {
			return []*ast.Symbol{s.Name.Sym}
		}
	}
	return nil
}

func countUses(ns []ast.Node) map[*ast.Symbol]int {
	uses := map[*ast.Symbol]int{}
	for _, n := range ns {
		ast.Walk(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				uses[id.Sym]++
			}
			return true
		})
	}
	return uses
}

// changed lists the variables of the environment that the nodes assign, or whose objects they change; sorted by place of
// declaration.
func (l *lifter) changed(b *block, ns ...ast.Node) []*ast.Symbol {
	return l.changes(b, func(*ast.Symbol) bool { return true }, ns...)
}

// changes are those among changed that matter.
func (l *lifter) changes(b *block, matters func(*ast.Symbol) bool, ns ...ast.Node) []*ast.Symbol {
	assigned, all := l.an.effects(ns...)
	if len(assigned)+len(all) == 0 {
		return nil
	}
	if hidden := l.hidden(b, ns); len(hidden) > 0 {
		for r := range hidden {
			delete(all, r)
		}
	}
	private := l.private(ns)
	var shared, touched bits
	for r := range all {
		touched = touched.with(l.an.scanner.bit(r))
		if private[r] == nil {
			shared = shared.with(l.an.scanner.bit(r))
		}
	}
	var out []*ast.Symbol
	seen := map[*ast.Symbol]bool{}
	add := func(s *ast.Symbol) {
		bound, ok := b.lookup(s)
		if ok && (bound.kind != isPromise || assigned[s]) && !seen[s] && matters(s) {
			seen[s] = true
			out = append(out, s)
		}
	}
	for s := range assigned {
		add(s)
	}
	for _, s := range private {
		add(s)
	}
	for x := b; x != nil && len(all) > 0; x = x.parent {
		for s := range x.env {
			// A name of the planner's own may stand for the private object of a variable.
			r := l.an.symbols[s]
			if l.an.leadsTo(r, shared) || len(private) > 0 && l.an.leadsTo(r, touched) && l.an.uses[s] == 0 {
				add(s)
			}
		}
	}
	sortSymbols(out)
	return out
}
