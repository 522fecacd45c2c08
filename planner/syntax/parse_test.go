package syntax

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/casys-ai/pml/nodes/ast"
	"github.com/matryer/is"
)

// body prints what Parse makes of a program that must be right.
func body(t *testing.T, source string) string {
	t.Helper()
	program, diags := Parse(source)
	if len(diags) > 0 {
		t.Fatalf("%s\n%v", source, diags)
	}
	return strings.TrimSpace(ast.PrintStmts(program.Body))
}

func TestWrappersAreTakenOff(t *testing.T) {
	const plain = "const x = await mcp.a.b(args);\nreturn x;"
	inner := "const x = await mcp.a.b(args);\n  return x;\n"
	for name, source := range map[string]string{
		"plain":               inner,
		"fence":               "```ts\n" + inner + "```",
		"fence with info":     "\n  ```typescript title=\"x\"\r\n" + inner + "\n```\n\n",
		"fence, not closed":   "```\n" + inner,
		"longer fence":        "````js\n" + inner + "````",
		"tilde fence":         "~~~\n" + inner + "~~~\n",
		"arrow":               "async () => {" + inner + "}",
		"arrow in parens":     "(async () => {" + inner + "});",
		"called arrow":        "(async () => {" + inner + "})()",
		"awaited arrow":       "await (async () => {" + inner + "})();",
		"returned arrow":      "return await (async () => {" + inner + "})();",
		"function expression": "(async function () {" + inner + "})()",
		"named expression":    "(async function run() {" + inner + "})()",
		"main":                "async function main() {" + inner + "}\nmain();",
		"main, first called":  "async function main() {" + inner + "}\n\nawait main()",
		"main, returned":      "async function run() {" + inner + "}\nreturn run();",
		"main, return await":  "async function run() {" + inner + "}\nreturn await run();",
		"main alone":          "// does it\nasync function main(): Promise<any> {" + inner + "} // end",
		"const main":          "const main = async () => {" + inner + "};\nawait main();",
		"export default":      "export default async function main() {" + inner + "}",
		"default anonymous":   "export default async function () {" + inner + "}",
		"default arrow":       "export default async () => {" + inner + "}",
		"default by name":     "async function main() {" + inner + "}\nexport default main;",
		"export":              "export async function main() {" + inner + "}",
		"export const":        "export const main = async () => {" + inner + "};",
		"default and called":  "export default async function main() {" + inner + "}\nmain();",
		"args parameter":      "async (args: any) => {" + inner + "}",
		"other name of args":  "async function main(input) {" + strings.ReplaceAll(inner, "args", "input") + "}\nmain(args)",
		"mcp parameter":       "export default async function ({ mcp, args }: Ctx) {" + inner + "}",
		"renamed mcp":         "async ({ mcp: m }) => {" + strings.ReplaceAll(inner, "mcp", "m") + "}",
		"two parameters":      "async (mcp, args) => {" + inner + "}",
		"nested":              "```ts\nexport default async () => { return await (async () => {" + inner + "})(); }\n```",
		"types beside":        "type T = number;\nasync function main() {" + inner + "}\nmain();",
		"not async":           "function main() { return mcp.a.b(args); }\nmain()",
	} {
		t.Run(name, func(t *testing.T) {
			want := plain
			if name == "not async" {
				want = "return mcp.a.b(args);"
			}
			if name == "called arrow" || strings.HasPrefix(name, "main") {
				program, _ := Parse(source)
				is.New(t).True(program.Wrapped)
			}
			is.New(t).Equal(body(t, source), want)
		})
	}
}

func TestDeclarationsBesideTheWrapperStay(t *testing.T) {
	is := is.New(t)
	got := body(t, "const x = 1;\nfunction f() { return x; }\nasync function main() { const x = f(); return x; }\nmain();")
	is.Equal(got, "const x = 1;\nfunction f() {\n  return x;\n}\nconst x$2 = f();\nreturn x$2;")
}

func TestUnsoundWrappersStay(t *testing.T) {
	for name, source := range map[string]string{
		"recursive":       "async function main() { return main(); }\nmain();",
		"mentioned":       "async function main() { return 1; }\nconsole.log(main);\nmain();",
		"effects before":  "async function main() { return 1; }\nconsole.log(1);\nawait main();",
		"this":            "async function main() { return this; }\nmain();",
		"arguments":       "async function main() { return arguments.length; }\nmain();",
		"generator":       "async function* main() { yield 1; }\nmain();",
		"other parameter": "async (query) => { return query; }",
		"default value":   "async (args = {}) => { return args; }",
		"assigned":        "async (args) => { args = {}; return args; }",
		"own value":       "async function main(args) { return args; }\nmain({ a: 1 });",
		"then":            "async function main() { return 1; }\nmain().then((x) => x);",
		"called twice":    "async function main() { return 1; }\nmain(); main();",
		"too few":         "async function main(args) { return args; }\nmain();",
	} {
		t.Run(name, func(t *testing.T) {
			program, diags := Parse(source)
			is.New(t).Equal(len(diags), 0)
			is.New(t).True(!program.Wrapped)
		})
	}
}

