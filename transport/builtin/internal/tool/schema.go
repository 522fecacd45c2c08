package tool

import (
	"bytes"
	"encoding/json"
)

// Schema is the part of JSON Schema that the built-in tools use.
type Schema struct {
	Draft       string   `json:"$schema,omitempty"`
	Type        string   `json:"type,omitempty"`
	Description string   `json:"description,omitempty"`
	Properties  Props    `json:"properties,omitzero"`
	Items       *Schema  `json:"items,omitempty"`
	MinItems    int      `json:"minItems,omitempty"`
	Minimum     *float64 `json:"minimum,omitempty"`
	Enum        []string `json:"enum,omitempty"`
	Const       string   `json:"const,omitempty"`
	Default     any      `json:"default,omitempty"`
	AnyOf       []Schema `json:"anyOf,omitempty"`
	Required    []string `json:"required,omitempty"`
	// Additional is false for a closed object, a Schema for a map, nil for an open object.
	Additional any `json:"additionalProperties,omitempty"`
}

// Prop is one property of an object schema.
type Prop struct {
	Name     string
	Required bool
	Schema   Schema
}

// Props are properties in the order in which they are declared, shown and checked.
type Props []Prop

// MarshalJSON writes the properties as one object, in order.
func (p Props) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, prop := range p {
		if i > 0 {
			out.WriteByte(',')
		}
		name, err := json.Marshal(prop.Name)
		if err != nil {
			return nil, err
		}
		schema, err := json.Marshal(prop.Schema)
		if err != nil {
			return nil, err
		}
		out.Write(name)
		out.WriteByte(':')
		out.Write(schema)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// Req is a required property.
func Req(name string, schema Schema) Prop { return Prop{name, true, schema} }

// Opt is an optional property.
func Opt(name string, schema Schema) Prop { return Prop{name, false, schema} }

// String, Number, Integer and Boolean are schemas of one type with a description.
func String(description string) Schema { return Schema{Type: "string", Description: description} }

// Number is the schema of any JSON number.
func Number(description string) Schema { return Schema{Type: "number", Description: description} }

// Integer is the schema of a whole number of at least min.
func Integer(description string, min float64) Schema {
	return Schema{Type: "integer", Description: description, Minimum: &min}
}

// Boolean is the schema of true or false.
func Boolean(description string) Schema { return Schema{Type: "boolean", Description: description} }

// Array is the schema of a list.
func Array(description string, items Schema) Schema {
	return Schema{Type: "array", Description: description, Items: &items}
}

// MapOf is the schema of an object with any names and values of one schema.
func MapOf(description string, values Schema) Schema {
	return Schema{Type: "object", Description: description, Additional: values}
}

// Object is the schema of an object with known properties; others are let through.
func Object(props ...Prop) Schema {
	schema := Schema{Type: "object", Properties: props}
	if props == nil {
		schema.Properties = Props{}
	}
	for _, prop := range props {
		if prop.Required {
			schema.Required = append(schema.Required, prop.Name)
		}
	}
	return schema
}

// Closed is an Object that has no other properties.
func Closed(props ...Prop) Schema {
	schema := Object(props...)
	schema.Additional = false
	return schema
}

// Or gives a schema a default value.
func (s Schema) Or(value any) Schema {
	s.Default = value
	return s
}
