package syntax

import (
	"errors"
	"strings"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
	esast "github.com/ije/esbuild-internal/ast"
	"github.com/ije/esbuild-internal/js_ast"
	"github.com/ije/esbuild-internal/js_printer"
	"github.com/ije/esbuild-internal/renamer"
)

// StripTypes turns a TypeScript program into the body of an async function in plain JavaScript for Node. The code is
// printed by esbuild and not by us, so that tests can compare the two; only where Parse takes off a wrapping function
// is it ours. Line numbers are not kept.
func StripTypes(source string) (string, error) {
	program, diags := Parse(source)
	for _, d := range diags {
		if d.Severity == nodes.SeverityError {
			return "", errors.New(strings.TrimSpace(d.Render(source)))
		}
	}
	if program.Wrapped {
		return strict + ast.PrintStmts(program.Body), nil
	}
	tree, _, _ := parseTree(prepare(source), true)
	var parts []js_ast.Part
	for _, part := range tree.Parts {
		part.Stmts = withoutModules(part.Stmts)
		parts = append(parts, part)
	}
	tree.Parts = parts
	symbols := esast.NewSymbolMap(1)
	symbols.SymbolsForSource[0] = tree.Symbols
	out := js_printer.Print(tree, symbols, renamer.NewNoOpRenamer(symbols), js_printer.Options{})
	return strict + string(out.JS), nil
}

// withoutModules drops `export {}`, the one module statement that a program may hold.
func withoutModules(list []js_ast.Stmt) []js_ast.Stmt {
	var out []js_ast.Stmt
	for _, s := range list {
		if _, export := s.Data.(*js_ast.SExportClause); !export {
			out = append(out, s)
		}
	}
	return out
}
