// Package value holds the values that travel along the edges of a task graph, with JavaScript's semantics: what a tool
// returned, what an expression computed, what a program returns.
//
// A Value is immutable once it is on an edge, so it is shared and never copied. Whoever built an Array or Object may
// change it until it hands it on, and not after.
package value

import "sync"

// Kind tells the Values apart.
type Kind uint8

// The kinds of Value.
const (
	KindUndefined Kind = iota
	KindNull
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
	KindError
	// KindLazy is JSON text not yet decoded; Force turns it into one of the others.
	KindLazy
)

// Value is one of Undefined, Null, Bool, Number, String, *Array, *Object, *Error, *Lazy. The set is closed.
type Value interface {
	// Kind says which of them it is.
	Kind() Kind
}

type (
	// Undefined is JavaScript's undefined.
	Undefined struct{}
	// Null is JavaScript's null.
	Null struct{}
	// Bool is a JavaScript boolean.
	Bool bool
	// Number is a JavaScript Number: an IEEE 754 double, -0 and NaN included.
	Number float64
	// String is a JavaScript String as WTF-8: UTF-8, with a lone surrogate encoded as the three bytes its code point
	// would have. A surrogate *pair* is never stored as two such triples: Join and Concat see to it.
	String string
)

// Array is a JavaScript array (ECMAScript §10.4.2). A nil element is a hole: it reads as undefined.
type Array struct {
	Elems []Value
}

// Object is an ordinary JavaScript object with string keys (ECMAScript §10.1.11): integer-like keys first, ascending,
// then the others in the order they were first set. Its zero value is an empty object, ready to use.
type Object struct {
	props props
}

// Error is a JavaScript Error object: what a failed tool call or a thrown `new Error()` is to the program.
type Error struct {
	// Name is the inherited name: "Error", "TypeError", "ToolError" ….
	Name string
	// Message is the own, non-enumerable message.
	Message string
	// Cause is the own, non-enumerable cause; nil if there is none.
	Cause Value
	// Props holds own enumerable properties, such as code and tool of a ToolError; nil if there are none.
	Props *Object
}

// Lazy is a value kept as the JSON text that arrived. Passing it on costs nothing; Force decodes it once.
type Lazy struct {
	raw  []byte
	once sync.Once
	val  Value
}

// Kind implements Value.
func (Undefined) Kind() Kind { return KindUndefined }

// Kind implements Value.
func (Null) Kind() Kind { return KindNull }

// Kind implements Value.
func (Bool) Kind() Kind { return KindBool }

// Kind implements Value.
func (Number) Kind() Kind { return KindNumber }

// Kind implements Value.
func (String) Kind() Kind { return KindString }

// Kind implements Value.
func (*Array) Kind() Kind { return KindArray }

// Kind implements Value.
func (*Object) Kind() Kind { return KindObject }

// Kind implements Value.
func (*Error) Kind() Kind { return KindError }

// Kind implements Value.
func (*Lazy) Kind() Kind { return KindLazy }
