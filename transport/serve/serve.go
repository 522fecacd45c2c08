// Package serve is the shell of pml's own MCP server: the protocol, over pipes and HTTP. What the tools do is behind the
// Handler that cli wires.
//
//	pipes ─▶ pipe ──┐                                        ┌─▶ Handler.Tools
//	                ├─▶ Server (mcp-go: sessions, methods) ──┼─▶ Handler.Call, with the Client that calls
//	HTTP ─▶ mcp-go ─┘                                        └─▶ Handler.Read
package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/casys-ai/pml/transport"
)

// Tool is a tool as clients see it.
type Tool struct {
	Name        string
	Title       string
	Description string
	// InputSchema and OutputSchema are JSON texts; OutputSchema may be nil.
	InputSchema  []byte
	OutputSchema []byte
	Annotations  Annotations
	// Meta are hints for clients, as _meta; it may be nil.
	Meta map[string]any
	// Aliases are other names that it is called by; they are not listed.
	Aliases []string
	// Hidden says that it can be called and is not listed.
	Hidden bool
}

// Annotations are hints about what a tool does (MCP 2025-11-25, ToolAnnotations).
type Annotations = mcp.ToolAnnotation

// Call is one call of a tool.
type Call struct {
	// Tool is the Name of the Tool, whatever alias was used.
	Tool string
	// Args is the JSON text of the arguments; nil if there are none.
	Args []byte
	// Meta is what the caller sent as _meta, but for what the protocol defines; nil if there is nothing.
	Meta map[string]any
	// Client is whoever calls.
	Client *Client
}

// Handler does what clients ask for. Its methods are called by many goroutines at once.
type Handler interface {
	// Tools are the tools that can be called now.
	Tools() []Tool
	// Call calls a tool. The end of ctx calls it off; what it returns then is not sent.
	Call(ctx context.Context, c Call) *transport.Result
	// Read reads the resource of a URI that fits Options.Resources.
	Read(ctx context.Context, uri string) (Text, error)
}

// Text is the content of a resource.
type Text struct{ MIMEType, Text string }

// Resources describes the resources that a Server has: a URI template (RFC 6570) and what it stands for.
type Resources struct{ Template, Name, Description string }

// Options are what clients are told, and where warnings go.
type Options struct {
	Name, Version string
	// Instructions tell a model how to use the tools.
	Instructions string
	Resources    Resources
	// Log gets what goes wrong in the protocol; nil for nowhere.
	Log *slog.Logger
}

// Server serves a Handler to any number of clients.
type Server struct {
	mcp     *server.MCPServer
	handler Handler
	log     *slog.Logger
	// ready is closed when Changed was called first: the handler then knows all its tools.
	ready chan struct{}
	once  sync.Once

	registering sync.Mutex

	mu       sync.Mutex
	listing  []byte
	hidden   map[string]bool
	sessions map[string]server.ClientSession
}

// New makes a Server. Until Changed is called the handler may not know all its tools yet: who asks for one that is
// unknown waits for that.
func New(h Handler, o Options) *Server {
	s := &Server{handler: h, log: o.Log, ready: make(chan struct{}), hidden: map[string]bool{},
		sessions: map[string]server.ClientSession{}}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	hooks := &server.Hooks{}
	hooks.AddOnRequestInitialization(s.await)
	hooks.AddAfterListTools(s.showListed)
	hooks.AddOnRegisterSession(s.opened)
	hooks.AddOnUnregisterSession(s.closed)
	s.mcp = server.NewMCPServer(o.Name, o.Version, server.WithInstructions(o.Instructions), server.WithHooks(hooks),
		server.WithToolCapabilities(true), server.WithLogging(), server.WithRecovery())
	if r := o.Resources; r.Template != "" {
		s.mcp.AddResourceTemplate(mcp.NewResourceTemplate(r.Template, r.Name, mcp.WithTemplateDescription(r.Description)),
			s.read)
	}
	s.register()
	return s
}

// Changed reads the handler's tools again and tells the clients if what is listed is not what it was.
func (s *Server) Changed() {
	s.register()
	s.once.Do(func() { close(s.ready) })
}

