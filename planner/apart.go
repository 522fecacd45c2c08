package planner

import (
	"slices"
	"strconv"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// Promises that a program keeps in an object or an array, only to look at them one by one, are kept in constants instead:
//
//	const open = { a: mcp.x.y({}), b: mcp.x.z({}) }; … (await open.a) … (await open.b)
//	const list = [f(), g()]; … await Promise.all(list)

// keepApart is the pass.
func keepApart(l *lifter) {
	k := &keeper{l: l, look: newSpecialiser(l).look, kept: map[*ast.Symbol]*collection{}}
	ast.WalkAll(l.body, func(n ast.Node) bool { k.find(n); return true })
	if len(k.kept) == 0 {
		return
	}
	ast.WalkAll(l.body, func(n ast.Node) bool { k.count(n); return true })
	for s, c := range k.kept {
		if c.other != 0 {
			delete(k.kept, s)
		}
	}
	if len(k.kept) > 0 {
		k.rewrite()
	}
}

type keeper struct {
	l, look *lifter
	kept    map[*ast.Symbol]*collection
}

// collection is a constant that holds an object or array of promises.
type collection struct {
	names []string // of the properties; of an array their indices
	parts []*ast.Symbol
	array bool
	// other counts the mentions that look at more than one part by its name.
	other int
}

func (c *collection) part(name string) *ast.Symbol {
	if i := slices.Index(c.names, name); i >= 0 {
		return c.parts[i]
	}
	return nil
}

// find notes the declarations of such constants.
func (k *keeper) find(n ast.Node) {
	decl, ok := n.(*ast.VarDecl)
	if !ok || decl.Kind != ast.DeclConst {
		return
	}
	for _, d := range decl.Decls {
		id, ok := d.Target.(*ast.Ident)
		if !ok {
			continue
		}
		c := &collection{}
		values := c.values(d.Init)
		if !slices.ContainsFunc(values, k.makes) {
			continue
		}
		for _, name := range c.names {
			part := *id.Sym
			part.Unique += "$" + name
			c.parts = append(c.parts, &part)
		}
		c.other = -1 // the declaration itself
		k.kept[id.Sym] = c
	}
}

// values are the parts of an object or array literal that has nothing but plain ones.
func (c *collection) values(e ast.Expr) (values []ast.Expr) {
	switch e := e.(type) {
	case *ast.Object:
		for i := range e.Props {
			p := &e.Props[i]
			name, ok := propertyName(p)
			if !ok || p.Kind != ast.PropInit || p.Method || slices.Contains(c.names, name) || name == "__proto__" {
				return nil
			}
			c.names, values = append(c.names, name), append(values, p.Value)
		}
	case *ast.Array:
		c.array = true
		for i, x := range e.Elems {
			if _, spread := x.(*ast.Spread); spread || x == nil {
				return nil
			}
			c.names, values = append(c.names, strconv.Itoa(i)), append(values, x)
		}
	}
	return values
}

// makes reports whether e makes a promise.
func (k *keeper) makes(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.New:
		return timerOf(e) != nil
	case *ast.Call:
		if _, ok := k.l.calls[e]; ok {
			return true
		}
		if m, ok := e.Callee.(*ast.Member); ok && (m.Name == "then" || m.Name == "catch" || m.Name == "finally") {
			return k.makes(m.Object)
		}
		fn := k.look.knownFunction(e.Callee)
		return fn != nil && fn.Async
	}
	return false
}

// count counts a mention, and takes it back where it is one that the parts can stand for.
func (k *keeper) count(n ast.Node) {
	switch n := n.(type) {
	case *ast.Ident:
		if c := k.kept[n.Sym]; c != nil {
			c.other++
		}
	case *ast.Call:
		if c := k.joinedList(n); c != nil {
			c.other--
		}
		if c, part := k.partOf(n.Callee); part != nil {
			c.other++ // it is called with the collection as this
		}
	case *ast.Assign:
		if c, part := k.partOf(n.Target); part != nil {
			c.other++
		}
	case *ast.Update:
		if c, part := k.partOf(n.X); part != nil {
			c.other++
		}
	case *ast.Unary:
		if c, part := k.partOf(n.X); part != nil && n.Op == "delete" {
			c.other++
		}
	case *ast.Member, *ast.Index:
		if c, part := k.partOf(n); part != nil {
			c.other--
		}
	}
}

