package expr

import (
	"strings"

	"github.com/casys-ai/pml/nodes/ast"
)

// call gives what a call may give.
func (a *aliases) call(n *ast.Call) pset {
	switch f := n.Callee.(type) {
	case *ast.Member:
		if class := globalName(f.Object); class != "" {
			return a.static(n, class, f.Name)
		}
		return a.method(n, f)
	case *ast.Ident:
		if globalName(f) != "" {
			return a.construct(n, f, n.Args)
		}
	case *ast.Index:
		a.expr(f.Index)
		callees := a.content(a.expr(f.Object))
		return a.apply(callees, a.arguments(n.Args))
	}
	return a.apply(a.expr(n.Callee), a.arguments(n.Args))
}

// arguments visits the arguments; with a spread any may be any.
func (a *aliases) arguments(list []ast.Expr) func(i int) pset {
	sets := make([]pset, len(list))
	spread := false
	for i, x := range list {
		if _, ok := x.(*ast.Spread); ok {
			spread = true
		}
		sets[i] = a.elements(list[i : i+1])
	}
	return func(i int) (out pset) {
		if spread {
			for _, s := range sets {
				out = out.union(s)
			}
			return out
		}
		if i < len(sets) {
			return sets[i]
		}
		return nil
	}
}

func all(get func(int) pset, n int) (out pset) {
	for i := 0; i < n; i++ {
		out = out.union(get(i))
	}
	return out
}

// static is Class.name(…).
func (a *aliases) static(n *ast.Call, class, name string) pset {
	get := a.arguments(n.Args)
	args := all(get, len(n.Args))
	first := get(0)
	switch class + "." + name {
	case "Object.assign":
		a.mutate(n.Pos, first, a.content(args))
		return first
	case "Object.freeze":
		a.each(first, func(o *abstract) { o.frozen = true })
		return first
	case "Object.values":
		return a.fresh(n, "", a.content(first))
	case "Object.entries":
		return a.fresh(n, "", a.fresh(n, "pair", a.content(first)))
	case "Object.fromEntries":
		return a.fresh(n, "", a.content(a.content(first)))
	case "Array.of":
		return a.fresh(n, "", args)
	case "Array.from":
		if f := get(1); !f.empty() {
			return a.fresh(n, "", a.apply(f, func(int) pset { return a.content(first) }))
		}
		return a.fresh(n, "", a.content(first))
	}
	reach := a.reach(args)
	ret := a.apply(reach, func(int) pset { return reach })
	_ = ret
	switch class {
	case "JSON", "Object":
		o := a.make(site{n, ""}, "")
		a.grow(&o.content, single(o.id))
		return single(o.id)
	}
	return nil
}

// construct is new Class(…), or Class(…) of the library.
func (a *aliases) construct(n ast.Node, callee ast.Expr, list []ast.Expr) pset {
	get := a.arguments(list)
	args := all(get, len(list))
	_, isNew := n.(*ast.New)
	switch class := globalName(callee); {
	case class == "Map":
		o := a.make(site{n, ""}, "a Map")
		in := a.content(args)
		a.grow(&o.content, in.union(a.content(in)))
		a.grow(&o.content, a.fresh(n, "pair", o.content))
		return single(o.id)
	case class == "Set":
		o := a.make(site{n, ""}, "a Set")
		a.grow(&o.content, a.content(args))
		a.grow(&o.content, a.fresh(n, "pair", o.content))
		return single(o.id)
	case class == "Date" && isNew:
		return single(a.make(site{n, ""}, "a Date").id)
	case class == "RegExp":
		return single(a.make(site{n, ""}, "a RegExp").id)
	case class == "structuredClone":
		o := a.make(site{n, ""}, "")
		a.grow(&o.content, single(o.id))
		return single(o.id)
	case class == "Array", errorClasses[class]:
		return a.fresh(n, "", args.union(a.content(args)))
	case class == "":
		return a.apply(a.expr(callee), get)
	}
	return nil
}

