package script

import (
	"reflect"
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/unistring"
)

// Names of the natives that rewritten code calls. They are no enumerable properties of the global object.
const (
	mendName   = "__pml_mend"
	thrownName = "__pml_thrown"
)

// rewrite changes a program where goja's JavaScript is known to differ from the language:
//
//   - an error that the engine raised gets V8's wording before a catch clause sees it:
//     try { B } catch (e) { C }  becomes  try { try { B } catch (x) { throw mend(x) } } catch (e) { C }
//   - throw e  becomes  throw thrown(e, position), so that the position of a thrown string is known
//   - \p{…} in regular expressions with the u flag becomes ranges
//
// What can be neither mended nor run is refused with an error.
func rewrite(prg *ast.Program, text string, serial int) error {
	if !strings.Contains(text, "catch") && !strings.Contains(text, "throw") && !strings.Contains(text, "/") {
		return nil
	}
	var refused error
	walk(reflect.ValueOf(prg.Body), func(node any) {
		switch n := node.(type) {
		case *ast.TryStatement:
			rewriteTry(n)
		case *ast.ThrowStatement:
			n.Argument = callOf(thrownName, n.Throw, n.Argument, number(serial), number(int(n.Argument.Idx0())))
		case *ast.RegExpLiteral:
			p, err := mendPattern(n.Pattern, n.Flags)
			if err != nil && refused == nil {
				refused = &syntaxError{message: err.Error()}
			}
			n.Pattern = p
		}
	})
	return refused
}

func rewriteTry(n *ast.TryStatement) {
	if n.Catch == nil {
		return
	}
	at := n.Try
	name := unistring.String("__pml_e")
	rethrow := &ast.ThrowStatement{Throw: at, Argument: callOf(mendName, at, &ast.Identifier{Name: name, Idx: at})}
	inner := &ast.TryStatement{Try: at, Body: n.Body, Catch: &ast.CatchStatement{
		Catch:     at,
		Parameter: &ast.Identifier{Name: name, Idx: at},
		Body:      &ast.BlockStatement{LeftBrace: at, List: []ast.Statement{rethrow}, RightBrace: at},
	}}
	n.Body = &ast.BlockStatement{LeftBrace: at, List: []ast.Statement{inner}, RightBrace: at}
}

func callOf(name string, at file.Idx, args ...ast.Expression) *ast.CallExpression {
	return &ast.CallExpression{
		Callee:          &ast.Identifier{Name: unistring.String(name), Idx: at},
		LeftParenthesis: at, ArgumentList: args, RightParenthesis: at,
	}
}

func number(n int) ast.Expression {
	return &ast.NumberLiteral{Idx: 1, Value: int64(n)}
}

// walk calls visit with every pointer to a node below v, children first.
func walk(v reflect.Value, visit func(node any)) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			walk(v.Elem(), visit)
		}
	case reflect.Pointer:
		if v.IsNil() || v.Type() == reflect.TypeFor[*file.File]() {
			return
		}
		walk(v.Elem(), visit)
		visit(v.Interface())
	case reflect.Slice:
		if isNodes(v.Type().Elem()) {
			for i := range v.Len() {
				walk(v.Index(i), visit)
			}
		}
	case reflect.Struct:
		walkStruct(v, visit)
	}
}

// walkStruct walks the fields. DeclarationList repeats what stands elsewhere.
func walkStruct(v reflect.Value, visit func(node any)) {
	t := v.Type()
	for i := range t.NumField() {
		if f := t.Field(i); f.Name != "DeclarationList" && isNodes(f.Type) {
			walk(v.Field(i), visit)
		}
	}
}

func isNodes(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface, reflect.Pointer, reflect.Struct, reflect.Slice:
		return true
	}
	return false
}
