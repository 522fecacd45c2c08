package planner

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// checkMembers follows the results of tools that declare what they give, through variables, properties, loops and
// callbacks, and reports properties that are not there: an error where the schema has no others, else a warning where one
// of its own is much like it.
func checkMembers(body []ast.Stmt, calls map[*ast.Call]nodes.ToolID, c Catalog) []nodes.Diagnostic {
	m := &memberChecker{calls: calls, catalog: c, types: map[*ast.Symbol]*shape{}, written: map[string]bool{},
		changed: map[*ast.Symbol]bool{}}
	for _, s := range body {
		ast.Walk(s, m.writes)
		for _, sym := range ast.Assigned(s) {
			m.changed[sym] = true
		}
	}
	for _, s := range body {
		ast.Walk(s, m.visit)
	}
	return m.diags
}

type memberChecker struct {
	calls   map[*ast.Call]nodes.ToolID
	catalog Catalog
	// types are the shapes of the variables that are never assigned again; changed are the others.
	types   map[*ast.Symbol]*shape
	changed map[*ast.Symbol]bool
	// written are the names of the properties that the program itself gives to something, or asks for.
	written map[string]bool
	diags   []nodes.Diagnostic
}

// shape is what a schema says of a value.
type shape struct {
	*schema
	// root is the schema that "#/…" refers to.
	root []byte
	tool nodes.ToolID
}

// writes gathers the names of properties that the program sets, or looks for with in.
func (m *memberChecker) writes(n ast.Node) bool {
	name := func(p ast.Node) {
		if x, ok := p.(*ast.Member); ok {
			m.written[x.Name] = true
		}
	}
	switch n := n.(type) {
	case *ast.Assign:
		name(n.Target)
	case *ast.Update:
		name(n.X)
	case *ast.Binary:
		if s, ok := n.X.(*ast.String); ok && n.Op == "in" {
			m.written[s.Value] = true
		}
	case *ast.Call:
		if len(n.Args) > 1 && ast.PrintExpr(n.Callee) == "Object.assign" {
			ast.Walk(n.Args[1], func(n ast.Node) bool {
				if o, ok := n.(*ast.Object); ok {
					for i := range o.Props {
						if key, ok := propertyName(&o.Props[i]); ok {
							m.written[key] = true
						}
					}
				}
				return true
			})
		}
	}
	return true
}

func (m *memberChecker) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.VarDecl:
		for i := range n.Decls {
			m.declare(&n.Decls[i])
		}
	case *ast.ForOf:
		if decl, ok := n.Left.(*ast.VarDecl); ok {
			m.bind(decl.Decls[0].Target, m.items(m.of(n.Right)))
		}
	case *ast.Call:
		m.callback(n)
	case *ast.Member:
		m.member(n)
	}
	return true
}

func (m *memberChecker) declare(d *ast.Declarator) {
	if call, ok := parallelParts(d); ok {
		for i, e := range d.Target.(*ast.ArrayPattern).Elems {
			if e.Target != nil {
				m.bind(e.Target, m.promised(call.Args[0].(*ast.Array).Elems[i]))
			}
		}
		return
	}
	m.bind(d.Target, m.of(d.Init))
}

// callback gives the parameter of xs.map(x => …) and the like the shape of an item.
func (m *memberChecker) callback(call *ast.Call) {
	callee, ok := call.Callee.(*ast.Member)
	if !ok || len(call.Args) == 0 {
		return
	}
	fn, ok := call.Args[0].(*ast.FunctionExpr)
	if !ok {
		return
	}
	item := m.items(m.of(callee.Object))
	params := fn.Params
	switch callee.Name {
	case "map", "filter", "forEach", "find", "findLast", "findIndex", "some", "every", "flatMap":
		params = params[:min(1, len(params))]
	case "sort", "toSorted":
	case "reduce", "reduceRight":
		params = params[min(1, len(params)):min(2, len(params))]
	default:
		return
	}
	for _, p := range params {
		if p.Default == nil && !p.Rest {
			m.bind(p.Target, item)
		}
	}
}

// bind gives a pattern the shape of its value.
func (m *memberChecker) bind(p ast.Pattern, s *shape) {
	if s == nil {
		return
	}
	switch p := p.(type) {
	case *ast.Ident:
		if !m.changed[p.Sym] {
			m.types[p.Sym] = s
		}
	case *ast.ArrayPattern:
		for _, e := range p.Elems {
			if e.Target != nil && !e.Rest {
				m.bind(e.Target, m.items(s))
			}
		}
	case *ast.ObjectPattern:
		for _, e := range p.Props {
			key, ok := e.Key.(*ast.String)
			if !ok || e.Computed || e.Rest || e.Target == nil {
				continue
			}
			if e.Default == nil {
				m.missing(s, key.Value, key.Pos)
			}
			m.bind(e.Target, m.property(s, key.Value))
		}
	}
}

