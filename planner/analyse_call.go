package planner

import (
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// call follows the objects through a call: of a global, a method, a local function, or something unknown.
func (a *analysis) call(e *ast.Call) *region {
	if _, ok := a.calls[e]; ok {
		a.all(e.Args)
		return promiseOf(newRegion())
	}
	if op, ok := hostCall(e); ok && op == nodes.HostTurn {
		return nil
	}
	switch c := e.Callee.(type) {
	case *ast.Member:
		if g := globalName(c.Object); g != "" && g != "args" {
			return a.globalCall(g, c.Name, e)
		}
		return a.method(c, e)
	case *ast.Ident:
		if fn := a.functions[c.Sym]; fn != nil {
			a.expr(c)
			return a.enter(fn, e)
		}
		if g := globalName(c); g != "" {
			return a.globalFunction(g, e)
		}
	case *ast.Index:
		switch key := c.Index.(type) {
		case *ast.String:
			return a.method(&ast.Member{Pos: c.Pos, Object: c.Object, Name: key.Value}, e)
		case *ast.Member:
			if globalName(key.Object) == "Symbol" {
				a.expr(c.Index)
				return a.method(&ast.Member{Pos: c.Pos, Object: c.Object, Name: "values"}, e)
			}
		}
	case *ast.FunctionExpr:
		a.expr(c)
		return a.enter(c.Func, e)
	}
	if isMissing(e) {
		a.expr(e.Callee)
		a.all(e.Args)
		return nil
	}
	return a.callValue(a.expr(e.Callee), e)
}

// enter passes the arguments to a known function.
func (a *analysis) enter(fn *ast.Func, e *ast.Call) *region {
	if a.returns[fn] == nil {
		a.returns[fn] = newRegion()
	}
	for i, x := range e.Args {
		r := a.expr(x)
		_, spread := x.(*ast.Spread)
		if spread {
			r = a.iterate(r)
		}
		for k := min(i, len(fn.Params)-1); k >= 0 && k < len(fn.Params); k++ {
			p := fn.Params[k]
			if p.Rest {
				list := newRegion()
				unify(list.element(), r)
				a.bind(p.Target, list)
			} else if k == i || spread {
				a.bind(p.Target, unify(newRegion(), r))
			}
			if !spread {
				break
			}
		}
	}
	return a.returned(fn)
}

// returned is what calling fn yields.
func (a *analysis) returned(fn *ast.Func) *region {
	if fn.Generator {
		g := exoticRegion("a generator")
		unify(g.element(), a.returns[fn])
		return g
	}
	if fn.Async {
		return promiseOf(a.returns[fn])
	}
	return a.returns[fn]
}

// promiseOf is a promise of an object of r.
func promiseOf(r *region) *region {
	p := exoticRegion(aPromise)
	if r != nil {
		unify(p.field("await"), r)
	}
	return p
}

const aPromise = "a promise"

// settled is what awaiting an object of r yields.
func settled(r *region) *region {
	for range 4 {
		if r == nil || r.find().exotic != aPromise {
			return r
		}
		r = r.field("await")
	}
	return r
}

// callback passes regions to the parameters of a function given as an argument, and returns what it returns.
func (a *analysis) callback(x ast.Expr, params ...*region) *region {
	r := a.expr(x)
	var fn *ast.Func
	switch x := x.(type) {
	case *ast.FunctionExpr:
		fn = x.Func
	case *ast.Ident:
		fn = a.functions[x.Sym]
	}
	if name := globalName(x); primitiveFunctions[name] {
		return nil
	}
	if m, ok := x.(*ast.Member); ok && (globalName(m.Object) == "Math" || globalName(m.Object) == "Number") {
		return nil
	}
	if s := r.known(); s != nil && fn == nil {
		for i, p := range params {
			unify(s.param(i), p)
		}
		return s.result.find()
	}
	if fn == nil {
		for _, p := range params {
			r = unify(r, p)
		}
		return r
	}
	for i, p := range fn.Params {
		if i < len(params) && params[i] != nil {
			a.bind(p.Target, params[i])
		}
	}
	if a.returns[fn] == nil {
		a.returns[fn] = newRegion()
	}
	return a.returned(fn)
}

// primitiveFunctions are the global functions that return primitives.
var primitiveFunctions = set("String", "Number", "Boolean", "parseInt", "parseFloat", "isNaN", "isFinite", "btoa", "atob",
	"encodeURIComponent", "decodeURIComponent", "encodeURI", "decodeURI")

func (a *analysis) globalFunction(name string, e *ast.Call) *region {
	a.all(e.Args)
	if primitiveFunctions[name] {
		return nil
	}
	switch name {
	case "structuredClone":
		r := newRegion()
		if len(e.Args) > 0 && a.exprs[e.Args[0]] != nil {
			a.clones = append(a.clones, clone{r, a.exprs[e.Args[0]]})
		}
		return r
	case "Error", "TypeError", "RangeError":
		return newRegion()
	case "Symbol", "BigInt":
		return exoticRegion("a " + name)
	}
	return a.mix(e.Args, exoticRegion("the result of "+name))
}

func (a *analysis) globalCall(object, name string, e *ast.Call) *region {
	arg := func(i int) *region {
		if i < len(e.Args) {
			return a.exprs[e.Args[i]]
		}
		return nil
	}
	if object == "Promise" {
		return a.promiseCall(name, e)
	}
	if object == "Array" && name == "from" && len(e.Args) > 0 {
		return a.arrayFrom(e)
	}
	a.all(e.Args)
	switch object + "." + name {
	case "Object.hasOwn", "Object.is":
		return nil
	case "JSON.parse", "Object.keys", "Object.getOwnPropertyNames":
		return newRegion()
	case "Object.values":
		r := newRegion()
		unify(r.element(), arg(0).anything())
		return r
	case "Object.entries":
		r := newRegion()
		unify(r.element().element(), arg(0).anything())
		return r
	case "Object.fromEntries":
		r := newRegion()
		unify(r.anything(), a.iterate(arg(0)).element())
		return r
	case "Object.assign":
		a.change(e, arg(0))
		for i := range e.Args {
			pours(arg(0), arg(i))
			if to, from := arg(0), arg(i); to != nil && from != nil {
				a.stores = append(a.stores, store{object: to, value: from, added: true})
			}
		}
		return arg(0)
	case "Object.freeze", "Object.seal", "Object.preventExtensions", "Object.defineProperty", "Object.setPrototypeOf":
		if arg(0) != nil {
			unify(arg(0), exoticRegion("a frozen object"))
		}
		return arg(0)
	case "Array.of":
		r := newRegion()
		for i := range e.Args {
			unify(r.element(), arg(i))
		}
		return r
	}
	switch object {
	case "JSON", "Math", "Number", "String", "Date", "Array", "console":
		return nil
	}
	return a.mix(e.Args, exoticRegion("the result of "+object+"."+name))
}

func (a *analysis) arrayFrom(e *ast.Call) *region {
	from := a.expr(e.Args[0])
	elem := a.iterate(from)
	r := newRegion()
	if len(e.Args) > 1 {
		unify(r.element(), a.callback(e.Args[1], elem))
		return r
	}
	unify(r.element(), elem)
	return r
}

// promises is a list of promises: what stands beside them in one that is written out is none for that.
func (a *analysis) promises(e ast.Expr) *region {
	arr, ok := e.(*ast.Array)
	if !ok {
		return a.expr(e)
	}
	list, plain := newRegion(), newRegion()
	for _, x := range arr.Elems {
		switch x := x.(type) {
		case nil:
		case *ast.Spread:
			unify(list.element(), a.iterate(a.expr(x)))
		case *ast.Ident, *ast.Await, *ast.New: // a name may turn out to be that of a promise
			unify(list.element(), a.expr(x))
		default:
			if r := a.expr(x); r != nil && r.find().exotic == "" {
				unify(plain, r)
			} else {
				unify(list.element(), r)
			}
		}
	}
	if r := list.element(); r.exotic == aPromise {
		unify(r.field("await"), plain)
	} else {
		unify(r, plain)
	}
	a.exprs[arr] = list
	return list
}

// promiseCall follows values through Promise.all and its like.
func (a *analysis) promiseCall(name string, e *ast.Call) *region {
	if len(e.Args) == 0 {
		return promiseOf(newRegion())
	}
	list := a.promises(e.Args[0])
	switch name {
	case "all":
		r := newRegion()
		unify(r.element(), settled(list.element()))
		return promiseOf(r)
	case "allSettled":
		r := newRegion()
		unify(r.element().field("value"), settled(list.element()))
		unify(r.element().field("reason"), a.thrown)
		return promiseOf(r)
	case "race", "any":
		return promiseOf(settled(list.element()))
	case "resolve":
		return promiseOf(settled(list))
	}
	return a.mix(e.Args, exoticRegion(aPromise))
}
