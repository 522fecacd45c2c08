package call

import (
	"math"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

const inputSchema = `{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "required": ["path"],
  "additionalProperties": false, "properties": {
    "path": {"type": "string", "minLength": 1},
    "head": {"type": "integer", "minimum": 1},
    "mode": {"enum": ["r", "w", null]},
    "tags": {"type": "array", "items": {"type": "string"}},
    "edit": {"type": "object", "required": ["a/b"], "properties": {"a/b": {"type": ["number", "null"]}}},
    "when": {"anyOf": [{"type": "string", "pattern": "^\\d+$"}, {"type": "object", "required": ["day"]}]},
    "only": {"const": 7}}}`

func TestMessages(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{`{"path":"x"}`, ""},
		{`{"path":"x","head":2,"mode":null,"tags":["a"],"edit":{"a/b":null},"when":"12","only":7}`, ""},
		{`{}`, `missing property "path"`},
		{`{"path":1}`, `/path: expected string, got number`},
		{`{"path":""}`, `/path: minLength: got 0, want 1`},
		{`{"path":"x","head":1.5}`, `/head: expected integer, got number`},
		{`{"path":"x","head":0}`, `/head: minimum: got 0, want 1`},
		{`{"path":"x","mode":"a"}`, `/mode: expected one of "r", "w", null, got "a"`},
		{`{"path":"x","only":8}`, `/only: expected 7, got 8`},
		{`{"path":"x","tags":["a",1,true]}`, `/tags/1: expected string, got number; /tags/2: expected string, got boolean`},
		{`{"path":"x","edit":{}}`, `/edit: missing property "a/b"`},
		{`{"path":"x","edit":{"a/b":"c"}}`, `/edit/a~1b: expected null or number, got string`},
		{`{"path":"x","pth":1,"q":2}`, `unknown properties "pth", "q"`},
		{`{"path":"x","when":"soon"}`,
			`/when: none of the alternatives fits: 'soon' does not match pattern '^\\d+$', or expected object, got string`},
		{`{"path":"x","tags":[1,2,3,4,5,6,7]}`,
			`/tags/0: expected string, got number; /tags/1: expected string, got number; ` +
				`/tags/2: expected string, got number; /tags/3: expected string, got number; /tags/4: expected string, got number; and 2 more`},
	} {
		s := &schema{text: []byte(inputSchema), shape: newShape([]byte(inputSchema))}
		got := s.check(parseArgs(t, c.args), []byte(c.args), func(err error) { t.Error(err) })
		if got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.args, got, c.want)
		}
	}
}

// What JSON turns into null is checked as null.
func TestNaNIsNull(t *testing.T) {
	c := New(Options{Rules: rules(t, allow), Transport: transport(echo)})
	o := value.NewObject(2)
	o.Set("path", value.String("x"))
	o.Set("head", value.Number(math.NaN()))
	got := show(c.Call(t.Context(), Request{Tool: &nodes.Tool{ID: "s:t", InputSchema: []byte(inputSchema)}, Args: o}))
	want := `throws ToolError: invalid arguments for s:t: /head: expected integer, got null {"code":"INVALID_ARGUMENTS","tool":"s:t"}`
	is.New(t).Equal(got, want)
}

// What the quick check accepts, the full validator accepts; and it does accept what tools are mostly given.
func TestShapeIsNeverTooKind(t *testing.T) {
	schemas := []string{
		inputSchema, `{}`, `true`, `{"type":"object"}`, `{"type":"object","properties":{"a":{"type":"integer"}}}`,
		`{"type":"object","additionalProperties":{"type":"string"}}`, `{"properties":{"a":{"enum":[1,"x",null,false]}}}`,
		`{"required":["a"]}`, `{"properties":{"a":true}}`, `{"properties":{"a":false}}`,
		`{"properties":{"a":{"items":{"minimum":2,"maximum":3}}}}`,
		`{"properties":{"a":{"minLength":1,"maxLength":2}}}`, `{"properties":{"a":{"minItems":1,"maxItems":2}}}`,
		`{"properties":{"a":{"type":["string","integer"]}}}`, `{"properties":{"a":{"const":"x"}}}`,
		`{"properties":{"a":{"not":{}}}}`,
		`{"properties":{"a":{"properties":{"b":{"type":"string"}},"additionalProperties":false}}}`,
	}
	values := []string{`1`, `1.5`, `-0`, `"x"`, `""`, `"😀😀"`, `"abc"`, `null`, `true`, `false`, `[]`, `[2]`,
		`["x",1,2]`, `{}`, `{"b":"x"}`, `{"b":1}`,
		`{"c":1}`, `"\ud800"`}
	quick, total := 0, 0
	for _, text := range schemas {
		shape := newShape([]byte(text))
		full, err := compileSchema([]byte(text))
		if err != nil {
			t.Fatal(text, err)
		}
		for _, v := range values {
			args := `{"a":` + v + `}`
			parsed := parseArgs(t, args)
			plain := plainData(parsed)
			valid := full.Validate(plain) == nil
			accepted := shape.accepts(parsed)
			if accepted && !valid {
				t.Errorf("%s accepts %s", text, args)
			}
			if total++; accepted == valid {
				quick++
			}
		}
	}
	if quick*10 < total*8 {
		t.Errorf("only %d of %d are decided quickly", quick, total)
	}
}

func TestBadSchemaIsReportedOnce(t *testing.T) {
	for _, text := range []string{
		`{"type":"object","properties":{"a":{"pattern":"(?=x)"}}}`, `{"$ref":"http://127.0.0.1:1/x.json"}`,
		`{"type":"thing"}`,
		`{"$schema":"https://example.com/mine","maxProperties":5}`, `{"$ref":"file:///etc/passwd"}`,
	} {
		is := is.New(t)
		var warnings []string
		c := New(Options{Rules: rules(t, allow), Transport: transport(echo), Warn: func(_ nodes.ToolID, m string) {
			warnings = append(warnings, m)
		}})
		r := Request{Tool: &nodes.Tool{ID: "s:t", InputSchema: []byte(text)}, Args: parseArgs(t, `{"a":"y"}`)}
		for range 2 {
			is.Equal(show(c.Call(t.Context(), r)), `"s t {\"a\":\"y\"}"`)
		}
		is.Equal(len(warnings), 1)
		is.True(strings.HasPrefix(warnings[0], "arguments of s:t are not checked: the input schema cannot be used: "))
	}
}
