package call

import (
	"encoding/json"
	"math"
	"unicode/utf8"

	"github.com/casys-ai/pml/nodes/value"
)

// shape is the quick check of a schema: the keywords that nearly all tools use, over values as they are. It only ever
// says "surely valid"; whatever it does not understand or accept goes to the full validator, which words the messages.
type shape struct {
	// never: there are keywords that it does not understand.
	never    bool
	kinds    kindSet
	props    map[string]*shape
	required []string
	// rest is for properties that are not in props, nil for anything; closed allows none.
	rest   *shape
	closed bool
	items  *shape
	enum   []value.Value

	least, most       value.Number
	shortest, longest float64 // of strings in code points, of arrays in elements
	fewest, mostItems float64
}

// kindSet is a set of JSON Schema types; 0 is all of them.
type kindSet uint8

const (
	isNull kindSet = 1 << iota
	isBool
	isNumber
	isInteger
	isString
	isArray
	isObject
)

var kindNames = map[string]kindSet{"null": isNull, "boolean": isBool, "number": isNumber, "integer": isInteger,
	"string": isString, "array": isArray, "object": isObject}

// newShape reads a schema. What it cannot read is never accepted.
func newShape(text []byte) *shape {
	s := &shape{least: value.Number(math.Inf(-1)), most: value.Number(math.Inf(1)),
		longest: math.Inf(1), mostItems: math.Inf(1)}
	var words map[string]json.RawMessage
	if len(text) == 0 || string(text) == "true" {
		return s
	}
	if json.Unmarshal(text, &words) != nil || words == nil {
		s.never = true
		return s
	}
	for word, raw := range words {
		if !s.keyword(word, raw) {
			s.never = true
		}
	}
	return s
}

// keyword takes one keyword in; false if it is not understood.
func (s *shape) keyword(word string, raw json.RawMessage) bool {
	switch word {
	case "title", "description", "default", "examples", "$schema", "$id", "$comment", "deprecated", "readOnly",
		"writeOnly", "definitions", "$defs":
		return true
	case "type":
		return s.types(raw)
	case "properties":
		return json.Unmarshal(raw, &s.props) == nil
	case "required":
		return json.Unmarshal(raw, &s.required) == nil
	case "additionalProperties":
		s.closed = string(raw) == "false"
		if !s.closed {
			s.rest = newShape(raw)
		}
		return true
	case "items":
		s.items = newShape(raw)
		return true
	case "enum", "const":
		return s.values(word, raw)
	}
	return s.bound(word, raw)
}

// bound takes a limit in.
func (s *shape) bound(word string, raw json.RawMessage) bool {
	var into any
	switch word {
	case "minimum":
		into = &s.least
	case "maximum":
		into = &s.most
	case "minLength":
		into = &s.shortest
	case "maxLength":
		into = &s.longest
	case "minItems":
		into = &s.fewest
	case "maxItems":
		into = &s.mostItems
	default:
		return false
	}
	return json.Unmarshal(raw, into) == nil
}

// UnmarshalJSON implements json.Unmarshaler for the schemas inside properties.
func (s *shape) UnmarshalJSON(raw []byte) error {
	*s = *newShape(raw)
	return nil
}

func (s *shape) types(raw json.RawMessage) bool {
	var one string
	var several []string
	if json.Unmarshal(raw, &one) == nil {
		several = []string{one}
	} else if json.Unmarshal(raw, &several) != nil {
		return false
	}
	for _, name := range several {
		if kindNames[name] == 0 {
			return false
		}
		s.kinds |= kindNames[name]
	}
	return s.kinds != 0
}

// values reads enum and const, if they are scalars.
func (s *shape) values(word string, raw json.RawMessage) bool {
	v, err := value.ParseJSON(string(raw))
	if err != nil || s.enum != nil {
		return false
	}
	list, isList := v.(*value.Array)
	switch {
	case word == "const":
		list = value.NewArray(v)
	case !isList:
		return false
	}
	for _, e := range list.Elems {
		if k := e.Kind(); k == value.KindArray || k == value.KindObject {
			return false
		}
	}
	s.enum = list.Elems
	return true
}

// accepts reports whether v, as JSON, is surely valid.
func (s *shape) accepts(v value.Value) bool {
	if s == nil {
		return true
	}
	if s.never {
		return false
	}
	if l, ok := v.(*value.Lazy); ok && s.anyObject() && opening(l) == '{' {
		return true
	}
	v = value.Force(v)
	if s.kinds != 0 && kindsOf(v)&s.kinds == 0 {
		return false
	}
	if s.enum != nil && !s.listed(v) {
		return false
	}
	switch v := v.(type) {
	case value.Number:
		return v >= s.least && v <= s.most
	case value.String:
		return s.length(string(v))
	case *value.Array:
		return s.elements(v)
	case *value.Object:
		return s.object(v)
	}
	return v.Kind() != value.KindError
}

// anyObject reports whether every object is valid, whatever is in it.
func (s *shape) anyObject() bool {
	return (s.kinds == 0 || s.kinds&isObject != 0) && s.anyProperties() && s.enum == nil
}

func (s *shape) anyProperties() bool {
	return s.props == nil && s.required == nil && s.rest == nil && !s.closed
}

// kindsOf is what v counts as in JSON. What JSON would turn into null is nothing here: the full validator sees it.
func kindsOf(v value.Value) kindSet {
	switch v := v.(type) {
	case value.Null:
		return isNull
	case value.Bool:
		return isBool
	case value.Number:
		f := float64(v)
		switch {
		case math.IsNaN(f) || math.IsInf(f, 0):
			return 0
		case f == math.Trunc(f):
			return isNumber | isInteger
		}
		return isNumber
	case value.String:
		return isString
	case *value.Array:
		return isArray
	case *value.Object:
		return isObject
	}
	return 0
}

func (s *shape) listed(v value.Value) bool {
	for _, e := range s.enum {
		if value.StrictEqual(e, v) {
			return true
		}
	}
	return false
}

func (s *shape) length(text string) bool {
	if s.shortest == 0 && math.IsInf(s.longest, 1) {
		return true
	}
	n := float64(utf8.RuneCountInString(text))
	return n >= s.shortest && n <= s.longest && utf8.ValidString(text)
}

func (s *shape) elements(a *value.Array) bool {
	if n := float64(a.Len()); n < s.fewest || n > s.mostItems {
		return false
	}
	for i := range a.Elems {
		if s.items != nil && !s.items.accepts(a.At(i)) {
			return false
		}
	}
	return true
}

func (s *shape) object(o *value.Object) bool {
	if s.anyProperties() {
		return true
	}
	for _, name := range s.required {
		if v, ok := o.Get(name); !ok || v.Kind() == value.KindUndefined {
			return false
		}
	}
	for k, v := range o.All() {
		if v.Kind() == value.KindUndefined {
			continue // JSON leaves it out
		}
		inner, known := s.props[k]
		if !known && s.closed {
			return false
		}
		if !known {
			inner = s.rest
		}
		if !inner.accepts(v) {
			return false
		}
	}
	return true
}
