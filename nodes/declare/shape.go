package declare

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/casys-ai/pml/nodes/value"
)

// Shape is what results of a tool looked like: kinds and names, never values. Its zero value has seen nothing. Names that
// look like data are not kept.
type Shape struct {
	// Kinds are those of the scalars that were seen, sorted: "boolean", "null", "number", "string".
	Kinds []string `json:"kinds,omitempty"`
	// Elem is what was in arrays; an empty Shape if they were empty.
	Elem *Shape `json:"elem,omitempty"`
	// Props are the properties of objects, Optional those that not all objects had.
	Props    map[string]*Shape `json:"props,omitempty"`
	Optional []string          `json:"optional,omitempty"`
	// Record is what was in objects whose names are data.
	Record *Shape `json:"record,omitempty"`
	// Object says that an object was seen.
	Object bool `json:"object,omitempty"`
}

// Bounds on what is learned.
const (
	shapeDepth = 6
	mostProps  = 40
	mostElems  = 50
)

// nameOfProperty is what names of properties look like in programs; anything else may be data.
var nameOfProperty = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$-]{0,39}$`)

// Learn takes in what one result looked like, and reports whether that was new.
func (s *Shape) Learn(v value.Value) bool {
	before := s.TypeScript()
	s.learn(v, 0)
	return s.TypeScript() != before
}

func (s *Shape) learn(v value.Value, depth int) {
	if depth > shapeDepth || v == nil {
		return
	}
	switch v := value.Force(v).(type) {
	case value.Bool:
		s.kind("boolean")
	case value.Null:
		s.kind("null")
	case value.Number:
		s.kind("number")
	case value.String:
		s.kind("string")
	case *value.Array:
		if s.Elem == nil {
			s.Elem = &Shape{}
		}
		for _, e := range v.Elems[:min(len(v.Elems), mostElems)] {
			s.Elem.learn(e, depth+1)
		}
	case *value.Object:
		s.object(v, depth)
	}
}

func (s *Shape) kind(name string) {
	if i, found := slices.BinarySearch(s.Kinds, name); !found {
		s.Kinds = slices.Insert(s.Kinds, i, name)
	}
}

// object takes in an object: by its names, or as a record if they look like data.
func (s *Shape) object(o *value.Object, depth int) {
	first := !s.Object
	s.Object = true
	if s.Record != nil || !namesAreNames(o) || len(s.Props)+o.Len() > 2*mostProps {
		s.toRecord()
		for _, v := range o.All() {
			s.Record.learn(v, depth+1)
		}
		return
	}
	for name := range s.Props {
		if _, has := o.Get(name); !has {
			s.optional(name)
		}
	}
	for name, v := range o.All() {
		known := s.Props[name]
		if known == nil {
			known = &Shape{}
			if s.Props == nil {
				s.Props = map[string]*Shape{}
			}
			s.Props[name] = known
			if !first {
				s.optional(name)
			}
		}
		known.learn(v, depth+1)
	}
}

func namesAreNames(o *value.Object) bool {
	return o.Len() <= mostProps && !slices.ContainsFunc(o.Keys(), func(k string) bool { return !nameOfProperty.MatchString(k) })
}

func (s *Shape) optional(name string) {
	if i, found := slices.BinarySearch(s.Optional, name); !found {
		s.Optional = slices.Insert(s.Optional, i, name)
	}
}

// toRecord gives up the names.
func (s *Shape) toRecord() {
	if s.Record == nil {
		s.Record = &Shape{}
	}
	s.Props, s.Optional = nil, nil
}

// TypeScript is the shape as a type; any if nothing was seen.
func (s *Shape) TypeScript() string {
	parts := slices.Clone(s.Kinds)
	if s.Elem != nil {
		item := s.Elem.TypeScript()
		if strings.Contains(item, " | ") {
			item = "(" + item + ")"
		}
		parts = append(parts, item+"[]")
	}
	switch {
	case s.Record != nil:
		parts = append(parts, "Record<string, "+s.Record.TypeScript()+">")
	case s.Object:
		parts = append(parts, s.properties())
	}
	if len(parts) == 0 {
		return "any"
	}
	return strings.Join(parts, " | ")
}

func (s *Shape) properties() string {
	if len(s.Props) == 0 {
		return "{}"
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(s.Props)) {
		mark := ""
		if slices.Contains(s.Optional, name) {
			mark = "?"
		}
		list = append(list, propertyName(name)+mark+": "+s.Props[name].TypeScript())
	}
	return "{ " + strings.Join(list, "; ") + " }"
}

// Clone copies a Shape.
func (s *Shape) Clone() *Shape {
	if s == nil {
		return nil
	}
	c := *s
	c.Kinds, c.Optional = slices.Clone(s.Kinds), slices.Clone(s.Optional)
	c.Elem, c.Record = s.Elem.Clone(), s.Record.Clone()
	c.Props = maps.Clone(s.Props)
	for name, p := range c.Props {
		c.Props[name] = p.Clone()
	}
	return &c
}
