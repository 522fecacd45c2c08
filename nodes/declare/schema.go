package declare

import (
	"regexp"
	"slices"
	"strings"

	"github.com/casys-ai/pml/nodes/value"
)

// deepest is how far schemas are followed, longest how much text one may become; beyond that it says unknown.
const (
	deepest = 10
	longest = 16 << 10
)

// writer writes one JSON Schema (draft 7 and 2020-12) as a TypeScript type. What TypeScript cannot say is left out or
// becomes a comment; what is wrong becomes unknown.
type writer struct {
	root     value.Value
	comments bool
	open     []string // references that are being followed
	size     int
}

func newWriter(schema []byte, comments bool) *writer {
	v, err := value.FromJSON(schema)
	if err != nil {
		v = value.Bool(true)
	}
	return &writer{root: value.Force(v), comments: comments}
}

// typ is the type that a schema describes.
func (w *writer) typ(schema value.Value, depth int) string {
	if w.size > longest || depth > deepest {
		return "unknown"
	}
	text := w.typeOf(value.Force(schema), depth)
	w.size += len(text)
	return text
}

func (w *writer) typeOf(schema value.Value, depth int) string {
	o, ok := schema.(*value.Object)
	if !ok {
		if schema == value.Value(value.Bool(false)) {
			return "never"
		}
		return "unknown"
	}
	var parts []string
	if ref, ok := get(o, "$ref").(value.String); ok {
		parts = append(parts, w.reference(string(ref), depth))
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if list := elements(o, key); len(list) > 0 {
			parts = append(parts, w.union(list, depth))
		}
	}
	for _, s := range elements(o, "allOf") {
		parts = append(parts, w.typ(s, depth+1))
	}
	if own := w.own(o, depth); own != "unknown" {
		parts = append(parts, own)
	}
	return orNull(o, intersection(parts))
}

// intersection joins what a value must be all at once. What says nothing is left out.
func intersection(parts []string) string {
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "unknown" })
	parts = unique(parts)
	if len(parts) == 0 {
		return "unknown"
	}
	if len(parts) > 1 {
		for i, p := range parts {
			if strings.Contains(p, " | ") {
				parts[i] = "(" + p + ")"
			}
		}
	}
	return strings.Join(parts, " & ")
}

// orNull adds null where OpenAPI's nullable says so.
func orNull(o *value.Object, text string) string {
	if isTrue(get(o, "nullable")) && text != "unknown" && !strings.HasSuffix(text, "null") {
		return text + " | null"
	}
	return text
}

// reference follows a $ref inside the schema itself.
func (w *writer) reference(ref string, depth int) string {
	if slices.Contains(w.open, ref) {
		return "unknown" // it holds itself
	}
	target := w.lookup(ref)
	if target == nil {
		return "unknown"
	}
	w.open = append(w.open, ref)
	defer func() { w.open = w.open[:len(w.open)-1] }()
	return w.typ(target, depth+1)
}

var pointerEscapes = strings.NewReplacer("~1", "/", "~0", "~", "%24", "$", "%25", "%")

// lookup finds what a JSON pointer leads to; nil if there is nothing.
func (w *writer) lookup(ref string) value.Value {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	at := w.root
	for _, token := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		if path == "" {
			break
		}
		o, ok := value.Force(at).(*value.Object)
		if !ok {
			return nil
		}
		if at = get(o, pointerEscapes.Replace(token)); at == nil {
			return nil
		}
	}
	return at
}

// union joins alternatives.
func (w *writer) union(list []value.Value, depth int) string {
	var parts []string
	for _, s := range list {
		parts = append(parts, w.typ(s, depth+1))
	}
	return joinUnion(parts)
}

func joinUnion(parts []string) string {
	parts = unique(parts)
	if slices.Contains(parts, "unknown") {
		return "unknown"
	}
	for i, p := range parts {
		if strings.Contains(p, " & ") {
			parts[i] = "(" + p + ")"
		}
	}
	return strings.Join(parts, " | ")
}

func unique(parts []string) (out []string) {
	for _, p := range parts {
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// own is what a schema says without its references and alternatives.
func (w *writer) own(o *value.Object, depth int) string {
	if v := get(o, "const"); v != nil {
		return literal(v)
	}
	if list := elements(o, "enum"); len(list) > 0 {
		var parts []string
		for _, v := range list {
			parts = append(parts, literal(value.Force(v)))
		}
		return joinUnion(parts)
	}
	switch t := get(o, "type").(type) {
	case value.String:
		return w.named(string(t), o, depth)
	case *value.Array:
		var parts []string
		for _, name := range t.Elems {
			if s, ok := value.Force(name).(value.String); ok {
				parts = append(parts, w.named(string(s), o, depth))
			}
		}
		return joinUnion(parts)
	}
	switch {
	case hasProperties(o) != nil || get(o, "additionalProperties") != nil:
		return w.object(o, depth)
	case get(o, "items") != nil || get(o, "prefixItems") != nil:
		return w.array(o, depth)
	}
	return "unknown"
}

func (w *writer) named(name string, o *value.Object, depth int) string {
	switch name {
	case "string":
		return "string" + w.format(o)
	case "number", "integer":
		return "number"
	case "boolean", "null":
		return name
	case "array":
		return w.array(o, depth)
	case "object":
		return w.object(o, depth)
	}
	return "unknown"
}

var plainWord = regexp.MustCompile(`^[a-zA-Z0-9-]+$`)

// format is the format of a string, as a comment.
func (w *writer) format(o *value.Object) string {
	if f, ok := get(o, "format").(value.String); ok && plainWord.MatchString(string(f)) {
		return " /* " + string(f) + " */"
	}
	return ""
}

func (w *writer) array(o *value.Object, depth int) string {
	if list := elements(o, "prefixItems"); len(list) > 0 {
		return w.tuple(list, o, depth)
	}
	items := get(o, "items")
	if list, ok := items.(*value.Array); ok { // draft 7
		return w.tuple(list.Elems, o, depth)
	}
	if items == nil {
		return "unknown[]"
	}
	item := w.typ(items, depth+1)
	if strings.ContainsAny(item, "|&") || strings.Contains(item, "/*") {
		return "(" + item + ")[]"
	}
	return item + "[]"
}

func (w *writer) tuple(list []value.Value, o *value.Object, depth int) string {
	var parts []string
	for _, s := range list {
		parts = append(parts, w.typ(s, depth+1))
	}
	if rest := get(o, "items"); rest != nil && get(o, "prefixItems") != nil && rest != value.Value(value.Bool(false)) {
		parts = append(parts, "...("+w.typ(rest, depth+1)+")[]")
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
