package expr_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/expr"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/casys-ai/pml/planner/syntax"
)

// fixture is the data that every snippet may use, as JavaScript.
type fixture struct{ name, source string }

var fixtures = []fixture{
	{"nums", `[5, 1, 4, 2, 3]`},
	{"mixed", `[3, "10", null, true, "abc", undefined, -0, NaN, 1.5, [1, 2], {a: 1}]`},
	{"empty", `[]`},
	{"words", `["pear", "Apple", "fig", "apple", "banana", "fig", "éclair", "Zoo"]`},
	{"items", `[
		{id: 1, name: "Widget", price: 9.99, qty: 3, tags: ["a", "b"], cat: "tools", at: "2024-03-01T10:00:00Z"},
		{id: 2, name: "Gadget", price: 24.5, qty: 0, tags: [], cat: "toys", at: "2024-01-15T08:30:00Z"},
		{id: 3, name: "Doohickey", price: 4.25, qty: 12, tags: ["b", "c"], cat: "tools", at: "2024-02-10T23:59:59.999Z"},
		{id: 4, name: "Gizmo", price: 99, qty: 1, tags: ["a"], cat: "misc", at: "2023-12-31T00:00:00+02:00"},
		{id: 5, name: "Thing", price: 24.5, qty: 7, tags: ["c", "d", "a"], cat: "toys", at: "2024-03-01"}]`},
	{"nested", `[1, [2, [3, [4, [5]]]], [], [[]]]`},
	{"text", `"The quick brown fox jumps over the lazy dog"`},
	{"lines", `"alpha,1,x\nbeta,2,\"y, z\"\n\ngamma,3,\n"`},
	{"astral", `"a😀b𝒳c"`},
	{"lone", `"x\uD83Dy\uDE00z"`},
	{"padded", `"  \t pad me \n "`},
	{"blank", `""`},
	{"log", `"2024-05-01T12:00:01Z ERROR [db] connection lost (code=17)\n2024-05-01T12:00:05Z INFO [web] GET /users/42 200 13ms\n" +
		"2024-05-01T12:01:00Z WARN [web] slow query 1503ms\n2024-05-01T12:02:30Z ERROR [web] GET /items 500 2ms\n"`},
	{"obj", `{b: 2, a: 1, "10": "ten", "2": "two", nested: {x: [1, 2, {y: "deep"}]}, nil: null, un: undefined}`},
	{"users", `[
		{name: "Ann", email: "ann@example.com", age: 34, address: {city: "Oslo", zip: null}, roles: ["admin", "dev"]},
		{name: "Bob", email: "bob@test.org", age: 27, address: {city: "Rome"}, roles: ["dev"]},
		{name: "Cyd", email: null, age: 41, roles: []},
		{name: "Dee", email: "dee@example.com", age: 27, address: null, roles: ["ops", "dev"]}]`},
	{"json", `'{"a":[1,2,{"b":null}],"c":"\\u00e9\\ud83d\\ude00","d":1e3,"__x":true}'`},
	{"nul", `null`},
	{"un", `undefined`},
	{"num", `1234.5678`},
	{"big", `12345678901234567890`},
	{"neg", `-0`},
	{"nan", `NaN`},
	{"yes", `true`},
	{"page", `{items: [1, 2, 3], total: 23, perPage: 5, next: "tok"}`},
	{"err", `new TypeError("bad thing", {cause: {code: 7}})`},
}

// snippet is statements that end in return, as a node would evaluate them.
type snippet struct {
	source string
	vars   []string
}

// code parses a snippet and makes the fixtures that it uses its inputs.
func (s snippet) code(t testing.TB) (*nodes.Code, []string) {
	t.Helper()
	var b strings.Builder
	for _, f := range fixtures {
		b.WriteString("let " + f.name + ";")
	}
	b.WriteString("{" + s.source + "\n}")
	prog, diags := syntax.Parse(b.String())
	if prog == nil {
		t.Fatalf("%s\ndoes not parse: %v", s.source, diags)
	}
	c := &nodes.Code{}
	var used []string
	for i, f := range fixtures {
		d, ok := prog.Body[i].(*ast.VarDecl)
		if !ok {
			t.Fatalf("%s\nfixtures were not parsed one by one", s.source)
		}
		sym := d.Decls[0].Target.(*ast.Ident).Sym
		if !strings.Contains(s.source, f.name) {
			continue
		}
		c.Params = append(c.Params, sym)
		used = append(used, f.name)
	}
	c.Owned = make([]bool, len(c.Params))
	c.Body = prog.Body[len(fixtures)].(*ast.Block).Body
	if n := len(c.Body); n > 0 {
		if r, ok := c.Body[n-1].(*ast.Return); ok {
			c.Body, c.Result = c.Body[:n-1], r.X
		}
	}
	for _, name := range s.vars {
		for i, p := range c.Params {
			if p.Name == name {
				c.Vars = append(c.Vars, c.Params[i])
			}
		}
	}
	return c, used
}

func (s snippet) mustCode(t testing.TB) *nodes.Code {
	c, _ := s.code(t)
	return c
}

// inputs evaluates fixtures with this package itself: Node sees the same sources.
func inputs(t testing.TB, names []string) []value.Value {
	t.Helper()
	var out []value.Value
	for _, name := range names {
		for _, f := range fixtures {
			if f.name != name {
				continue
			}
			prog, diags := syntax.Parse("return (" + f.source + ")")
			if prog == nil {
				t.Fatal(diags)
			}
			p, err := expr.Compile(&nodes.Code{Result: prog.Body[0].(*ast.Return).X})
			if err != nil {
				t.Fatal(f.name, err)
			}
			v, err := p.Run(nil)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, v[0])
		}
	}
	return out
}

