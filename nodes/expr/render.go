package expr

import (
	"strings"

	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/value"
)

// render writes an expression as V8's messages do: names, members and calls; the rest is "(intermediate value)".
func render(n ast.Expr) string {
	s, ok := rendered(n)
	if !ok {
		return "(intermediate value)"
	}
	return s
}

func rendered(n ast.Expr) (string, bool) {
	switch n := n.(type) {
	case *ast.Ident:
		return n.Sym.Name, true
	case *ast.Null:
		return "null", true
	case *ast.Undefined:
		return "undefined", true
	case *ast.Bool:
		if n.Value {
			return "true", true
		}
		return "false", true
	case *ast.Number:
		return value.NumberToString(n.Value), true
	case *ast.String:
		return `"` + n.Value + `"`, true
	case *ast.Member:
		return render(n.Object) + dot(n.Chain) + n.Name, true
	case *ast.Index:
		if s, ok := n.Index.(*ast.String); ok {
			return render(n.Object) + dot(n.Chain) + s.Value, true
		}
		open := "["
		if n.Chain == ast.ChainStart {
			open = "?.["
		}
		return render(n.Object) + open + render(n.Index) + "]", true
	case *ast.Call:
		return render(n.Callee) + "(...)", true
	case *ast.Conditional, *ast.Logical, *ast.Assign, *ast.Template, *ast.Binary:
		return renderParts(n)
	}
	return "", false
}

func dot(c ast.Chain) string {
	if c == ast.ChainStart {
		return "?."
	}
	return "."
}

// renderParts writes the operators that V8 visits without printing them: one mark for each part.
func renderParts(n ast.Expr) (string, bool) {
	count := 0
	children(n, func(ast.Node) { count++ })
	return strings.Repeat("(intermediate value)", count), count > 0
}
