package expr

import (
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/value"
)

// origin is where a value that is taken apart comes from: V8's messages depend on it.
type origin struct {
	kind originKind
	// text is the expression as V8 writes it; for a call that of the function.
	text string
}

type originKind uint8

const (
	fromValue  originKind = iota // an argument, or an element: only the value is known
	fromText                     // the expression is named
	fromCall                     // the result of a call
	fromMember                   // a member: named for objects, not for arrays
	fromSpread                   // a spread argument
	fromInside                   // a property of what is taken apart
	fromOther                    // what V8 says is not known
)

// originOf describes an expression that is iterated over.
func originOf(n ast.Expr) origin {
	if inChain(n) {
		return origin{fromText, "(intermediate value)"}
	}
	if c, ok := n.(*ast.Call); ok {
		return certainly(origin{fromCall, render(c.Callee)}, n)
	}
	return certainly(origin{fromText, render(n)}, n)
}

// certainly leaves an origin as it is if V8's text for n is certain.
func certainly(o origin, n ast.Expr) origin {
	if !certain(n) && !isLiteral(n) || o.kind == fromCall && holdsCall(n.(*ast.Call).Callee) {
		o.kind = fromOther
	}
	return o
}

// originOfLoop describes what a for-of loop iterates over.
func originOfLoop(n ast.Expr) origin {
	switch n := n.(type) {
	case *ast.Logical:
		if n.Op != "??" {
			return origin{}
		}
	case *ast.Conditional:
		return origin{}
	}
	if inChain(n) {
		return origin{}
	}
	return originOf(n)
}

// originOfInit describes the initialiser of a declaration with a pattern.
func originOfInit(n ast.Expr, declaration bool) origin {
	if inChain(n) {
		return origin{kind: fromOther}
	}
	switch n := n.(type) {
	case *ast.Call:
		if declaration {
			return certainly(origin{fromCall, render(n.Callee)}, n)
		}
	case *ast.Member, *ast.Index:
		return origin{fromMember, render(n)}
	case *ast.Ident:
		if !declaration {
			return origin{fromMember, render(n)}
		}
		return origin{fromText, render(n)}
	case *ast.Null, *ast.Undefined, *ast.Number, *ast.Bool, *ast.Object:
		if declaration {
			return certainly(origin{fromText, render(n)}, n)
		}
	}
	return origin{fromOther, render(n)}
}

// notIterable throws V8's TypeError for what cannot be iterated over.
func (o origin) notIterable(m *machine, v value.Value) {
	switch o.kind {
	case fromText:
		m.typeError("%s is not iterable", o.text)
	case fromCall:
		m.typeError("%s is not a function or its return value is not iterable", o.text)
	case fromSpread:
		if isNullish(v) {
			m.typeError("%s is not iterable (cannot read property %s)", o.text, m.toString(v))
		}
		m.typeError("Spread syntax requires ...iterable[Symbol.iterator] to be a function")
	case fromInside, fromOther:
		m.unsupported("the message of this exception")
	}
	m.notIterable(v)
}

// notObject throws V8's TypeError for { first } = null; read says that V8 complains of the reading instead.
func (o origin) notObject(m *machine, v value.Value, first string, read bool) {
	what, text := m.toString(v), o.text
	switch {
	case read || o.kind == fromInside && first != "":
		m.typeError("Cannot read properties of %s (reading '%s')", what, first)
	case o.kind == fromInside:
		m.unsupported("the message of this exception")
	case o.kind == fromOther:
		m.unsupported("the message of this exception")
	case o.kind == fromValue:
		text = m.callSite(v)
	case o.kind == fromCall:
		text += "(...)"
	}
	if first == "" {
		m.typeError("Cannot destructure '%s' as it is %s.", text, what)
	}
	m.typeError("Cannot destructure property '%s' of '%s' as it is %s.", first, text, what)
}
