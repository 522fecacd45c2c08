package script

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/parser"
)

// unit is one compiled fragment: an async function of the realm.
type unit struct {
	name string // its file name in stack traces
	text string // what was compiled; the JavaScript given begins on line 2
	call goja.Callable
}

// syntaxError says that goja cannot parse a fragment.
type syntaxError struct {
	message      string
	line, column int
}

// Error implements error.
func (e *syntaxError) Error() string { return e.message }

// maxUnits is how many compiled fragments a realm keeps.
const maxUnits = 512

// compile makes an async function of code, strict, with these parameters; the same text is compiled once.
func (r *realm) compile(code string, params []string) (*unit, error) {
	text := "(async function(" + strings.Join(params, ",") + "){'use strict';\n" + code + "\n})"
	if u := r.units[text]; u != nil {
		return u, nil
	}
	if len(r.units) >= maxUnits {
		clear(r.units)
	}
	serial := len(r.files) + 1
	u := &unit{name: fmt.Sprintf("program-%d.js", serial), text: text}
	prg, err := parse(u.name, text)
	if err != nil {
		return nil, err
	}
	if err := rewrite(prg, text, serial); err != nil {
		return nil, err
	}
	compiled, err := goja.CompileAST(prg, true)
	if err != nil {
		return nil, asSyntaxError(err, text)
	}
	fn, err := r.rt.RunProgram(compiled)
	if err != nil {
		return nil, err
	}
	u.call, _ = goja.AssertFunction(fn)
	r.units[text] = u
	r.files[u.name] = u
	return u, nil
}

// parse parses text and checks that it is exactly one function expression: code cannot close it and go on outside.
func parse(name, text string) (*ast.Program, error) {
	prg, err := parser.ParseFile(nil, name, text, 0, parser.WithDisableSourceMaps)
	if err != nil {
		return nil, asSyntaxError(err, text)
	}
	if len(prg.Body) == 1 {
		if st, ok := prg.Body[0].(*ast.ExpressionStatement); ok {
			if _, ok := st.Expression.(*ast.FunctionLiteral); ok {
				return prg, nil
			}
		}
	}
	return nil, &syntaxError{message: "Unexpected token '}'", line: 1, column: 1}
}

func asSyntaxError(err error, text string) error {
	var list parser.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		line, column := place(text, list[0].Position.Line, list[0].Position.Column)
		return &syntaxError{list[0].Message, line, column}
	}
	var compiler *goja.CompilerSyntaxError
	if errors.As(err, &compiler) {
		e := &syntaxError{message: compiler.Message}
		if compiler.File != nil {
			p := compiler.File.Position(compiler.Offset)
			e.line, e.column = place(text, p.Line, p.Column)
		}
		return e
	}
	return &syntaxError{message: err.Error()}
}

// place turns a position in a unit's text, its column in bytes, into one in the JavaScript given: line and column from
// 1, columns in UTF-16 code units.
func place(text string, line, column int) (int, int) {
	if line < 2 {
		return 0, 0
	}
	rest := text
	for range line - 1 {
		i := strings.IndexByte(rest, '\n')
		if i < 0 {
			return line - 1, column
		}
		rest = rest[i+1:]
	}
	before := rest[:max(0, min(column-1, len(rest)))]
	units := 0
	for _, c := range before {
		units += max(1, utf16.RuneLen(c))
	}
	return line - 1, units + 1
}
