package syntax

import (
	"strings"
	"testing"

	"github.com/casys-ai/pml/nodes/ast"
	"github.com/matryer/is"
)

// deep are ways to nest; before, repeated, in the middle, repeated after.
var deep = map[string][4]string{
	"parens":        {"x = ", "(", "1", ")"},
	"arrays":        {"x = ", "[", "", "]"},
	"objects":       {"x = ", "{a:", "1", "}"},
	"blocks":        {"", "{", "x()", "}"},
	"calls in args": {"", "f(", "", ")"},
	"not":           {"x = ", "!", "a", ""},
	"minus":         {"x = ", "- ", "a", ""},
	"typeof":        {"x = ", "typeof ", "a", ""},
	"await":         {"x = ", "await ", "a", ""},
	"new":           {"x = ", "new ", "A", ""},
	"members":       {"a", ".b", "", ""},
	"chains":        {"a", "?.b", "", ""},
	"call chain":    {"f", "()", "", ""},
	"index chain":   {"f", "[0]", "", ""},
	"tags":          {"f", "``", "", ""},
	"binary":        {"x = a", "+ b", "", ""},
	"logical":       {"x = a", " ?? b", "", ""},
	"power":         {"x = a", "** b", "", ""},
	"assign":        {"", "a = ", "1", ""},
	"arrows":        {"x = ", "a => ", "1", ""},
	"async arrows":  {"x = ", "async a => ", "1", ""},
	"conditional":   {"x = ", "a ? b : ", "1", ""},
	"conditional 2": {"x = ", "a ? ", "1", " : 2"},
	"if":            {"", "if (a) ", "b()", ""},
	"if lines":      {"", "if (a)\n", "b()", ""},
	"else if":       {"", "if (a) b(); else ", "c()", ""},
	"else if block": {"", "if (a) { b() }\nelse ", "c()", ""},
	"for":           {"", "for (;;) ", "b()", ""},
	"while lines":   {"", "while (a)\n", "b()", ""},
	"do":            {"", "do ", "b()", " while (a)"},
	"labels":        {"", "if (a)\nl: ", "b()", ""},
	"templates":     {"x = ", "`${", "1", "}`"},
	"functions":     {"", "function f() {", "", "}"},
	"classes":       {"x = ", "class { a = ", "1", "}"},
	"extends":       {"x = ", "class extends ", "A", "{}"},
	"types":         {"let x: ", "A<", "B", ">"},
	"type arrays":   {"let x: A", "[]", "", ""},
	"conditionals":  {"type T = ", "A extends B ? C : ", "D", ""},
	"keyof":         {"type T = ", "keyof ", "D", ""},
	"spread":        {"x = ", "[...", "a", "]"},
	"destructuring": {"let ", "[", "a", "] = b"},
	"as":            {"x = a", " as B", "", ""},
	"non-null":      {"x = a", "!", "", ""},
	"namespaces":    {"namespace a", ".a", " { export let x = 1 }", ""},
	"switch":        {"", "switch (a) { case 1: ", "", "}"},
	"try":           {"", "try {", "", "} catch {}"},
	"generic calls": {"x = ", "f<A>(", "1", ")"},
	"yield":         {"function* g() { ", "yield ", "1", ""},
	"string hides":  {"x = ", "(')', ", "1", ")"},
	"regex hides":   {"x = ", "(/[)\\]]/, ", "1", ")"},
}

func nested(d [4]string, n int) string {
	return d[0] + strings.Repeat(d[1], n) + d[2] + strings.Repeat(d[3], n)
}

func TestDeepNestingIsAnError(t *testing.T) {
	for name, d := range deep {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			n := (maxSource - 100) / len(d[1]+d[3])
			_, diags := Parse(nested(d, n))
			is.True(len(diags) > 0)
			is.Equal(diags[0].Message, "the program is nested too deeply")
		})
	}
	_, diags := Parse(strings.Repeat("a()\n", maxSource/4+1))
	is.New(t).Equal(diags[0].Message, "the program is longer than 1 MB")
}

func TestModerateNestingIsNot(t *testing.T) {
	for name, d := range deep {
		t.Run(name, func(t *testing.T) {
			if _, ok := checkNesting(nested(d, 200)); !ok {
				t.Errorf("%s: too deep", name)
			}
			program, _ := Parse(nested(d, 200))
			if program != nil {
				ast.PrintStmts(program.Body)
			}
		})
	}
}

// TestLongProgramsAreNotDeep reads programs that are long and flat, in the styles people write them.
func TestLongProgramsAreNotDeep(t *testing.T) {
	for name, line := range map[string]string{
		"no semicolons": "const a = f(x).g(y => y.z + 1) ?? [1, 2].map(String)\n",
		"semicolons":    "const a = f(x).g(y => y.z + 1); if (a) { b() } else { c() } ",
		"functions":     "function f(a) { return a ? b : c }\n",
		"one line":      "function f(a) { return a ? b : c } ",
		"array":         "[1, -2, 'x', { a: b.c.d() }],\n",
		"if else":       "if (a) b()\nelse if (c) d()\n",
		"comments":      "// it's (((( a comment\n/* {{{ */ a.b.c()\n",
		"division":      "x = a / b; y = c / (d + e)\n",
		"regex":         "x = a.replace(/[(\\/]+/g, '(').split(/\\(/)\n",
		"templates":     "x = `a ${b.map((c) => `(${c}`)} ((`\n",
		"labels":        "case 'a':\n  f(a)\n  break\n",
	} {
		text := strings.Repeat(line, 200_000/len(line))
		if name == "array" {
			text = "x = [" + text + "]"
		}
		if offset, ok := checkNesting(text); !ok {
			t.Errorf("%s: too deep at %d: %.60q", name, offset, text[max(0, offset-30):])
		}
	}
}
