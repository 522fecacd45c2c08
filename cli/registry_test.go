package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/matryer/is"

	"github.com/casys-ai/pml/transport"
)

// registry sends a request to the registry and gives status, headers and body.
func (c *cloud) registry(method, name, body, etag string) (int, http.Header, string) {
	c.tb.Helper()
	return c.web(method, "/mcp/"+name, body, etag)
}

// get asks the gateway for a path.
func (c *cloud) get(path string) (int, http.Header, string) {
	c.tb.Helper()
	return c.web(http.MethodGet, path, "", "")
}

func (c *cloud) web(method, path, body, etag string) (int, http.Header, string) {
	c.tb.Helper()
	rq, _ := http.NewRequest(method, c.url+path, strings.NewReader(body))
	rq.Header.Set("X-Api-Key", c.key)
	if etag != "" {
		rq.Header.Set("If-None-Match", etag)
	}
	answer, err := http.DefaultClient.Do(rq)
	if err != nil {
		c.tb.Fatal(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	return answer.StatusCode, answer.Header, string(text)
}

// A capability is saved, called like a tool, published, and called from another project, also without the network.
func TestCapabilities(t *testing.T) {
	is := is.New(t)
	c := startCloud(t, `{"servers": {}}`, "")
	w := c.client(newWorkspace(t, shop, `"permissions": {"allow": ["shop:*", "json:*"]}`))
	w.write("cost.ts", "```ts\nexport default async () => {\n  const p = await mcp.shop.price({ item: args.item });\n"+
		"  return p.eur * (args.count ?? 1);\n}\n```\n")
	got := w.pml("", "capability", "save", "money:cost", "cost.ts", "--description", "What so many cost")
	is.Equal(got.stderr, "saved money:cost; a program calls it as mcp.money.cost({ item, count })\n")
	program := `return [await mcp.money.cost({ item: "pear", count: 3 }), await mcp.money.cost({ item: "fig" })]`
	got = w.pml("", "run", "-e", program)
	is.Equal(got.stderr, "")
	is.Equal(strings.Join(strings.Fields(got.stdout), ""), "[9,3]")
	plan := w.pml("", "plan", "-e", program)
	is.Equal(strings.Count(plan.stdout, "shop:price"), 2) // its graph is part of the caller's
	is.True(!strings.Contains(plan.stdout, "script"))
	is.True(strings.Contains(w.pml("", "tools", "cost").stdout, "capability"))
	is.True(strings.Contains(w.pml("", "capability", "list").stdout, "What so many cost"))
	is.True(strings.Contains(w.pml("", "capability", "show", "money:cost").stdout, "p.eur"))

	name := strings.TrimSpace(w.pml("", "capability", "publish", "money:cost").stdout)
	is.True(strings.HasPrefix(name, "acme.shop.money.cost."))
	other := c.client(newWorkspace(t, shop, `"permissions": {"allow": ["shop:*"]}`))
	got = other.pml("", "run", "-e", program)
	is.Equal(strings.Join(strings.Fields(got.stdout), ""), "[9,3]")
	c.stop()
	got = other.pml("", "run", "-e", program)
	is.Equal(strings.Join(strings.Fields(got.stdout), ""), "[9,3]")
}

func TestRegistry(t *testing.T) {
	is := is.New(t)
	c := startCloud(t, `{"servers": {}}`, "")
	status, _, body := c.registry("PUT", "filesystem", `{"type":"stdio","routing":"local","install":{"command":"npx",`+
		`"args":["-y","@modelcontextprotocol/server-filesystem"],"envRequired":[]}}`, "")
	is.Equal(status, http.StatusOK)
	is.True(strings.Contains(body, `"routing":"client"`)) // local is read as client
	status, h, body := c.registry("GET", "filesystem", "", "")
	is.Equal(status, http.StatusOK)
	is.True(h.Get("ETag") != "" && strings.Contains(h.Get("Cache-Control"), "max-age"))
	status, _, _ = c.registry("GET", "filesystem", "", h.Get("ETag"))
	is.Equal(status, http.StatusNotModified)
	fqdn, _, _ := strings.Cut(body[strings.Index(body, "acme.shop."):], `"`)
	status, h, _ = c.registry("GET", fqdn, "", "")
	is.Equal(status, http.StatusOK)
	is.True(strings.Contains(h.Get("Cache-Control"), "immutable"))
	status, _, _ = c.registry("GET", fqdn[:len(fqdn)-5], "", "")
	is.Equal(status, http.StatusOK)
	status, _, body = c.registry("GET", "filesytem", "", "")
	is.Equal(status, http.StatusNotFound)
	is.True(strings.Contains(body, "did you mean filesystem?"))
	for _, bad := range []string{`{`, `{"type":"exe"}`, `{"type":"stdio"}`, `{"type":"http","proxyTo":"file:///x"}`,
		`{"type":"stdio","routing":"moon","install":{"command":"x"}}`} {
		status, _, _ = c.registry("PUT", "bad", bad, "")
		is.Equal(status, http.StatusBadRequest)
	}
	r := c.execute(`return await mcp.filesystem.read_file({ path: "x" })`, true)
	is.Equal(r.FQDNs, map[string]string{"filesystem:read_file": fqdn})
	// Another tenant sees nothing of it.
	other := strings.TrimSpace(c.home.pml("", "gateway", "key", "create", "--scope", "other.shop").stdout)
	c.key = other
	status, _, _ = c.registry("GET", "filesystem", "", "")
	is.Equal(status, http.StatusNotFound)
	status, _, _ = c.registry("GET", fqdn, "", "")
	is.Equal(status, http.StatusNotFound)
}

// searchServer is a server over HTTP that wants a key; seen are the keys that it got.
func searchServer(t *testing.T) (url string, seen func() []string) {
	t.Helper()
	var mu sync.Mutex
	var keys []string
	s := server.NewMCPServer("search", "1", server.WithToolCapabilities(false))
	s.AddTool(mcp.NewTool("find", mcp.WithReadOnlyHintAnnotation(true)),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			mu.Lock()
			defer mu.Unlock()
			keys = append(keys, r.Header.Get("Authorization"))
			return mcp.NewToolResultText(r.GetString("q", "") + " found"), nil
		})
	upstream := httptest.NewServer(server.NewStreamableHTTPServer(s))
	t.Cleanup(upstream.Close)
	return upstream.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(keys)
	}
}

