package planner

import (
	"strings"

	"github.com/casys-ai/pml/nodes/ast"
)

// expr returns the region of the objects that e may yield, nil for a primitive, and notes what e changes.
func (a *analysis) expr(e ast.Expr) *region {
	r := a.exprRegion(e)
	if r != nil {
		a.exprs[e] = r
	}
	return r
}

func (a *analysis) exprRegion(e ast.Expr) *region {
	switch e := e.(type) {
	case *ast.Ident:
		return a.ident(e)
	case *ast.Template:
		a.all(e.Exprs)
	case *ast.TaggedTemplate:
		a.expr(e.Tag)
		if m, ok := e.Tag.(*ast.Member); ok && globalName(m.Object) == "String" && m.Name == "raw" {
			a.all(e.Exprs)
			return nil
		}
		return a.mix(e.Exprs, exoticRegion("the result of a tagged template"))
	case *ast.Array:
		return a.array(e)
	case *ast.Object:
		return a.object(e)
	case *ast.FunctionExpr:
		return a.fn(e.Func)
	case *ast.ClassExpr:
		return a.class(e.ClassBody)
	case *ast.Unary:
		x := a.expr(e.X)
		if e.Op == "delete" {
			a.changeOwner(e, e.X)
		}
		return arithmetic(x, nil, e.Op)
	case *ast.Update:
		a.expr(e.X)
		a.changeOwner(e, e.X)
	case *ast.Binary:
		return arithmetic(a.expr(e.X), a.expr(e.Y), e.Op)
	case *ast.PrivateIn:
		a.expr(e.X)
	case *ast.Logical:
		return unify(a.expr(e.X), a.expr(e.Y))
	case *ast.Conditional:
		a.expr(e.Test)
		return unify(a.expr(e.Then), a.expr(e.Else))
	case *ast.Assign:
		return a.assignment(e)
	case *ast.Call:
		return a.call(e)
	case *ast.New:
		return a.construct(e)
	case *ast.Member:
		if g := globalName(e.Object); g != "" && g != "args" {
			return globalProperty(e.Name)
		}
		return a.property(a.expr(e.Object).field(e.Name), e.Name)
	case *ast.Index:
		o := a.expr(e.Object)
		a.expr(e.Index)
		return a.indexed(o, e.Index)
	case *ast.Await:
		return a.awaited(e.X)
	case *ast.Yield:
		a.opt(e.X)
		return exoticRegion("a yielded value")
	case *ast.Sequence:
		var last *region
		for _, x := range e.Exprs {
			last = a.expr(x)
		}
		return last
	case *ast.Spread:
		return a.expr(e.X)
	case *ast.RegExp:
		return exoticRegion("a regular expression")
	case *ast.BigInt:
		return exoticRegion(aBigInt)
	case *ast.This, *ast.Super, *ast.NewTarget, *ast.Import, *ast.ImportMeta:
		return exoticRegion("`this`")
	}
	return nil
}

// awaited is what awaiting e gives: of a choice, what awaiting either side gives.
func (a *analysis) awaited(e ast.Expr) *region {
	switch e := e.(type) {
	case *ast.Conditional:
		a.expr(e.Test)
		r := unify(a.awaited(e.Then), a.awaited(e.Else))
		if r != nil {
			a.exprs[e] = r
		}
		return r
	case *ast.Logical:
		r := unify(a.awaited(e.X), a.awaited(e.Y))
		if r != nil {
			a.exprs[e] = r
		}
		return r
	}
	return settled(a.expr(e))
}

func (a *analysis) ident(e *ast.Ident) *region {
	switch {
	case e.Sym.Kind != ast.SymUnbound || e.Sym.Name == "args":
		return a.symbol(e.Sym)
	case e.Sym.Name == "NaN" || e.Sym.Name == "Infinity" || e.Sym.Name == "undefined":
		return nil
	}
	return aFunction()
}

// aBigInt is the one primitive that cannot travel and that operators hand on.
const aBigInt = "a BigInt"

func arithmetic(x, y *region, op string) *region {
	switch op {
	case "-", "+", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", "~":
		for _, r := range []*region{x, y} {
			if r != nil && r.find().exotic == aBigInt {
				return exoticRegion(aBigInt)
			}
		}
	}
	return nil
}

