package transport

import "fmt"

// Result is what a tool answered (MCP 2025-06-18, "Tool Result"). Its bytes are as they arrived; do not change them.
type Result struct {
	Content []Content
	// Structured is the JSON text of structuredContent; nil if there is none.
	Structured []byte
	// Meta is the JSON text of _meta; nil if there is none.
	Meta []byte
	// IsError says that the tool failed; Content then says why.
	IsError bool
}

// Content is one content block.
type Content struct {
	// Type is "text", "image", "audio", "resource_link", "resource" or what else the server sends.
	Type string
	// Text is the text of a text block, as WTF-8.
	Text string
	// Raw is the block's own JSON text.
	Raw []byte
}

// ParseResult reads the result object of tools/call. The Result keeps raw alive.
func ParseResult(raw []byte) (*Result, error) {
	r := &Result{}
	end := scanObject(raw, skipSpace(raw, 0), func(key []byte, at int) int {
		if string(key) == "content" && at < len(raw) && raw[at] == '[' {
			return scanArray(raw, at, func(at int) int { return r.addContent(raw, at) })
		}
		end := skipValue(raw, at)
		if end < 0 {
			return -1
		}
		value := raw[at:end:end]
		switch string(key) {
		case "structuredContent":
			r.Structured = notNull(value)
		case "isError":
			r.IsError = string(value) == "true"
		case "_meta":
			r.Meta = notNull(value)
		}
		return end
	})
	if end < 0 || skipSpace(raw, end) != len(raw) {
		return nil, fmt.Errorf("not a tool result: %s", excerpt(raw))
	}
	return r, nil
}

// JSON writes the result as tools/call answers it.
func (r *Result) JSON() []byte {
	out := []byte(`{"content":[`)
	for i, c := range r.Content {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, c.Raw...)
	}
	out = append(out, ']')
	if r.Structured != nil {
		out = append(append(out, `,"structuredContent":`...), r.Structured...)
	}
	if r.Meta != nil {
		out = append(append(out, `,"_meta":`...), r.Meta...)
	}
	if r.IsError {
		out = append(out, `,"isError":true`...)
	}
	return append(out, '}')
}

// TextResult is a result that says text.
func TextResult(text string) *Result {
	return &Result{Content: []Content{{Type: "text", Text: text, Raw: []byte(`{"type":"text","text":` + quoteJSON(text) + `}`)}}}
}

func (r *Result) addContent(raw []byte, start int) int {
	var c Content
	var text []byte
	end := scanObject(raw, start, func(key []byte, at int) int {
		end := skipValue(raw, at)
		if end < 0 {
			return -1
		}
		switch string(key) {
		case "type":
			c.Type, _ = unquote(raw[at:end])
		case "text":
			text = raw[at:end]
		}
		return end
	})
	if end < 0 {
		return -1
	}
	if c.Type == "text" {
		var ok bool
		if c.Text, ok = unquote(text); !ok {
			return -1
		}
	}
	c.Raw = raw[start:end:end]
	r.Content = append(r.Content, c)
	return end
}

func notNull(raw []byte) []byte {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// excerpt quotes the beginning of what a server printed.
func excerpt(raw []byte) string {
	const most = 200
	if len(raw) > most {
		return fmt.Sprintf("%q… (%d bytes)", raw[:most], len(raw))
	}
	return fmt.Sprintf("%q", raw)
}
