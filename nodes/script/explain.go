package script

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/casys-ai/pml/nodes/value"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// explain words an error of the engine with the help of the syntax at the offset that goja reports for it.
func (u *unit) explain(offset int, text string) string {
	prg, err := parse(u.name, u.text)
	if err != nil {
		return text
	}
	better := text
	walk(reflect.ValueOf(prg.Body), visitor{leave: func(node any) {
		if t := explainNode(node, offset+1, text); t != "" && better == text {
			better = t
		}
	}})
	if better == "object is not iterable" {
		return "object" + noIterator
	}
	return better
}

// explainNode gives the text if node is the one at fault. Positions in the tree count from 1.
func explainNode(node any, pos int, text string) string {
	switch n := node.(type) {
	case *ast.ArrayLiteral:
		return explainSpread(n.Value, pos, text, false)
	case *ast.CallExpression:
		if t := explainSpread(n.ArgumentList, pos, text, true); t != "" {
			return t
		}
		if int(n.LeftParenthesis) == pos {
			return explainCall(n, text)
		}
	case *ast.NewExpression:
		if t := explainSpread(n.ArgumentList, pos, text, true); t != "" {
			return t
		}
		if int(n.New) == pos && (notObject.MatchString(text) || text == "Value is not a constructor") {
			return explainNew(n, text)
		}
	case *ast.TemplateLiteral:
		if n.Tag != nil && int(n.Tag.Idx0()) == pos && notObject.MatchString(text) {
			return show(n.Tag) + " is not a function"
		}
	case *ast.AssignExpression:
		return explainAssign(n.Left, pos, text)
	case *ast.UnaryExpression:
		if n.Operator == token.INCREMENT || n.Operator == token.DECREMENT {
			return explainAssign(n.Operand, pos, text)
		}
	case *ast.Binding:
		return explainBinding(n, pos, text)
	case *ast.ForOfStatement:
		if evaluatedAt(n.Source, pos) && iterationText(text) {
			return notIterable(n.Source)
		}
	case *ast.Identifier:
		if int(n.Idx) == pos && text == "Cannot access a variable before initialization" {
			return "Cannot access '" + n.Name.String() + "' before initialization"
		}
	}
	return ""
}

func iterationText(text string) bool {
	return text == "object is not iterable" || text == "Cannot convert undefined or null to object"
}

// noIterator ends the texts in which V8 does not name the expression.
const noIterator = " is not iterable (cannot read property Symbol(Symbol.iterator))"

// evaluatedAt reports whether goja gives pos as the place of what uses the value of e: that of its last operation.
func evaluatedAt(e ast.Expression, pos int) bool {
	switch e := e.(type) {
	case *ast.DotExpression:
		return int(e.Identifier.Idx) == pos
	case *ast.BracketExpression:
		return int(e.LeftBracket) == pos
	case *ast.CallExpression:
		return int(e.LeftParenthesis) == pos
	case *ast.OptionalChain:
		return evaluatedAt(e.Expression, pos)
	case *ast.Optional:
		return evaluatedAt(e.Expression, pos)
	case *ast.AwaitExpression:
		return evaluatedAt(e.Argument, pos)
	}
	return int(e.Idx0()) == pos
}

func notIterable(e ast.Expression) string {
	switch e := e.(type) {
	case *ast.CallExpression:
		return show(e.Callee) + " is not a function or its return value is not iterable"
	case *ast.OptionalChain:
		return intermediate(1) + " is not iterable"
	}
	return show(e) + " is not iterable"
}

// notDestructured is what V8 says when e is taken apart as an array: it names no properties.
func notDestructured(e ast.Expression, text string) string {
	call, _ := e.(*ast.CallExpression)
	if call != nil {
		e = call.Callee
	}
	switch e.(type) {
	case *ast.AwaitExpression:
		return notIterable(e)
	case *ast.Identifier:
		if call != nil {
			return notIterable(call)
		}
		return notIterable(e)
	}
	if text != "object is not iterable" {
		return "undefined" + noIterator
	}
	return "object" + noIterator
}

// explainSpread words the spreading of what cannot be iterated over, in a list of elements or of arguments.
func explainSpread(list []ast.Expression, pos int, text string, arguments bool) string {
	for i, e := range list {
		s, ok := e.(*ast.SpreadElement)
		switch {
		case !ok || !evaluatedAt(s.Expression, pos) || !iterationText(text):
		case !arguments:
			return notIterable(s.Expression)
		case i < len(list)-1:
			return ""
		case text != "object is not iterable":
			return show(s.Expression) + " is not iterable (cannot read property undefined)"
		default:
			return "Spread syntax requires ...iterable[Symbol.iterator] to be a function"
		}
	}
	return ""
}

func explainCall(n *ast.CallExpression, text string) string {
	switch {
	case noMember.MatchString(text), notObject.MatchString(text):
		return show(n.Callee) + " is not a function"
	case strings.HasPrefix(text, "Class constructor"):
		return "Class constructor " + show(n.Callee) + " cannot be invoked without 'new'"
	}
	return ""
}

