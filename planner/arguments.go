package planner

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// schema is the part of JSON Schema (2020-12) that can be checked on an expression: what is not understood is allowed,
// since every call is checked in full when it is made.
type schema struct {
	Type       any                `json:"type"`
	Properties map[string]*schema `json:"properties"`
	Required   []string           `json:"required"`
	Additional any                `json:"additionalProperties"`
	Items      json.RawMessage    `json:"items"`
	Enum       []any              `json:"enum"`
	AnyOf      []json.RawMessage  `json:"anyOf"`
	OneOf      []json.RawMessage  `json:"oneOf"`
	AllOf      []json.RawMessage  `json:"allOf"`
	Ref        string             `json:"$ref"`
	Patterns   map[string]any     `json:"patternProperties"`
}

// checker compares the argument expressions of one call with the tool's schema.
type checker struct {
	tool      *nodes.Tool
	constants map[*ast.Symbol]ast.Expr
	report    func(nodes.Diagnostic)
}

// checkArguments reports what can be seen to be wrong with a call's arguments before it runs.
func checkArguments(x use, tool *nodes.Tool, constants map[*ast.Symbol]ast.Expr, report func(nodes.Diagnostic)) {
	c := &checker{tool, constants, report}
	var s schema
	if json.Unmarshal(tool.InputSchema, &s) != nil {
		return
	}
	args := x.call.Args
	if len(args) > 1 {
		c.fail(args[1], 1, fmt.Sprintf("%s takes one argument, an object", tool.ID),
			fmt.Sprintf("mcp.%s.%s({ … })", tool.ID.Server(), tool.ID.Name()))
		return
	}
	if len(args) == 0 {
		if len(s.Required) > 0 {
			c.report(nodes.Diagnostic{Code: nodes.InvalidArguments, Pos: x.toolPos, Length: width(x.tool), Tool: tool.ID,
				Message: fmt.Sprintf("%s needs %s", tool.ID, quoted(s.Required)), Hint: c.signature(&s)})
		}
		return
	}
	if s.Type == nil {
		s.Type = "object"
	}
	c.value(args[0], &s, "")
}

func (c *checker) fail(at ast.Node, length int, message, hint string) {
	c.report(nodes.Diagnostic{Code: nodes.InvalidArguments, Message: message, Hint: hint, Pos: at.Position(), Length: length, Tool: c.tool.ID})
}

// value checks one expression; path names it, "" for the argument object itself.
func (c *checker) value(e ast.Expr, s *schema, path string) {
	if id, ok := e.(*ast.Ident); ok && c.constants[id.Sym] != nil {
		e = c.constants[id.Sym]
	}
	if s == nil || s.Ref != "" || len(s.AnyOf)+len(s.OneOf)+len(s.AllOf) > 0 {
		return
	}
	got := staticType(e)
	if got != "" && s.Type != nil && !accepts(s.Type, got) {
		c.fail(e, c.length(e), fmt.Sprintf("%s: %s must be %s, not %s", c.tool.ID, named(path), wanted(s.Type), got), "")
		return
	}
	if lit, ok := e.(*ast.String); ok && len(s.Enum) > 0 && !slices.Contains(s.Enum, any(lit.Value)) {
		c.fail(e, width(lit.Value)+2, fmt.Sprintf("%s: %s must be one of %s", c.tool.ID, named(path), enumText(s.Enum)), "")
	}
	switch e := e.(type) {
	case *ast.Object:
		c.object(e, s, path)
	case *ast.Array:
		var items schema
		if len(s.Items) > 0 && json.Unmarshal(s.Items, &items) == nil {
			for i, x := range e.Elems {
				if x != nil {
					c.value(x, &items, fmt.Sprintf("%s[%d]", path, i))
				}
			}
		}
	}
}

func (c *checker) object(e *ast.Object, s *schema, path string) {
	given := map[string]bool{}
	open := false
	for i := range e.Props {
		p := &e.Props[i]
		key, ok := propertyName(p)
		if !ok {
			open = true
			continue
		}
		given[key] = true
		sub := s.Properties[key]
		if sub == nil && s.Additional == false && len(s.Patterns) == 0 {
			c.unknown(p, key, s, path)
			continue
		}
		if p.Kind == ast.PropInit && !p.Method {
			c.value(p.Value, sub, joinPath(path, key))
		}
	}
	if open {
		return
	}
	for _, name := range s.Required {
		if !given[name] {
			c.fail(e, 1, fmt.Sprintf("%s: %s is missing", c.tool.ID, named(joinPath(path, name))), c.signature(s))
		}
	}
}

