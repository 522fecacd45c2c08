package call

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// Reply is what a tool answered (MCP 2025-06-18, "Tool Result"). Its bytes do not change any more.
type Reply struct {
	Content []Block
	// Structured is the JSON text of structuredContent; nil if there is none.
	Structured []byte
	// Meta is the JSON text of _meta; nil if there is none.
	Meta []byte
	// IsError says that the tool failed; Content then says why.
	IsError bool
}

// Block is one content block.
type Block struct {
	// Type is "text", "image", "audio", "resource_link", "resource" or what else the server sends.
	Type string
	// Text is the text of a text block, as WTF-8.
	Text string
	// Raw is the block's own JSON text.
	Raw []byte
}

// failureCode is the code of a failed call. The built-in servers begin what they say with it where there is one; what
// other servers say is their own.
func failureCode(t *nodes.Tool, text string) nodes.ErrorCode {
	if t.Origin == "built-in" && strings.HasPrefix(text, string(nodes.PathOutsideWorkspace)+": ") {
		return nodes.PathOutsideWorkspace
	}
	return nodes.ToolError
}

// Unwrap makes of a tool's answer the value that a program sees: the one place where that is decided (ARCHITECTURE.md, results). The
// twin in fixtures/testserver/twin.mjs follows the same rule:
//
//   - isError throws a ToolError;
//   - structured content counts if the tool declares an output schema; if its only property repeats the sole text
//     block, the text;
//   - a sole text block is its text, which is parsed if it is a JSON object or array, unless the tool is marked
//     TextResult;
//   - anything else is the list of the blocks, as they were sent.
func Unwrap(t *nodes.Tool, r Reply) (value.Value, error) {
	if r.IsError {
		text := failureText(r.Content)
		return nil, Throw(t.ID, failureCode(t, text), text)
	}
	sole := len(r.Content) == 1 && r.Content[0].Type == "text"
	if len(t.OutputSchema) > 0 && r.Structured != nil {
		if sole && repeats(r.Structured, r.Content[0].Text) {
			return value.String(r.Content[0].Text), nil
		}
		return decode(t, r.Structured)
	}
	if !sole {
		return blocks(t, r.Content)
	}
	text := r.Content[0].Text
	if t.TextResult || !looksLikeJSON(text) {
		return value.String(text), nil
	}
	if v, err := parse(text); err == nil {
		return v, nil
	}
	return value.String(text), nil
}

func failureText(content []Block) string {
	var texts []string
	for _, b := range content {
		if b.Type == "text" {
			texts = append(texts, b.Text)
		}
	}
	if len(texts) == 0 {
		return "tool failed"
	}
	return strings.Join(texts, "\n")
}

func looksLikeJSON(text string) bool {
	i := skipSpace(text, 0)
	return i < len(text) && (text[i] == '{' || text[i] == '[')
}

// parse parses a text without copying it. A text with lone surrogates is no UTF-8 and cannot be kept as bytes.
func parse(text string) (value.Value, error) {
	if !utf8.ValidString(text) {
		return value.ParseJSON(text)
	}
	return value.FromJSON(unsafe.Slice(unsafe.StringData(text), len(text)))
}

func blocks(t *nodes.Tool, content []Block) (value.Value, error) {
	list := value.NewArray(make([]value.Value, len(content))...)
	for i, b := range content {
		v, err := decode(t, b.Raw)
		if err != nil {
			return nil, err
		}
		list.Elems[i] = v
	}
	return list, nil
}

// decode reads JSON that came from the server.
func decode(t *nodes.Tool, raw []byte) (value.Value, error) {
	v, err := value.FromJSON(raw)
	var bad *value.Throw
	if errors.As(err, &bad) {
		return nil, Throw(t.ID, nodes.ServerError, fmt.Sprintf("%s answered with what is no JSON: %s", t.ID, bad.Error()))
	}
	return v, err
}

// repeats reports whether an object has one property only, and that is the string text. Most objects are told apart
// without decoding anything.
func repeats(raw []byte, text string) bool {
	s := unsafe.String(unsafe.SliceData(raw), len(raw))
	i := skipSpace(s, 0)
	if i >= len(s) || s[i] != '{' {
		return false
	}
	i = skipString(s, skipSpace(s, i+1))
	if i = skipSpace(s, i); i >= len(s) || s[i] != ':' {
		return false
	}
	from := skipSpace(s, i+1)
	to := skipString(s, from)
	end := skipSpace(s, to)
	if to == from || end >= len(s) || s[end] != '}' || skipSpace(s, end+1) != len(s) {
		return false
	}
	if literal := s[from+1 : to-1]; !strings.Contains(literal, `\`) {
		return literal == text
	}
	v, err := value.FromJSON(raw[from:to])
	return err == nil && value.Force(v) == value.String(text)
}

func skipSpace(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r') {
		i++
	}
	return i
}

// skipString is the index behind the string literal at i; i itself if there is none.
func skipString(s string, i int) int {
	if i >= len(s) || s[i] != '"' {
		return i
	}
	for j := i + 1; j < len(s); j++ {
		switch s[j] {
		case '\\':
			j++
		case '"':
			return j + 1
		}
	}
	return i
}
