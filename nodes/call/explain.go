package call

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// mostComplaints is how many violations a message names.
const mostComplaints = 5

// explain words what is wrong: for each violation the JSON pointer and what was expected there.
//
//	/path: expected string, got number; missing property "content"
func explain(e *jsonschema.ValidationError) string {
	var list []complaint
	collect(e, &list)
	sort.SliceStable(list, func(i, j int) bool { return list[i].pointer < list[j].pointer })
	var parts []string
	for i, c := range list {
		if i == mostComplaints {
			parts = append(parts, fmt.Sprintf("and %d more", len(list)-i))
			break
		}
		parts = append(parts, c.String())
	}
	return strings.Join(parts, "; ")
}

// complaint is one violation. The pointer of the arguments themselves is "".
type complaint struct{ pointer, text string }

// String is the complaint with its place.
func (c complaint) String() string {
	if c.pointer == "" {
		return c.text
	}
	return c.pointer + ": " + c.text
}

// collect finds the violations at the leaves; alternatives stay together.
func collect(e *jsonschema.ValidationError, list *[]complaint) {
	switch k := e.ErrorKind.(type) {
	case *kind.AnyOf:
		*list = append(*list, complaint{pointer(e), "none of the alternatives fits: " + alternatives(e)})
		return
	case *kind.OneOf:
		if len(k.Subschemas) == 0 {
			*list = append(*list, complaint{pointer(e), "none of the alternatives fits: " + alternatives(e)})
			return
		}
	}
	if len(e.Causes) == 0 {
		*list = append(*list, complaint{pointer(e), expected(e.ErrorKind)})
		return
	}
	for _, cause := range e.Causes {
		collect(cause, list)
	}
}

// alternatives says what is wrong with each of them.
func alternatives(e *jsonschema.ValidationError) string {
	var parts []string
	here := pointer(e)
	for _, cause := range e.Causes {
		var list []complaint
		collect(cause, &list)
		for i := range list {
			if list[i].pointer == here {
				list[i].pointer = ""
			}
			parts = append(parts, list[i].String())
		}
	}
	return strings.Join(parts, ", or ")
}

var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")

func pointer(e *jsonschema.ValidationError) string {
	var b strings.Builder
	for _, token := range e.InstanceLocation {
		b.WriteString("/" + pointerEscape.Replace(token))
	}
	return b.String()
}

func expected(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return fmt.Sprintf("expected %s, got %s", strings.Join(k.Want, " or "), k.Got)
	case *kind.Required:
		return property("missing", k.Missing)
	case *kind.AdditionalProperties:
		sort.Strings(k.Properties)
		return property("unknown", k.Properties)
	case *kind.Enum:
		return "expected " + oneOf(k.Want) + ", got " + shown(k.Got)
	case *kind.Const:
		return "expected " + shown(k.Want) + ", got " + shown(k.Got)
	}
	return strings.TrimPrefix((&jsonschema.ValidationError{ErrorKind: k}).Error(), "at '': ")
}

func property(what string, names []string) string {
	word := " property "
	if len(names) > 1 {
		word = " properties "
	}
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = fmt.Sprintf("%q", n)
	}
	return what + word + strings.Join(quoted, ", ")
}

func oneOf(values []any) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = shown(v)
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "one of " + strings.Join(parts, ", ")
}

// shown is a value as JSON, cut if it is long.
func shown(v any) string {
	const most = 60
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	if r := []rune(string(text)); len(r) > most {
		return string(r[:most]) + "…"
	}
	return string(text)
}
