package script

import (
	"bytes"
	"reflect"
	"regexp"
	"strings"

	"github.com/casys-ai/pml/nodes/value"
	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
)

// A stack overflow of goja's cannot be caught by the program. So functions ask at their beginning whether there is room
// left, and throw a RangeError while there still is some for what catches it.

// catchable is what a program that can catch an exception has somewhere in its text.
var catchable = regexp.MustCompile(`\b(?:catch|finally|then|allSettled|any|race)\b`)

func mayCatch(text string) bool { return catchable.MatchString(text) }

// room is how many calls are left for what catches an overflow.
const room = 400

// depthOf gives a function that tells how many calls are under way; nil if this goja does not let us see.
func depthOf(rt *goja.Runtime) func() int {
	machine := reflect.ValueOf(rt).Elem().FieldByName("vm")
	if machine.Kind() != reflect.Pointer {
		return nil
	}
	stack := machine.Elem().FieldByName("callStack")
	if stack.Kind() != reflect.Slice {
		return nil
	}
	return stack.Len
}

// nativeEnter gives the function that guarded functions begin with.
func (r *realm) nativeEnter() func(goja.FunctionCall) goja.Value {
	depth := depthOf(r.rt)
	return func(goja.FunctionCall) goja.Value {
		if depth != nil && depth() > maxCallDepth-room {
			panic(r.overflowed())
		}
		return goja.Undefined()
	}
}

// overflowed makes the error, which stands at the call that there was no room for.
func (r *realm) overflowed() goja.Value {
	e := r.errorToJS(value.NewError("RangeError", "Maximum call stack size exceeded"))
	var b bytes.Buffer
	b.WriteString("RangeError: Maximum call stack size exceeded")
	entered := false
	for _, f := range r.rt.CaptureCallStack(nearFrames, make([]goja.StackFrame, 0, nearFrames)) {
		if r.files[f.SrcName()] != nil && !entered {
			entered = true
			continue
		}
		if entered {
			b.WriteString("\n\tat ")
			f.Write(&b)
		}
	}
	if obj, ok := e.(*goja.Object); ok {
		_ = obj.DefineDataProperty("stack", r.string(b.String()), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	return e
}

func (w *rewriter) guardFunction(n *ast.FunctionLiteral) {
	if w.guarded(n.Body) {
		guardBlock(n.Body)
	}
}

func (w *rewriter) guardArrow(n *ast.ArrowFunctionLiteral) {
	switch b := n.Body.(type) {
	case *ast.BlockStatement:
		if w.guarded(b) {
			guardBlock(b)
		}
	case *ast.ExpressionBody:
		if w.guarded(b) {
			at := b.Expression.Idx0()
			b.Expression = &ast.SequenceExpression{Sequence: []ast.Expression{callOf(enterName, at), b.Expression}}
		}
	}
}

// guarded reports whether a function with this body is to look after the stack: one that calls nothing cannot fill it.
func (w *rewriter) guarded(body any) bool {
	if !w.guard {
		return false
	}
	calls := false
	walk(reflect.ValueOf(body), visitor{enter: func(node any) {
		switch n := node.(type) {
		case *ast.CallExpression:
			id, ok := n.Callee.(*ast.Identifier)
			calls = calls || !ok || !strings.HasPrefix(id.Name.String(), "__pml_")
		case *ast.NewExpression, *ast.TemplateLiteral:
			calls = true
		}
	}})
	return calls
}

func guardBlock(b *ast.BlockStatement) {
	var at file.Idx = b.LeftBrace
	enter := &ast.ExpressionStatement{Expression: callOf(enterName, at)}
	b.List = append([]ast.Statement{enter}, b.List...)
}
