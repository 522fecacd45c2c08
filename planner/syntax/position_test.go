package syntax

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/casys-ai/pml/nodes/ast"
	"github.com/matryer/is"
)

// at returns the source from p on, and checks that line, column and offset of p agree.
func at(t *testing.T, source string, p ast.Pos) string {
	t.Helper()
	lines := strings.Split(source, "\n")
	if p.Line < 1 || p.Line > len(lines) || p.Offset < 0 || p.Offset > len(source) {
		t.Fatalf("position %+v is outside the program", p)
	}
	start := 0
	for _, l := range lines[:p.Line-1] {
		start += len(l) + 1
	}
	before := strings.TrimPrefix(source[start:p.Offset], bom)
	if column := len(utf16.Encode([]rune(before))) + 1; column != p.Column {
		t.Errorf("position %+v: column should be %d", p, column)
	}
	return source[p.Offset:]
}

// starts are the texts that a node of each kind may begin with.
func starts(n ast.Node) []string {
	switch n := n.(type) {
	case *ast.Ident:
		return []string{n.Sym.Name}
	case *ast.Number:
		return strings.Split("0 1 2 3 4 5 6 7 8 9 . - NaN Infinity", " ")
	case *ast.String:
		return strings.Split("\" ' `", " ")
	case *ast.Template:
		return []string{"`"}
	case *ast.Bool:
		return []string{"true", "false", "!"}
	case *ast.RegExp:
		return []string{"/"}
	case *ast.Array, *ast.ArrayPattern:
		return []string{"["}
	case *ast.Object, *ast.ObjectPattern:
		return []string{"{"}
	case *ast.Await:
		return []string{"await"}
	case *ast.New:
		return []string{"new"}
	case *ast.This:
		return []string{"this"}
	case *ast.Unary:
		return []string{n.Op}
	case *ast.VarDecl:
		return []string{string(n.Kind)}
	case *ast.Block:
		return []string{"{"}
	case *ast.If:
		return []string{"if"}
	case *ast.For, *ast.ForOf, *ast.ForIn:
		return []string{"for"}
	case *ast.Try:
		return []string{"try"}
	case *ast.FunctionDecl:
		return []string{"function", "async"}
	case *ast.ClassDecl:
		return []string{"class", "abstract", "@"}
	}
	return []string{""}
}

func TestNodesStandWhereTheirTextIs(t *testing.T) {
	generated := map[string]bool{ // TypeScript that becomes code nobody wrote
		"enums.ts": true, "namespaces.ts": true, "class_basic.ts": true, "class_inherit.ts": true,
		"class_expr.ts": true, "error_class.ts": true, "abstract_overloads.ts": true, "accessors_static.ts": true,
		"hoisting.ts": true, "proto.ts": true, "this_binding.ts": true,
	}
	for _, f := range corpus(t) {
		if generated[f.Name] {
			continue
		}
		source := string(f.Data)
		program, _ := Parse(source)
		ast.WalkAll(program.Body, func(n ast.Node) bool {
			text := at(t, source, n.Position())
			if m, ok := n.(*ast.Member); ok && !strings.HasPrefix(at(t, source, m.NamePos), m.Name) {
				t.Errorf("%s: member %s at %+v", f.Name, m.Name, m.NamePos)
			}
			for _, s := range starts(n) {
				if strings.HasPrefix(text, s) {
					return true
				}
			}
			t.Errorf("%s: %T %q at %+v: %.30q", f.Name, n, starts(n), n.Position(), text)
			return true
		})
	}
}

func TestPositionsCountUTF16(t *testing.T) {
	is := is.New(t)
	source := bom + "```ts\r\nconst é = \"😀\", b = é + `😀${é}`;\r\nreturn 变.x?.(b /* 😀 */, é)\r\n```\r\n"
	program, diags := Parse(source)
	is.Equal(len(diags), 0)
	var got []string
	ast.WalkAll(program.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			is.True(strings.HasPrefix(at(t, source, id.Pos), id.Sym.Name)) // each name at its text
			got = append(got, id.Sym.Name)
		}
		return true
	})
	is.Equal(strings.Join(got, " "), "é b é é 变 b é")
	is.Equal(program.Body[1].Position(), ast.Pos{Line: 3, Column: 1, Offset: strings.Index(source, "return")})
	is.Equal(newPositions(bom+"x").at(3).Column, 1) // a byte order mark is no column
}