func TestWhatIsAllowed(t *testing.T) {
	for _, source := range []string{
		"if (a) return; await b; return c;", "export {};\nreturn 1", "import type { A } from 'a'; return 1",
		"require('x'); const require2 = require;", "return this", "return await import('x')", "#!/usr/bin/env node\nreturn 1",
		"const mcp2 = mcp; return args?.x", "'use strict'; return 1", "declare const mcp: any; return mcp",
		"export interface A {}\nreturn 1",
	} {
		if _, diags := Parse(source); len(diags) > 0 {
			t.Errorf("%s: %v", source, diags)
		}
	}
}

func TestSymbols(t *testing.T) {
	is := is.New(t)
	program, diags := Parse("var v = 1; var v = 2; function f(p, p2 = v) { try { p } catch (c) { c } return f; }\n" +
		"class K { m() { return K; } } let l = K; { const l = () => mcp; l(); } Number(l); const Number2 = f;")
	is.Equal(len(diags), 0)
	kinds := map[string]ast.SymbolKind{}
	pointers := map[string]map[*ast.Symbol]bool{}
	ast.WalkAll(program.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			kinds[id.Sym.Unique] = id.Sym.Kind
			if pointers[id.Sym.Unique] == nil {
				pointers[id.Sym.Unique] = map[*ast.Symbol]bool{}
			}
			pointers[id.Sym.Unique][id.Sym] = true
			is.Equal(id.Sym.Decl.IsValid(), id.Sym.Kind != ast.SymUnbound) // what is declared has a place
		}
		return true
	})
	is.Equal(kinds, map[string]ast.SymbolKind{
		"v": ast.SymVar, "f": ast.SymFunction, "p": ast.SymParam, "p2": ast.SymParam, "c": ast.SymCatch, "K": ast.SymClass,
		"l": ast.SymLet, "l$2": ast.SymConst, "mcp": ast.SymUnbound, "Number": ast.SymUnbound, "Number2": ast.SymConst,
	})
	for name, set := range pointers {
		if len(set) != 1 {
			t.Errorf("%s has %d symbols", name, len(set))
		}
	}
}

func TestNamesDoNotCollide(t *testing.T) {
	is := is.New(t)
	got := body(t, "{ const args = 1; use(args); } { let JSON = 2, x$2 = 3, x = 4; use(JSON, x, x$2); } use(JSON, x)")
	is.Equal(strings.Join(strings.Fields(got), " "), "{ const args$2 = 1; use(args$2); } "+
		"{ let JSON$2 = 2, x$2 = 3, x$3 = 4; use(JSON$2, x$3, x$2); } use(JSON, x);")
}

func TestFunctionsSayWhatTheyUse(t *testing.T) {
	is := is.New(t)
	program, _ := Parse("const a = () => this; function b() { return () => this; }\n" +
		"function c() { return () => arguments; } function d() { return function () { return this; }; }\n" +
		"const e = { m() { return super.x; } }; function f() { new.target; }\n" +
		"function g() { class A { x = this; [this.y]() {} } } function h() { class A { x = this; static { this; } } }")
	got := map[string][2]bool{}
	ast.WalkAll(program.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FunctionDecl:
			got[n.Name.Sym.Name] = [2]bool{n.UsesThis, n.UsesArguments}
		case *ast.Object:
			fn := n.Props[0].Value.(*ast.FunctionExpr)
			got["e.m"] = [2]bool{fn.UsesThis, fn.UsesArguments}
		}
		return true
	})
	is.Equal(got, map[string][2]bool{"b": {true, false}, "c": {false, true}, "d": {}, "e.m": {true, false},
		"f": {true, false}, "g": {true, false}, "h": {}})
}

func TestEsbuildVersionsAgree(t *testing.T) {
	is := is.New(t)
	mod, err := os.ReadFile("../../go.mod")
	is.NoErr(err)
	version := func(module string) string {
		m := regexp.MustCompile(regexp.QuoteMeta(module) + ` (v\S+)`).FindSubmatch(mod)
		is.True(m != nil)
		return string(m[1])
	}
	is.Equal(version("github.com/ije/esbuild-internal"), version("github.com/evanw/esbuild"))
}
