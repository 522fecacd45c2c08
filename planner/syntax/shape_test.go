package syntax

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/casys-ai/pml/nodes/ast"
)

// shape writes a tree without positions, so that two trees can be compared. Bodies without braces are given them, as
// Print does, and names are written as they are printed.
func shape(list []ast.Stmt) string {
	var b strings.Builder
	for _, s := range list {
		shapeOf(&b, reflect.ValueOf(s), false)
		b.WriteByte('\n')
	}
	return b.String()
}

var (
	posType  = reflect.TypeFor[ast.Pos]()
	stmtType = reflect.TypeFor[ast.Stmt]()
)

func shapeOf(b *strings.Builder, v reflect.Value, body bool) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		shapeOfPointer(b, v, body)
	case reflect.Slice:
		b.WriteByte('[')
		for i := range v.Len() {
			shapeOf(b, v.Index(i), false)
			b.WriteByte(' ')
		}
		b.WriteByte(']')
	case reflect.Struct:
		b.WriteString(v.Type().Name() + "{")
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.Type != posType {
				b.WriteString(f.Name + ":")
				shapeOf(b, v.Field(i), isBody(v.Type(), f, v.Field(i)))
				b.WriteByte(' ')
			}
		}
		b.WriteByte('}')
	case reflect.Float64:
		fmt.Fprintf(b, "%x", v.Float())
	default:
		fmt.Fprintf(b, "%#v", v.Interface())
	}
}

// isBody reports a field that Print writes in braces.
func isBody(owner reflect.Type, f reflect.StructField, v reflect.Value) bool {
	if f.Type != stmtType || f.Name == "Init" || f.Name == "Left" || owner == reflect.TypeFor[ast.Labeled]() || v.IsNil() {
		return false
	}
	_, branch := v.Interface().(*ast.If)
	return f.Name != "Else" || !branch
}

func shapeOfPointer(b *strings.Builder, v reflect.Value, body bool) {
	if v.IsNil() {
		b.WriteString("nil")
		return
	}
	switch x := v.Interface().(type) {
	case *ast.Symbol:
		b.WriteString(x.Unique)
		return
	case *ast.Block:
	case *ast.Empty:
		if body {
			b.WriteString("Block{Body:[] }")
			return
		}
	case ast.Stmt:
		if body {
			b.WriteString("Block{Body:[")
			shapeOf(b, v.Elem(), false)
			b.WriteString(" ] }")
			return
		}
	}
	shapeOf(b, v.Elem(), false)
}

// checkShape holds that what is printed reads as the same tree.
func checkShape(t *testing.T, name string, program *ast.Program) {
	t.Helper()
	printed := ast.PrintStmts(program.Body)
	again, diags := Parse(printed)
	if len(diags) > 0 || again.Wrapped {
		return
	}
	if a, b := shape(program.Body), shape(again.Body); a != b {
		t.Errorf("%s: printed\n%s\nreads as another tree\n%s\n%s", name, printed, a, b)
	}
}

func TestPrintedProgramsReadAsTheSameTree(t *testing.T) {
	for _, f := range corpus(t) {
		program, _ := Parse(string(f.Data))
		checkShape(t, f.Name, program)
	}
}
