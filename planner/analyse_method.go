package planner

import "github.com/casys-ai/pml/nodes/ast"

// Methods by what they do with the objects that their receiver holds. A name stands for the method of every built-in that
// has it: strings, arrays, Map, Set, Date; where they differ the entry is right for the one that shares most.
var (
	changing = set("push", "pop", "shift", "unshift", "splice", "sort", "reverse", "fill", "copyWithin", "set", "add",
		"delete", "clear", "append", "setTime", "setFullYear", "setMonth", "setDate", "setHours", "setMinutes",
		"setSeconds", "setMilliseconds", "setUTCFullYear", "setUTCMonth", "setUTCDate", "setUTCHours", "setUTCMinutes",
		"setUTCSeconds", "setUTCMilliseconds", "next", "exec", "test", "return", "throw")
	primitive = set("join", "includes", "indexOf", "lastIndexOf", "toString", "trim", "trimStart", "trimEnd",
		"toUpperCase", "toLowerCase", "startsWith", "endsWith", "charAt", "charCodeAt", "codePointAt", "padStart",
		"padEnd", "repeat", "replaceAll", "replace", "substring", "substr", "toFixed", "toPrecision", "toExponential",
		"toISOString", "toJSON", "getTime", "valueOf", "has", "hasOwnProperty", "localeCompare", "search", "normalize",
		"getFullYear", "getMonth", "getDate", "getDay", "getHours", "getMinutes", "getSeconds", "getUTCFullYear",
		"getUTCMonth", "getUTCDate", "getUTCDay", "getUTCHours", "getUTCMinutes", "getUTCSeconds", "toLocaleString",
		"toLocaleDateString", "toLocaleTimeString", "toDateString", "toUTCString", "test", "isWellFormed",
		"toWellFormed", "getMilliseconds", "getUTCMilliseconds", "getTimezoneOffset", "toLocaleUpperCase",
		"toLocaleLowerCase", "some", "every", "findIndex", "findLastIndex", "forEach", "push", "unshift", "clear")
	element  = set("pop", "shift", "find", "findLast", "at", "get")
	self     = set("sort", "reverse", "fill", "copyWithin", "set", "add", "delete")
	shallow  = set("slice", "filter", "concat", "splice", "toSorted", "toReversed", "toSpliced", "with", "flat")
	iterator = set("entries", "keys", "values", "matchAll", "next")
)

func set[T comparable](names ...T) map[T]bool {
	m := make(map[T]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

// method follows the objects through receiver.name(args).
func (a *analysis) method(c *ast.Member, e *ast.Call) *region {
	recv := a.expr(c.Object)
	if id, ok := c.Object.(*ast.Ident); ok && a.formatters[id.Sym] {
		a.all(e.Args)
		return newRegion()
	}
	if r := a.ownMethod(recv, c.Name, e); r != nil {
		return r
	}
	if changing[c.Name] {
		a.change(e, recv)
	}
	if cb := a.withCallback(c.Name, recv, e); cb != nil {
		return cb.result
	}
	a.all(e.Args)
	a.takes(c.Name, recv, e)
	switch {
	case c.Name == "split":
		return newRegion()
	case a.plainMatches[e]:
		return newRegion()
	case c.Name == "match" || c.Name == "exec":
		return exoticRegion("the result of a regular expression")
	case iterator[c.Name]:
		r := copyOf(recv)
		r.exotic = "an iterator"
		if c.Name == "entries" {
			r = exoticRegion("an iterator")
			unify(r.element().element(), recv.element())
		}
		return r
	case primitive[c.Name]:
		return nil
	case element[c.Name]:
		return recv.element()
	case self[c.Name]:
		return recv
	case shallow[c.Name]:
		return a.shallowCopy(c.Name, recv)
	case c.Name == "then" || c.Name == "catch" || c.Name == "finally":
		return a.chain(c.Name, recv, e)
	}
	if recv != nil && recv.find().exotic == "" {
		f := recv.field(c.Name) // data has no functions, so this throws, unless it is a function of the program
		unify(f, recv)
		recv = f
	}
	return a.mix(e.Args, unify(newRegion(), recv))
}

// property is what reading r, the property of a name, gives: where the name is that of a method, it may be that.
func (a *analysis) property(r *region, name string) *region {
	if r.find().calls != nil && (changing[name] || primitive[name] || element[name] || shallow[name] || iterator[name]) {
		r.hide()
	}
	return r.find()
}

func (a *analysis) shallowCopy(name string, recv *region) *region {
	r := copyOf(recv)
	if name == "flat" {
		unify(r.element(), r.element().element())
	}
	return r
}

// takes puts the arguments of push, set, fill … into the receiver.
func (a *analysis) takes(name string, recv *region, e *ast.Call) {
	switch name {
	case "push", "unshift", "fill", "splice", "add", "set", "with", "toSpliced":
		for _, x := range e.Args {
			r := a.exprs[x]
			if sp, ok := x.(*ast.Spread); ok {
				r = a.iterate(a.exprs[sp.X])
			}
			if r != nil && recv != nil {
				unify(recv.element(), r)
				if changing[name] {
					a.stores = append(a.stores, store{object: recv, value: r, added: true})
				}
			}
		}
	case "concat":
		for _, x := range e.Args {
			if r := a.exprs[x]; r != nil && recv != nil {
				unify(recv.element(), r)
				unify(recv.element(), r.element())
			}
		}
	}
}

type callbackResult struct{ result *region }

// withCallback handles the methods that call a function with what the receiver holds; nil if name is none of them.
func (a *analysis) withCallback(name string, recv *region, e *ast.Call) *callbackResult {
	if len(e.Args) == 0 {
		return nil
	}
	item := recv.element()
	switch name {
	case "map", "flatMap":
		r := newRegion()
		got := a.callback(e.Args[0], item, nil, recv)
		unify(r.element(), got)
		if name == "flatMap" {
			unify(r.element(), got.element())
		}
		return &callbackResult{r}
	case "forEach", "some", "every", "findIndex", "findLastIndex":
		a.callback(e.Args[0], item, nil, recv)
		return &callbackResult{}
	case "filter":
		a.callback(e.Args[0], item, nil, recv)
		return &callbackResult{copyOf(recv)}
	case "find", "findLast":
		a.callback(e.Args[0], item, nil, recv)
		return &callbackResult{item}
	case "sort":
		a.callback(e.Args[0], item, item)
		return &callbackResult{recv}
	case "toSorted":
		a.callback(e.Args[0], item, item)
		return &callbackResult{copyOf(recv)}
	case "reduce", "reduceRight":
		acc := newRegion()
		if len(e.Args) > 1 {
			unify(acc, a.expr(e.Args[1]))
		} else {
			unify(acc, item)
		}
		unify(acc, a.callback(e.Args[0], acc, item, nil, recv))
		return &callbackResult{acc}
	case "replace", "replaceAll":
		a.all(e.Args)
		return &callbackResult{}
	}
	return nil
}

// chain follows a value through p.then(f, g), p.catch(g) and p.finally(h).
func (a *analysis) chain(name string, recv *region, e *ast.Call) *region {
	if name == "finally" {
		return recv
	}
	r := newRegion()
	for i, x := range e.Args {
		if name == "then" && i == 0 {
			unify(r, settled(a.callback(x, settled(recv))))
			continue
		}
		unify(r, settled(a.callback(x, a.thrown)))
	}
	if name == "catch" {
		unify(r, settled(recv))
	}
	return promiseOf(r)
}
