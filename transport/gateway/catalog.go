package gateway

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/transport"
)

// catalogAge is how long, in seconds, clients keep the catalogue before they ask again.
const catalogAge = "max-age=60"

// getCatalog serves the tools that run here, and the platform's routes.
func (g *Gateway) getCatalog(w http.ResponseWriter, r *http.Request) {
	tools := slices.Clone(g.tools)
	records, err := g.store.Proxied(r.Context(), callerOf(r.Context()).Scope)
	if err != nil {
		g.broke(w, err)
		return
	}
	for _, record := range records {
		tools = append(tools, ToolsOf(record)...)
	}
	stored, err := g.store.usable(r.Context(), callerOf(r.Context()).Scope, transport.RecordCapability)
	if err != nil {
		g.broke(w, err)
		return
	}
	var capabilities []transport.CloudCapability
	for _, c := range stored {
		capabilities = append(capabilities, transport.CloudCapability{ID: nodes.ToolID(c.Name), FQDN: c.FQDN, Description: c.Description,
			Parameters: c.Parameters})
	}
	routes := map[string]string{}
	for _, t := range tools {
		routes[t.ID.Server()] = "server"
	}
	text, err := json.Marshal(transport.CloudCatalog{Routes: routes, Tools: tools, Capabilities: capabilities})
	if err != nil {
		g.broke(w, err)
		return
	}
	serveCached(w, r, text, "private, "+catalogAge)
}

// ToolsOf are the tools of an http record, with the keys that they need.
func ToolsOf(r *transport.Record) (tools []transport.CloudTool) {
	for _, t := range r.Tools {
		t.Keys, t.Origin = r.Keys(), "registry"
		tools = append(tools, t)
	}
	return tools
}

// serveCached answers with JSON, or says that it is what the client has already.
func serveCached(w http.ResponseWriter, r *http.Request, text []byte, control string) {
	sum := sha256.Sum256(text)
	etag := `"` + hex.EncodeToString(sum[:16]) + `"`
	h := w.Header()
	h.Set("ETag", etag)
	h.Set("Cache-Control", control)
	if r.Header.Get("If-None-Match") == etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", "application/json")
	_, _ = w.Write(text)
}