func explainNew(n *ast.NewExpression, text string) string {
	callee := show(n.Callee)
	if m := notObject.FindStringSubmatch(text); m != nil && callee == "Promise" {
		return "Promise resolver " + m[1] + " is not a function"
	}
	switch callee {
	case "Map", "Set", "WeakMap", "WeakSet":
		if m := notObject.FindStringSubmatch(text); m != nil {
			return "Iterator value " + m[1] + " is not an entry object"
		}
	}
	return callee + " is not a constructor"
}

// explainAssign words an assignment to a property of what has none.
func explainAssign(left ast.Expression, pos int, text string) string {
	key, here := "", false
	switch l := left.(type) {
	case *ast.DotExpression:
		key, here = l.Identifier.Name.String(), int(l.Identifier.Idx) == pos
	case *ast.BracketExpression:
		here = int(l.LeftBracket) == pos
		if s, ok := l.Member.(*ast.StringLiteral); ok {
			key = s.Value.String()
		}
	}
	primitive := noReceiver.FindStringSubmatch(text)
	switch {
	case !here:
		return ""
	case primitive != nil && key != "":
		return "Cannot create property '" + key + "' on " + kindOfText(primitive[1]) + " '" + primitive[1] + "'"
	case text != "Cannot convert undefined or null to object":
		return ""
	case key == "":
		return "Cannot set properties of undefined"
	}
	return "Cannot set properties of undefined (setting '" + key + "')"
}

// kindOfText guesses what a primitive is from its text, which is all that goja gives: "1" is taken for a number.
func kindOfText(text string) string {
	switch {
	case text == "true" || text == "false":
		return "boolean"
	case value.NumberToString(value.StringToNumber(text)) == text:
		return "number"
	}
	return "string"
}

func explainBinding(n *ast.Binding, pos int, text string) string {
	if n.Initializer == nil {
		return ""
	}
	switch t := n.Target.(type) {
	case *ast.ObjectPattern:
		if text == "Value is not object coercible" && len(t.Properties) > 0 && int(n.Initializer.Idx0()) == pos {
			key, source := keyOf(t.Properties[0]), show(n.Initializer)
			return "Cannot destructure property '" + key + "' of '" + source + "' as it is undefined."
		}
	case *ast.ArrayPattern:
		if evaluatedAt(n.Initializer, pos) && iterationText(text) {
			return notDestructured(n.Initializer, text)
		}
	}
	return ""
}

func keyOf(p ast.Property) string {
	switch p := p.(type) {
	case *ast.PropertyShort:
		return p.Name.Name.String()
	case *ast.PropertyKeyed:
		if s, ok := p.Key.(*ast.StringLiteral); ok {
			return s.Value.String()
		}
		return show(p.Key)
	}
	return "(intermediate value)"
}

// show writes an expression as V8's call printer does.
func show(e ast.Expression) string {
	switch e := e.(type) {
	case *ast.Identifier:
		return e.Name.String()
	case *ast.ThisExpression:
		return "this"
	case *ast.SuperExpression:
		return "(intermediate value)"
	case *ast.NullLiteral:
		return "null"
	case *ast.BooleanLiteral:
		return e.Literal
	case *ast.NumberLiteral:
		return e.Literal
	case *ast.StringLiteral:
		return `"` + e.Value.String() + `"`
	case *ast.DotExpression:
		return show(e.Left) + dot(e.Left) + e.Identifier.Name.String()
	case *ast.PrivateDotExpression:
		return show(e.Left) + ".#" + e.Identifier.Name.String()
	case *ast.BracketExpression:
		return showBracket(e)
	case *ast.Optional:
		return show(e.Expression)
	case *ast.OptionalChain:
		return show(e.Expression)
	case *ast.CallExpression:
		return show(e.Callee) + "(...)"
	case *ast.NewExpression:
		return "(intermediate value)"
	case *ast.ArrayLiteral:
		return showList(e.Value)
	case *ast.ObjectLiteral:
		return "{}"[:1] + intermediate(len(e.Value)) + "}"
	case *ast.BinaryExpression:
		return "(" + show(e.Left) + " " + e.Operator.String() + " " + show(e.Right) + ")"
	case *ast.UnaryExpression:
		if !e.Postfix && len(e.Operator.String()) > 2 {
			return "(" + e.Operator.String() + " " + show(e.Operand) + ")"
		}
	}
	return "(intermediate value)"
}

func intermediate(n int) string { return strings.Repeat("(intermediate value)", n) }

func dot(left ast.Expression) string {
	if _, ok := left.(*ast.Optional); ok {
		return "?."
	}
	return "."
}

func showBracket(e *ast.BracketExpression) string {
	left := show(e.Left)
	if s, ok := e.Member.(*ast.StringLiteral); ok {
		return left + dot(e.Left) + s.Value.String()
	}
	if n, ok := e.Member.(*ast.NumberLiteral); ok {
		if i, ok := n.Value.(int64); ok {
			return left + "[" + strconv.FormatInt(i, 10) + "]"
		}
	}
	return left + "[" + show(e.Member) + "]"
}

func showList(list []ast.Expression) string {
	parts := make([]string, len(list))
	for i, e := range list {
		if e != nil {
			parts[i] = show(e)
		}
	}
	return "[" + strings.Join(parts, ",") + "]"
}
