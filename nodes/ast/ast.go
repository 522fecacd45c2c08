// Package ast is the syntax of the JavaScript that a program comes down to once its types are gone: plain data, with a
// position on every node. planner/syntax makes it, planner turns it into a graph, nodes/expr compiles pieces of it to
// Go closures and Print writes pieces of it back for script nodes and for people.
//
// Node names follow ESTree (https://github.com/estree/estree) unless a comment says otherwise.
package ast

// Pos is a place in the program text as the user wrote it.
type Pos struct {
	// Line counts from 1; 0 means "no position" (a node the planner made up).
	Line int `json:"line"`
	// Column counts from 1 in UTF-16 code units, as editors and Node's stack traces do.
	Column int `json:"column"`
	// Offset counts bytes from 0.
	Offset int `json:"offset"`
}

// IsValid reports whether p names a place.
func (p Pos) IsValid() bool { return p.Line > 0 }

// SymbolKind says how a name came to be.
type SymbolKind uint8

// The kinds of binding of ECMAScript §9.1.1, plus SymUnbound for a name that no scope of the program declares.
const (
	SymUnbound SymbolKind = iota
	SymVar
	SymLet
	SymConst
	SymFunction
	SymClass
	SymParam
	SymCatch
)

// Symbol is one binding of the program. Two identifiers mean the same binding exactly if their Symbol pointers are
// equal; shadowing is resolved before the tree is handed out.
type Symbol struct {
	// Name is what the user wrote.
	Name string
	// Unique is what Print writes: Name, or Name$2, Name$3 … where the program declares the name more than once or a
	// declared name would collide with a global that the program uses. Unbound symbols keep their name.
	Unique string
	Kind   SymbolKind
	// Decl is where it was declared; invalid for SymUnbound.
	Decl Pos
}

// Node is any part of the tree.
type Node interface {
	// Position is where the node starts.
	Position() Pos
}

// Expr is an expression (ECMAScript §13).
type Expr interface {
	Node
	expr()
}

// Stmt is a statement or declaration (ECMAScript §14).
type Stmt interface {
	Node
	stmt()
}

// Pattern is what a declaration, parameter or assignment binds: *Ident, *Member, *Index (assignment only),
// *ArrayPattern or *ObjectPattern (ECMAScript §14.3.3 and §13.15.5).
type Pattern interface {
	Node
	pattern()
}

// Position implements Node.
func (p Pos) Position() Pos { return p }

// Chain says what part a member access or call plays in an optional chain (ECMAScript §13.3.9).
type Chain uint8

// A chain a?.b.c is Member{c, Continue, Member{b, Start, a}}: Start yields undefined for the whole chain if its object
// is null or undefined. A parenthesised (a?.b).c ends the chain: its outer access is NoChain.
const (
	NoChain Chain = iota
	ChainStart
	ChainContinue
)

// Expressions.
type (
	// Ident is a name in expression or binding position.
	Ident struct {
		Pos
		Sym *Symbol
	}
	// This is `this`.
	This struct{ Pos }
	// Super is `super` in a class member.
	Super struct{ Pos }
	// NewTarget is `new.target`.
	NewTarget struct{ Pos }
	// Null is `null`.
	Null struct{ Pos }
	// Undefined is `undefined` or `void 0`.
	Undefined struct{ Pos }
	// Bool is `true` or `false`.
	Bool struct {
		Pos
		Value bool
	}
	// Number is a numeric literal.
	Number struct {
		Pos
		Value float64
	}
	// BigInt is a BigInt literal; Text is its decimal digits.
	BigInt struct {
		Pos
		Text string
	}
	// String is a string literal in WTF-8 (UTF-8, lone surrogates as three bytes).
	String struct {
		Pos
		Value string
	}
	// RegExp is a regular expression literal.
	RegExp struct {
		Pos
		Pattern, Flags string
	}
	// Template is an untagged template: Quasis[0] Exprs[0] Quasis[1] …, cooked, WTF-8; one more quasi than exprs.
	Template struct {
		Pos
		Quasis []string
		Exprs  []Expr
	}
	// TaggedTemplate is tag`…`; Raws are the raw strings. Cooked holds nil where an escape is invalid.
	TaggedTemplate struct {
		Pos
		Tag    Expr
		Cooked []*string
		Raws   []string
		Exprs  []Expr
	}
	// Array is an array literal; a nil element is a hole, a *Spread spreads.
	Array struct {
		Pos
		Elems []Expr
	}
	// Object is an object literal.
	Object struct {
		Pos
		Props []Property
	}
	// Spread is ...x in an array, object (as Property.Value with PropSpread), call or new.
	Spread struct {
		Pos
		X Expr
	}
	// FunctionExpr is a function, arrow or method.
	FunctionExpr struct {
		Pos
		*Func
	}
	// ClassExpr is a class expression.
	ClassExpr struct {
		Pos
		*ClassBody
	}
	// Unary is an operator of one operand: - + ! ~ typeof void delete.
	Unary struct {
		Pos
		Op string
		X  Expr
	}
	// Update is ++x, x++, --x or x--; Op is "++" or "--".
	Update struct {
		Pos
		Op     string
		Prefix bool
		X      Expr // *Ident, *Member or *Index
	}
	// Binary is an operator of two operands that are both evaluated: arithmetic, comparison, bits, in, instanceof.
	Binary struct {
		Pos
		Op   string
		X, Y Expr
	}
	// PrivateIn is #name in x.
	PrivateIn struct {
		Pos
		Name string
		X    Expr
	}
	// Logical is &&, || or ??.
	Logical struct {
		Pos
		Op   string
		X, Y Expr
	}
	// Assign is target op= value; Op is "=", "+=", "&&=", "??=" ….
	Assign struct {
		Pos
		Op     string
		Target Pattern
		Value  Expr
	}
	// Conditional is test ? then : else.
	Conditional struct {
		Pos
		Test, Then, Else Expr
	}
	// Call is a function call; an argument may be a *Spread.
	Call struct {
		Pos
		Callee Expr
		Args   []Expr
		Chain  Chain
	}
	// New is new Callee(Args…).
	New struct {
		Pos
		Callee Expr
		Args   []Expr
	}
	// Member is object.name. Private says it is object.#name (Name without the #).
	Member struct {
		Pos
		Object  Expr
		Name    string
		Private bool
		Chain   Chain
		// NamePos is where the name itself stands.
		NamePos Pos
	}
	// Index is object[index].
	Index struct {
		Pos
		Object, Index Expr
		Chain         Chain
	}
	// Await is await x.
	Await struct {
		Pos
		X Expr
	}
	// Yield is yield x or yield* x; X may be nil.
	Yield struct {
		Pos
		X        Expr
		Delegate bool
	}
	// Sequence is a, b, c.
	Sequence struct {
		Pos
		Exprs []Expr
	}
	// Import is import(x); ImportMeta is import.meta. Neither is ever lifted.
	Import struct {
		Pos
		X Expr
	}
	// ImportMeta is import.meta.
	ImportMeta struct{ Pos }
)

