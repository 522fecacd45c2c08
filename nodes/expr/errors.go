package expr

import (
	"fmt"

	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/value"
)

// Unsupported says that a piece, or what it met while it ran, is not evaluated natively. From Check and Compile it is
// the planner's reason to make a script node. From Run it means that the data led to something whose result would not
// be certain to equal JavaScript's; nothing but Owned inputs has been touched by then.
type Unsupported struct {
	Pos    ast.Pos
	Reason string
}

// Error implements error.
func (u *Unsupported) Error() string {
	return fmt.Sprintf("%d:%d: %s", u.Pos.Line, u.Pos.Column, u.Reason)
}

// Exception is a JavaScript exception that left the piece.
type Exception struct {
	Throw *value.Throw
	// Pos is the operation that threw.
	Pos ast.Pos
}

// Error implements error.
func (e *Exception) Error() string { return e.Throw.Error() }

// Unwrap gives the *value.Throw.
func (e *Exception) Unwrap() error { return e.Throw }

// NotPlain says that an output holds what is no plain data: a function, Map, Set, Date, RegExp, iterator or hole. The
// planner sees to it that this does not happen; it is no JavaScript exception and cannot be caught by the program.
type NotPlain struct {
	What string
}

// Error implements error.
func (e *NotPlain) Error() string { return "an output holds " + e.What }

// Limit says that the evaluation used up its budget. It is no JavaScript exception and cannot be caught by the program.
type Limit struct {
	Message string
}

// Error implements error.
func (e *Limit) Error() string { return e.Message }

// thrown is what is panicked with while a JavaScript exception unwinds the evaluator.
type thrown struct {
	value value.Value
	pos   ast.Pos
}

// fatal is what is panicked with for everything that the program cannot catch.
type fatal struct {
	err error
}

// throwValue throws v at the operation under way.
func (m *machine) throwValue(v value.Value) {
	panic(&thrown{value: v, pos: m.position()})
}

// throw throws a new error of class name.
func (m *machine) throw(name, format string, args ...any) {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	m.throwValue(value.NewError(name, format))
}

func (m *machine) typeError(format string, args ...any) { m.throw("TypeError", format, args...) }

func (m *machine) rangeError(format string, args ...any) { m.throw("RangeError", format, args...) }

// unsupported ends the evaluation: what the data led to is not evaluated natively.
func (m *machine) unsupported(format string, args ...any) {
	panic(fatal{&Unsupported{Pos: m.position(), Reason: fmt.Sprintf(format, args...)}})
}

// check throws the *value.Throw that an abstract operation returned.
func (m *machine) check(err error) {
	if err == nil {
		return
	}
	if t, ok := err.(*value.Throw); ok {
		m.throwValue(t.Value)
	}
	panic(fatal{err})
}

// must gives v, or throws err.
func must[T any](m *machine, v T, err error) T {
	if err != nil {
		m.check(err)
	}
	return v
}
