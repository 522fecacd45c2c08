package syntax

import (
	"strings"
	"testing"

	"github.com/casys-ai/pml/nodes/ast"
	"github.com/matryer/is"
)

func parsed(t *testing.T, source string) []ast.Node {
	t.Helper()
	program, diags := Parse(source)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	list := make([]ast.Node, len(program.Body))
	for i, s := range program.Body {
		list[i] = s
	}
	return list
}

func names(list []*ast.Symbol) string {
	var out []string
	for _, s := range list {
		out = append(out, s.Unique)
	}
	return strings.Join(out, " ")
}

func TestFreeAssignedDeclared(t *testing.T) {
	for _, c := range []struct{ source, free, assigned, declared string }{
		{"const a = b + mcp.x.y(args); c = a;", "b mcp args c", "c", "a"},
		{"let i = 0; i++; --j; k.x = 1; l[m] += i;", "j k l m", "i j", "i"},
		{"for (x of xs) ; for (const y in ys) ; for ([z, {w = v}] of zs) ;", "x xs ys z w v zs", "x z w", "y"},
		{"[a, b.c, ...d] = e; ({ f, g: h = i, ...j } = k);", "a b d e f h i j k", "a d f h j", ""},
		{"const { a, b: [c = d], [e]: f, ...g } = h;", "d e h", "", "a c f g"},
		{"function f(p, q = r) { return arguments[0] + f; } const h = () => arguments;", "r arguments", "", "f p q h"},
		{"class A extends B { [k] = v; static { w = 1; } m(p) { return A; } }", "B k v w", "w", "A p"},
		{"try { a() } catch ({ b }) { b = c } finally { d() }", "a c d", "b", "b"},
		{"const f = function g(n) { return n ? g(n - 1) : x; };", "x", "", "f g n"},
		{"switch (a) { case b: let c; default: d ??= c } l: while (e) break l;", "a b d e", "d", "c"},
		{"tag`${a}`; `${b}`; new C(...d); delete e.f; typeof g; (h, i); j?.k?.(l);", "tag a b C d e g h i j l", "", ""},
	} {
		is := is.New(t)
		list := parsed(t, c.source)
		is.Equal(names(ast.FreeSymbols(list...)), c.free)
		is.Equal(names(ast.Assigned(list...)), c.assigned)
		is.Equal(names(ast.Declared(list...)), c.declared)
	}
}

func TestWalkIsInSourceOrderAndCanBeStopped(t *testing.T) {
	is := is.New(t)
	for _, f := range corpus(t) {
		program, _ := Parse(string(f.Data))
		count, children := 0, 0
		ast.WalkAll(program.Body, func(n ast.Node) bool {
			count++
			children += len(ast.Children(n))
			return true
		})
		is.Equal(count, children+len(program.Body)) // every node but the roots is one node's child
	}
	var seen []string
	for _, n := range parsed(t, "a(b, () => c); if (d) e; else { f(); }") {
		ast.Walk(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				seen = append(seen, id.Sym.Name)
			}
			_, fn := n.(*ast.FunctionExpr)
			return !fn
		})
	}
	is.Equal(strings.Join(seen, ""), "abdef")
}

func TestRenameCopies(t *testing.T) {
	is := is.New(t)
	program, _ := Parse("const f = (x) => { const y = x + 1; y; return { y, x }; }; f(1);")
	before := ast.PrintStmts(program.Body)
	fresh := map[*ast.Symbol]*ast.Symbol{}
	for _, s := range ast.Declared(program.Body[0]) {
		fresh[s] = &ast.Symbol{Name: s.Name, Unique: s.Unique + "_2", Kind: s.Kind, Decl: s.Decl}
	}
	renamed := ast.Rename(program.Body, func(s *ast.Symbol) *ast.Symbol {
		if n := fresh[s]; n != nil {
			return n
		}
		return s
	})
	is.Equal(strings.Join(strings.Fields(ast.PrintStmts(renamed)), " "),
		"const f_2 = (x_2) => { const y_2 = x_2 + 1; y_2; return { y: y_2, x: x_2 }; }; f_2(1);")
	is.Equal(ast.PrintStmts(program.Body), before) // the original stays
}

func TestSubstitute(t *testing.T) {
	is := is.New(t)
	program, _ := Parse("const a = 1; const b = (c = a) =>" +
		" [a, { a }, a.x, `${a}`, class { [a] = a; m() { return a; } }]; let d; d = 2;")
	a := ast.Declared(program.Body[0])[0]
	out := ast.SubstituteStmts(program.Body[1:], func(e ast.Expr) (ast.Expr, bool) {
		id, ok := e.(*ast.Ident)
		return &ast.Number{Value: -1}, ok && id.Sym == a
	})
	is.Equal(strings.Join(strings.Fields(ast.PrintStmts(out)), " "), "const b = (c = -1) => "+
		"[-1, { a: -1 }, (-1).x, `${-1}`, class { [-1] = -1; m() { return -1; } }]; let d; d = 2;")
}
