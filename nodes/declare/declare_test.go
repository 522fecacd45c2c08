package declare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

func TestTypes(t *testing.T) {
	for schema, want := range map[string]string{
		`true`:                                   "unknown",
		`false`:                                  "never",
		`{}`:                                     "unknown",
		`no JSON`:                                "unknown",
		`{"type":"string"}`:                      "string",
		`{"type":"integer"}`:                     "number",
		`{"type":"frob"}`:                        "unknown",
		`{"type":["string","null"]}`:             "string | null",
		`{"type":"string","nullable":true}`:      "string | null",
		`{"type":"string","format":"date-time"}`: "string /* date-time */",
		`{"type":"string","format":"*/ evil /*"}`:                                                   "string",
		`{"enum":["a","b\"",1,null,true]}`:                                                          `"a" | "b\"" | 1 | null | true`,
		`{"const":"x"}`:                                                                             `"x"`,
		`{"anyOf":[{"type":"string"},{"type":"number"}]}`:                                           "string | number",
		`{"oneOf":[{"type":"string"},{"type":"string"}]}`:                                           "string",
		`{"anyOf":[{"type":"string"},{}]}`:                                                          "unknown",
		`{"type":"array"}`:                                                                          "unknown[]",
		`{"type":"array","items":{"type":"string"}}`:                                                "string[]",
		`{"type":"array","items":{"enum":["a","b"]}}`:                                               `("a" | "b")[]`,
		`{"prefixItems":[{"type":"string"},{"type":"number"}],"items":{"type":"boolean"}}`:          "[string, number, ...(boolean)[]]",
		`{"items":[{"type":"string"}]}`:                                                             "[string]",
		`{"type":"object"}`:                                                                         "Record<string, unknown>",
		`{"type":"object","additionalProperties":false}`:                                            "{}",
		`{"type":"object","additionalProperties":{"type":"number"}}`:                                "Record<string, number>",
		`{"type":"object","patternProperties":{"^x":{"type":"number"}}}`:                            "Record<string, number>",
		`{"properties":{"a":{"type":"string"},"b-c":{}},"required":["a"]}`:                          `{ a: string; "b-c"?: unknown }`,
		`{"properties":{"a":{"type":"string"}},"additionalProperties":{"type":"string"}}`:           "{ a?: string } & Record<string, string>",
		`{"allOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"b":{"type":"number"}}}]}`: "{ a?: string } & { b?: number }",
		`{"$ref":"#/$defs/a~1b","$defs":{"a/b":{"type":"string"}}}`:                                 "string",
		`{"$ref":"#/definitions/T","definitions":{"T":{"type":"object","properties":{"next":{"$ref":"#/definitions/T"}}}}}`: "{ next?: unknown }",
		`{"$ref":"#","type":"object"}`: "Record<string, unknown>",
		`{"$ref":"other.json"}`:        "unknown",
		`{"$ref":"#/nowhere"}`:         "unknown",
		`{"properties":{"__proto__":{"type":"string"},"9":{"type":"null"}}}`: `{ "9"?: null; __proto__?: string }`,
	} {
		w := newWriter([]byte(schema), false)
		if got := w.typ(w.root, 0); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", schema, got, want)
		}
	}
}

// TestBounds: no schema makes a type without end.
func TestBounds(t *testing.T) {
	is := is.New(t)
	deep := strings.Repeat(`{"items":`, 500) + "{}" + strings.Repeat("}", 500)
	w := newWriter([]byte(deep), false)
	is.Equal(w.typ(w.root, 0), "unknown"+strings.Repeat("[]", deepest+1))
	wide := `{"$defs":{"a0":{"type":"string"}`
	for i := 1; i < 40; i++ { // each holds the one before twice: 2^40 strings
		wide += fmt.Sprintf(`,"a%d":{"prefixItems":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%[2]d"}]}`, i, i-1)
	}
	w = newWriter([]byte(wide+`},"$ref":"#/$defs/a39"}`), false)
	is.True(len(w.typ(w.root, 0)) < 4*longest)
}

func tool(id, in, out string) *nodes.Tool {
	t := &nodes.Tool{ID: nodes.ToolID(id), Description: "What " + id + " does. */", InputSchema: []byte(in)}
	if out != "" {
		t.OutputSchema = []byte(out)
	}
	return t
}

const object = `{"type":"object","properties":{"path":{"type":"string","description":"Where."},"n":{"type":"integer","default":3}},"required":["path"]}`

