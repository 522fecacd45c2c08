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
	case *ast.Binary:
		return "(" + render(n.X) + " " + n.Op + " " + render(n.Y) + ")", true
	case *ast.Logical:
		return "(" + render(n.X) + " " + n.Op + " " + render(n.Y) + ")", true
	case *ast.Unary:
		return renderUnary(n), true
	case *ast.Sequence:
		return "(" + renderList(n.Exprs, " , ") + ")", true
	case *ast.Array:
		return "[" + renderList(n.Elems, ",") + "]", true
	case *ast.Spread:
		return "(..." + render(n.X) + ")", true
	case *ast.Object:
		return "{" + strings.Repeat("(intermediate value)", len(n.Props)) + "}", true
	case *ast.RegExp:
		return "/" + n.Pattern + "/" + n.Flags, true
	case *ast.Template:
		return renderTemplate(n)
	case *ast.Conditional:
		return strings.Repeat("(intermediate value)", 3), true
	}
	return "", false
}

func renderUnary(n *ast.Unary) string {
	if x, ok := n.X.(*ast.Number); ok && n.Op == "-" {
		return value.NumberToString(-x.Value)
	}
	if len(n.Op) > 1 {
		return "(" + n.Op + " " + render(n.X) + ")"
	}
	return "(" + n.Op + render(n.X) + ")"
}

func renderList(list []ast.Expr, sep string) string {
	parts := make([]string, len(list))
	for i, x := range list {
		if x != nil {
			parts[i] = render(x)
		}
	}
	return strings.Join(parts, sep)
}

// renderTemplate writes what V8 finds in a template: the expressions.
func renderTemplate(n *ast.Template) (string, bool) {
	if len(n.Exprs) == 0 {
		return `"` + n.Quasis[0] + `"`, true
	}
	out := ""
	for _, x := range n.Exprs {
		s, _ := rendered(x)
		out += s
	}
	return out, out != ""
}

func dot(c ast.Chain) string {
	if c == ast.ChainStart {
		return "?."
	}
	return "."
}
