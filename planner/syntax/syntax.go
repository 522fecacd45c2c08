// Package syntax reads TypeScript, as agents write it, into nodes/ast. It is the only package that knows esbuild.
//
//	source ─ prepare ─ checkNesting ─ esbuild ─ converter ─ unwrap ─ *ast.Program
//
// A program is the body of an async function in strict mode: await and return are legal at its top, and `args` and
// `mcp` are free names.
package syntax

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/ije/esbuild-internal/config"
	"github.com/ije/esbuild-internal/js_ast"
	"github.com/ije/esbuild-internal/js_parser"
	"github.com/ije/esbuild-internal/logger"
)

// Parse reads a program. Positions point into source as it was given, even where a code fence or a wrapping function
// was taken off. The program is nil if the syntax is so wrong that there is no tree; it does not run if any diagnostic
// is an error. Parse never panics.
func Parse(source string) (program *ast.Program, diags []nodes.Diagnostic) {
	at := newPositions(source)
	defer func() {
		if r := recover(); r != nil {
			program, diags = nil, []nodes.Diagnostic{{
				Code: nodes.ParseError, Message: fmt.Sprintf("cannot parse this program: %v", r), Pos: at.at(0)}}
		}
	}()
	if !utf8.ValidString(source) {
		return nil, []nodes.Diagnostic{{Code: nodes.ParseError, Message: "the program is not valid UTF-8",
			Hint: "save it as UTF-8", Pos: at.at(invalidUTF8(source)), Length: 1}}
	}
	text := prepare(source)
	if offset, ok := checkNesting(text); !ok {
		return nil, []nodes.Diagnostic{tooDeep(at.at(offset))}
	}
	c, diags := convertible(text, at)
	if c == nil {
		return nil, diags
	}
	program = &ast.Program{Source: source, Body: c.program(), Wrapped: c.wrapped}
	diags = byPlace(append(diags, c.diags...))
	if len(diags) == 0 && len(withoutEmpty(program.Body)) == 0 {
		diags = append(diags, nodes.Diagnostic{
			Code: nodes.EmptyCode, Message: "the program is empty", Hint: emptyHint, Pos: at.at(0)})
	}
	return program, diags
}

// invalidUTF8 is the offset of the first byte that is no UTF-8.
func invalidUTF8(s string) int {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd") {
			return i
		}
	}
	return len(s)
}

// convertible is what is to convert of a text; nil if it does not parse.
func convertible(text string, at *positions) (*converter, []nodes.Diagnostic) {
	if tree, ok := parseBody(text); ok {
		c := newConverter(text, at, tree)
		c.shift, c.list = len(bodyStart), bodyOf(tree)
		return c, nil
	}
	tree, msgs, ok := parseTree(text, true)
	diags := diagnostics(text, at, msgs)
	if !ok {
		return nil, orSyntaxError(diags, at)
	}
	return newConverter(text, at, tree), diags
}

// orSyntaxError makes sure that a program without a tree has an error.
func orSyntaxError(diags []nodes.Diagnostic, at *positions) []nodes.Diagnostic {
	if len(diags) > 0 {
		return byPlace(diags)
	}
	return []nodes.Diagnostic{{Code: nodes.ParseError, Message: "syntax error", Pos: at.at(0)}}
}

// parseTree runs esbuild's parser, for TypeScript if types is set. In its tree types are gone, names are resolved, and
// enums and namespaces are functions.
func parseTree(text string, types bool) (js_ast.AST, []logger.Msg, bool) {
	log := logger.NewDeferLog(logger.DeferLogNoVerboseOrDebug, nil)
	source := logger.Source{
		Contents: text, IdentifierName: "program", KeyPath: logger.Path{Text: "program.ts"},
		PrettyPaths: logger.PrettyPaths{Abs: "program.ts", Rel: "program.ts"},
	}
	tree, ok := js_parser.Parse(log, source, js_parser.OptionsFromConfig(&config.Options{
		OmitRuntimeForTests: true,
		ModuleTypeData:      js_ast.ModuleTypeData{Type: js_ast.ModuleESM_MTS},
		TS:                  config.TSOptions{Parse: types, Config: config.TSConfig{VerbatimModuleSyntax: config.True}},
	}))
	return tree, log.Done(), ok
}