// PropKind says what a Property is.
type PropKind uint8

// The kinds of object literal and class members.
const (
	PropInit        PropKind = iota // key: value, shorthand or method
	PropGet                         // get key() {}
	PropSet                         // set key(v) {}
	PropSpread                      // ...value
	PropField                       // class field; Value may be nil
	PropStaticBlock                 // static { }: Value is a FunctionExpr holding the statements
)

// Property is a member of an object literal or class.
type Property struct {
	Pos
	Kind PropKind
	// Key is a *String or *Number for a fixed name, any expression if Computed; nil for spread and static block.
	Key      Expr
	Computed bool
	// Private says that Key is the *String name of a #private member.
	Private bool
	Static  bool
	// Method says that the value was written as a method: name() {}.
	Method bool
	// Accessor says that a class field was written with the word accessor (a decorator proposal feature).
	Accessor bool
	// Decorators are the decorators of a class member, in source order.
	Decorators []Expr
	Value      Expr
}

// Func is what functions of every form share.
type Func struct {
	// Name is the own name of a function declaration or named function expression; nil otherwise.
	Name      *Ident
	Params    []Param
	Body      []Stmt
	Arrow     bool
	Async     bool
	Generator bool
	// ExprBody says that an arrow was written x => expr; Body is then one *Return.
	ExprBody bool
	// UsesThis and UsesArguments say whether the body mentions this/super/new.target, or arguments, of this very
	// function (arrows inside included).
	UsesThis, UsesArguments bool
}

// Param is one parameter; Default may be nil.
type Param struct {
	Target  Pattern
	Default Expr
	Rest    bool
}

// ClassBody is what class declarations and expressions share. Name and Extends may be nil.
type ClassBody struct {
	Name    *Ident
	Extends Expr
	Members []Property
	// Decorators are the decorators of the class itself, in source order.
	Decorators []Expr
}

// Patterns.
type (
	// ArrayPattern is [a, , b = 1, ...rest]; an element with a nil Target is a hole.
	ArrayPattern struct {
		Pos
		Elems []PatternElem
	}
	// ObjectPattern is {a, b: c = 1, [k]: d, ...rest}.
	ObjectPattern struct {
		Pos
		Props []PatternProp
	}
	// PatternElem is one element of an ArrayPattern.
	PatternElem struct {
		Target  Pattern
		Default Expr
		Rest    bool
	}
	// PatternProp is one property of an ObjectPattern; Key is nil for the rest element.
	PatternProp struct {
		Key      Expr
		Computed bool
		Target   Pattern
		Default  Expr
		Rest     bool
	}
)

// Program is one parsed program: the body of an async function.
type Program struct {
	// Source is the text as the user wrote it; every Pos points into it.
	Source string
	Body   []Stmt
	// Wrapped says that Body was taken out of a function that wrapped the whole program.
	Wrapped bool
}

func (*Ident) expr()          {}
func (*This) expr()           {}
func (*Super) expr()          {}
func (*NewTarget) expr()      {}
func (*Null) expr()           {}
func (*Undefined) expr()      {}
func (*Bool) expr()           {}
func (*Number) expr()         {}
func (*BigInt) expr()         {}
func (*String) expr()         {}
func (*RegExp) expr()         {}
func (*Template) expr()       {}
func (*TaggedTemplate) expr() {}
func (*Array) expr()          {}
func (*Object) expr()         {}
func (*Spread) expr()         {}
func (*FunctionExpr) expr()   {}
func (*ClassExpr) expr()      {}
func (*Unary) expr()          {}
func (*Update) expr()         {}
func (*Binary) expr()         {}
func (*PrivateIn) expr()      {}
func (*Logical) expr()        {}
func (*Assign) expr()         {}
func (*Conditional) expr()    {}
func (*Call) expr()           {}
func (*New) expr()            {}
func (*Member) expr()         {}
func (*Index) expr()          {}
func (*Await) expr()          {}
func (*Yield) expr()          {}
func (*Sequence) expr()       {}
func (*Import) expr()         {}
func (*ImportMeta) expr()     {}

func (*Ident) pattern()         {}
func (*Member) pattern()        {}
func (*Index) pattern()         {}
func (*ArrayPattern) pattern()  {}
func (*ObjectPattern) pattern() {}
