package expr_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/expr"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/casys-ai/pml/planner/syntax"
)

// grammar writes random programs.
type grammar struct {
	pick func(n int) int
	vars []string
}

func (g *grammar) one(list ...string) string { return list[g.pick(len(list))] }

func (g *grammar) leaf() string {
	if len(g.vars) > 0 && g.pick(3) == 0 {
		return g.vars[g.pick(len(g.vars))]
	}
	return g.one("0", "1", "-1", "2.5", "NaN", "''", "'a'", "'12'", "'😀x'", "null", "undefined", "true", "false", "[]", "{a: 1}",
		"[1, 'b']", "nums", "words", "obj", "text", "num", "nul", "items", "users", "mixed", "blank", "astral")
}

func (g *grammar) expr(depth int) string {
	if depth <= 0 {
		return g.leaf()
	}
	x := func() string { return g.expr(depth - 1) }
	switch g.pick(16) {
	case 0, 1:
		op := g.one("+", "-", "*", "/", "%", "===", "==", "<", ">=", "!=", "&&", "||", "??", "&", "|", ">>>", "<<")
		return "((" + x() + ") " + op + " (" + x() + "))"
	case 2:
		return g.one("!", "-", "+", "~", "typeof ", "void ") + "(" + x() + ")"
	case 3:
		return "(" + x() + " ? " + x() + " : " + x() + ")"
	case 4:
		return "(" + x() + ")" + g.one(".length", ".a", "[0]", "[-1]", "?.a", "?.[0]", ".name", "['x']", "?.b?.c")
	case 5:
		return "(" + x() + ")[" + x() + "]"
	case 6:
		return "[" + x() + ", ..." + g.one("nums", "[1]", "'ab'", "words", "("+x()+")") + "]"
	case 7:
		return "({a: " + x() + ", [" + x() + "]: " + x() + ", ...(" + x() + ")})"
	case 8, 9:
		m := g.one("slice", "concat", "includes", "indexOf", "at", "join", "split", "padStart", "repeat", "charAt", "toFixed",
			"toString", "flat", "lastIndexOf", "substring", "with", "toSpliced", "startsWith", "replace", "trim", "toUpperCase")
		if m == "repeat" || m == "padStart" || m == "toFixed" {
			return "(" + x() + ")." + m + "(" + g.one("0", "1", "3", "'2'", "-1") + ")"
		}
		return "(" + x() + ")." + m + "(" + g.one("", x(), x()+", "+x()) + ")"
	case 10, 11:
		name := fmt.Sprintf("v%d", len(g.vars))
		g.vars = append(g.vars, name)
		body := g.expr(depth - 1)
		g.vars = g.vars[:len(g.vars)-1]
		m := g.one("map", "filter", "find", "some", "every", "findIndex", "flatMap", "toSorted", "findLast")
		return "(" + g.one("nums", "words", "items", "mixed", x()) + ")." + m + "(" + name + " => (" + body + "))"
	case 12:
		f := g.one("String", "Number", "Boolean", "Object.keys", "Object.values", "Object.entries", "JSON.stringify", "Array.isArray",
			"Math.max", "Math.floor", "parseInt", "isNaN", "Array.from", "Object.fromEntries", "Number.isInteger")
		return f + "(" + x() + ")"
	case 13:
		return "`<${" + x() + "}|${" + x() + "}>`"
	case 14:
		return "(({a, b = " + x() + ", ...r}) => [a, b, r])(" + x() + ")"
	}
	return "((p, q = " + x() + ") => [p, q])(" + x() + ")"
}

func (g *grammar) program() string {
	var b strings.Builder
	n := g.pick(4)
	for i := range n {
		name := fmt.Sprintf("k%d", i)
		switch g.pick(6) {
		case 0:
			fmt.Fprintf(&b, "let %s = []; for (const e of %s) { if (%s) continue; %s.push(e); } ", name,
				g.one("nums", "words", "items", "'abc'"), g.expr(2), name)
		case 1:
			fmt.Fprintf(&b, "let %s = {}; for (const e of %s) { %s[e] = %s; } ", name, g.one("nums", "words", "mixed"), name, g.expr(1))
		case 2:
			fmt.Fprintf(&b, "let %s; try { %s = %s; } catch (e) { %s = [e.name, e.message]; } ", name, name, g.expr(3), name)
		case 3:
			fmt.Fprintf(&b, "let %s = %s; %s.push(%s); ", name, g.one("nums", "words", "[...mixed]"), name, g.expr(2))
		case 4:
			fmt.Fprintf(&b, "let %s = %s; %s.z = %s; ", name, g.one("obj", "items[0]", "{...obj}"), name, g.expr(2))
		default:
			fmt.Fprintf(&b, "let %s = %s; ", name, g.expr(2))
		}
		g.vars = append(g.vars, name)
	}
	return b.String() + "return " + g.expr(3)
}

// TestRandom compares random programs with Node.
func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var list []snippet
	for range 4000 {
		g := &grammar{pick: r.IntN}
		list = append(list, snippet{source: g.program()})
	}
	compareWith(t, list, true)
}

// FuzzRun looks for programs that make the evaluator panic.
func FuzzRun(f *testing.F) {
	f.Add([]byte("seed"))
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
	f.Fuzz(func(t *testing.T, data []byte) {
		g := &grammar{pick: func(n int) int {
			if len(data) == 0 {
				return 0
			}
			k := int(data[0]) % n
			data = data[1:]
			return k
		}}
		s := snippet{source: g.program()}
		outcome(t, s)
	})
}

// FuzzSource runs whatever parses.
func FuzzSource(f *testing.F) {
	for _, s := range agents(f) {
		f.Add(s.source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		prog, _ := syntax.Parse(source)
		if prog == nil {
			return
		}
		c := (snippet{source: "return 1"}).mustCode(t)
		c.Body, c.Result = prog.Body, nil
		if n := len(c.Body); n > 0 {
			if r, ok := c.Body[n-1].(*ast.Return); ok {
				c.Body, c.Result = c.Body[:n-1], r.X
			}
		}
		p, err := expr.Compile(c)
		if err != nil {
			return
		}
		_, err = p.Run(nil)
		var exception *expr.Exception
		if errors.As(err, &exception) && exception.Throw.Value.Kind() > value.KindLazy {
			t.Fatal("an internal value was thrown")
		}
	})
}
