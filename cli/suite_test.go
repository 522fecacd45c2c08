package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// pixel is a PNG of one pixel, silence a WAV of nothing, both in base64.
const (
	pixel   = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	silence = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA="
)

// schema2020 is the schema whose keywords the suite wants to see again.
const schema2020 = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","$defs":{"address":{"type":"object",
	"properties":{"street":{"type":"string"},"city":{"type":"string"}}}},"properties":{"name":{"type":"string"},
	"address":{"$ref":"#/$defs/address"}},"additionalProperties":false}`

// serveSuite is an MCP server with the tools that the conformance suite asks for, each as its scenario says.
func serveSuite() error {
	s := server.NewMCPServer("suite", "1", server.WithToolCapabilities(true), server.WithLogging())
	s.EnableSampling()
	add := func(name, schema string, f func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error)) {
		s.AddTool(mcp.NewToolWithRawSchema(name, "As the scenario of the suite says.", json.RawMessage(schema)), f)
	}
	says := func(name string, blocks ...mcp.Content) {
		add(name, `{"type":"object"}`, func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: blocks}, nil
		})
	}
	image := mcp.NewImageContent(pixel, "image/png")
	says("test_simple_text", mcp.NewTextContent("This is a simple text response for testing."))
	says("test_image_content", image)
	says("test_audio_content", mcp.NewAudioContent(silence, "audio/wav"))
	says("test_embedded_resource", mcp.NewEmbeddedResource(mcp.TextResourceContents{URI: "test://embedded-resource",
		MIMEType: "text/plain", Text: "This is an embedded resource content."}))
	says("test_multiple_content_types", mcp.NewTextContent("Multiple content types test:"), image,
		mcp.NewEmbeddedResource(mcp.TextResourceContents{URI: "test://mixed-content-resource", MIMEType: "application/json",
			Text: `{"test":"data","value":123}`}))
	add("json_schema_2020_12_tool", schema2020, func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("fine"), nil
	})
	add("test_error_handling", `{"type":"object"}`, func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultError("This tool intentionally returns an error for testing"), nil
	})
	add("test_tool_with_logging", `{"type":"object"}`, func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return inSteps(func(i int) error {
			text := []string{"Tool execution started", "Tool processing data", "Tool execution completed"}[i]
			return s.SendNotificationToClient(ctx, "notifications/message", map[string]any{"level": "info", "data": text})
		})
	})
	add("test_tool_with_progress", `{"type":"object"}`, func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return inSteps(func(i int) error {
			return s.SendNotificationToClient(ctx, "notifications/progress", map[string]any{"progress": i * 50, "total": 100,
				"progressToken": r.Params.Meta.ProgressToken})
		})
	})
	add("test_sampling", `{"type":"object","properties":{"prompt":{"type":"string"}}}`,
		func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			answer, err := s.RequestSampling(ctx, mcp.CreateMessageRequest{CreateMessageParams: mcp.CreateMessageParams{MaxTokens: 100,
				Messages: []mcp.SamplingMessage{{Role: "user", Content: mcp.NewTextContent(r.GetString("prompt", ""))}}}})
			if err != nil {
				return nil, err
			}
			return mcp.NewToolResultText(fmt.Sprintf("LLM response: %v", answer.Content)), nil
		})
	for name, schema := range elicitations {
		add(name, `{"type":"object","properties":{"message":{"type":"string"}}}`,
			func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				answer, err := s.RequestElicitation(ctx, mcp.ElicitationRequest{Params: mcp.ElicitationParams{
					Message: r.GetString("message", "Please."), RequestedSchema: json.RawMessage(schema)}})
				if err != nil {
					return nil, err
				}
				return mcp.NewToolResultText(fmt.Sprintf("User response: action=%s, content=%v", answer.Action, answer.Content)), nil
			})
	}
	return server.ServeStdio(s)
}

// inSteps does three things with some time after each, as the suite asks for. After the last one too: mcp-go lets the
// response overtake a notification.
func inSteps(step func(i int) error) (*mcp.CallToolResult, error) {
	for i := range 3 {
		if err := step(i); err != nil {
			return nil, err
		}
		time.Sleep(50 * time.Millisecond)
	}
	return mcp.NewToolResultText("done"), nil
}

// elicitations are the tools that ask the user, with the schemas of what they ask for.
var elicitations = map[string]string{
	"test_elicitation": `{"type":"object","properties":{"username":{"type":"string","description":"User's response"},
		"email":{"type":"string","description":"User's email address"}},"required":["username","email"]}`,
	"test_elicitation_sep1034_defaults": `{"type":"object","properties":{"name":{"type":"string","default":"John Doe"},
		"age":{"type":"integer","default":30},"score":{"type":"number","default":95.5},
		"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},
		"verified":{"type":"boolean","default":true}},"required":[]}`,
	"test_elicitation_sep1330_enums": `{"type":"object","properties":{
		"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
		"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"}]},
		"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},
		"untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},
		"titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},{"const":"value2","title":"Second Choice"}]}}}}`,
}
