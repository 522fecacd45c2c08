package syntax

import "github.com/casys-ai/pml/nodes/ast"

// splitFinally puts a try with a handler into one with a finally: goja lets the handler catch what the finally throws.
func splitFinally(n *ast.Try) {
	if n.Handler == nil || n.Finally == nil {
		return
	}
	inner := &ast.Try{Pos: n.Pos, Body: n.Body, Param: n.Param, Handler: n.Handler}
	n.Body = &ast.Block{Pos: n.Pos, Body: []ast.Stmt{inner}}
	n.Param, n.Handler = nil, nil
}

// hideConstant makes a constant condition one that goja does not see through: it leaves out the dead branch, and with it
// the bookkeeping of a break in there.
func hideConstant(n *ast.If) {
	if deadJump(n) {
		n.Test = &ast.Sequence{Pos: n.Test.Position(), Exprs: []ast.Expr{&ast.Number{Pos: n.Test.Position()}, n.Test}}
	}
}

// deadJump reports an if with a constant condition that holds a break or continue.
func deadJump(n *ast.If) bool {
	if !constantTest(n.Test) {
		return false
	}
	found := false
	ast.Walk(n, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.Break, *ast.Continue:
			found = true
		}
		return !found
	})
	return found
}

// constantTest reports whether test is made of literals alone.
func constantTest(test ast.Expr) bool {
	switch e := test.(type) {
	case *ast.Null, *ast.Undefined, *ast.Bool, *ast.Number, *ast.String:
		return true
	case *ast.Unary:
		return constantTest(e.X)
	case *ast.Binary:
		return constantTest(e.X) && constantTest(e.Y)
	case *ast.Logical:
		return constantTest(e.X) && constantTest(e.Y)
	case *ast.Conditional:
		return constantTest(e.Test) && constantTest(e.Then) && constantTest(e.Else)
	case *ast.Template:
		return len(e.Exprs) == 0
	}
	return false
}

// mendExpr is what mend rewrites in expressions.
func mendExpr(e ast.Expr) (ast.Expr, bool) {
	if as, ok := e.(*ast.Assign); ok && waitsToAssign(as) {
		id := as.Target.(*ast.Ident)
		value := ast.Rewrite{Expr: mendExpr}.Of(as.Value)
		again := &ast.Assign{Pos: as.Pos, Op: "=", Target: &ast.Ident{Pos: id.Pos, Sym: id.Sym}, Value: value}
		return &ast.Logical{Pos: as.Pos, Op: as.Op[:2], X: &ast.Ident{Pos: id.Pos, Sym: id.Sym}, Y: again}, true
	}
	return privateInParens(e)
}

// waitsToAssign reports x &&= y, x ||= y and x ??= y where y waits: goja loses its place on the stack.
func waitsToAssign(as *ast.Assign) bool {
	if _, ok := as.Target.(*ast.Ident); !ok || len(as.Op) != 3 || as.Op == "**=" || as.Op == "<<=" || as.Op == ">>=" {
		return false
	}
	found := false
	ast.Walk(as.Value, func(n ast.Node) bool {
		_, waits := n.(*ast.Await)
		found = found || waits
		return !found
	})
	return found
}
