package expr

import (
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// Heavy guesses whether a piece may take long: it has a loop, a callback, a regular expression or JSON text.
func Heavy(c *nodes.Code) bool {
	heavy := false
	var visit func(n ast.Node)
	visit = func(n ast.Node) {
		if heavy = heavy || isHeavy(n); !heavy {
			children(n, visit)
		}
	}
	for _, s := range c.Body {
		visit(s)
	}
	if c.Result != nil {
		visit(c.Result)
	}
	return heavy
}

func isHeavy(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.For, *ast.ForIn, *ast.ForOf, *ast.While, *ast.DoWhile, *ast.FunctionExpr, *ast.FunctionDecl, *ast.RegExp:
		return true
	case *ast.New:
		return globalName(n.Callee) == "RegExp"
	case *ast.Member:
		switch n.Name {
		case "sort", "toSorted", "join", "split", "flat", "repeat", "replaceAll", "normalize", "fromEntries":
			return true
		}
		return globalName(n.Object) == "JSON"
	case *ast.Ident:
		return globalName(n) == "structuredClone"
	}
	return false
}
