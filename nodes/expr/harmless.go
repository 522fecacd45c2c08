package expr

import "github.com/casys-ai/pml/nodes/ast"

// harmless reports that e surely changes nothing and gives nothing but data: it only reads and puts together. Most pieces of
// a program are like that.
func harmless(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return globalName(e) == ""
	case nil, *ast.Null, *ast.Undefined, *ast.Bool, *ast.Number, *ast.String:
		return true
	case *ast.Member:
		return harmless(e.Object)
	case *ast.Index:
		return harmless(e.Object) && harmless(e.Index)
	case *ast.Unary:
		return e.Op != "delete" && harmless(e.X)
	case *ast.Binary:
		return harmless(e.X) && harmless(e.Y)
	case *ast.Logical:
		return harmless(e.X) && harmless(e.Y)
	case *ast.Conditional:
		return harmless(e.Test) && harmless(e.Then) && harmless(e.Else)
	case *ast.Template:
		return allOf(e.Exprs, harmless)
	case *ast.Array:
		return allOf(e.Elems, harmless)
	case *ast.Spread:
		return harmless(e.X)
	case *ast.Object:
		return harmlessObject(e)
	}
	return false
}

func harmlessObject(e *ast.Object) bool {
	for _, p := range e.Props {
		if p.Kind != ast.PropInit && p.Kind != ast.PropSpread || p.Method || p.Computed && !harmless(p.Key) || !harmless(p.Value) {
			return false
		}
	}
	return true
}
