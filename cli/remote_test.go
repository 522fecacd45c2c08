package cli_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/matryer/is"
)

// A server of the project that is reached over HTTP, with a key from the environment in its headers.
func TestServerOverHTTP(t *testing.T) {
	is := is.New(t)
	var seen string
	s := server.NewMCPServer("notes", "1", server.WithToolCapabilities(false))
	s.AddTool(mcp.NewTool("whoami", mcp.WithReadOnlyHintAnnotation(true)),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			seen = r.Header.Get("Authorization")
			return mcp.NewToolResultText("with " + seen), nil
		})
	web := httptest.NewServer(server.NewStreamableHTTPServer(s))
	defer web.Close()
	w := newWorkspace(t, `{"servers": {}}`, "")
	w.write(".pml.json", `{"mcpServers": {"notes": {"type": "http", "url": "`+web.URL+`",
		"headers": {"Authorization": "Bearer ${NOTES_KEY}"}}}, "permissions": {"allow": ["notes:*"]}}`)
	t.Setenv("NOTES_KEY", "k-1")
	got := w.pml("", "run", "-e", "return await mcp.notes.whoami()")
	is.Equal(seen, "Bearer k-1")
	is.Equal(got.stdout, "with [Authorization]\n") // nothing that a server says holds a key
	got = w.pml("", "plan", "-e", "return await mcp.notes.whoami()")
	is.True(strings.Contains(got.stdout, "client"))
	web.Close()
	got = w.pml("", "run", "-e", "return await mcp.notes.whoami()")
	is.True(strings.Contains(got.stderr, `server "notes" cannot be reached`))
	is.True(!strings.Contains(got.stderr, "k-1"))
}