func (s *Server) register() {
	s.registering.Lock() // of two that come at once, the one that reads the tools last has the last word
	defer s.registering.Unlock()
	tools := s.usable(s.handler.Tools()) // before the lock: logging takes it
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []server.ServerTool
	var listed []mcp.Tool
	hidden := map[string]bool{}
	for _, t := range tools {
		shown := t.describe()
		call := s.call(t.Name)
		all = append(all, server.ServerTool{Tool: shown, Handler: call})
		if hidden[t.Name] = t.Hidden; !t.Hidden {
			listed = append(listed, shown)
		}
		for _, alias := range t.Aliases {
			shown.Name, hidden[alias] = alias, true
			all = append(all, server.ServerTool{Tool: shown, Handler: call})
		}
	}
	listing, err := json.Marshal(listed)
	if err == nil && maps.Equal(s.hidden, hidden) && bytes.Equal(listing, s.listing) {
		return // nothing that a client could see or call
	}
	s.listing, s.hidden = listing, hidden
	s.mcp.SetTools(all...)
}

// usable leaves out the tools that mcp-go would not take; one bad tool does not take the others down.
func (s *Server) usable(tools []Tool) []Tool {
	return slices.DeleteFunc(tools, func(t Tool) bool {
		shown := t.describe()
		err := mcp.ValidateParamHeaderAnnotations(&shown)
		if err != nil {
			s.log.Warn("tool " + t.Name + " cannot be called directly: " + err.Error())
		}
		return err != nil
	})
}

func (t Tool) describe() mcp.Tool {
	if len(t.InputSchema) == 0 {
		t.InputSchema = []byte(`{"type":"object"}`)
	}
	out := mcp.Tool{Name: t.Name, Title: t.Title, Description: t.Description, RawInputSchema: t.InputSchema,
		RawOutputSchema: t.OutputSchema, Annotations: t.Annotations}
	if t.Meta != nil {
		out.Meta = &mcp.Meta{AdditionalFields: t.Meta}
	}
	return out
}

// startPatience is how long a list of tools waits for servers that are being started.
const startPatience = 5 * time.Second

// await lets a request for tools wait until the handler knows them: a list for a while, a call of an unknown tool as long
// as it takes.
func (s *Server) await(ctx context.Context, _, message any) error {
	raw, ok := message.(json.RawMessage)
	if !ok {
		return nil
	}
	var m struct {
		Method string
		Params struct{ Name string }
	}
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	switch {
	case m.Method == string(mcp.MethodToolsList):
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, startPatience)
		defer cancel()
	case m.Method == string(mcp.MethodToolsCall) && s.mcp.GetTool(m.Params.Name) == nil:
	default:
		return nil
	}
	select {
	case <-s.ready:
	case <-ctx.Done():
	}
	return nil
}

// showListed leaves hidden tools and aliases out of a list.
func (s *Server) showListed(_ context.Context, _ any, _ *mcp.ListToolsRequest, r *mcp.ListToolsResult) {
	s.mu.Lock()
	defer s.mu.Unlock()
	listed := []mcp.Tool{}
	for _, t := range r.Tools {
		if !s.hidden[t.Name] {
			listed = append(listed, t)
		}
	}
	r.Tools = listed
}

// call is mcp-go's handler of a tool.
func (s *Server) call(name string) server.ToolHandlerFunc {
	return func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		client := &Client{server: s, ctx: ctx}
		c := Call{Tool: name, Args: r.Params.RawArguments, Client: client}
		if m := r.Params.Meta; m != nil {
			client.token, c.Meta = m.ProgressToken, m.AdditionalFields
		}
		return answer(s.handler.Call(ctx, c)), nil
	}
}

func (s *Server) read(ctx context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	t, err := s.handler.Read(ctx, r.Params.URI)
	if err != nil {
		return nil, err
	}
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: r.Params.URI, MIMEType: t.MIMEType, Text: t.Text}}, nil
}

// block is a content block whose bytes go out as they came in.
type block struct {
	mcp.TextContent
	raw json.RawMessage
}

// MarshalJSON implements json.Marshaler.
func (b block) MarshalJSON() ([]byte, error) { return b.raw, nil }

// answer is a result in mcp-go's types.
func answer(r *transport.Result) *mcp.CallToolResult {
	out := &mcp.CallToolResult{Content: []mcp.Content{}, RawStructuredContent: r.Structured, IsError: r.IsError}
	for _, c := range r.Content {
		out.Content = append(out.Content, block{raw: c.Raw})
	}
	if r.Meta != nil {
		meta := &mcp.Meta{}
		if json.Unmarshal(r.Meta, &meta.AdditionalFields) == nil {
			out.Meta = meta
		}
	}
	return out
}