// encode writes a value as testdata/node.mjs does.
func encode(v value.Value) string {
	switch v := value.Force(v).(type) {
	case value.Undefined:
		return "undefined"
	case value.Null:
		return "null"
	case value.Bool:
		if v {
			return "true"
		}
		return "false"
	case value.Number:
		if v == 0 && 1/v < 0 {
			return "-0"
		}
		return value.NumberToString(float64(v))
	case value.String:
		s, _, _ := value.Stringify(v)
		return s
	case *value.Array:
		parts := make([]string, len(v.Elems))
		for i, e := range v.Elems {
			if e == nil {
				parts[i] = "hole"
			} else {
				parts[i] = encode(e)
			}
		}
		return "[" + strings.Join(parts, ",") + "]"
	case *value.Object:
		return "{" + encodeProps(v) + "}"
	case *value.Error:
		props, cause := "", ""
		if v.Props != nil {
			props = encodeProps(v.Props)
		}
		if v.Cause != nil {
			cause = " cause " + encode(v.Cause)
		}
		return "Error<" + v.Name + "|" + encode(value.String(v.Message)) + "|" + props + cause + ">"
	}
	return "<internal>"
}

func encodeProps(o *value.Object) string {
	var parts []string
	for k, e := range o.All() {
		parts = append(parts, encode(value.String(k))+":"+encode(e))
	}
	return strings.Join(parts, ",")
}

// node runs the sources in one Node process.
func node(t testing.TB, sources []string) []string {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("SKIPPED: node is not installed, so nothing was compared with JavaScript")
	}
	in, err := json.Marshal(sources)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "testdata/node.mjs")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	cmd.Env = append(os.Environ(), "TZ=UTC")
	raw, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	list, err := value.ParseJSON(string(raw))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, v := range list.(*value.Array).Elems {
		out = append(out, string(v.(value.String)))
	}
	return out
}

// forNode writes a snippet as Node is to run it.
func (s snippet) forNode() string {
	var b strings.Builder
	for _, f := range fixtures {
		if strings.Contains(s.source, f.name) {
			b.WriteString("let " + f.name + " = " + f.source + ";")
		}
	}
	if len(s.vars) == 0 {
		return b.String() + "{" + s.source + "\n}"
	}
	body := "const $r = (() => {" + s.source + "\n})();"
	return b.String() + body + "return [$r, " + strings.Join(s.vars, ", ") + "];"
}

// outcome is what this package makes of a snippet; refused says why it is none.
func outcome(t testing.TB, s snippet) (got, refused string) {
	t.Helper()
	c, names := s.code(t)
	p, err := expr.Compile(c)
	if err != nil {
		var u *expr.Unsupported
		if !errors.As(err, &u) {
			t.Fatalf("%s\nCompile gives another error: %v", s.source, err)
		}
		return "", u.Reason
	}
	in := inputs(t, names)
	before := encode(value.NewArray(in...))
	out, err := p.Run(in)
	if after := encode(value.NewArray(in...)); after != before {
		t.Errorf("%s\nchanged its inputs from\n%s\nto\n%s", s.source, before, after)
	}
	var exception *expr.Exception
	var late *expr.Unsupported
	switch {
	case errors.As(err, &exception):
		return "throws " + encode(exception.Throw.Value), ""
	case errors.As(err, &late):
		return "", "at run time: " + late.Reason
	case err != nil:
		return "fails: " + err.Error(), ""
	case len(s.vars) > 0:
		return encode(value.NewArray(out...)), ""
	case len(out) == 0:
		return "undefined", ""
	}
	return encode(out[0]), ""
}

// compare holds snippets against Node and gives the share refused.
func compare(t *testing.T, list []snippet) { t.Helper(); compareWith(t, list, false) }

// complaints are V8's messages that quote the program.
var complaints = regexp.MustCompile(`TypeError(\|"|",").*is not (a function|iterable)[^|"]*`)

// sameComplaint reports whether outcomes differ only in how they quote the program: the parser folds constants that no
// person writes before this package sees them.
func sameComplaint(got, want string) bool {
	strip := func(s string) string { return complaints.ReplaceAllString(s, "complaint") }
	return strings.Contains(got, "is not") && strip(got) == strip(want)
}

// compareWith is compare; folded says that constants may have been folded.
func compareWith(t *testing.T, list []snippet, folded bool) {
	t.Helper()
	list = slices.Clone(list)
	for i, s := range list { // a return in the middle needs a function around it
		c, _ := s.code(t)
		var u *expr.Unsupported
		if errors.As(expr.Check(c), &u) && strings.HasPrefix(u.Reason, "a return from") {
			list[i].source = "return (() => {" + s.source + "\n})()"
		}
	}
	sources := make([]string, len(list))
	for i, s := range list {
		sources[i] = s.forNode()
	}
	want := node(t, sources)
	refusals, late := 0, 0
	for i, s := range list {
		got, refused := outcome(t, s)
		if refused != "" {
			refusals++
			if strings.HasPrefix(refused, "at run time") {
				late++
			}
			if testing.Verbose() {
				t.Logf("refused: %s\n\t%s", s.source, refused)
			}
			continue
		}
		if got != want[i] && !(folded && sameComplaint(got, want[i])) {
			t.Errorf("%s\n  gives %s\n  Node: %s", s.source, got, want[i])
		}
	}
	t.Logf("%d snippets, %d refused (%.1f %%), %d of them at run time", len(list), refusals,
		100*float64(refusals)/float64(len(list)), late)
}