// offer publishes a server that the gateway calls with the user's own SEARCH_KEY.
func (c *cloud) offer(url string) {
	c.tb.Helper()
	record := `{"type":"http","proxyTo":"` + url + `","headers":{"Authorization":"Bearer ${SEARCH_KEY}"},
		"tools":[{"id":"search:find","inputSchema":{"type":"object"},"effect":"read"}]}`
	if status, _, body := c.registry("PUT", "search", record, ""); status != http.StatusOK {
		c.tb.Fatal(body)
	}
}

// An http record: the server is called by the gateway with the user's own key, and with that key only.
func TestOwnKeys(t *testing.T) {
	is := is.New(t)
	url, seen := searchServer(t)
	c := startCloud(t, `{"servers": {}}`, "")
	c.offer(url)
	w := c.client(newWorkspace(t, `{"servers": {}}`, `"permissions": {"allow": ["search:*"]}`))
	program := `const a = await mcp.search.find({ q: "one" }); return await mcp.search.find({ q: a })`
	got := w.pml("", "run", "--no-input", "-e", program)
	is.True(got.code != 0 && strings.Contains(got.stderr, "SEARCH_KEY")) // the missing key is named
	is.Equal(len(seen()), 0)
	w.env = append(w.env, "SEARCH_KEY=key-of-the-user", "OTHER_KEY=stays-here")
	got = w.pml("", "run", "-e", program)
	is.Equal(got.stdout+got.stderr, "one found found\n")
	is.Equal(seen(), []string{"Bearer key-of-the-user", "Bearer key-of-the-user"})
	got = w.pml("", "run", "-e", `return await mcp.search.find({ q: "key-of-the-user" })`)
	is.Equal(got.stdout+got.stderr, "[SEARCH_KEY] found\n")
	sent := strings.Join(c.sent(), "\n")
	is.True(strings.Contains(sent, "key-of-the-user") && !strings.Contains(sent, "stays-here"))
	for _, file := range []string{".pml/gateway.db", ".pml/gateway.db-wal"} { // kept nowhere
		is.True(!bytes.Contains(c.home.bytes(file), []byte("key-of-the-user")))
	}
}

