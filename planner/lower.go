package planner

import (
	"slices"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// value lifts e and returns the value that holds its result.
func (l *lifter) value(b *block, e ast.Expr, label string) val {
	return l.settle(b, l.lower(b, e), label)
}

// settle makes a node of an expression that has no tool calls left in it.
func (l *lifter) settle(b *block, e ast.Expr, label string) val {
	if id, ok := e.(*ast.Ident); ok {
		if x, ok := b.lookup(id.Sym); ok && x.kind == isValue {
			return x.v
		}
	}
	return l.piece(b, e.Position(), nil, e, label)
}

// settleAll makes values of expressions that are evaluated one after the other. What a later one changes in the value of
// an earlier one is seen.
func (l *lifter) settleAll(b *block, list []ast.Expr, label string) []val {
	if l.changesSomething(list) {
		for i, e := range list {
			list[i] = l.hold(b, e, label)
		}
	}
	vals := make([]val, len(list))
	for i, e := range list {
		vals[i] = l.settle(b, e, label)
	}
	return vals
}

// changesSomething reports whether evaluating the expressions assigns a variable or changes an object.
func (l *lifter) changesSomething(list []ast.Expr) bool {
	return slices.ContainsFunc(list, func(e ast.Expr) bool {
		f := l.an.of(e)
		return len(f.assigned)+len(f.changes) > 0
	})
}

// hold keeps the value of e, as it is now, under a name of the planner's own.
func (l *lifter) hold(b *block, e ast.Expr, hint string) ast.Expr {
	if isConstant(e) {
		return e
	}
	id := l.use(b, l.settle(b, e, hint), hint, e.Position())
	l.inherit(id, e)
	return id
}

func isConstant(e ast.Expr) bool {
	switch e.(type) {
	case *ast.Null, *ast.Undefined, *ast.Bool, *ast.Number, *ast.String, *ast.FunctionExpr, *ast.RegExp:
		return true
	case *ast.Ident:
		return globalName(e) != ""
	}
	return false
}

// lower appends nodes for everything in e that is not pure, in evaluation order, and returns what remains: an expression
// over their results.
func (l *lifter) lower(b *block, e ast.Expr) ast.Expr {
	if !l.impure(e) {
		return e
	}
	out := l.lowerKind(b, e)
	l.inherit(out, e)
	return out
}

// inherit gives the expression that stands for another one what the analysis found out about that.
func (l *lifter) inherit(out, e ast.Expr) {
	if r := l.an.changes[e]; r != nil {
		l.an.changes[out] = r
	}
	r := l.an.exprs[e]
	if r == nil {
		return
	}
	l.an.exprs[out] = r
	if id, ok := out.(*ast.Ident); ok && l.an.symbols[id.Sym] == nil {
		l.an.symbols[id.Sym] = r
	}
}

func (l *lifter) lowerKind(b *block, e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.Await:
		return l.use(b, l.awaited(b, e.X, ""), "awaited", e.Pos)
	case *ast.Call:
		return l.lowerCall(b, e)
	case *ast.New:
		return l.lowerNew(b, e)
	case *ast.Conditional:
		return l.lowerConditional(b, e)
	case *ast.Logical:
		return l.lowerLogical(b, e)
	case *ast.Assign:
		return l.lowerAssign(b, e)
	case *ast.Template:
		c := *e
		c.Exprs = l.lowerList(b, e.Exprs)
		return &c
	case *ast.Array:
		c := *e
		c.Elems = l.lowerList(b, e.Elems)
		return &c
	case *ast.Object:
		return l.lowerObject(b, e)
	case *ast.Binary:
		xs := l.lowerList(b, []ast.Expr{e.X, e.Y})
		return &ast.Binary{Pos: e.Pos, Op: e.Op, X: xs[0], Y: xs[1]}
	case *ast.Unary:
		if e.Op == "typeof" && l.functionOf(e.X) != nil {
			return &ast.String{Pos: e.Pos, Value: "function"}
		}
		c := *e
		c.X = l.lower(b, e.X)
		return &c
	case *ast.Member:
		c := *e
		c.Object = l.lower(b, e.Object)
		return &c
	case *ast.Index:
		if e.Chain != ast.NoChain && l.impure(e.Index) {
			refuse(e, "a tool call inside an optional chain")
		}
		c := *e
		xs := l.lowerList(b, []ast.Expr{e.Object, e.Index})
		c.Object, c.Index = xs[0], xs[1]
		return &c
	case *ast.Spread:
		c := *e
		c.X = l.lower(b, e.X)
		return &c
	case *ast.Sequence:
		for _, x := range e.Exprs[:len(e.Exprs)-1] {
			l.effect(b, x)
		}
		return l.lower(b, e.Exprs[len(e.Exprs)-1])
	case *ast.FunctionExpr:
		refuse(e, "a function that calls tools is used as a value")
	case *ast.Ident:
		refuse(e, "%s, which calls tools, is used as a value", e.Sym.Name)
	}
	refuse(e, "%s cannot be lifted", describe(e))
	return nil
}

