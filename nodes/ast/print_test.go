package ast

import (
	"math"
	"testing"

	"github.com/matryer/is"
)

func id(name string) *Ident          { return &Ident{Sym: &Symbol{Name: name, Unique: name}} }
func num(v float64) *Number          { return &Number{Value: v} }
func str(s string) *String           { return &String{Value: s} }
func dot(x Expr, name string) Expr   { return &Member{Object: x, Name: name} }
func call(f Expr, args ...Expr) Expr { return &Call{Callee: f, Args: args} }
func neg(x Expr) Expr                { return &Unary{Op: "-", X: x} }
func bin(op string, x, y Expr) Expr  { return &Binary{Op: op, X: x, Y: y} }
func log(op string, x, y Expr) Expr  { return &Logical{Op: op, X: x, Y: y} }
func object(key string, v Expr) Expr { return &Object{Props: []Property{{Key: str(key), Value: v}}} }
func arrow(x Expr) Expr {
	return &FunctionExpr{Func: &Func{Arrow: true, ExprBody: true, Body: []Stmt{&Return{X: x}}}}
}

// TestPrintExpr holds what no parser needs to have written: trees as the planner may put them together.
func TestPrintExpr(t *testing.T) {
	a, b, c := id("a"), id("b"), id("c")
	start := &Member{Object: a, Name: "b", Chain: ChainStart}
	fn := &FunctionExpr{Func: &Func{}}
	for want, e := range map[string]Expr{
		"a?.b.c":               &Member{Object: start, Name: "c", Chain: ChainContinue},
		"(a?.b).c":             dot(start, "c"),
		"(a?.b)()":             call(start),
		"a?.b?.[c]":            &Index{Object: start, Index: c, Chain: ChainStart},
		"a?.()":                &Call{Callee: a, Chain: ChainStart},
		"new (a?.b)()":         &New{Callee: start},
		"new (a())()":          &New{Callee: call(a)},
		"new (a().b)()":        &New{Callee: dot(call(a), "b")},
		"new a.b(c)":           &New{Callee: dot(a, "b"), Args: []Expr{c}},
		"new a().b":            dot(&New{Callee: a}, "b"),
		"(1).x":                dot(num(1), "x"),
		"(-1).x":               dot(num(-1), "x"),
		"(-1) ** 2":            bin("**", num(-1), num(2)),
		"(-a) ** 2":            bin("**", neg(a), num(2)),
		"2 ** -a":              bin("**", num(2), neg(a)),
		"(await a) ** b":       bin("**", &Await{X: a}, b),
		"(a ** b) ** c":        bin("**", bin("**", a, b), c),
		"a ** b ** c":          bin("**", a, bin("**", b, c)),
		"a - (b - c)":          bin("-", a, bin("-", b, c)),
		"- -a":                 neg(neg(a)),
		"- -1":                 neg(num(-1)),
		"a - -b":               bin("-", a, neg(b)),
		"+ ++a":                &Unary{Op: "+", X: &Update{Op: "++", Prefix: true, X: a}},
		"a ?? (b || c)":        log("??", a, log("||", b, c)),
		"(a && b) ?? c":        log("??", log("&&", a, b), c),
		"(a ?? b) || c":        log("||", log("??", a, b), c),
		"a || b && c":          log("||", a, log("&&", b, c)),
		"() => ({ a })":        arrow(object("a", a)),
		"() => ({ a }).b":      arrow(dot(object("a", a), "b")),
		"() => (a, b)":         arrow(&Sequence{Exprs: []Expr{a, b}}),
		"(() => a)()":          call(arrow(a)),
		"(() => a) || b":       log("||", arrow(a), b),
		"function () {}()":     call(fn),
		"(a, b).c":             dot(&Sequence{Exprs: []Expr{a, b}}, "c"),
		"[(a, b), , c, ,]":     &Array{Elems: []Expr{&Sequence{Exprs: []Expr{a, b}}, nil, c, nil}},
		"(a ? b : c) ? a : b":  &Conditional{Test: &Conditional{Test: a, Then: b, Else: c}, Then: a, Else: b},
		"a[\"not a name\"]":    dot(a, "not a name"),
		"a?.[\"b-c\"]":         &Member{Object: a, Name: "b-c", Chain: ChainStart},
		"{ b: a, \"x y\": c }": &Object{Props: []Property{{Key: str("b"), Value: a}, {Key: str("x y"), Value: c}}},
		"{ [-1]: a, 1.5: b }":  &Object{Props: []Property{{Key: num(-1), Value: a}, {Key: num(1.5), Value: b}}},
		"typeof (a + b)":       &Unary{Op: "typeof", X: bin("+", a, b)},
		"`\\`\\${${a}\n\\\\`":  &Template{Quasis: []string{"`${", "\n\\"}, Exprs: []Expr{a}},
		"(a = b).c":            dot(&Assign{Op: "=", Target: a, Value: b}, "c"),
		"#p in a && b":         log("&&", &PrivateIn{Name: "p", X: a}, b),
	} {
		if got := PrintExpr(e); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestPrintLiterals(t *testing.T) {
	is := is.New(t)
	for want, v := range map[string]float64{
		"0": 0, "-0": math.Copysign(0, -1), "1e+21": 1e21, "100000000000000000000": 1e20, "0.000001": 1e-6, "1e-07": 1e-7,
		"NaN": math.NaN(), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1), "0.1": 0.1, "5e-324": 5e-324,
	} {
		is.Equal(PrintExpr(num(v)), want)
	}
	is.Equal(PrintExpr(str("é\"\\\n\r\t\x00\u2028😀\ufeff\xed\xa0\x80")), `"é\"\\\n\r\t\x00\u2028😀\ufeff\ud800"`)
	is.Equal(PrintExpr(&BigInt{Text: "12"}), "12n")
	is.Equal(PrintExpr(&RegExp{Pattern: "a/b", Flags: "gu"}), "/a/b/gu")
}

func TestPrintStatementsThatStartLikeSomethingElse(t *testing.T) {
	is := is.New(t)
	a := id("a")
	pattern := &ObjectPattern{Props: []PatternProp{{Key: str("a"), Target: a}}}
	for want, x := range map[string]Expr{
		"({ a });":                object("a", a),
		"({ a }).b;":              dot(object("a", a), "b"),
		"(function () {})();":     call(&FunctionExpr{Func: &Func{}}),
		"(async function () {});": &FunctionExpr{Func: &Func{Async: true}},
		"(class {}).a;":           dot(&ClassExpr{ClassBody: &ClassBody{}}, "a"),
		"(\"use strict\");":       str("use strict"),
		"({ a } = a);":            &Assign{Op: "=", Target: pattern, Value: a},
		"({ a }), a;":             &Sequence{Exprs: []Expr{object("a", a), a}},
		"({ a }) ? a : a;":        &Conditional{Test: object("a", a), Then: a, Else: a},
		"() => {};":               &FunctionExpr{Func: &Func{Arrow: true}},
		"a = function () {};":     &Assign{Op: "=", Target: a, Value: &FunctionExpr{Func: &Func{}}},
	} {
		is.Equal(PrintStmt(&ExprStmt{X: x}, 0), want)
	}
	loop := &For{Init: &VarDecl{Kind: DeclLet, Decls: []Declarator{{Target: a, Init: bin("in", a, a)}}}, Body: &Empty{}}
	is.Equal(PrintStmt(loop, 1), "  for (let a = (a in a); ; ) {}")
	is.Equal(PrintStmt(&If{Test: a, Then: &If{Test: a, Then: &Empty{}}, Else: &Break{}}, 0),
		"if (a) {\n  if (a) {}\n} else {\n  break;\n}")
}

func TestMappingLookup(t *testing.T) {
	is := is.New(t)
	at := func(line int) Pos { return Pos{Line: line, Column: 1} }
	code, m := PrintMapped([]Stmt{
		&ExprStmt{Pos: at(10), X: &Ident{Pos: at(10), Sym: &Symbol{Name: "a"}}},
		&Block{Pos: at(20), Body: []Stmt{&Return{Pos: at(30), X: &Ident{Pos: at(31), Sym: &Symbol{Name: "b"}}}}},
	})
	is.Equal(code, "a;\n{\n  return b;\n}\n")
	for _, c := range []struct{ line, col, want int }{
		{1, 1, 10}, {1, 2, 10}, {2, 1, 20}, {3, 0, 30}, {3, 1, 30}, {3, 5, 30},
		{3, 10, 31}, {3, 99, 31}, {4, 1, 31}, {9, 9, 31},
	} {
		is.Equal(m.Lookup(c.line, c.col).Line, c.want)
	}
	is.Equal(m.Shift(2).Lookup(3, 1).Line, 10)
	is.Equal(m.Shift(2).Lookup(1, 1), Pos{}) // before everything
}
