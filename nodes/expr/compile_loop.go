package expr

import (
	"slices"

	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/value"
)

func (c *compiler) push(l label) int {
	c.next++
	l.id = c.next
	c.labels = append(c.labels, l)
	return l.id
}

func (c *compiler) pop() { c.labels = c.labels[:len(c.labels)-1] }

// jump compiles break and continue.
func (c *compiler) jump(pos ast.Pos, name string, isContinue bool) exec {
	how := breaks
	if isContinue {
		how = goesOn
	}
	for i := len(c.labels) - 1; i >= 0; i-- {
		l := c.labels[i]
		if isContinue && !l.loop {
			continue
		}
		if name == "" && l.breakable || name != "" && slices.Contains(l.names, name) {
			id := l.id
			return func(fr *frame) completion { fr.label = id; return how }
		}
	}
	refuse(pos, "a jump out of the computation is not part of it")
	return nil
}

func (c *compiler) labeled(n *ast.Labeled) exec {
	names := []string{n.Label}
	body := n.Body
	for {
		inner, ok := body.(*ast.Labeled)
		if !ok {
			break
		}
		names = append(names, inner.Label)
		body = inner.Body
	}
	switch s := body.(type) {
	case *ast.For, *ast.ForIn, *ast.ForOf, *ast.While, *ast.DoWhile:
		return c.loop(body, names)
	case *ast.Switch:
		return c.switchStmt(s, names)
	}
	id := c.push(label{names: names})
	run := c.body(body)
	c.pop()
	return func(fr *frame) completion {
		how := run(fr)
		if how == breaks && fr.label == id {
			return normal
		}
		return how
	}
}

// loop compiles an iteration statement.
func (c *compiler) loop(n ast.Stmt, names []string) exec {
	id := c.push(label{names: names, loop: true, breakable: true})
	defer c.pop()
	switch n := n.(type) {
	case *ast.While:
		return loopWhile(c.test(n.Test), c.body(n.Body), id)
	case *ast.DoWhile:
		return loopDo(c.test(n.Test), c.body(n.Body), id)
	case *ast.For:
		return c.forStmt(n, id)
	case *ast.ForOf:
		return c.forOf(n, id)
	}
	return c.forIn(n.(*ast.ForIn), id)
}

// over says whether a loop is left after its body ended in how, and with what.
func over(fr *frame, how completion, id int) (leave bool, with completion) {
	if how == normal || fr.label == id && how == goesOn {
		return false, normal
	}
	if how == breaks && fr.label == id {
		return true, normal
	}
	return true, how
}

func loopWhile(test test, body exec, id int) exec {
	return func(fr *frame) completion {
		for test(fr) {
			fr.m.step()
			if leave, with := over(fr, body(fr), id); leave {
				return with
			}
		}
		return normal
	}
}

func loopDo(test test, body exec, id int) exec {
	return func(fr *frame) completion {
		for {
			fr.m.step()
			if leave, with := over(fr, body(fr), id); leave {
				return with
			}
			if !test(fr) {
				return normal
			}
		}
	}
}

func (c *compiler) forStmt(n *ast.For, id int) exec {
	init, hoist := nothing, (func(*frame))(nil)
	var copied []int // cells to renew for each iteration
	if n.Init != nil {
		if d, ok := n.Init.(*ast.VarDecl); ok && d.Kind != ast.DeclVar {
			hoist = c.hoist([]ast.Stmt{n.Init})
			for _, v := range c.locals(d) {
				if v.captured && d.Kind == ast.DeclLet {
					copied = append(copied, v.index)
				}
			}
		}
		if x := c.stmt(n.Init); x != nil {
			init = x
		}
	}
	test := func(*frame) bool { return true }
	if n.Test != nil {
		test = c.test(n.Test)
	}
	update := func(*frame) value.Value { return nil }
	if n.Update != nil {
		update = c.expr(n.Update)
	}
	body := c.body(n.Body)
	return func(fr *frame) completion {
		if hoist != nil {
			hoist(fr)
		}
		init(fr)
		for {
			for _, i := range copied {
				fr.cells[i] = &cell{fr.cells[i].v}
			}
			if !test(fr) {
				return normal
			}
			fr.m.step()
			if leave, with := over(fr, body(fr), id); leave {
				return with
			}
			for _, i := range copied {
				fr.cells[i] = &cell{fr.cells[i].v}
			}
			update(fr)
		}
	}
}

// target compiles the left side of for-in and for-of: how a value is bound at the start of an iteration.
func (c *compiler) target(left ast.Stmt) store {
	switch left := left.(type) {
	case *ast.VarDecl:
		if left.Kind == ast.DeclUsing || left.Kind == ast.DeclAwaitUsing || len(left.Decls) != 1 {
			refuse(left.Pos, "this loop variable is not evaluated natively")
		}
		var names []variable
		if left.Kind != ast.DeclVar {
			names = c.locals(left)
		}
		set := c.pattern(left.Decls[0].Target, true, origin{fromText, ".for"})
		return func(fr *frame, v value.Value) {
			for i := range names {
				names[i].init(fr, nil)
			}
			set(fr, v)
		}
	case *ast.ExprStmt:
		if a, ok := left.X.(*ast.Assign); ok && a.Value == nil {
			return c.pattern(a.Target, false, origin{kind: fromOther})
		}
	}
	refuse(left.Position(), "this loop variable is not evaluated natively")
	return nil
}

func (c *compiler) forOf(n *ast.ForOf, id int) exec {
	if n.Await {
		refuse(n.Pos, "`for await` is not evaluated natively")
	}
	over1 := c.iterates(n.Right)
	set, body := c.target(n.Left), c.body(n.Body)
	pos, from := n.Right.Position(), originOfLoop(n.Right)
	return func(fr *frame) completion {
		v := force(over1(fr))
		m := fr.m
		m.pos = &pos
		if a, ok := v.(*value.Array); ok {
			for i := 0; i < len(a.Elems); i++ {
				m.step()
				set(fr, a.At(i))
				if leave, with := over(fr, body(fr), id); leave {
					return with
				}
			}
			return normal
		}
		next := m.iterate(v, from)
		for e, ok := next(); ok; e, ok = next() {
			m.step()
			set(fr, e)
			if leave, with := over(fr, body(fr), id); leave {
				return with
			}
		}
		return normal
	}
}

func (c *compiler) forIn(n *ast.ForIn, id int) exec {
	over1 := c.expr(n.Right)
	set, body := c.target(n.Left), c.body(n.Body)
	pos := n.Right.Position()
	return func(fr *frame) completion {
		v := force(over1(fr))
		fr.m.pos = &pos
		for _, k := range fr.m.enumerable(v) {
			fr.m.step()
			if isObject(v) && !fr.m.hasOwn(v, k) {
				continue // deleted meanwhile
			}
			set(fr, str(k))
			if leave, with := over(fr, body(fr), id); leave {
				return with
			}
		}
		return normal
	}
}
