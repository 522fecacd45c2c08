package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/casys-ai/pml/cli/answer"
	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/casys-ai/pml/transport"
)

// result is an answer of one of pml's own tools: the same JSON as text and as structured content.
func result(v any) *transport.Result {
	text := encode(v)
	return &transport.Result{Content: []transport.Content{textBlock(string(text))}, Structured: text}
}

// failed is the answer that something went wrong. Its second text shows it as a person would read it.
func failed(f answer.Failure) *transport.Result {
	f.Error.Message = cut(f.Error.Message, longestMessage)
	f.Logs = shortLogs(f.Logs)
	r := result(f)
	r.IsError = true
	r.Content = append(r.Content, textBlock(readable(f)))
	return r
}

// longestMessage is the longest message of an error, in bytes: tools put whole pages into theirs.
const longestMessage = 8 << 10

// cut shortens text to at most n bytes, with a mark.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	head := wholeRunes(text, n)
	return fmt.Sprintf("%s… (%d bytes more)", head, len(text)-len(head))
}

// wholeRunes is the beginning of text, at most n bytes, without half a character at its end.
func wholeRunes(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// readable shows a failure with its lines and carets, what had been done, and how to go on.
func readable(f answer.Failure) string {
	var b bytes.Buffer
	show := func(severity string, e answer.Error) {
		fmt.Fprintf(&b, "%s %s", severity, e.Code)
		if e.Line > 0 {
			fmt.Fprintf(&b, " %d:%d", e.Line, e.Column)
		}
		fmt.Fprintf(&b, ": %s\n%s", e.Message, e.Source)
		if e.Hint != "" {
			fmt.Fprintf(&b, "  hint: %s\n", e.Hint)
		}
	}
	for _, d := range f.Diagnostics {
		show(d.Severity, answer.Error{Code: d.Code, Message: d.Message, Line: d.Line, Column: d.Column, Source: d.Source,
			Hint: d.Hint})
	}
	if len(f.Diagnostics) > 0 {
		b.WriteString("nothing was called\n")
		return b.String()
	}
	show("error", f.Error)
	if f.Done != nil {
		fmt.Fprintf(&b, "before that: %s\n", f.Done)
	}
	return b.String()
}

// Console output beyond this is left out of an answer.
const (
	mostLogs     = 200
	longestLog   = 2 << 10
	logTruncated = "%d lines more were left out"
)

// shortLogs bounds the console output of an answer.
func shortLogs(logs []answer.Log) []answer.Log {
	var out []answer.Log
	for _, l := range logs[:min(len(logs), mostLogs)] {
		out = append(out, answer.Log{Level: l.Level, Text: cut(l.Text, longestLog)})
	}
	if more := len(logs) - mostLogs; more > 0 {
		out = append(out, answer.Log{Level: "warn", Text: fmt.Sprintf(logTruncated, more)})
	}
	return out
}

// success is the answer of a run with a result, and what was done to the result on its way.
type success struct {
	answer.Success
	Truncated *truncated `json:"truncated,omitempty"`
}

// succeeded is the answer of a run that has a result.
func (a *Agent) succeeded(o *runtime.Outcome) *transport.Result {
	s, err := answer.Succeeded(o)
	if err != nil {
		return failed(answer.Failure{Status: "error", RunID: o.RunID, Error: answer.Error{Code: nodes.CodeError,
			Message: "the result is not JSON: " + err.Error(), Hint: "return plain data"}})
	}
	media := &media{}
	if hasMedia(s.Result) {
		if s.Result, _, err = value.AppendJSON(nil, media.extract(o.Value, 0)); err != nil {
			return failed(answer.Failure{Status: "error", RunID: o.RunID, Error: answer.Error{Code: nodes.InternalError,
				Message: err.Error()}})
		}
	}
	s.Logs = shortLogs(s.Logs)
	out := success{Success: s}
	out.Result, out.Truncated = a.shorten(s.RunID, s.Result)
	r := result(out)
	r.Content = append(r.Content, media.blocks...)
	return r
}

func textBlock(text string) transport.Content {
	raw := encode(struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}{"text", text})
	return transport.Content{Type: "text", Text: text, Raw: raw}
}

// encode is v as JSON, as people write it: without escapes for HTML. What is encoded here always can be.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return []byte("null")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