func TestTool(t *testing.T) {
	is := is.New(t)
	read := tool("files:read", object, `{"type":"object","properties":{"content":{"type":"string"}}}`)
	is.Equal(Signature(read, nil), "read({ path: string; n?: number }): string")
	is.Equal(Tool(read, nil), `/** What files:read does. *\/ */
read(args: {
  /** Where. */
  path: string;
  /** Default: 3 */
  n?: number;
}): Promise<string>;`)
	odd := tool("my-server:a tool", `{"type":"object"}`, "")
	is.Equal(Signature(odd, nil), `"a tool"(): any`)
	is.Equal(Call(odd.ID), `mcp["my-server"]["a tool"]`)
	odd.TextResult = true
	is.Equal(Tool(odd, nil), "/** What my-server:a tool does. *\\/ */\n\"a tool\"(args?: Record<string, unknown>): Promise<string>;")
	is.Equal(Module([]*nodes.Tool{odd}, nil), "/** The parameters of the program. */\ndeclare const args: Record<string, any>;\n\n"+
		"declare const mcp: {\n  readonly \"my-server\": {\n    /** What my-server:a tool does. *\\/ */\n"+
		"    \"a tool\"(args?: Record<string, unknown>): Promise<string>;\n  };\n};\n")
}

// TestFit: whatever the room, no more of it is taken, every tool is declared, named or counted, and no server goes short.
func TestFit(t *testing.T) {
	var tools []*nodes.Tool
	for _, server := range []string{"a", "b", "c"} {
		for i := range 10 {
			tools = append(tools, tool(fmt.Sprintf("%s:tool_%d", server, i), object, ""))
		}
	}
	for tokens := 20; tokens < 600; tokens += 7 {
		text := Fit(tools, nil, tokens)
		if Tokens(text) > tokens {
			t.Errorf("%d tokens of %d:\n%s", Tokens(text), tokens, text)
		}
		var signatures []int
		for _, part := range strings.Split(text, "mcp.")[1:] {
			signatures = append(signatures, strings.Count(part, "): any"))
			if strings.Count(part, "tool_")+silent(part) != 10 {
				t.Errorf("%d tokens: not all tools are accounted for:\n%s", tokens, text)
			}
		}
		if len(signatures) != 3 || slices.Max(signatures)-slices.Min(signatures) > 1 {
			t.Errorf("%d tokens: a server goes short:\n%s", tokens, text)
		}
	}
	is := is.New(t)
	is.Equal(strings.Count(Fit(tools, nil, 200), "): any"), 14)
	is.Equal(strings.Count(Fit(tools, nil, 5000), "): any"), 30)
	var many []*nodes.Tool
	for i := range 500 {
		many = append(many, tool(fmt.Sprintf("server_%d:do", i), object, ""))
	}
	crowd := Fit(many, nil, 100)
	is.True(Tokens(crowd) <= 100)
	is.True(strings.HasPrefix(crowd, "servers: server_0, server_1,") && strings.HasSuffix(crowd, " more\n"))
}

// silent is how many tools a server's part only counts.
func silent(part string) (n int) {
	for line := range strings.Lines(part) {
		line = strings.TrimSpace(line)
		if _, err := fmt.Sscanf(line, "%d tools", &n); err == nil {
			return n
		}
		if i := strings.LastIndex(line, " and "); i >= 0 {
			fmt.Sscanf(line[i:], " and %d more", &n)
		}
	}
	return n
}

func TestShape(t *testing.T) {
	is := is.New(t)
	s := &Shape{}
	is.Equal(s.TypeScript(), "any")
	learn := func(text string) string {
		v, err := value.ParseJSON(text)
		is.NoErr(err)
		again := s.Clone()
		s.Learn(v)
		is.True(!s.Learn(v)) // nothing new the second time
		again.Learn(v)
		is.Equal(again, s)
		return s.TypeScript()
	}
	is.Equal(learn(`{"id": 1, "name": "x"}`), "{ id: number; name: string }")
	is.Equal(learn(`{"id": null}`), "{ id: null | number; name?: string }")
	is.Equal(learn(`{"id": 2, "tags": [{"a": 1}, {"b": [true]}]}`),
		"{ id: null | number; name?: string; tags?: { a?: number; b?: boolean[] }[] }")
	s = &Shape{}
	is.Equal(learn(`{"ada@example.org": 1}`), "Record<string, number>") // a name that is data is not kept
	is.Equal(learn(`{"ok": "x"}`), "Record<string, number | string>")
}
