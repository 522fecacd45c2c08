package expr

import "github.com/casys-ai/pml/nodes/ast"

// certain reports whether render writes n as V8 does for sure: V8's printer has its ways with constants that it folded,
// with functions and with literals that hold calls.
func certain(n ast.Expr) bool {
	switch n := n.(type) {
	case *ast.Ident, *ast.Null, *ast.RegExp, *ast.New, *ast.FunctionExpr:
		return true
	case *ast.Member:
		return (n.Chain != ast.NoChain || !inChain(n.Object)) && certain(n.Object)
	case *ast.Index:
		return (n.Chain != ast.NoChain || !inChain(n.Object)) && certain(n.Object) && (certain(n.Index) || isLiteral(n.Index))
	case *ast.Call:
		_, immediate := n.Callee.(*ast.FunctionExpr)
		return !immediate && certain(n.Callee)
	case *ast.Binary:
		return n.Op != "!=" && n.Op != "!==" && isNamed(n.X) && (isNamed(n.Y) || isLiteral(n.Y))
	case *ast.Logical:
		return isNamed(n.X) && (certain(n.Y) || isLiteral(n.Y))
	case *ast.Unary:
		_, isName := n.X.(*ast.Ident)
		return n.Op != "void" && n.Op != "delete" && isName
	case *ast.Conditional:
		return isNamed(n.Test) && (isNamed(n.Then) || isLiteral(n.Then)) && (isNamed(n.Else) || isLiteral(n.Else))
	case *ast.Sequence:
		return allOf(n.Exprs, isNamed)
	case *ast.Array:
		return allOf(n.Elems, func(x ast.Expr) bool { return certain(x) || isLiteral(x) })
	case *ast.Spread:
		_, isName := n.X.(*ast.Ident)
		return isName
	case *ast.Object:
		return len(n.Props) == 0
	}
	return false
}

// isNamed reports whether n is a name, or members and calls of one.
func isNamed(n ast.Expr) bool {
	switch n := n.(type) {
	case *ast.Ident:
		return true
	case *ast.Member:
		return n.Chain == ast.NoChain && isNamed(n.Object)
	case *ast.Index:
		return n.Chain == ast.NoChain && isNamed(n.Object) && (isNamed(n.Index) || isLiteral(n.Index))
	case *ast.Call:
		return n.Chain == ast.NoChain && isNamed(n.Callee)
	}
	return false
}

func isLiteral(n ast.Expr) bool {
	switch n := n.(type) {
	case *ast.Number, *ast.String, *ast.Null, *ast.Bool:
		return true
	case *ast.Array:
		return len(n.Elems) == 0
	case *ast.Object:
		return len(n.Props) == 0
	}
	return false
}

func allOf[T ast.Node](list []T, ok func(T) bool) bool {
	for _, x := range list {
		if any(x) == nil || !ok(x) {
			return false
		}
	}
	return true
}

// complaint writes the message that a callee is no function; "" if V8's text is not certain.
type complaint func() string

func uncertain() string { return "" }

// complains makes the complaint about what n calls.
func (c *compiler) complains(n *ast.Call) complaint {
	if c.inKey {
		return uncertain
	}
	iterated := n == c.iterated
	return func() string {
		switch {
		case !certain(n.Callee) || iterated && holdsCall(n.Callee):
			return ""
		case iterated:
			return render(n.Callee) + " is not a function or its return value is not iterable"
		}
		return render(n.Callee) + " is not a function"
	}
}

// holdsCall reports whether a name or chain of members has a call in it.
func holdsCall(n ast.Expr) bool {
	switch n := n.(type) {
	case *ast.Ident:
		return false
	case *ast.Member:
		return holdsCall(n.Object)
	case *ast.Index:
		return holdsCall(n.Object) || holdsCall(n.Index)
	}
	return !isLiteral(n)
}

// iterates compiles an expression that is iterated over.
func (c *compiler) iterates(n ast.Expr) eval {
	saved := c.iterated
	c.iterated, _ = n.(*ast.Call)
	x := c.expr(n)
	c.iterated = saved
	return x
}

// spreadExpr compiles the operand of a spread.
func (c *compiler) spreadExpr(n ast.Expr, call bool) eval {
	if call {
		return c.expr(n)
	}
	return c.iterates(n)
}