func (c *checker) unknown(p *ast.Property, key string, s *schema, path string) {
	names := propertyNames(s)
	hint := "it takes: " + listed(names)
	if near := nodes.Nearest(key, names); near != "" {
		hint = fmt.Sprintf("did you mean `%s`?", near)
	}
	c.fail(p.Key, width(key), fmt.Sprintf("%s has no argument %s", c.tool.ID, named(joinPath(path, key))), hint)
}

func propertyNames(s *schema) []string {
	names := make([]string, 0, len(s.Properties))
	for n := range s.Properties {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

func propertyName(p *ast.Property) (string, bool) {
	if p.Kind == ast.PropSpread || p.Computed {
		return "", false
	}
	switch k := p.Key.(type) {
	case *ast.String:
		return k.Value, true
	case *ast.Number:
		return fmt.Sprint(k.Value), true
	}
	return "", false
}

// signature shows the arguments that a tool takes, the required ones first.
func (c *checker) signature(s *schema) string {
	var parts []string
	for _, n := range s.Required {
		parts = append(parts, n+typeSuffix(s.Properties[n]))
	}
	for _, n := range propertyNames(s) {
		if !slices.Contains(s.Required, n) {
			parts = append(parts, n+"?"+typeSuffix(s.Properties[n]))
		}
	}
	return fmt.Sprintf("mcp.%s.%s({ %s })", c.tool.ID.Server(), c.tool.ID.Name(), strings.Join(parts, ", "))
}

func typeSuffix(s *schema) string {
	if s == nil || s.Type == nil {
		return ""
	}
	return ": " + typeText(s.Type)
}

// staticType is the JSON type that e surely has, "" if that is not known.
func staticType(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.String, *ast.Template:
		return "string"
	case *ast.Number:
		if e.Value == float64(int64(e.Value)) {
			return "integer"
		}
		return "number"
	case *ast.Bool:
		return "boolean"
	case *ast.Null:
		return "null"
	case *ast.Array:
		return "array"
	case *ast.Object:
		return "object"
	case *ast.Unary:
		switch e.Op {
		case "!":
			return "boolean"
		case "typeof":
			return "string"
		case "-", "+":
			return staticType(e.X)
		}
	case *ast.Binary:
		switch e.Op {
		case "==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof":
			return "boolean"
		}
	}
	return ""
}

func accepts(want any, got string) bool {
	switch want := want.(type) {
	case string:
		return want == got || want == "number" && got == "integer"
	case []any:
		for _, w := range want {
			if accepts(w, got) {
				return true
			}
		}
		return false
	}
	return true
}

func wanted(t any) string {
	text := typeText(t)
	if strings.Contains(text, "|") {
		return text
	}
	if strings.ContainsAny(text[:1], "aeiou") {
		return "an " + text
	}
	return "a " + text
}

func typeText(t any) string {
	switch t := t.(type) {
	case string:
		return t
	case []any:
		var parts []string
		for _, x := range t {
			parts = append(parts, typeText(x))
		}
		return strings.Join(parts, " | ")
	}
	return "any"
}

func enumText(list []any) string {
	var parts []string
	for _, x := range list {
		b, _ := json.Marshal(x)
		parts = append(parts, string(b))
	}
	return strings.Join(parts, ", ")
}

func quoted(names []string) string {
	return "`" + strings.Join(names, "`, `") + "`"
}

func named(path string) string {
	if path == "" {
		return "the argument"
	}
	return "`" + path + "`"
}

func joinPath(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// length is how much of e the caret underlines.
func (c *checker) length(e ast.Expr) int {
	switch e := e.(type) {
	case *ast.String:
		return width(e.Value) + 2
	case *ast.Ident:
		return width(e.Sym.Name)
	case *ast.Number, *ast.Bool, *ast.Null:
		return len(ast.PrintExpr(e))
	}
	return 1
}