// method is object.name(…): a method of the library, or a function that the object holds.
func (a *aliases) method(n *ast.Call, f *ast.Member) pset {
	r := a.expr(f.Object)
	get := a.arguments(n.Args)
	count := len(n.Args)
	args := all(get, count)
	c := a.content(r)
	ret := a.apply(c, get)
	if f.Name == "call" || f.Name == "apply" {
		in := args.union(a.content(args))
		return ret.union(a.apply(r, func(int) pset { return in }))
	}
	reducing := strings.HasPrefix(f.Name, "reduce")
	var back pset // what callbacks return
	a.functions(args, func(cb *abstract) { back = back.union(cb.ret) })
	back = back.union(a.apply(args, func(i int) pset {
		v := c
		if reducing && i == 0 {
			v = a.reduced(count, back, c, get)
		}
		if i >= 2 {
			v = v.union(r)
		}
		if f.Name == "replace" || f.Name == "replaceAll" {
			v = v.union(a.fresh(n, "groups", nil))
		}
		return v
	}))
	return ret.union(a.library(n, f.Name, r, c, args, back, get))
}

// library is what a method of the library does to its receiver r, which holds c, and gives.
func (a *aliases) library(n *ast.Call, name string, r, c, args, back pset, get func(int) pset) pset {
	switch name {
	case "push", "unshift":
		a.mutate(n.Pos, r, args)
	case "pop", "shift":
		a.mutate(n.Pos, r, nil)
		return c
	case "splice":
		a.mutate(n.Pos, r, args)
		return a.fresh(n, "", c)
	case "sort", "reverse", "copyWithin":
		a.mutate(n.Pos, r, nil)
		return r
	case "fill", "set", "add":
		a.mutate(n.Pos, r, args)
		return r
	case "delete", "clear":
		a.mutate(n.Pos, r, nil)
	case "get":
		var held pset
		a.each(r, func(o *abstract) {
			if o.internal == "a Map" || o.param >= 0 {
				held = held.union(o.content)
			}
		})
		return held
	case "at", "find", "findLast":
		return c
	case "slice", "filter", "toSorted", "toReversed", "split":
		return a.fresh(n, "", c)
	case "concat", "toSpliced", "with":
		return a.fresh(n, "", c.union(args).union(a.content(args)))
	case "map":
		return a.fresh(n, "", back)
	case "flatMap":
		return a.fresh(n, "", back.union(a.content(back)))
	case "flat":
		return a.fresh(n, "", a.reach(c))
	case "reduce", "reduceRight":
		return a.reduced(len(n.Args), back, c, get)
	case "keys", "values", "entries":
		o := a.make(site{n, ""}, "an iterator")
		a.grow(&o.content, c.union(a.fresh(n, "pair", c)))
		return single(o.id)
	case "next":
		return a.fresh(n, "", c)
	case "match", "exec":
		return a.match(n, name)
	case "matchAll":
		o := a.make(site{n, ""}, "an iterator")
		a.grow(&o.content, a.match(n, name))
		return single(o.id)
	case "valueOf":
		return r
	}
	return nil
}

// reduced is what the accumulator of a reduce may be.
func (a *aliases) reduced(count int, back, c pset, get func(int) pset) pset {
	if count > 1 {
		return back.union(get(1))
	}
	return back.union(c)
}

// match is the array of a match, whose index and groups are lost on an edge; with a visible flag g it is plain.
func (a *aliases) match(n *ast.Call, name string) pset {
	if name == "match" && len(n.Args) == 1 {
		if re, ok := n.Args[0].(*ast.RegExp); ok && strings.Contains(re.Flags, "g") {
			return a.fresh(n, "", nil)
		}
	}
	o := a.make(site{n, "match"}, "a match with its index and groups")
	a.grow(&o.content, a.fresh(n, "groups", nil))
	return single(o.id)
}