// globalProperty is what a property of a global is: a constant or a function.
func globalProperty(name string) *region {
	if name == strings.ToUpper(name) {
		return nil
	}
	return aFunction()
}

func (a *analysis) all(list []ast.Expr) {
	for _, e := range list {
		a.opt(e)
	}
}

// mix makes one region of everything in list: the last resort for what is not known.
func (a *analysis) mix(list []ast.Expr, r *region) *region {
	a.all(list)
	return a.mixed(list, r)
}

// mixed is mix for expressions that have been followed.
func (a *analysis) mixed(list []ast.Expr, r *region) *region {
	for _, e := range list {
		if x := a.exprs[e]; x != nil {
			unify(r, x)
			unify(r.anything(), r)
		}
	}
	if r.find().calls != nil {
		r.hide()
	}
	return r
}

func (a *analysis) array(e *ast.Array) *region {
	r := newRegion()
	for _, x := range e.Elems {
		switch x := x.(type) {
		case nil:
		case *ast.Spread:
			unify(r.element(), a.iterate(a.expr(x)))
		default:
			unify(r.element(), a.expr(x))
		}
	}
	return r
}

func (a *analysis) object(e *ast.Object) *region {
	r := newRegion()
	for i := range e.Props {
		p := &e.Props[i]
		switch {
		case p.Kind == ast.PropSpread:
			pours(r, a.expr(p.Value))
		case p.Kind != ast.PropInit:
			a.expr(p.Value)
			r.find().exotic = "an accessor"
		case p.Computed:
			a.expr(p.Key)
			unify(r.anything(), a.expr(p.Value))
		default:
			v := a.expr(p.Value)
			unify(a.indexed(r, p.Key), v)
			if k, ok := p.Key.(*ast.String); ok && counts[k.Value] && v != nil {
				r.store(k.Value, v)
			}
		}
	}
	return r
}

func (a *analysis) assignment(e *ast.Assign) *region {
	v := a.expr(e.Value)
	switch e.Op {
	case "=":
		a.bind(e.Target, v)
		return v
	case "&&=", "||=", "??=":
		old := a.expr(e.Target.(ast.Expr))
		a.bind(e.Target, v)
		return unify(old, v)
	}
	old := a.expr(e.Target.(ast.Expr))
	a.changeOwner(e, e.Target.(ast.Expr))
	r := arithmetic(old, v, e.Op[:len(e.Op)-1])
	if r != nil {
		a.bind(e.Target, r)
	}
	return r
}

// changeOwner notes that n changes the object whose property x is.
func (a *analysis) changeOwner(n ast.Node, x ast.Expr) {
	switch x := x.(type) {
	case *ast.Member:
		a.change(n, a.exprs[x.Object])
	case *ast.Index:
		a.change(n, a.exprs[x.Object])
	}
}

// copying are the classes whose objects keep nothing of the objects that they are made from: they turn them into strings
// and numbers.
var copying = set("Date", "RegExp", "URL", "URLSearchParams", "TextEncoder", "TextDecoder")

func (a *analysis) construct(e *ast.New) *region {
	a.expr(e.Callee)
	if t := timerOf(e); t != nil {
		return a.timer(t)
	}
	name := globalName(e.Callee)
	switch name {
	case "Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "URIError", "EvalError":
		r := newRegion()
		for _, x := range e.Args {
			unify(r.field("cause"), a.expr(x).field("cause"))
		}
		return r
	case "Array":
		a.all(e.Args)
		return newRegion()
	case "Map", "Set", "WeakMap", "WeakSet":
		r := exoticRegion("a " + name)
		for _, x := range e.Args {
			from := a.expr(x)
			pours(r, from)
			if name == "Map" && from != nil {
				unify(r.element(), from.element().element())
			}
		}
		return r
	}
	if copying[name] || newFormatter(e) {
		a.all(e.Args)
		return exoticRegion("a " + orDefault(name, "formatter"))
	}
	if name == "" {
		name = "class instance"
	}
	return a.mix(e.Args, exoticRegion("a "+name))
}

// globalName is the name of a global that no scope of the program declares, or "".
func globalName(e ast.Expr) string {
	if id, ok := e.(*ast.Ident); ok && id.Sym.Kind == ast.SymUnbound {
		return id.Sym.Name
	}
	return ""
}
