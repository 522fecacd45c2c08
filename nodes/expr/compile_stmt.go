package expr

import (
	"github.com/casys-ai/pml/nodes/ast"
)

// block compiles a list of statements with a scope of its own.
func (c *compiler) block(body []ast.Stmt) exec {
	hoist := c.hoist(body)
	run := c.list(body)
	if hoist == nil {
		return run
	}
	return func(fr *frame) completion {
		hoist(fr)
		return run(fr)
	}
}

func nothing(*frame) completion { return normal }

// list compiles statements one after the other.
func (c *compiler) list(body []ast.Stmt) exec {
	var list []exec
	for _, s := range body {
		if x := c.stmt(s); x != nil {
			list = append(list, x)
		}
	}
	switch len(list) {
	case 0:
		return nothing
	case 1:
		return list[0]
	case 2:
		first, second := list[0], list[1]
		return func(fr *frame) completion {
			if how := first(fr); how != normal {
				return how
			}
			return second(fr)
		}
	}
	return func(fr *frame) completion {
		for _, s := range list {
			if how := s(fr); how != normal {
				return how
			}
		}
		return normal
	}
}

// stmt compiles a statement; nil if there is nothing to do.
func (c *compiler) stmt(n ast.Stmt) exec {
	c.enter(n)
	defer c.leave()
	switch n := n.(type) {
	case *ast.Empty, *ast.FunctionDecl:
		return nil
	case *ast.ExprStmt:
		x := c.expr(n.X)
		return func(fr *frame) completion { x(fr); return normal }
	case *ast.VarDecl:
		return c.varDecl(n)
	case *ast.Block:
		return c.block(n.Body)
	case *ast.If:
		return c.ifStmt(n)
	case *ast.Return:
		return c.returnStmt(n)
	case *ast.Throw:
		x, pos := c.expr(n.X), n.Pos
		return func(fr *frame) completion {
			v := force(x(fr))
			fr.m.pos = &pos
			fr.m.throwValue(v)
			return normal
		}
	case *ast.Try:
		return c.tryStmt(n)
	case *ast.Switch:
		return c.switchStmt(n, nil)
	case *ast.Labeled:
		return c.labeled(n)
	case *ast.Break:
		return c.jump(n.Pos, n.Label, false)
	case *ast.Continue:
		return c.jump(n.Pos, n.Label, true)
	case *ast.For, *ast.ForIn, *ast.ForOf, *ast.While, *ast.DoWhile:
		return c.loop(n, nil)
	}
	refuse(n.Position(), "%s is not evaluated natively", construct(n))
	return nil
}

func (c *compiler) varDecl(n *ast.VarDecl) exec {
	var list []func(fr *frame)
	switch n.Kind {
	case ast.DeclVar, ast.DeclLet, ast.DeclConst:
	default:
		refuse(n.Pos, "a `%s` declaration is not evaluated natively", n.Kind)
	}
	for _, d := range n.Decls {
		if d.Init == nil {
			if n.Kind == ast.DeclVar {
				continue
			}
			set := c.pattern(d.Target, true, origin{})
			list = append(list, func(fr *frame) { set(fr, undefined) })
			continue
		}
		x, set := c.initialiser(d), c.pattern(d.Target, true, originOfInit(d.Init, true))
		list = append(list, func(fr *frame) { set(fr, x(fr)) })
	}
	if len(list) == 1 {
		one := list[0]
		return func(fr *frame) completion { one(fr); return normal }
	}
	return func(fr *frame) completion {
		for _, set := range list {
			set(fr)
		}
		return normal
	}
}

// initialiser compiles what a declared name or pattern gets.
func (c *compiler) initialiser(d ast.Declarator) eval {
	if _, ok := d.Target.(*ast.ArrayPattern); ok {
		return c.iterates(d.Init)
	}
	return c.expr(d.Init)
}

func (c *compiler) ifStmt(n *ast.If) exec {
	test, then := c.test(n.Test), c.body(n.Then)
	if n.Else == nil {
		return func(fr *frame) completion {
			if test(fr) {
				return then(fr)
			}
			return normal
		}
	}
	els := c.body(n.Else)
	return func(fr *frame) completion {
		if test(fr) {
			return then(fr)
		}
		return els(fr)
	}
}

// body compiles the statement that a control statement governs.
func (c *compiler) body(n ast.Stmt) exec {
	if x := c.block([]ast.Stmt{n}); x != nil {
		return x
	}
	return nothing
}

func (c *compiler) returnStmt(n *ast.Return) exec {
	if !c.inFunction {
		refuse(n.Pos, "a return from the surrounding function is not part of a computation")
	}
	if n.X == nil {
		return func(fr *frame) completion { fr.ret = undefined; return returned }
	}
	x := c.expr(n.X)
	return func(fr *frame) completion { fr.ret = x(fr); return returned }
}

// try compiles try, catch and finally (§14.15).
func (c *compiler) tryStmt(n *ast.Try) exec {
	run := c.block(n.Body.Body)
	if n.Handler != nil {
		run = c.catch(run, n)
	}
	if n.Finally == nil {
		return run
	}
	final := c.block(n.Finally.Body)
	return func(fr *frame) completion {
		how, exception := attempt(fr, run)
		label, ret := fr.label, fr.ret
		if end := final(fr); end != normal {
			return end
		}
		if exception != nil {
			panic(exception)
		}
		fr.label, fr.ret = label, ret
		return how
	}
}

func (c *compiler) catch(run exec, n *ast.Try) exec {
	var set store
	var fresh []variable
	if n.Param != nil {
		bound(n.Param, func(id *ast.Ident) { fresh = append(fresh, *c.res.vars.get(id.Sym)) })
		set = c.pattern(n.Param, true, origin{fromText, ".catch"})
	}
	handler := c.block(n.Handler.Body)
	return func(fr *frame) completion {
		how, exception := attempt(fr, run)
		if exception == nil {
			return how
		}
		if set != nil {
			for i := range fresh {
				fresh[i].init(fr, nil)
			}
			set(fr, exception.value)
		}
		return handler(fr)
	}
}

// attempt runs a statement and catches what it throws.
func attempt(fr *frame, run exec) (how completion, exception *thrown) {
	m := fr.m
	depth, sp, buf := m.depth, m.sp, m.stack
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *thrown:
			exception = r
			m.depth, m.sp = depth, sp
			if len(buf) > len(m.stack) {
				m.stack = buf
			}
		default:
			panic(r)
		}
	}()
	return run(fr), nil
}

func (c *compiler) switchStmt(n *ast.Switch, names []string) exec {
	x := c.expr(n.X)
	var all []ast.Stmt
	for _, k := range n.Cases {
		all = append(all, k.Body...)
	}
	hoist := c.hoist(all)
	id := c.push(label{names: names, breakable: true})
	tests, bodies, def := make([]eval, len(n.Cases)), make([]exec, len(n.Cases)), -1
	for i, k := range n.Cases {
		if k.Test == nil {
			def = i
		} else {
			tests[i] = c.expr(k.Test)
		}
		bodies[i] = c.list(k.Body)
	}
	c.pop()
	return func(fr *frame) completion {
		v := x(fr)
		if hoist != nil {
			hoist(fr)
		}
		start := def
		for i, t := range tests {
			if t != nil && fr.m.strictEqual(v, t(fr)) {
				start = i
				break
			}
		}
		if start < 0 {
			return normal
		}
		for _, b := range bodies[start:] {
			if how := b(fr); how != normal {
				if how == breaks && fr.label == id {
					return normal
				}
				return how
			}
		}
		return normal
	}
}
