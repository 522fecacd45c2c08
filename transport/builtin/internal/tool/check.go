package tool

import (
	"fmt"
	"math"
	"strings"
)

// check lists what is wrong with a value, in the words of the npm servers' validator, which models and programs
// have learned to read: "Invalid input: expected string, received undefined at path".
func (s Schema) check(value any, at string) []string {
	if s.Type != "" && !s.accepts(value) {
		return []string{complaint(fmt.Sprintf("Invalid input: expected %s, received %s", s.Type, typeOf(value)), at)}
	}
	switch v := value.(type) {
	case map[string]any:
		return s.checkObject(v, at)
	case []any:
		return s.checkArray(v, at)
	case string:
		return s.checkString(v, at)
	case float64:
		if s.Minimum != nil && v < *s.Minimum {
			return []string{complaint(fmt.Sprintf("Too small: expected number to be >=%v", *s.Minimum), at)}
		}
	}
	return nil
}

func (s Schema) checkObject(object map[string]any, at string) (wrong []string) {
	for _, prop := range s.Properties {
		value, present := object[prop.Name]
		switch {
		case present:
			wrong = append(wrong, prop.Schema.check(value, join(at, prop.Name))...)
		case prop.Required:
			text := fmt.Sprintf("Invalid input: expected %s, received undefined", prop.Schema.Type)
			wrong = append(wrong, complaint(text, join(at, prop.Name)))
		}
	}
	if values, ok := s.Additional.(Schema); ok {
		for name, value := range object {
			wrong = append(wrong, values.check(value, join(at, name))...)
		}
	}
	return wrong
}

func (s Schema) checkArray(array []any, at string) (wrong []string) {
	if len(array) < s.MinItems {
		wrong = append(wrong, complaint(fmt.Sprintf("Too small: expected array to have >=%d items", s.MinItems), at))
	}
	if s.Items == nil {
		return wrong
	}
	for i, item := range array {
		wrong = append(wrong, s.Items.check(item, fmt.Sprintf("%s[%d]", at, i))...)
	}
	return wrong
}

func (s Schema) checkString(text, at string) []string {
	if len(s.Enum) == 0 {
		return nil
	}
	quoted := make([]string, len(s.Enum))
	for i, option := range s.Enum {
		if option == text {
			return nil
		}
		quoted[i] = `"` + option + `"`
	}
	return []string{complaint("Invalid option: expected one of "+strings.Join(quoted, "|"), at)}
}

func (s Schema) accepts(value any) bool {
	if s.Type == "integer" {
		number, ok := value.(float64)
		return ok && number == math.Trunc(number)
	}
	if len(s.Enum) > 0 {
		return true // reported as a wrong option
	}
	return typeOf(value) == s.Type
}

func typeOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case float64:
		return "number"
	case bool:
		return "boolean"
	case []any:
		return "array"
	default:
		return "object"
	}
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

func complaint(text, at string) string {
	if at == "" {
		return text
	}
	return text + " at " + at
}
