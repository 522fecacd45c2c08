package call

import (
	"encoding/json"
	"testing"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// textBlock is a content block as transport gives it.
func textBlock(text string) Block {
	raw, _ := json.Marshal(map[string]string{"type": "text", "text": text})
	return Block{Type: "text", Text: text, Raw: raw}
}

func imageBlock() Block {
	return Block{Type: "image", Raw: []byte(`{"type":"image","data":"AAAA","mimeType":"image/png"}`)}
}

func TestUnwrap(t *testing.T) {
	plain := nodes.Tool{ID: "s:t"}
	text := nodes.Tool{ID: "s:t", TextResult: true}
	typed := nodes.Tool{ID: "s:t", OutputSchema: []byte(`{"type":"object"}`)}
	for _, c := range []struct {
		name  string
		tool  nodes.Tool
		reply Reply
		want  string
	}{
		{"text", plain, Reply{Content: []Block{textBlock("hello")}}, `"hello"`},
		{"empty text", plain, Reply{Content: []Block{textBlock("")}}, `""`},
		{"no blocks", plain, Reply{}, `[]`},
		{"object as text", plain, Reply{Content: []Block{textBlock(" {\"b\":1,\"a\":[2]}\n")}}, `{"b":1,"a":[2]}`},
		{"array as text", plain, Reply{Content: []Block{textBlock("[1,2]")}}, `[1,2]`},
		{"number as text", plain, Reply{Content: []Block{textBlock("42")}}, `"42"`},
		{"broken JSON", plain, Reply{Content: []Block{textBlock("{oops}")}}, `"{oops}"`},
		{"JSON with more behind", plain, Reply{Content: []Block{textBlock("{} x")}}, `"{} x"`},
		{"marked text", text, Reply{Content: []Block{textBlock(`{"a":1}`)}}, `"{\"a\":1}"`},
		{"two blocks", plain, Reply{Content: []Block{textBlock("a"), textBlock("b")}},
			`[{"text":"a","type":"text"},{"text":"b","type":"text"}]`},
		{"image", plain, Reply{Content: []Block{imageBlock()}}, `[{"type":"image","data":"AAAA","mimeType":"image/png"}]`},
		{"structured, undeclared", plain, Reply{Content: []Block{textBlock("x")}, Structured: []byte(`{"a":1}`)}, `"x"`},
		{"structured", typed, Reply{Content: []Block{textBlock(`{"a":1}`)}, Structured: []byte(`{"a":1}`)}, `{"a":1}`},
		{"structured, no blocks", typed, Reply{Structured: []byte(`{"a":"x"}`)}, `{"a":"x"}`},
		{"repeats the text", typed, Reply{Content: []Block{textBlock("x")}, Structured: []byte(` { "content" : "x" } `)},
			`"x"`},
		{"repeats an escaped text", typed, Reply{Content: []Block{textBlock("é\n")},
			Structured: []byte(`{"c":"\u00e9\n"}`)}, `"é\n"`},
		{"repeats JSON text", typed, Reply{Content: []Block{textBlock(`{"a":1}`)}, Structured: []byte(`{"c":"{\"a\":1}"}`)},
			`"{\"a\":1}"`},
		{"two properties", typed, Reply{Content: []Block{textBlock("x")}, Structured: []byte(`{"c":"x","d":1}`)},
			`{"c":"x","d":1}`},
		{"other text", typed, Reply{Content: []Block{textBlock("y")}, Structured: []byte(`{"c":"x"}`)}, `{"c":"x"}`},
		{"declared, not given", typed, Reply{Content: []Block{textBlock(`{"a":1}`)}}, `{"a":1}`},
		{"bytes that are no UTF-8", plain, Reply{Content: []Block{{Type: "text", Text: "[\"\xed\xa0\x80\"]"}}}, `["\ud800"]`},
		{"error", plain, Reply{Content: []Block{textBlock("no"), imageBlock(), textBlock("way")}, IsError: true},
			`throws ToolError: no` + "\n" + `way {"code":"TOOL_ERROR","tool":"s:t"}`},
		{"error without text", plain, Reply{IsError: true},
			`throws ToolError: tool failed {"code":"TOOL_ERROR","tool":"s:t"}`},
		{"bad structured content", typed, Reply{Structured: []byte(`{`)},
			"throws ToolError: s:t answered with what is no JSON: " +
				`SyntaxError: Expected property name or '}' in JSON at position 1 {"code":"SERVER_ERROR","tool":"s:t"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := Unwrap(&c.tool, c.reply)
			if got := show(v, err); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// show is a value as JSON, or the exception.
func show(v value.Value, err error) string {
	thrown, ok := err.(*value.Throw)
	if ok {
		text := "throws " + thrown.Error()
		if e, ok := thrown.Value.(*value.Error); ok && e.Props != nil {
			props, _, _ := value.Stringify(e.Props)
			text += " " + props
		}
		return text
	}
	if err != nil {
		return "fatal: " + err.Error()
	}
	text, _, _ := value.Stringify(v)
	return text
}

// A long result stays the bytes that arrived until something looks inside.
func TestUnwrapKeepsLongResults(t *testing.T) {
	long := make([]int, 2000)
	raw, _ := json.Marshal(map[string]any{"list": long})
	v, err := Unwrap(&nodes.Tool{ID: "s:t"}, Reply{Content: []Block{textBlock(string(raw))}})
	if _, lazy := v.(*value.Lazy); !lazy || err != nil {
		t.Errorf("got %T, %v", v, err)
	}
}