// of is the shape of an expression's value; nil if it is not known.
func (m *memberChecker) of(e ast.Expr) *shape {
	switch e := e.(type) {
	case *ast.Ident:
		return m.types[e.Sym]
	case *ast.Await:
		return m.promised(e.X)
	case *ast.Member:
		return m.property(m.of(e.Object), e.Name)
	case *ast.Index:
		if _, ok := e.Index.(*ast.Number); ok {
			return m.items(m.of(e.Object))
		}
	case *ast.Logical:
		if e.Op == "??" || e.Op == "||" {
			if list, ok := e.Y.(*ast.Array); ok && len(list.Elems) == 0 {
				return m.of(e.X)
			}
		}
	case *ast.Call:
		return m.method(e)
	}
	return nil
}

// promised is what awaiting e gives.
func (m *memberChecker) promised(e ast.Expr) *shape {
	call, ok := e.(*ast.Call)
	if !ok {
		return nil
	}
	tool := m.catalog.Tool(m.calls[call])
	if tool == nil || len(tool.OutputSchema) == 0 {
		return nil
	}
	s := read(&shape{root: tool.OutputSchema, tool: tool.ID}, tool.OutputSchema)
	if s != nil && len(s.Properties) == 1 {
		return nil // it may repeat the text, which is then the result (ARCHITECTURE.md, results)
	}
	return s
}

// method is what a method of an array of known items gives.
func (m *memberChecker) method(call *ast.Call) *shape {
	callee, ok := call.Callee.(*ast.Member)
	if !ok {
		return nil
	}
	list := m.of(callee.Object)
	switch callee.Name {
	case "filter", "slice", "sort", "toSorted", "reverse", "toReversed":
		if m.items(list) != nil {
			return list
		}
	case "find", "findLast", "at", "pop", "shift":
		return m.items(list)
	}
	return nil
}

// member reports o.name where o has no such property.
func (m *memberChecker) member(n *ast.Member) {
	if s := m.of(n.Object); s != nil {
		m.missing(s, n.Name, n.NamePos)
	}
}

func (m *memberChecker) missing(s *shape, name string, at ast.Pos) {
	if typeText(s.Type) != "object" || len(s.Properties) == 0 || s.Properties[name] != nil || len(s.Patterns) > 0 ||
		m.written[name] || ofEveryObject[name] {
		return
	}
	names := propertyNames(s.schema)
	near := nodes.Nearest(name, names)
	severity, hint := nodes.SeverityError, "it has: "+listed(names)
	if s.Additional != false {
		severity = nodes.SeverityWarning
	}
	if near != "" {
		hint = fmt.Sprintf("did you mean `%s`?", near)
	} else if severity == nodes.SeverityWarning {
		return
	}
	m.diags = append(m.diags, nodes.Diagnostic{Code: nodes.CodeError, Severity: severity, Tool: s.tool, Pos: at, Hint: hint,
		Length: width(name), Message: fmt.Sprintf("what %s gives has no property `%s`", s.tool, name)})
}

// ofEveryObject are the properties that an object has from its prototype.
var ofEveryObject = set("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString",
	"toString", "valueOf", "__proto__")

func (m *memberChecker) property(s *shape, name string) *shape {
	if s == nil || s.Properties[name] == nil {
		return nil
	}
	return resolved(&shape{s.Properties[name], s.root, s.tool})
}

// items is the shape of an array's elements.
func (m *memberChecker) items(s *shape) *shape {
	if s == nil || typeText(s.Type) != "array" || len(s.Items) == 0 {
		return nil
	}
	return read(s, s.Items)
}

// read is the shape that a schema's text gives, in the place of s.
func read(s *shape, text []byte) *shape {
	var sub schema
	if json.Unmarshal(text, &sub) != nil {
		return nil
	}
	return resolved(&shape{&sub, s.root, s.tool})
}

// resolved follows a reference into the same schema and drops null from what else the value may be; nil for a choice.
func resolved(s *shape) *shape {
	if s.Ref != "" {
		return referred(s)
	}
	branches := slices.Concat(s.AnyOf, s.OneOf)
	if len(branches) == 0 && len(s.AllOf) == 0 {
		if list, ok := s.Type.([]any); ok {
			list = slices.DeleteFunc(slices.Clone(list), func(t any) bool { return t == "null" })
			if len(list) != 1 {
				return nil
			}
			one := *s.schema
			one.Type = list[0]
			s.schema = &one
		}
		return s
	}
	var only *shape
	for _, text := range branches {
		x := read(s, text)
		if x != nil && typeText(x.Type) == "null" {
			continue
		}
		if only != nil || x == nil {
			return nil
		}
		only = x
	}
	return only
}

// referred follows "#/$defs/Name".
func referred(s *shape) *shape {
	var defs struct {
		Defs        map[string]json.RawMessage `json:"$defs"`
		Definitions map[string]json.RawMessage `json:"definitions"`
	}
	if json.Unmarshal(s.root, &defs) != nil {
		return nil
	}
	text := defs.Defs[strings.TrimPrefix(s.Ref, "#/$defs/")]
	if text == nil {
		text = defs.Definitions[strings.TrimPrefix(s.Ref, "#/definitions/")]
	}
	if text == nil || refers(text) {
		return nil
	}
	return read(s, text)
}

// refers reports whether a schema only stands for others: what refers to itself is not followed for ever.
func refers(text json.RawMessage) bool {
	var sub schema
	return json.Unmarshal(text, &sub) != nil || sub.Ref != "" || len(sub.AnyOf)+len(sub.OneOf)+len(sub.AllOf) > 0
}
