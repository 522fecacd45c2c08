package call

import (
	"math"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// ArgumentText is the JSON text that a call of tool would send; the error is what the call would throw.
func ArgumentText(tool *nodes.Tool, args value.Value) ([]byte, error) {
	return argumentText(Request{Tool: tool, Args: args})
}

// argumentText is what JSON.stringify makes of the argument at this moment (ARCHITECTURE.md, rule 7). The error is what that
// throws, or a ToolError if it is no object.
func argumentText(r Request) ([]byte, error) {
	switch v := r.Args.(type) {
	case nil, value.Undefined:
		return []byte("{}"), nil
	case *value.Object, *value.Error:
	case *value.Lazy:
		if opening(v) != '{' {
			return nil, notObject(r.Tool.ID)
		}
		return v.Raw(), nil
	default:
		return nil, notObject(r.Tool.ID)
	}
	text, _, err := value.AppendJSON(make([]byte, 0, 128), r.Args)
	if err != nil {
		return nil, err
	}
	return text, nil
}

func notObject(tool nodes.ToolID) error {
	return Throw(tool, nodes.InvalidArguments, "arguments must be an object")
}

// opening is the first byte of the JSON text, which tells the kind of the value. A Lazy's text has no leading space.
func opening(l *value.Lazy) byte { return l.Raw()[0] }

// plainData makes of v what JSON.parse(JSON.stringify(v)) is in Go: maps, slices and scalars. v is not cyclic.
func plainData(v value.Value) any {
	switch v := value.Force(v).(type) {
	case value.Bool:
		return bool(v)
	case value.Number:
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return nil
		}
		return float64(v)
	case value.String:
		return string(v)
	case *value.Array:
		out := make([]any, len(v.Elems))
		for i, e := range v.Elems {
			out[i] = plainData(e)
		}
		return out
	case *value.Object:
		return plainObject(v)
	case *value.Error:
		return plainObject(v.Props)
	}
	return nil
}

func plainObject(o *value.Object) map[string]any {
	out := map[string]any{}
	if o == nil {
		return out
	}
	for k, v := range o.All() {
		if v = value.Force(v); v.Kind() != value.KindUndefined {
			out[k] = plainData(v)
		}
	}
	return out
}
