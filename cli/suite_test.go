package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/casys-ai/pml/transport"
	"github.com/casys-ai/pml/transport/serve"
)

// pixel is a PNG of one pixel, silence a WAV of nothing, both in base64.
const (
	pixel   = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	silence = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA="
	image   = `{"type":"image","data":"` + pixel + `","mimeType":"image/png"}`
	anyArgs = `{"type":"object"}`
)

// schema2020 is the schema whose keywords the suite wants to see again.
const schema2020 = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","$defs":{"address":{"type":"object",
	"properties":{"street":{"type":"string"},"city":{"type":"string"}}}},"properties":{"name":{"type":"string"},
	"address":{"$ref":"#/$defs/address"}},"additionalProperties":false}`

// suiteTool is a tool that the conformance suite asks for, as its scenario says.
type suiteTool struct {
	schema string
	call   func(ctx context.Context, c serve.Call) ([]string, error)
}

var suiteTools = map[string]suiteTool{
	"test_simple_text":   says(text("This is a simple text response for testing.")),
	"test_image_content": says(image),
	"test_audio_content": says(`{"type":"audio","data":"` + silence + `","mimeType":"audio/wav"}`),
	"test_embedded_resource": says(`{"type":"resource","resource":{"uri":"test://embedded-resource","mimeType":"text/plain",
		"text":"This is an embedded resource content."}}`),
	"test_multiple_content_types": says(text("Multiple content types test:"), image,
		`{"type":"resource","resource":{"uri":"test://mixed-content-resource","mimeType":"application/json","text":"{}"}}`),
	"json_schema_2020_12_tool": {schema2020, says(text("fine")).call},
	"test_error_handling": {anyArgs, func(context.Context, serve.Call) ([]string, error) {
		return nil, errors.New("This tool intentionally returns an error for testing")
	}},
	"test_tool_with_logging": inSteps(func(c *serve.Client, i int) {
		c.Log(slog.LevelInfo, "suite", []string{"Tool execution started", "Tool processing data", "Tool execution completed"}[i])
	}),
	"test_tool_with_progress": inSteps(func(c *serve.Client, i int) {
		c.Progress(transport.Progress{Progress: float64(50 * i), Total: 100})
	}),
	"test_sampling": {`{"type":"object","properties":{"prompt":{"type":"string"}}}`, asks("sampling/createMessage", func(a args) string {
		return `{"messages":[{"role":"user","content":` + text(a.Prompt) + `}],"maxTokens":100}`
	})},
	"test_elicitation": elicits(`{"type":"object","properties":{"username":{"type":"string","description":"User's response"},
		"email":{"type":"string","description":"User's email address"}},"required":["username","email"]}`),
	"test_elicitation_sep1034_defaults": elicits(`{"type":"object","properties":{"name":{"type":"string","default":"John Doe"},
		"age":{"type":"integer","default":30},"score":{"type":"number","default":95.5},
		"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},
		"verified":{"type":"boolean","default":true}},"required":[]}`),
	"test_elicitation_sep1330_enums": elicits(`{"type":"object","properties":{
		"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
		"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"}]},
		"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},
		"untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},
		"titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},{"const":"value2","title":"Second Choice"}]}}}}`),
}

// args are what the suite's tools are called with.
type args struct{ Prompt, Message string }

func text(s string) string {
	out, _ := json.Marshal(map[string]string{"type": "text", "text": s})
	return string(out)
}

func says(blocks ...string) suiteTool {
	return suiteTool{anyArgs, func(context.Context, serve.Call) ([]string, error) { return blocks, nil }}
}

// inSteps does three things with some time between them, as the suite asks for.
func inSteps(step func(c *serve.Client, i int)) suiteTool {
	return suiteTool{anyArgs, func(_ context.Context, c serve.Call) ([]string, error) {
		for i := range 3 {
			if i > 0 {
				time.Sleep(50 * time.Millisecond)
			}
			step(c.Client, i)
		}
		return []string{text("done")}, nil
	}}
}

// asks asks the client something, and answers with its answer.
func asks(method string, params func(args) string) func(context.Context, serve.Call) ([]string, error) {
	return func(ctx context.Context, c serve.Call) ([]string, error) {
		var a args
		_ = json.Unmarshal(c.Args, &a) // none is fine
		answer, err := c.Client.Relay(ctx, method, []byte(params(a)))
		return []string{text("The client answered: " + string(answer))}, err
	}
}

func elicits(schema string) suiteTool {
	return suiteTool{`{"type":"object","properties":{"message":{"type":"string"}}}`, asks("elicitation/create", func(a args) string {
		message, _ := json.Marshal("Please: " + a.Message)
		return fmt.Sprintf(`{"message":%s,"requestedSchema":%s}`, message, schema)
	})}
}

// suite is the serve.Handler of a server with these tools.
type suite struct{}

// Tools implements serve.Handler.
func (suite) Tools() (list []serve.Tool) {
	for name, t := range suiteTools {
		list = append(list, serve.Tool{Name: name, Description: "As the scenario of the suite says.", InputSchema: []byte(t.schema)})
	}
	return list
}

// Call implements serve.Handler.
func (suite) Call(ctx context.Context, c serve.Call) *transport.Result {
	blocks, err := suiteTools[c.Tool].call(ctx, c)
	out := &transport.Result{IsError: err != nil}
	if err != nil {
		blocks = []string{text(err.Error())}
	}
	for _, b := range blocks {
		out.Content = append(out.Content, transport.Content{Raw: []byte(b)})
	}
	return out
}

// Read implements serve.Handler.
func (suite) Read(context.Context, string) (serve.Text, error) {
	return serve.Text{}, errors.New("there is none")
}

// serveSuite is the server's process.
func serveSuite() error {
	s := serve.New(suite{}, serve.Options{Name: "suite", Version: "1"})
	s.Changed()
	return s.Pipe(context.Background(), os.Stdin, os.Stdout)
}
