package expr

import (
	"iter"
	"slices"
	"strings"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// What a piece may change is found by a points-to analysis (after Andersen): every place that makes an object is one
// abstract object, every input two, its root and what is in it; contents are not told apart by key. The tree is visited
// until nothing new is found.

// abstract is an abstract object.
type abstract struct {
	id int
	// param is the input it belongs to, nested says that it is not the input itself; -1 for objects of the piece.
	param  int
	nested bool
	// internal names what is no plain data; "" for data.
	internal string
	content  pset
	mutated  bool
	frozen   bool
	// fn is set for functions; ret is what they return.
	fn  *ast.Func
	ret pset
	// native is the name of a function of the library that is used as a value.
	native string
}

// pset is a set of abstract objects by id.
type pset []uint64

func (s pset) has(id int) bool { return id>>6 < len(s) && s[id>>6]>>(id&63)&1 != 0 }

func (s pset) empty() bool {
	for _, w := range s {
		if w != 0 {
			return false
		}
	}
	return true
}

func (s pset) with(id int) pset { return s.union(single(id)) }

func single(id int) pset {
	if id < len(singles) {
		return singles[id]
	}
	s := make(pset, id>>6+1)
	s[id>>6] = 1 << (id & 63)
	return s
}

// singles are the most common sets: no set is changed once it is made.
var singles = func() (all [64]pset) {
	for id := range all {
		all[id] = pset{1 << id}
	}
	return all
}()

// union gives the union of s and t, one of which may be given back as it is.
func (s pset) union(t pset) pset {
	if t.within(s) {
		return s
	}
	out := make(pset, max(len(s), len(t)))
	copy(out, s)
	for i, w := range t {
		out[i] |= w
	}
	return out
}

// within reports whether s is a subset of t.
func (s pset) within(t pset) bool {
	for i, w := range s {
		if i >= len(t) {
			if w != 0 {
				return false
			}
		} else if w&^t[i] != 0 {
			return false
		}
	}
	return true
}

// site is a place that makes abstract objects; tag tells several of one node apart.
type site struct {
	node any
	tag  string
}

// aliases is the analysis of one piece.
type aliases struct {
	objs []*abstract
	// spare are objects made beforehand, together.
	spare   []abstract
	sites   map[site]*abstract
	vars    table[pset]
	thrown  pset
	result  pset
	changed bool
	// loose says that something may come to where it is not seen in one visit: by a variable, a change, a function.
	loose bool
	// fns are the functions around the node under visit, innermost last.
	fns []*abstract
	// untraced is the first change of something that has no origin.
	untraced *ast.Pos
}

// analyse visits the piece until nothing changes.
func (a *aliases) analyse(c *nodes.Code) {
	if a.spare == nil {
		a.spare = make([]abstract, 2*len(c.Params))
	}
	for i, sym := range c.Params {
		root, inner := a.add(""), a.add("")
		root.param, inner.param, inner.nested = i, i, true
		root.content, inner.content = single(inner.id), single(inner.id)
		a.vars.set(sym, single(root.id))
	}
	for a.round(c, slices.All(c.Body)); a.changed && a.loose; {
		// What calls hand to functions further up gets there the other way round.
		if a.round(c, slices.Backward(c.Body)); a.changed {
			a.round(c, slices.All(c.Body))
		}
	}
	for _, sym := range c.Vars {
		a.result = a.result.union(a.vars.get(sym))
	}
}

// round visits all of the piece once.
func (a *aliases) round(c *nodes.Code, body iter.Seq2[int, ast.Stmt]) {
	a.changed = false
	for _, s := range body {
		a.stmt(s)
	}
	if c.Result != nil {
		a.grow(&a.result, a.expr(c.Result))
	}
}

// add makes an abstract object.
func (a *aliases) add(internal string) *abstract {
	if len(a.spare) == 0 {
		a.spare = make([]abstract, 4)
	}
	o := &a.spare[0]
	a.spare = a.spare[1:]
	*o = abstract{id: len(a.objs), param: -1, internal: internal}
	a.objs = append(a.objs, o)
	return o
}

// make gives the abstract object of a place.
func (a *aliases) make(at site, internal string) *abstract {
	o, ok := a.sites[at]
	if !ok {
		o = a.add(internal)
		if a.sites == nil {
			a.sites = map[site]*abstract{}
		}
		a.sites[at] = o
		a.changed = true
	}
	return o
}

// fresh gives a data object of a place, holding content.
func (a *aliases) fresh(node any, tag string, content pset) pset {
	o := a.make(site{node, tag}, "")
	a.grow(&o.content, content)
	return single(o.id)
}

// grow adds to a set that is kept.
func (a *aliases) grow(to *pset, s pset) {
	if !s.within(*to) {
		*to = to.union(s)
		a.changed = true
	}
}

func (a *aliases) bindVar(sym *ast.Symbol, s pset) {
	a.loose = true
	v := a.vars.get(sym)
	a.grow(&v, s)
	a.vars.set(sym, v)
}

// each visits the members of a set.
func (a *aliases) each(s pset, visit func(*abstract)) {
	for _, o := range a.objs {
		if s.has(o.id) {
			visit(o)
		}
	}
}

// content is what the members of s hold.
func (a *aliases) content(s pset) (out pset) {
	a.each(s, func(o *abstract) { out = out.union(o.content) })
	return out
}

// reach is s and everything in it, at any depth.
func (a *aliases) reach(s pset) pset {
	for {
		next := s.union(a.content(s))
		if next.within(s) {
			return s
		}
		s = next
	}
}

// native is a function of the library as a value; constants such as Math.PI are none.
func (a *aliases) native(n ast.Node, name string) pset {
	class, member, isMember := strings.Cut(name, ".")
	v := globals[class]
	if isMember {
		v = statics[class][member]
	}
	if _, ok := v.(*function); !ok {
		return nil
	}
	o := a.make(site{n, "native"}, "a function")
	o.native, a.loose = name, true
	return single(o.id)
}

// givesPrimitive reports whether a function of the library gives no object.
func givesPrimitive(name string) bool {
	switch name {
	case "String", "Number", "Boolean", "parseInt", "parseFloat", "isNaN", "isFinite", "encodeURIComponent",
		"decodeURIComponent", "encodeURI", "decodeURI", "Array.isArray", "JSON.stringify", "Object.is", "Object.hasOwn":
		return true
	}
	for _, class := range []string{"Math.", "Number.", "String.", "Date."} {
		if strings.HasPrefix(name, class) {
			return true
		}
	}
	return false
}

// mutate says that the members of s change, and now may also hold v.
func (a *aliases) mutate(pos ast.Pos, s, v pset) {
	if s.empty() && a.untraced == nil {
		a.untraced = &pos
	}
	if !s.empty() && a.untraced != nil && *a.untraced == pos {
		a.untraced = nil
	}
	a.loose = true
	a.each(s, func(o *abstract) {
		o.mutated = true
		a.grow(&o.content, v)
	})
}

// functions visits the functions of the piece in s.
func (a *aliases) functions(s pset, visit func(*abstract)) {
	a.each(s, func(o *abstract) {
		if o.fn != nil {
			visit(o)
		}
	})
}

// apply binds arguments to the functions in s and gives what they return. get gives the i-th argument.
func (a *aliases) apply(s pset, get func(i int) pset) (ret pset) {
	a.each(s, func(f *abstract) {
		if f.native != "" && !givesPrimitive(f.native) {
			in := a.reach(all(get, 3))
			o := a.make(site{f, "result"}, "")
			a.grow(&o.content, in.with(o.id))
			ret = ret.union(in).with(o.id)
		}
	})
	a.functions(s, func(f *abstract) {
		for i, p := range f.fn.Params {
			v := get(i)
			if p.Rest {
				all := v
				for k := i + 1; k < i+8; k++ {
					all = all.union(get(k))
				}
				v = a.fresh(f.fn, "rest", all)
			}
			if p.Default != nil {
				v = v.union(a.expr(p.Default))
			}
			a.bind(p.Target, v)
		}
		ret = ret.union(f.ret)
	})
	return ret
}

// bind gives a value to a pattern.
func (a *aliases) bind(p ast.Pattern, v pset) {
	switch p := p.(type) {
	case *ast.Ident:
		a.bindVar(p.Sym, v)
	case *ast.Member:
		a.mutate(p.Pos, a.expr(p.Object), v)
	case *ast.Index:
		a.expr(p.Index)
		a.mutate(p.Pos, a.expr(p.Object), v)
	case *ast.ArrayPattern:
		inner := a.content(v)
		for _, e := range p.Elems {
			if e.Target != nil {
				a.bindPart(e.Target, e.Default, e.Rest, inner)
			}
		}
	case *ast.ObjectPattern:
		inner := a.content(v)
		for _, e := range p.Props {
			if e.Computed {
				a.expr(e.Key)
			}
			a.bindPart(e.Target, e.Default, e.Rest, inner)
		}
	}
}

func (a *aliases) bindPart(p ast.Pattern, def ast.Expr, rest bool, v pset) {
	if rest {
		v = a.fresh(p, "rest", v)
	}
	if def != nil {
		v = v.union(a.expr(def))
	}
	a.bind(p, v)
}