// lowerList lowers expressions that are evaluated one after the other. What comes before a tool call is computed before
// it.
func (l *lifter) lowerList(b *block, list []ast.Expr) []ast.Expr {
	last := -1
	for i, e := range list {
		if e != nil && l.impure(e) {
			last = i
		}
	}
	out := make([]ast.Expr, len(list))
	for i, e := range list {
		switch {
		case e == nil:
		case i < last:
			out[i] = l.holdLowered(b, e)
		default:
			out[i] = l.lower(b, e)
		}
	}
	return out
}

func (l *lifter) holdLowered(b *block, e ast.Expr) ast.Expr {
	if sp, ok := e.(*ast.Spread); ok {
		return &ast.Spread{Pos: sp.Pos, X: l.holdLowered(b, sp.X)}
	}
	return l.hold(b, l.lower(b, e), "part")
}

func (l *lifter) lowerObject(b *block, e *ast.Object) ast.Expr {
	var list []ast.Expr
	for i := range e.Props {
		p := &e.Props[i]
		if p.Kind != ast.PropInit && p.Kind != ast.PropSpread {
			refuse(e, "an accessor in an object with tool calls")
		}
		if p.Computed {
			list = append(list, p.Key)
		}
		list = append(list, p.Value)
	}
	list = l.lowerList(b, list)
	c := &ast.Object{Pos: e.Pos, Props: append([]ast.Property(nil), e.Props...)}
	k := 0
	for i := range c.Props {
		if c.Props[i].Computed {
			c.Props[i].Key = list[k]
			k++
		}
		c.Props[i].Value = list[k]
		k++
	}
	return c
}

func (l *lifter) lowerNew(b *block, e *ast.New) ast.Expr {
	if len(e.Args) == 0 && globalName(e.Callee) == "Date" {
		v := l.host(b, e.Pos, nodes.HostNow, nil)
		return &ast.New{Pos: e.Pos, Callee: e.Callee, Args: []ast.Expr{l.use(b, v, "now", e.Pos)}}
	}
	if l.impure(e.Callee) {
		refuse(e, "%s cannot be lifted", describe(e))
	}
	return &ast.New{Pos: e.Pos, Callee: e.Callee, Args: l.lowerList(b, e.Args)}
}

// lowerCall handles calls that are not awaited where they stand.
func (l *lifter) lowerCall(b *block, e *ast.Call) ast.Expr {
	if op, ok := hostCall(e); ok {
		return l.use(b, l.hostCall(b, e, op), string(op), e.Pos)
	}
	if _, ok := l.calls[e]; ok {
		refuse(e, "the promise of a tool call is used other than by await")
	}
	if fn := l.callee(e); fn != nil {
		if fn.Async {
			refuse(e, "the promise of an async function is used other than by await")
		}
		return l.use(b, l.inline(b, fn, e), "result", e.Pos)
	}
	if e.Chain != ast.NoChain {
		for _, x := range e.Args {
			if l.impure(x) {
				refuse(e, "a tool call inside an optional chain")
			}
		}
	}
	c := *e
	switch callee := e.Callee.(type) {
	case *ast.Member:
		m := *callee
		list := l.lowerList(b, append([]ast.Expr{callee.Object}, e.Args...))
		m.Object, c.Args = list[0], list[1:]
		c.Callee = &m
		if r := l.an.exprs[callee.Object]; r != nil {
			l.an.exprs[m.Object] = r
		}
	case *ast.Ident:
		c.Args = l.lowerList(b, e.Args)
	default:
		refuse(e, "%s cannot be lifted", describe(e))
	}
	return &c
}

func (l *lifter) lowerConditional(b *block, e *ast.Conditional) ast.Expr {
	cond := l.value(b, l.decided(e.Test), "test")
	v := l.branchValue(b, e, cond,
		func(x *block) val { return l.value(x, e.Then, "then") },
		func(x *block) val { return l.value(x, e.Else, "else") })
	return l.use(b, v, "choice", e.Pos)
}

// decided is a test with true in the place of the functions that it asks for: if (onDone), onDone && …
func (l *lifter) decided(test ast.Expr) ast.Expr {
	switch e := test.(type) {
	case *ast.Ident:
		if l.impure(e) && l.functionOf(e) != nil {
			return &ast.Bool{Pos: e.Pos, Value: true}
		}
	case *ast.Unary:
		if x := l.decided(e.X); e.Op == "!" && x != e.X {
			return &ast.Unary{Pos: e.Pos, Op: e.Op, X: x}
		}
	case *ast.Logical:
		x, y := l.decided(e.X), l.decided(e.Y)
		if x != e.X || y != e.Y {
			return &ast.Logical{Pos: e.Pos, Op: e.Op, X: x, Y: y}
		}
	}
	return test
}