// partOf is the part of a collection that n names.
func (k *keeper) partOf(n ast.Node) (*collection, *ast.Symbol) {
	var object, key ast.Expr
	switch n := n.(type) {
	case *ast.Member:
		if n.Chain == ast.NoChain {
			object, key = n.Object, &ast.String{Value: n.Name}
		}
	case *ast.Index:
		if n.Chain == ast.NoChain {
			object, key = n.Object, n.Index
		}
	}
	id, ok := object.(*ast.Ident)
	if !ok || k.kept[id.Sym] == nil {
		return nil, nil
	}
	c := k.kept[id.Sym]
	switch key := key.(type) {
	case *ast.String:
		return c, c.part(key.Value)
	case *ast.Number:
		return c, c.part(strconv.FormatFloat(key.Value, 'f', -1, 64))
	}
	return c, nil
}

// joinedList is the collection all of which n waits for, a call of Promise.all and the like.
func (k *keeper) joinedList(n *ast.Call) *collection {
	if promiseMethod(n) == "" || len(n.Args) != 1 {
		return nil
	}
	list, array := n.Args[0], true
	if call, ok := list.(*ast.Call); ok && len(call.Args) == 1 {
		if m, ok := call.Callee.(*ast.Member); ok && globalName(m.Object) == "Object" && m.Name == "values" {
			list, array = call.Args[0], false
		}
	}
	if id, ok := list.(*ast.Ident); ok {
		if c := k.kept[id.Sym]; c != nil && c.array == array && (array || !slices.ContainsFunc(c.names, isIndex)) {
			return c
		}
	}
	return nil
}

// isIndex reports whether a property of that name comes before others, wherever it was set.
func isIndex(name string) bool {
	_, err := strconv.ParseUint(name, 10, 32)
	return err == nil
}

// rewrite puts the parts in the place of the collections.
func (k *keeper) rewrite() {
	calls := k.l.calls
	k.l.calls = make(map[*ast.Call]nodes.ToolID, len(calls))
	r := ast.Rewrite{}
	r.Expr = func(e ast.Expr) (ast.Expr, bool) {
		switch e := e.(type) {
		case *ast.Member, *ast.Index:
			if _, part := k.partOf(e); part != nil {
				return &ast.Ident{Pos: e.Position(), Sym: part}, true
			}
		case *ast.Call:
			to := &ast.Call{Pos: e.Pos, Callee: r.Of(e.Callee), Chain: e.Chain}
			if c := k.joinedList(e); c != nil {
				to.Args = []ast.Expr{c.list(e.Args[0].Position())}
			} else {
				for _, x := range e.Args {
					to.Args = append(to.Args, r.Of(x))
				}
			}
			if id, ok := calls[e]; ok {
				k.l.calls[to] = id
			}
			return to, true
		}
		return nil, false
	}
	k.l.body = r.Stmts(k.l.body)
	ast.WalkAll(k.l.body, func(n ast.Node) bool { // the copies may be changed
		if decl, ok := n.(*ast.VarDecl); ok && decl.Kind == ast.DeclConst {
			k.split(decl)
		}
		return true
	})
}

func (c *collection) list(pos ast.Pos) ast.Expr {
	out := &ast.Array{Pos: pos}
	for _, part := range c.parts {
		out.Elems = append(out.Elems, &ast.Ident{Pos: pos, Sym: part})
	}
	return out
}

// split declares the parts where a collection was declared.
func (k *keeper) split(decl *ast.VarDecl) {
	var out []ast.Declarator
	for _, d := range decl.Decls {
		id, ok := d.Target.(*ast.Ident)
		if !ok || k.kept[id.Sym] == nil {
			out = append(out, d)
			continue
		}
		c := k.kept[id.Sym]
		for i, value := range (&collection{}).values(d.Init) {
			out = append(out, ast.Declarator{Pos: value.Position(), Target: &ast.Ident{Pos: value.Position(), Sym: c.parts[i]}, Init: value})
		}
	}
	decl.Decls = out
}
