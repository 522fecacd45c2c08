package call

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/casys-ai/pml/nodes/value"
)

// schema checks the arguments of one tool: quickly where that suffices, in full otherwise.
type schema struct {
	text  []byte
	shape *shape

	once sync.Once
	full *jsonschema.Schema
}

// check says what is wrong with the arguments, "" if nothing is. text is their JSON. unusable is told, once, why the
// schema cannot be used; then nothing is checked.
func (s *schema) check(args value.Value, text []byte, unusable func(error)) string {
	if _, isError := args.(*value.Error); !isError && s.shape.accepts(orEmpty(args)) {
		return ""
	}
	s.once.Do(func() {
		var err error
		if s.full, err = compileSchema(s.text); err != nil {
			unusable(err)
		}
	})
	if s.full == nil {
		return ""
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err.Error()
	}
	err = s.full.Validate(instance)
	var invalid *jsonschema.ValidationError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &invalid):
		return explain(invalid)
	}
	return err.Error()
}

var noArguments = value.NewObject(0)

func orEmpty(args value.Value) value.Value {
	if args == nil || args.Kind() == value.KindUndefined {
		return noArguments
	}
	return args
}

// schemaURL is the name that a schema goes by; references that leave it are refused.
const schemaURL = "mem:///input"

// compileSchema compiles a schema of the outside world. It reads no files and no network.
func compileSchema(text []byte) (compiled *jsonschema.Schema, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the input schema cannot be used: %v", p)
		}
	}()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("the input schema is no JSON: %w", err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	if err := c.AddResource(schemaURL, doc); err != nil {
		return nil, fmt.Errorf("the input schema cannot be used: %w", err)
	}
	compiled, err = c.Compile(schemaURL)
	if err != nil {
		return nil, fmt.Errorf("the input schema cannot be used: %s", oneLine(err.Error()))
	}
	return compiled, nil
}

var lineBreaks = regexp.MustCompile(`\s*\n\s*`)

func oneLine(s string) string { return lineBreaks.ReplaceAllString(s, " ") }

// noLoader refuses to load anything.
type noLoader struct{}

// Load implements jsonschema.URLLoader.
func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("it refers to %s, which is not loaded", url)
}
