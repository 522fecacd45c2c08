package planner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/planner/syntax"
)

// A capability is a stored program that is called like a tool. In a program that calls it, it is a function beside the
// others: the planner inlines it where it is called, so its graph is part of the caller's, and each of its calls is
// planned, permitted and routed as any other.

// standIn begins the name of the function that stands in for a capability.
const standIn = "mcp$"

// standInName is the name of the function for ns:action.
func standInName(id nodes.ToolID) string {
	var b strings.Builder
	b.WriteString(standIn)
	for _, r := range string(id) {
		switch {
		case r == ':':
			b.WriteByte('$')
		case r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "$%x$", r)
		}
	}
	return b.String()
}

// Link adds the code of a capability to a program that calls it.
func Link(source string, id nodes.ToolID, code string) string {
	text := fmt.Sprintf("\n// capability %s\nasync function %s(args) {\n%s\n}\n", id, standInName(id), strings.TrimSpace(code))
	if trimmed := strings.TrimRight(source, " \t\r\n"); strings.HasSuffix(trimmed, fence) {
		return strings.TrimSuffix(trimmed, fence) + text + fence + "\n"
	}
	return source + text
}

// fence is the end of a code fence that wraps a program.
const fence = "```"

// useStandIns makes calls of capabilities calls of the functions that stand in for them.
func useStandIns(p *ast.Program) {
	functions := map[string]*ast.Symbol{}
	for _, s := range p.Body {
		if f, ok := s.(*ast.FunctionDecl); ok && f.Name != nil && strings.HasPrefix(f.Name.Sym.Name, standIn) {
			functions[f.Name.Sym.Name] = f.Name.Sym
		}
	}
	if len(functions) == 0 {
		return
	}
	var plain uses // without aliases
	ast.WalkAll(p.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.Call)
		if !ok {
			return true
		}
		path, ok := plain.path(call.Callee)
		if !ok || len(path) != 2 {
			return true
		}
		if sym := functions[standInName(nodes.ToolID(path[0]+":"+path[1]))]; sym != nil {
			call.Callee = &ast.Ident{Pos: call.Callee.Position(), Sym: sym}
			if len(call.Args) == 0 {
				call.Args = []ast.Expr{&ast.Object{Pos: call.Callee.Position()}}
			}
		}
		return true
	})
}

// Body is a program without what wraps it, as the body of an async function.
func Body(source string) (string, []nodes.Diagnostic) {
	tree, diags := syntax.Parse(source)
	if Failed(diags) {
		return "", diags
	}
	return ast.PrintStmts(tree.Body), nil
}

// Parameters are the members of args that a program reads, in the order in which it first does.
func Parameters(source string) []string {
	tree, diags := syntax.Parse(source)
	if Failed(diags) {
		return nil
	}
	names := []string{}
	note := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	ast.WalkAll(tree.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Member:
			if isArgs(n.Object) {
				note(n.Name)
			}
		case *ast.VarDecl:
			for _, d := range n.Decls {
				if pattern, ok := d.Target.(*ast.ObjectPattern); ok && isArgs(d.Init) {
					for _, p := range pattern.Props {
						if key, ok := p.Key.(*ast.String); ok {
							note(key.Value)
						}
					}
				}
			}
		}
		return true
	})
	return names
}

func isArgs(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Sym.Kind == ast.SymUnbound && id.Sym.Name == "args"
}
