package script

import (
	"reflect"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"
)

// Names of the functions that rewritten code calls. They are no enumerable properties of the global object.
const (
	mendName   = "__pml_mend"
	thrownName = "__pml_thrown"
	powName    = "__pml_pow"
	regexName  = "__pml_regex"
	enterName  = "__pml_enter"
)

// rewriter changes a program where goja's JavaScript is known to differ from the language:
//
//   - an error that the engine raised gets V8's wording before a catch clause sees it:
//     try { B } catch (e) { C }  becomes  try { try { B } catch (x) { throw mend(x) } } catch (e) { C }
//   - throw e  becomes  throw thrown(e, position), so that the position of a thrown string is known
//   - \p{…} in regular expressions with the u flag becomes ranges
//   - a /g expression that can match nothing is kept off goja's fast path, which drops some empty matches
//   - a ** b  becomes  pow(a, b), which agrees with V8 in the last digits
//   - a function that calls others asks first whether the stack is full, if something may catch what it would throw
//   - a < b < c, which goja's parser reads as a < (b < c), is put right
type rewriter struct {
	text    string
	serial  int
	refused error
	// guard says that functions are to look after the stack.
	guard bool
}

// rewrite rewrites prg, whose text is text and whose unit has this number. What can be neither mended nor run is
// refused with an error.
func rewrite(prg *ast.Program, text string, serial int) error {
	w := &rewriter{text: text, serial: serial, guard: mayCatch(text)}
	walk(reflect.ValueOf(prg.Body), visitor{enter: w.enter, leave: w.leave, replace: w.replace})
	return w.refused
}

func (w *rewriter) enter(node any) {
	if n, ok := node.(*ast.BinaryExpression); ok {
		w.reassociate(n)
	}
}

func (w *rewriter) leave(node any) {
	switch n := node.(type) {
	case *ast.TryStatement:
		rewriteTry(n)
	case *ast.ThrowStatement:
		at := number(int(n.Argument.Idx0()))
		n.Argument = callOf(thrownName, n.Throw, n.Argument, number(w.serial), at)
	case *ast.RegExpLiteral:
		p, err := mendPattern(n.Pattern, n.Flags)
		if err != nil && w.refused == nil {
			w.refused = &syntaxError{message: err.Error()}
		}
		n.Pattern = p
	case *ast.AssignExpression:
		rewritePowAssign(n)
	case *ast.FunctionLiteral:
		w.guardFunction(n)
	case *ast.ArrowFunctionLiteral:
		w.guardArrow(n)
	}
}

// replace gives the expression that stands for node instead, nil for none.
func (w *rewriter) replace(node any) any {
	switch n := node.(type) {
	case *ast.BinaryExpression:
		if n.Operator == token.EXPONENT {
			return callOf(powName, n.Idx0(), n.Left, n.Right)
		}
	case *ast.RegExpLiteral:
		if mayMatchNothing(n.Pattern, n.Flags) {
			return callOf(regexName, n.Idx, n)
		}
	}
	return nil
}

// rewritePowAssign makes x **= y into x = pow(x, y); for other targets than names goja's power stays.
func rewritePowAssign(n *ast.AssignExpression) {
	if id, ok := n.Left.(*ast.Identifier); ok && n.Operator == token.EXPONENT {
		n.Operator = token.ASSIGN
		n.Right = callOf(powName, id.Idx, &ast.Identifier{Name: id.Name, Idx: id.Idx}, n.Right)
	}
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

// reassociate makes a < (b < c) into (a < b) < c, unless the program has the parentheses.
func (w *rewriter) reassociate(n *ast.BinaryExpression) {
	for isRelational(n.Operator) {
		r, ok := n.Right.(*ast.BinaryExpression)
		if !ok || !isRelational(r.Operator) || w.parenthesized(r) {
			return
		}
		first := &ast.BinaryExpression{Operator: n.Operator, Left: n.Left, Right: r.Left, Comparison: n.Comparison}
		n.Operator, n.Left, n.Right, n.Comparison = r.Operator, first, r.Right, r.Comparison
	}
}

func isRelational(t token.Token) bool {
	switch t {
	case token.LESS, token.LESS_OR_EQUAL, token.GREATER, token.GREATER_OR_EQUAL, token.INSTANCEOF, token.IN:
		return true
	}
	return false
}

// parenthesized reports whether one of the parentheses that open right before n is closed behind it.
func (w *rewriter) parenthesized(n ast.Expression) bool {
	end := min(int(n.Idx1())-1, len(w.text))
	for i := int(n.Idx0()) - 2; i >= 0; i-- {
		switch w.text[i] {
		case ' ', '\t', '\n', '\r':
		case '(':
			if w.openUntil(i, end) {
				return true
			}
		default:
			return false
		}
	}
	return false
}

// openUntil reports whether the parenthesis at from is still open at end.
func (w *rewriter) openUntil(from, end int) bool {
	depth := 0
	for _, c := range []byte(w.text[from:end]) {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return false
			}
		}
	}
	return true
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
