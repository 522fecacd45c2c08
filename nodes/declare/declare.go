// Package declare tells an agent in TypeScript what it can call: declarations made of JSON Schemas.
//
//	nodes.Tool ─┬─ Signature   one line, for where room is short
//	            ├─ Tool        with comments, for one that was asked for
//	            ├─ Module      all of them, as a file that the TypeScript compiler accepts
//	            └─ Fit         as many as a number of tokens holds, dealt fairly over the servers
package declare

import (
	"fmt"
	"strings"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// Shapes gives what was learned about the results of tools that declare none; it may be nil.
type Shapes func(nodes.ToolID) *Shape

func (s Shapes) of(id nodes.ToolID) *Shape {
	if s == nil {
		return nil
	}
	return s(id)
}

// Signature is a tool on one line, as it is called: `read_file({ path: string; head?: number }): string`. What it gives
// is meant after await.
func Signature(t *nodes.Tool, learned *Shape) string {
	return propertyName(t.ID.Name()) + "(" + arguments(t, "", false) + "): " + resultType(t, learned, false)
}

// Tool is the declaration of a tool with what is known about it, as a member of its server's object.
func Tool(t *nodes.Tool, learned *Shape) string {
	var b strings.Builder
	text := strings.TrimSpace(t.Description)
	if text == "" {
		text = t.Title
	}
	b.WriteString(comment(text, ""))
	fmt.Fprintf(&b, "%s(%s): Promise<%s>;", propertyName(t.ID.Name()), arguments(t, "args", true), resultType(t, learned, true))
	return b.String()
}

// Call is how a program names a tool: mcp.server.tool, or with brackets where a name is no identifier.
func Call(id nodes.ToolID) string {
	return "mcp" + member(id.Server()) + member(id.Name())
}

func member(name string) string {
	if identifier.MatchString(name) {
		return "." + name
	}
	return "[" + quote(name) + "]"
}

// Module declares mcp with all tools, and args, as a file that the TypeScript compiler accepts.
func Module(tools []*nodes.Tool, shapes Shapes) string {
	var b strings.Builder
	b.WriteString("/** The parameters of the program. */\ndeclare const args: Record<string, any>;\n\ndeclare const mcp: {\n")
	server := ""
	for _, t := range tools {
		if s := t.ID.Server(); s != server {
			if server != "" {
				b.WriteString("  };\n")
			}
			server = s
			fmt.Fprintf(&b, "  readonly %s: {\n", propertyName(s))
		}
		b.WriteString(indent(Tool(t, shapes.of(t.ID)), "    ") + "\n")
	}
	if server != "" {
		b.WriteString("  };\n")
	}
	b.WriteString("};\n")
	return b.String()
}

func indent(text, by string) string {
	return by + strings.ReplaceAll(text, "\n", "\n"+by)
}

// arguments is the parameter list; without a name just its type, as in a call, or nothing where a tool takes none.
func arguments(t *nodes.Tool, name string, comments bool) string {
	w := newWriter(t.InputSchema, comments)
	o, _ := w.root.(*value.Object)
	if o == nil {
		o = value.NewObject(0)
	}
	must := len(required(o)) > 0
	switch {
	case name != "" && must:
		return name + ": " + w.typ(o, 0)
	case name != "":
		return name + "?: " + w.typ(o, 0)
	case !must && !isTrue(hasProperties(o)):
		return ""
	}
	return w.typ(o, 0)
}

// resultType is what a program gets (ARCHITECTURE.md, results): the declared output, or what was seen before.
func resultType(t *nodes.Tool, learned *Shape, comments bool) string {
	switch {
	case len(t.OutputSchema) > 0:
		w := newWriter(t.OutputSchema, comments)
		if o, ok := w.root.(*value.Object); ok && repeatsText(o) {
			return "string"
		}
		return w.typ(w.root, 0)
	case t.TextResult:
		return "string"
	case learned != nil:
		return learned.TypeScript()
	}
	return "any"
}

// repeatsText reports whether structured content has one property only, a text: servers give that as the text itself.
func repeatsText(o *value.Object) bool {
	props, _ := get(o, "properties").(*value.Object)
	if props == nil || props.Len() != 1 {
		return false
	}
	only, _ := get(props, props.Keys()[0]).(*value.Object)
	return only != nil && get(only, "type") == value.Value(value.String("string"))
}

// comment is text as a JSDoc comment on lines of its own; "" for none.
func comment(text, by string) string {
	text = strings.ReplaceAll(strings.TrimSpace(text), "*/", "*\\/")
	if text == "" {
		return ""
	}
	if !strings.Contains(text, "\n") {
		return by + "/** " + text + " */\n" + by
	}
	return by + "/**\n" + by + " * " + strings.ReplaceAll(text, "\n", "\n"+by+" * ") + "\n" + by + " */\n" + by
}
