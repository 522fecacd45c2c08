package expr

import "github.com/casys-ai/pml/nodes/ast"

// children calls visit for each direct part of n, in the order in which they stand. Absent parts are left out.
func children(n ast.Node, visit func(ast.Node)) {
	switch n := n.(type) {
	case ast.Expr:
		exprChildren(n, visit)
	case ast.Stmt:
		stmtChildren(n, visit)
	case ast.Pattern:
		patternChildren(n, visit)
	}
}

func visitExpr(x ast.Expr, visit func(ast.Node)) {
	if x != nil {
		visit(x)
	}
}

func visitExprs(xs []ast.Expr, visit func(ast.Node)) {
	for _, x := range xs {
		visitExpr(x, visit)
	}
}

func visitStmts(list []ast.Stmt, visit func(ast.Node)) {
	for _, s := range list {
		visit(s)
	}
}

func exprChildren(n ast.Expr, visit func(ast.Node)) {
	switch n := n.(type) {
	case *ast.Template:
		visitExprs(n.Exprs, visit)
	case *ast.TaggedTemplate:
		visit(n.Tag)
		visitExprs(n.Exprs, visit)
	case *ast.Array:
		visitExprs(n.Elems, visit)
	case *ast.Object:
		for _, p := range n.Props {
			visitExpr(p.Key, visit)
			visitExpr(p.Value, visit)
		}
	case *ast.Spread:
		visit(n.X)
	case *ast.FunctionExpr:
		funcChildren(n.Func, visit)
	case *ast.Unary:
		visit(n.X)
	case *ast.Update:
		visit(n.X)
	case *ast.Binary:
		visit(n.X)
		visit(n.Y)
	case *ast.Logical:
		visit(n.X)
		visit(n.Y)
	case *ast.Assign:
		visit(n.Target)
		visitExpr(n.Value, visit)
	case *ast.Conditional:
		visit(n.Test)
		visit(n.Then)
		visit(n.Else)
	case *ast.Call:
		visit(n.Callee)
		visitExprs(n.Args, visit)
	case *ast.New:
		visit(n.Callee)
		visitExprs(n.Args, visit)
	case *ast.Member:
		visit(n.Object)
	case *ast.Index:
		visit(n.Object)
		visit(n.Index)
	case *ast.Sequence:
		visitExprs(n.Exprs, visit)
	}
}

func funcChildren(f *ast.Func, visit func(ast.Node)) {
	for _, p := range f.Params {
		visit(p.Target)
		visitExpr(p.Default, visit)
	}
	visitStmts(f.Body, visit)
}

func patternChildren(n ast.Pattern, visit func(ast.Node)) {
	switch n := n.(type) {
	case *ast.ArrayPattern:
		for _, e := range n.Elems {
			if e.Target != nil {
				visit(e.Target)
			}
			visitExpr(e.Default, visit)
		}
	case *ast.ObjectPattern:
		for _, p := range n.Props {
			visitExpr(p.Key, visit)
			visit(p.Target)
			visitExpr(p.Default, visit)
		}
	}
}

func stmtChildren(n ast.Stmt, visit func(ast.Node)) {
	switch n := n.(type) {
	case *ast.VarDecl:
		for _, d := range n.Decls {
			visit(d.Target)
			visitExpr(d.Init, visit)
		}
	case *ast.FunctionDecl:
		funcChildren(n.Func, visit)
	case *ast.ExprStmt:
		visit(n.X)
	case *ast.Block:
		visitStmts(n.Body, visit)
	case *ast.If:
		visit(n.Test)
		visit(n.Then)
		if n.Else != nil {
			visit(n.Else)
		}
	case *ast.For:
		if n.Init != nil {
			visit(n.Init)
		}
		visitExpr(n.Test, visit)
		visitExpr(n.Update, visit)
		visit(n.Body)
	case *ast.ForIn:
		visit(n.Left)
		visit(n.Right)
		visit(n.Body)
	case *ast.ForOf:
		visit(n.Left)
		visit(n.Right)
		visit(n.Body)
	case *ast.While:
		visit(n.Test)
		visit(n.Body)
	case *ast.DoWhile:
		visit(n.Body)
		visit(n.Test)
	case *ast.Return:
		visitExpr(n.X, visit)
	case *ast.Throw:
		visit(n.X)
	case *ast.Try:
		tryChildren(n, visit)
	case *ast.Switch:
		visit(n.X)
		for _, c := range n.Cases {
			visitExpr(c.Test, visit)
			visitStmts(c.Body, visit)
		}
	case *ast.Labeled:
		visit(n.Body)
	}
}

func tryChildren(n *ast.Try, visit func(ast.Node)) {
	visit(n.Body)
	if n.Param != nil {
		visit(n.Param)
	}
	if n.Handler != nil {
		visit(n.Handler)
	}
	if n.Finally != nil {
		visit(n.Finally)
	}
}

// bound calls visit for each name that pattern p binds.
func bound(p ast.Pattern, visit func(*ast.Ident)) {
	switch p := p.(type) {
	case *ast.Ident:
		visit(p)
	case *ast.ArrayPattern:
		for _, e := range p.Elems {
			if e.Target != nil {
				bound(e.Target, visit)
			}
		}
	case *ast.ObjectPattern:
		for _, e := range p.Props {
			bound(e.Target, visit)
		}
	}
}
