package syntax

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/ije/esbuild-internal/api"
	"github.com/ije/esbuild-internal/js_parser"
	"github.com/ije/esbuild-internal/logger"
	"github.com/ije/esbuild-internal/sourcemap"
)

// strict is the first line of what Lower makes: programs are strict code, whoever runs them.
const strict = "\"use strict\";\n"

// Lower turns a program, TypeScript or plain JavaScript, into the body of an async function that goja accepts, and
// says where each place in it came from. There is no code if a diagnostic is an error.
func Lower(source string) (string, ast.Mapping, []nodes.Diagnostic) {
	program, diags := Parse(source)
	for _, d := range diags {
		if d.Severity == nodes.SeverityError {
			return "", nil, diags
		}
	}
	js, mapping, err := LowerStmts(program.Body)
	if err != nil {
		diags = append(diags, nodes.Diagnostic{Code: nodes.ParseError, Message: err.Error()})
	}
	return js, mapping, diags
}

// LowerStmts does what Lower does for a part of a program. Async generators, for await, decorators and using, which
// goja lacks, are rewritten, and so is what it has but refuses in some places (see mend); everything else is printed as
// it is.
func LowerStmts(body []ast.Stmt) (string, ast.Mapping, error) {
	if !needsLowering(body) {
		code, mapping := ast.PrintMapped(mend(body))
		return strict + code, mapping.Shift(1), nil
	}
	code, mapping, err := transform(ast.PrintMapped(body))
	if err != nil {
		return "", nil, err
	}
	return strict + code, mapping.Shift(1), nil
}

// needsLowering reports syntax that goja does not have.
func needsLowering(body []ast.Stmt) bool {
	found := false
	ast.WalkAll(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FunctionDecl:
			found = found || (n.Async && n.Generator)
		case *ast.FunctionExpr:
			found = found || (n.Async && n.Generator)
		case *ast.ForOf:
			found = found || n.Await
		case *ast.VarDecl:
			found = found || n.Kind == ast.DeclUsing || n.Kind == ast.DeclAwaitUsing
		case *ast.ClassDecl:
			found = found || decorated(n.ClassBody)
		case *ast.ClassExpr:
			found = found || decorated(n.ClassBody)
		}
		return !found
	})
	return found
}

func decorated(c *ast.ClassBody) bool {
	found := len(c.Decorators) > 0
	for i := range c.Members {
		found = found || c.Members[i].Accessor || len(c.Members[i].Decorators) > 0
	}
	return found
}

// hull is the function that code stands in while esbuild transforms it.
const hull = "__pml_program"

// unsupported is what esbuild shall rewrite.
var unsupported = map[string]bool{"async-generator": false, "for-await": false, "decorators": false, "using": false}

// transform lowers printed code: it goes into a function, through esbuild, and out of the function again, behind the
// helpers that esbuild added.
func transform(code string, mapping ast.Mapping) (string, ast.Mapping, error) {
	wrapped := "async function " + hull + "() {" + strict + code + "}\n"
	result := api.Transform(wrapped, api.TransformOptions{
		Loader: api.LoaderJS, Target: api.ESNext, Supported: unsupported,
		Sourcemap: api.SourceMapExternal, LogLevel: api.LogLevelSilent,
	})
	if len(result.Errors) > 0 {
		return "", nil, errors.New("cannot lower this program: " + result.Errors[0].Text)
	}
	lowered := string(result.Code)
	body, err := unhull(lowered)
	if err != nil {
		return "", nil, err
	}
	out, lines := ast.PrintMapped(mend(body))
	log := logger.NewDeferLog(logger.DeferLogAll, nil)
	table := js_parser.ParseSourceMap(log, logger.Source{Contents: string(result.Map)})
	return out, compose(lines, table, wrapped, mapping), nil
}

// unhull parses lowered code and takes the program out of its function, behind the helpers.
func unhull(lowered string) (body []ast.Stmt, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("cannot read lowered code: %v", r)
		}
	}()
	tree, msgs, ok := parseTree(lowered, false)
	at := newPositions(lowered)
	if diags := diagnostics(lowered, at, msgs); !ok || len(diags) > 0 {
		return nil, fmt.Errorf("lowered code does not parse: %v", orSyntaxError(diags, at)[0].Message)
	}
	c := newConverter(lowered, at, tree)
	found := 0
	for _, s := range c.tree() {
		if fn, ok := s.(*ast.FunctionDecl); ok && fn.Name.Sym.Name == hull {
			found++
			body = append(body, fn.Body...)
			continue
		}
		body = append(body, s)
	}
	if found != 1 {
		return nil, fmt.Errorf("lowering made %d programs of one", found)
	}
	c.syms.name()
	return body, nil
}

// compose leads from printed lowered code over esbuild's source map and the mapping of its input to the source.
func compose(lines ast.Mapping, table *sourcemap.SourceMap, wrapped string, mapping ast.Mapping) ast.Mapping {
	if table == nil {
		return nil
	}
	input := strings.Split(wrapped, "\n")
	var out ast.Mapping
	for _, s := range lines {
		m := table.Find(int32(s.Pos.Line-1), int32(s.Pos.Column-1))
		if m == nil || m.OriginalLine == 0 || int(m.OriginalLine) >= len(input) {
			continue // a helper, or the hull
		}
		col := byteColumn(input[m.OriginalLine], int(m.OriginalColumn))
		s.Pos = mapping.Lookup(int(m.OriginalLine), col+1)
		if s.Pos.IsValid() {
			out = append(out, s)
		}
	}
	return out
}

// byteColumn turns a column in UTF-16 units into one in bytes, both from 0.
func byteColumn(line string, units int) int {
	at := 0
	for at < len(line) && units > 0 {
		r, size := utf8.DecodeRuneInString(line[at:])
		at, units = at+size, units-utf16Width(r)
	}
	return at
}