// Arguments that hold a key of the user's are what they were when a run is taken up by another process, and its journal does
// not hold the key.
func TestKeyInArguments(t *testing.T) {
	is := is.New(t)
	c := startCloud(t, `{"servers": {}}`, "")
	record := `{"type":"http","proxyTo":"http://localhost:1/mcp","headers":{"Authorization":"Bearer ${SEARCH_KEY}"},
		"tools":[{"id":"search:find","inputSchema":{"type":"object"},"effect":"read"}]}`
	status, _, _ := c.registry("PUT", "search", record, "")
	is.Equal(status, http.StatusOK)
	w := c.client(newWorkspace(t, `{"servers": {}}`, `"permissions": {"allow": ["search:*"]}`))
	w.env = append(w.env, "SEARCH_KEY=key-of-the-user")
	got := w.pml("", "run", "--no-input", "--args", `{"k": "a key-of-the-user b"}`, "-e",
		`await mcp.filesystem.write_file({ path: "a", content: "b" });
if (args.k === "") await mcp.search.find({ q: args.k });
return args.k.length`)
	is.Equal(got.code, 3)
	w.grep("key-of-the-user")
	is.Equal(w.pml("", "runs", "resume", w.newest(), "--approve", "all").stdout, "19\n")
	w.grep("key-of-the-user")
}

// A server of the registry that runs on the client's machine: found, shown, approved, started on first use, and then the
// same whatever becomes of its record.
func TestInstall(t *testing.T) {
	is := is.New(t)
	c := startCloud(t, `{"servers": {}}`, "")
	w := c.client(newWorkspace(t, shop, ""))
	args, err := json.Marshal([]string{"testserver", "-config", w.path("tools.json"), "-server", "shop"})
	is.NoErr(err)
	w.write(".pml.json", `{"permissions": {"allow": ["shop:*"]}}`)
	publish := func(command string) {
		status, _, body := c.registry("PUT", "shop", fmt.Sprintf(`{"type":"stdio","install":{"command":%q,"args":%s}}`, command, args), "")
		if status != http.StatusOK {
			t.Fatal(body)
		}
	}
	publish(self(t))
	program := `return (await mcp.shop.price({ item: "pear" })).eur`
	got := w.pml("", "run", "-e", program)
	is.Equal(got.code, 2)
	is.True(strings.Contains(got.stderr, "pml install shop"))
	got = w.pml("y\n", "install", "shop") // nobody sits at a pipe
	is.Equal(got.code, 3)
	is.True(strings.Contains(got.stderr, "acme.shop.shop.server.") && strings.Contains(got.stderr, "testserver"))
	is.Equal(w.pml("", "install", "--yes", "shop").code, 0)
	publish("/nowhere/else")
	c.stop()
	got = w.pml("", "run", "-e", program)
	is.Equal(got.stdout, "3\n")
	is.True(strings.Contains(w.pml("", "tools", "price").stdout, "registry"))
	is.Equal(w.pml("", "install", "--yes", "gone").code, 1) // offline
}

// A registry that gives something else than what was asked for: nothing of it is used, and the place of the call is told.
func TestRegistryThatLies(t *testing.T) {
	is := is.New(t)
	served := transport.Record{Name: "money:other", Type: transport.RecordCapability, Code: "return 1"}
	served.Seal("acme.shop")
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/catalog" {
			_, _ = io.WriteString(w, `{"routes":{},"tools":[]}`)
			return
		}
		_ = json.NewEncoder(w).Encode(served)
	}))
	defer web.Close()
	w := newWorkspace(t, `{"servers": {}}`, "")
	w.env = append(w.env, "PML_API_KEY=k", "PML_CLOUD_URL="+web.URL)
	got := w.pml("", "run", "-e", "\nreturn await mcp.money.cost({})")
	is.Equal(got.code, 2)
	is.True(strings.Contains(got.stderr, "error INTEGRITY_MISMATCH 2:18: the registry was asked for money:cost, and gave "+served.FQDN))
	is.True(strings.Contains(got.stderr, "hint: ask who runs the registry"))
	got = w.pml("", "install", "acme.shop.money.cost.1234")
	is.Equal(got.code, 1)
	is.True(strings.Contains(got.stderr, "was asked for acme.shop.money.cost.1234, and gave "+served.FQDN))
}
