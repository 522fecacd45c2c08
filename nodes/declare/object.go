package declare

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/casys-ai/pml/nodes/value"
)

// object is an object's type: its properties, and what others may be.
func (w *writer) object(o *value.Object, depth int) string {
	props, _ := hasProperties(o).(*value.Object)
	rest := w.others(o, depth)
	if props == nil || props.Len() == 0 {
		if rest == "" {
			return "Record<string, unknown>"
		}
		if rest == "never" {
			return "{}"
		}
		return "Record<string, " + rest + ">"
	}
	text := w.properties(props, required(o), depth)
	if rest == "" || rest == "never" || rest == "unknown" {
		return text
	}
	return text + " & Record<string, " + rest + ">"
}

// others is the type of the properties that are not named: "" if nothing is said of them, "never" if there are none.
func (w *writer) others(o *value.Object, depth int) string {
	var parts []string
	if p, ok := get(o, "patternProperties").(*value.Object); ok {
		for _, s := range p.All() {
			parts = append(parts, w.typ(s, depth+1))
		}
	}
	switch more := get(o, "additionalProperties").(type) {
	case nil:
	case value.Bool:
		if !more && len(parts) == 0 {
			return "never"
		}
	default:
		parts = append(parts, w.typ(more, depth+1))
	}
	return joinUnion(parts)
}

func (w *writer) properties(props *value.Object, must []string, depth int) string {
	var list []string
	for name, schema := range props.All() {
		mark := "?"
		if slices.Contains(must, name) {
			mark = ""
		}
		list = append(list, w.note(schema)+propertyName(name)+mark+": "+w.typ(schema, depth+1))
	}
	if !w.comments || depth > 0 && !strings.Contains(strings.Join(list, ""), "\n") {
		return "{ " + strings.Join(list, "; ") + " }"
	}
	return "{\n" + indent(strings.Join(list, ";\n"), "  ") + ";\n}"
}

// note is the description of a property, with its default, as a comment.
func (w *writer) note(schema value.Value) string {
	o, ok := value.Force(schema).(*value.Object)
	if !w.comments || !ok {
		return ""
	}
	text, _ := get(o, "description").(value.String)
	out := strings.TrimSpace(string(text))
	if d := get(o, "default"); d != nil {
		out = strings.TrimSpace(out + " Default: " + literal(d))
	}
	return comment(out, "")
}

var identifier = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// propertyName is a name as a property: in quotes if it is no identifier.
func propertyName(name string) string {
	if identifier.MatchString(name) {
		return name
	}
	return quote(name)
}

func quote(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		return `""`
	}
	return string(out)
}

// literal is a JSON value as a type; what is no scalar is written out.
func literal(v value.Value) string {
	text, ok, err := value.AppendJSON(nil, v)
	if err != nil || !ok {
		return "unknown"
	}
	switch value.Force(v).(type) {
	case *value.Array:
		return "unknown[]"
	case *value.Object:
		return "Record<string, unknown>"
	}
	return string(text)
}

// get is a property of a schema, decoded; nil if it is missing.
func get(o *value.Object, key string) value.Value {
	v, ok := o.Get(key)
	if !ok || v == nil {
		return nil
	}
	return value.Force(v)
}

func elements(o *value.Object, key string) []value.Value {
	if a, ok := get(o, key).(*value.Array); ok {
		return a.Elems
	}
	return nil
}

func hasProperties(o *value.Object) value.Value { return get(o, "properties") }

func isTrue(v value.Value) bool {
	switch v := v.(type) {
	case value.Bool:
		return bool(v)
	case *value.Object:
		return v.Len() > 0
	}
	return false
}

func required(o *value.Object) (names []string) {
	for _, v := range elements(o, "required") {
		if s, ok := value.Force(v).(value.String); ok {
			names = append(names, string(s))
		}
	}
	return names
}
