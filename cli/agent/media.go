package agent

import (
	"bytes"

	"github.com/casys-ai/pml/nodes/value"
	"github.com/casys-ai/pml/transport"
)

// media takes the content blocks that are no text out of a result, so that they reach the client as what they are. In the
// result a note stays in the place of what was bulky.
type media struct{ blocks []transport.Content }

// deepest is how deep in a result blocks are looked for.
const deepest = 32

// hasMedia reports whether a result, as JSON, may hold such blocks; only then is it worth looking.
func hasMedia(result []byte) bool {
	return bytes.Contains(result, []byte(`"mimeType"`)) || bytes.Contains(result, []byte(`"resource`))
}

// extract is v with notes in the place of the blocks.
func (m *media) extract(v value.Value, depth int) value.Value {
	if depth > deepest {
		return v
	}
	switch v := value.Force(v).(type) {
	case *value.Array:
		out := make([]value.Value, len(v.Elems))
		for i, e := range v.Elems {
			out[i] = m.extract(e, depth+1)
		}
		return value.NewArray(out...)
	case *value.Object:
		if note, is := m.block(v); is {
			return note
		}
		out := value.NewObject(v.Len())
		for k, e := range v.All() {
			out.Set(k, m.extract(e, depth+1))
		}
		return out
	}
	return v
}

// block takes a block, and gives the note for its place (MCP 2025-11-25, content blocks).
func (m *media) block(o *value.Object) (note value.Value, is bool) {
	kind := text(o, "type")
	bulky := ""
	switch {
	case (kind == "image" || kind == "audio") && has(o, "data") && has(o, "mimeType"):
		bulky = "data"
	case kind == "resource_link" && has(o, "uri") && has(o, "name"):
	case kind == "resource" && embedded(o) != nil:
		bulky = "resource"
	default:
		return nil, false
	}
	raw, ok, err := value.AppendJSON(nil, o)
	if err != nil || !ok {
		return nil, false
	}
	m.blocks = append(m.blocks, transport.Content{Type: kind, Raw: raw})
	out := value.NewObject(o.Len())
	for k, v := range o.All() {
		if k != bulky {
			out.Set(k, v)
		}
	}
	if bulky == "resource" {
		out.Set("uri", value.String(text(embedded(o), "uri")))
	}
	out.Set("content_block", value.Number(len(m.blocks))) // the first block is the text of the answer
	return out, true
}

// embedded is the resource that a block holds.
func embedded(o *value.Object) *value.Object {
	v, _ := o.Get("resource")
	if v == nil {
		return nil
	}
	inner, ok := value.Force(v).(*value.Object)
	if ok && has(inner, "uri") && (has(inner, "text") || has(inner, "blob")) {
		return inner
	}
	return nil
}

func text(o *value.Object, key string) string {
	v, _ := o.Get(key)
	if v == nil {
		return ""
	}
	s, _ := value.Force(v).(value.String)
	return string(s)
}

func has(o *value.Object, key string) bool {
	v, ok := o.Get(key)
	if !ok {
		return false
	}
	_, isText := value.Force(v).(value.String)
	return isText
}
