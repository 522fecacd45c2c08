package expr

import (
	"strings"

	"github.com/casys-ai/pml/nodes/ast"
)

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
	case *ast.Call:
		return harmlessCall(e)
	}
	return false
}

// harmlessStmt reports that s surely changes nothing but variables, and gives them nothing but data.
func harmlessStmt(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.Empty:
		return true
	case *ast.ExprStmt:
		return harmless(s.X) || harmlessAssign(s.X)
	case *ast.VarDecl:
		return harmlessDecl(s)
	case *ast.Block:
		return allOf(s.Body, harmlessStmt)
	case *ast.If:
		return harmless(s.Test) && harmlessStmt(s.Then) && (s.Else == nil || harmlessStmt(s.Else))
	}
	return false
}

func harmlessDecl(s *ast.VarDecl) bool {
	for i := range s.Decls {
		if !harmlessTarget(s.Decls[i].Target) || !harmless(s.Decls[i].Init) {
			return false
		}
	}
	return s.Kind != ast.DeclUsing && s.Kind != ast.DeclAwaitUsing
}

// harmlessAssign is for variables alone.
func harmlessAssign(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Assign:
		return harmlessTarget(e.Target) && harmless(e.Value)
	case *ast.Update:
		id, ok := e.X.(*ast.Ident)
		return ok && harmless(id)
	}
	return false
}

func harmlessTarget(p ast.Pattern) bool {
	id, ok := p.(*ast.Ident)
	return ok && harmless(id)
}

// harmlessCall: what is handed over are no functions, so nothing is called back.
func harmlessCall(e *ast.Call) bool {
	if !allOf(e.Args, harmless) {
		return false
	}
	m, ok := e.Callee.(*ast.Member)
	if !ok {
		name := globalName(e.Callee)
		return name != "" && givesPrimitive(name)
	}
	if class := globalName(m.Object); class != "" {
		return harmlessFunctions[class+"."+m.Name] || givesPrimitive(class+"."+m.Name)
	}
	return harmlessMethods[m.Name] && harmless(m.Object)
}

// harmlessFunctions give data, and harmlessMethods change nothing and give data, called on data with data.
var (
	harmlessFunctions = nameSet("JSON.parse Object.keys Object.values Object.entries Object.fromEntries Array.from Array.of")
	harmlessMethods   = nameSet("toUpperCase toLowerCase trim trimStart trimEnd startsWith endsWith includes indexOf lastIndexOf " +
		"slice substring charAt charCodeAt codePointAt padStart padEnd repeat split at join concat toFixed toString get has " +
		"flat replace replaceAll localeCompare toISOString getTime")
)

func nameSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(list) {
		set[name] = true
	}
	return set
}

func harmlessObject(e *ast.Object) bool {
	for _, p := range e.Props {
		if p.Kind != ast.PropInit && p.Kind != ast.PropSpread || p.Method || p.Computed && !harmless(p.Key) || !harmless(p.Value) {
			return false
		}
	}
	return true
}
