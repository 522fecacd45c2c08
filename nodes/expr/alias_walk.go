package expr

import (
	"github.com/casys-ai/pml/nodes/ast"
)

func (a *aliases) stmts(list []ast.Stmt) {
	for _, s := range list {
		a.stmt(s)
	}
}

func (a *aliases) stmt(n ast.Stmt) {
	switch n := n.(type) {
	case *ast.VarDecl:
		for _, d := range n.Decls {
			if d.Init != nil {
				a.bind(d.Target, a.expr(d.Init))
			}
		}
	case *ast.FunctionDecl:
		a.bindVar(n.Name.Sym, a.function(n.Func))
	case *ast.Return:
		if n.X != nil {
			v := a.expr(n.X)
			if k := len(a.fns); k > 0 {
				a.grow(&a.fns[k-1].ret, v)
			}
		}
	case *ast.Throw:
		a.loose = true
		a.grow(&a.thrown, a.expr(n.X))
	case *ast.Try:
		a.stmt(n.Body)
		if n.Param != nil {
			err := a.make(site{n, "error"}, "")
			a.grow(&err.content, single(err.id))
			a.bind(n.Param, a.thrown.with(err.id))
		}
		if n.Handler != nil {
			a.stmt(n.Handler)
		}
		if n.Finally != nil {
			a.stmt(n.Finally)
		}
	case *ast.ForOf:
		a.loopOver(n.Left, a.content(a.expr(n.Right)))
		a.stmt(n.Body)
	case *ast.ForIn:
		a.expr(n.Right)
		a.loopOver(n.Left, nil)
		a.stmt(n.Body)
	default:
		stmtChildren(n, a.visit)
	}
}

// visit is for parts whose value does not matter.
func (a *aliases) visit(n ast.Node) {
	switch n := n.(type) {
	case ast.Expr:
		a.expr(n)
	case ast.Stmt:
		a.stmt(n)
	}
}

func (a *aliases) loopOver(left ast.Stmt, v pset) {
	switch left := left.(type) {
	case *ast.VarDecl:
		for _, d := range left.Decls {
			a.bind(d.Target, v)
		}
	case *ast.ExprStmt:
		if x, ok := left.X.(*ast.Assign); ok {
			a.bind(x.Target, v)
		}
	}
}

// function visits a function and gives its object.
func (a *aliases) function(f *ast.Func) pset {
	o := a.make(site{f, "function"}, "a function")
	o.fn, a.loose = f, true
	if f.Name != nil {
		a.bindVar(f.Name.Sym, single(o.id))
	}
	a.fns = append(a.fns, o)
	for _, p := range f.Params {
		if p.Default != nil {
			a.bind(p.Target, a.expr(p.Default))
		} else {
			a.bind(p.Target, nil)
		}
	}
	a.stmts(f.Body)
	a.fns = a.fns[:len(a.fns)-1]
	return single(o.id)
}

// expr gives the objects that n may be.
func (a *aliases) expr(n ast.Expr) pset {
	switch n := n.(type) {
	case *ast.Ident:
		if name := globalName(n); name != "" && len(a.vars.get(n.Sym)) == 0 {
			return a.native(n, name)
		}
		return a.vars.get(n.Sym)
	case *ast.Array:
		return a.fresh(n, "", a.elements(n.Elems))
	case *ast.Object:
		return a.objectLiteral(n)
	case *ast.FunctionExpr:
		return a.function(n.Func)
	case *ast.RegExp:
		return single(a.make(site{n, ""}, "a RegExp").id)
	case *ast.Logical:
		x := a.expr(n.X)
		if n.Op == "&&" {
			x = nil // what it gives of X is falsy, so no object
		}
		return x.union(a.expr(n.Y))
	case *ast.Conditional:
		a.expr(n.Test)
		return a.expr(n.Then).union(a.expr(n.Else))
	case *ast.Sequence:
		var last pset
		for _, x := range n.Exprs {
			last = a.expr(x)
		}
		return last
	case *ast.Assign:
		return a.assign(n)
	case *ast.Member:
		if class := globalName(n.Object); class != "" {
			return a.native(n, class+"."+n.Name)
		}
		return a.content(a.expr(n.Object))
	case *ast.Index:
		a.expr(n.Index)
		return a.content(a.expr(n.Object))
	case *ast.Update:
		a.changeTarget(n.X)
	case *ast.Unary:
		if n.Op == "delete" {
			a.changeTarget(n.X)
		} else {
			a.expr(n.X)
		}
	case *ast.Call:
		return a.call(n)
	case *ast.New:
		return a.construct(n, n.Callee, n.Args)
	case nil:
	default:
		exprChildren(n, a.visit)
	}
	return nil
}

func (a *aliases) changeTarget(n ast.Expr) {
	switch t := n.(type) {
	case *ast.Member:
		a.mutate(t.Pos, a.expr(t.Object), nil)
	case *ast.Index:
		a.expr(t.Index)
		a.mutate(t.Pos, a.expr(t.Object), nil)
	default:
		a.expr(n)
	}
}

// elements is what a list of expressions with spreads holds.
func (a *aliases) elements(list []ast.Expr) (out pset) {
	for _, x := range list {
		if s, ok := x.(*ast.Spread); ok {
			out = out.union(a.content(a.expr(s.X)))
		} else if x != nil {
			out = out.union(a.expr(x))
		}
	}
	return out
}

func (a *aliases) objectLiteral(n *ast.Object) pset {
	var content pset
	for _, p := range n.Props {
		if p.Computed {
			a.expr(p.Key)
		}
		x := p.Value
		if s, ok := x.(*ast.Spread); ok {
			x = s.X
		}
		v := a.expr(x)
		if p.Kind == ast.PropSpread {
			v = a.content(v)
		}
		content = content.union(v)
	}
	return a.fresh(n, "", content)
}

func (a *aliases) assign(n *ast.Assign) pset {
	if n.Value == nil {
		return nil
	}
	v := a.expr(n.Value)
	switch n.Op {
	case "=":
		a.bind(n.Target, v)
		return v
	case "&&=", "||=", "??=":
		a.bind(n.Target, v)
		if x, ok := n.Target.(ast.Expr); ok {
			return v.union(a.expr(x))
		}
		return v
	}
	a.bind(n.Target, nil)
	return nil
}