func (l *lifter) lowerLogical(b *block, e *ast.Logical) ast.Expr {
	if _, known := l.decided(e.X).(*ast.Bool); known && isIdent(e.X) && e.Op == "&&" {
		return l.lower(b, e.Y)
	}
	left := l.value(b, e.X, "left")
	right := func(x *block) val { return l.value(x, e.Y, "right") }
	keep := func(*block) val { return left }
	return l.use(b, l.logical(b, e, left, keep, right), "choice", e.Pos)
}

// logical chooses between left as it is and what right lifts, as op says.
func (l *lifter) logical(b *block, e *ast.Logical, left val, keep, right func(*block) val) val {
	switch e.Op {
	case "&&":
		return l.branchValue(b, e, left, right, keep)
	case "||":
		return l.branchValue(b, e, left, keep, right)
	}
	id := l.use(b, left, "left", e.Pos)
	present := &ast.Binary{Pos: e.Pos, Op: "!=", X: id, Y: &ast.Null{Pos: e.Pos}}
	return l.branchValue(b, e, l.settle(b, present, "present"), keep, right)
}

// effect lifts e for what it does.
func (l *lifter) effect(b *block, e ast.Expr) {
	if !l.impure(e) {
		l.piece(b, e.Position(), []ast.Stmt{&ast.ExprStmt{Pos: e.Position(), X: e}}, nil, "")
		return
	}
	out := l.lower(b, e)
	if _, ok := out.(*ast.Ident); !ok && !isConstant(out) {
		l.piece(b, e.Position(), []ast.Stmt{&ast.ExprStmt{Pos: e.Position(), X: out}}, nil, "")
	}
}

// lowerAssign lifts target = value where one of them calls tools.
func (l *lifter) lowerAssign(b *block, e *ast.Assign) ast.Expr {
	id, isIdent := e.Target.(*ast.Ident)
	if e.Op == "&&=" || e.Op == "||=" || e.Op == "??=" {
		target, read := l.holdTarget(b, e)
		short := &ast.Assign{Pos: e.Pos, Op: "=", Target: target, Value: e.Value}
		return l.lowerLogical(b, &ast.Logical{Pos: e.Pos, Op: e.Op[:2], X: read, Y: short})
	}
	if !isIdent {
		return l.assignTo(b, e)
	}
	value := e.Value
	if e.Op != "=" {
		old := l.hold(b, id, id.Sym.Name)
		value = &ast.Binary{Pos: e.Pos, Op: e.Op[:len(e.Op)-1], X: old, Y: l.lower(b, e.Value)}
	}
	l.assign(b, id.Sym, value, e)
	return id
}

// holdTarget evaluates the object and the key that an assignment goes to, once, and gives the target over them; read is
// the same as an expression.
func (l *lifter) holdTarget(b *block, e *ast.Assign) (target ast.Pattern, read ast.Expr) {
	changes := l.an.changes[e.Target]
	if changes == nil {
		changes = l.an.changes[e]
	}
	switch t := e.Target.(type) {
	case *ast.Ident:
		return t, t
	case *ast.Member:
		m := *t
		m.Object = l.hold(b, l.lower(b, t.Object), "object")
		target, read = &m, &m
	case *ast.Index:
		m := *t
		list := l.lowerList(b, []ast.Expr{t.Object, t.Index})
		m.Object = l.hold(b, list[0], "object")
		m.Index = l.hold(b, list[1], "key")
		target, read = &m, &m
	default:
		if l.impure(e.Target) {
			refuse(e, "a tool call in a destructuring pattern")
		}
		return t, nil
	}
	if changes != nil {
		l.an.changes[target] = changes
	}
	if x, ok := e.Target.(ast.Expr); ok && l.an.exprs[x] != nil {
		l.an.exprs[read] = l.an.exprs[x]
	}
	return target, read
}

// assign gives a variable a new version.
func (l *lifter) assign(b *block, s *ast.Symbol, value ast.Expr, at ast.Node) {
	if _, ok := b.lookup(s); !ok {
		refuse(at, "%s is assigned before it is declared", s.Name)
	}
	v := l.value(b, value, s.Name)
	if what := l.an.exotic(s); what != "" {
		refuse(at, "%s may hold %s, which cannot leave the code that made it", s.Name, what)
	}
	b.bind(s, v)
}

// assignTo lifts o.k = value, o[k] += value and destructuring, with tool calls in the value (or in o and k).
func (l *lifter) assignTo(b *block, e *ast.Assign) ast.Expr {
	target, read := l.holdTarget(b, e)
	value := e.Value
	if e.Op != "=" {
		old := l.hold(b, read, "old")
		value = &ast.Binary{Pos: e.Pos, Op: e.Op[:len(e.Op)-1], X: old, Y: l.lower(b, value)}
	}
	held := l.hold(b, l.lower(b, value), "value")
	c := &ast.Assign{Pos: e.Pos, Op: "=", Target: target, Value: held}
	l.piece(b, e.Pos, []ast.Stmt{&ast.ExprStmt{Pos: e.Pos, X: c}}, nil, "")
	return held
}
