package cli_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes"
)

// The seeds' test cases 8 and 9 at the gateway: a program that does not end, whoever sends it and however it is written, and
// a tool that does not answer. The gateway goes on working.
func TestTimeoutsAtTheGateway(t *testing.T) {
	is := is.New(t)
	c := startCloud(t, `{"servers": {"slow": {"tools": [{"name": "hang", "effect": "read", "responses": [{"fault": "hang"}]}]}}}`,
		`"limits": {"run": "1s", "call": "300ms"}`)
	for _, program := range []string{ // native code, and a script in its sandbox
		`while (true) {}`,
		`class A { *go() { while (true) yield 1; } } for (const x of new A().go()) {} return await mcp.json.parse({ data: "1" })`,
	} {
		for _, pkg := range []bool{false, true} {
			r := c.execute(program, pkg)
			is.Equal([]any{r.Status, r.Error.Code}, []any{"error", nodes.ExecutionTimeout})
		}
	}
	r := c.execute(`return await mcp.slow.hang({})`, false)
	is.Equal(r.Error.Code, nodes.RPCTimeout)
	w := c.client(newWorkspace(t, `{"servers": {}}`, `"permissions": {"allow": ["*"]}`))
	c.sent()
	got := w.pml("", "run", "-e", `for (const i of [1, 2]) await mcp.json.parse({ data: "1" }); while (true) {}`) // sent as a whole
	is.Equal(got.code, 5)
	is.True(strings.Contains(got.stderr, "EXECUTION_TIMEOUT"))
	is.Equal(len(c.sent()), 1)
	is.Equal(string(c.execute(`return await mcp.json.parse({ data: "7" })`, false).Result), `"7"`)
}

// A capability whose record says where its code is: the gateway fetches it when it is published, and from then on it is
// what it was.
func TestCodeURL(t *testing.T) {
	is := is.New(t)
	code := "return (args.n ?? 0) + 1"
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/inc.ts" {
			http.NotFound(w, r)
			return
		}
		_, _ = io.WriteString(w, code)
	}))
	defer host.Close()
	c := startCloud(t, `{"servers": {}}`, "")
	status, _, body := c.registry("PUT", "tool:inc", `{"type":"deno","codeUrl":"`+host.URL+`/inc.ts","parameters":["n"]}`, "")
	is.Equal(status, http.StatusOK)
	is.True(strings.Contains(body, `"code":"return (args.n ?? 0) + 1"`))
	code = "return -1" // of no consequence
	w := c.client(newWorkspace(t, `{"servers": {}}`, ""))
	is.Equal(w.pml("", "run", "-e", "return await mcp.tool.inc({ n: 41 })").stdout, "42\n")
	for url, says := range map[string]string{host.URL + "/none": "404 Not Found", "file:///etc/passwd": "must be an address of HTTP",
		"http://127.0.0.1:1/x": "connection refused"} {
		status, _, body = c.registry("PUT", "tool:bad", `{"type":"deno","codeUrl":"`+url+`"}`, "")
		is.Equal(status, http.StatusBadRequest)
		is.True(strings.Contains(body, says))
	}
}

// Records of the platform are there for everybody, behind those of a scope's own; what fqdns names says whose they are. No
// other scope's records are seen.
func TestScopes(t *testing.T) {
	is := is.New(t)
	c := startCloud(t, `{"servers": {}}`, "")
	mine := c.key
	as := func(scope string) {
		c.key = strings.TrimSpace(c.home.pml("", "gateway", "key", "create", "--scope", scope).stdout)
	}
	put := func(name, code string) (fqdn string) {
		status, _, body := c.registry("PUT", name, `{"type":"deno","code":"`+code+`"}`, "")
		is.Equal(status, http.StatusOK)
		var r struct{ FQDN string }
		is.NoErr(json.Unmarshal([]byte(body), &r))
		return r.FQDN
	}
	as("pml.mcp")
	_, _, _ = c.registry("PUT", "filesystem", `{"type":"stdio","install":{"command":"npx"}}`, "")
	platform, both := put("data:shape", "return 'platform'"), put("data:both", "return 'platform'")
	as("other.shop")
	theirs := put("data:theirs", "return 'theirs'")
	c.key = mine
	own := put("data:both", "return 'own'")
	r := c.execute(`return [await mcp.filesystem.read_file({ path: "x" }), await mcp.data.shape({}), await mcp.data.both({})]`, true)
	is.Equal(r.Status, "execute_locally")
	is.True(strings.HasPrefix(r.FQDNs["filesystem:read_file"], "pml.mcp.filesystem.server."))
	is.Equal([]string{r.FQDNs["data:shape"], r.FQDNs["data:both"]}, []string{platform, own})
	for name, want := range map[string]int{platform: 200, both: 200, "data:shape": 200, theirs: 404, "data:theirs": 404} {
		status, _, _ := c.registry("GET", name, "", "")
		is.Equal(status, want)
	}
	w := c.client(newWorkspace(t, `{"servers": {}}`, ""))
	got := w.pml("", "run", "-e", "return [await mcp.data.shape({}), await mcp.data.both({})].join()")
	is.Equal(got.stdout+got.stderr, "platform,own\n")
}

// Capabilities are found by discover: the project's own, and those of the registry, marked.
func TestDiscoverCapabilities(t *testing.T) {
	is := is.New(t)
	c := startCloud(t, `{"servers": {}}`, "")
	w := c.client(newWorkspace(t, shop, allowShop))
	w.write("cost.ts", "const p = await mcp.shop.price({ item: args.item }); return p.eur * args.count;")
	is.Equal(w.pml("", "capability", "save", "money:cost", "cost.ts", "--description", "What so many pears cost").code, 0)
	status, _, _ := c.registry("PUT", "fruit:ripe", `{"type":"deno","code":"return args.days > 3","parameters":["days"],`+
		`"description":"Whether pears are ripe"}`, "")
	is.Equal(status, http.StatusOK)
	found := map[string]any{}
	client := w.stdio("{}", nil)
	for _, x := range client.call("discover", map[string]any{"query": "pears"}).object(t)["tools"].([]any) {
		tool := x.(map[string]any)
		found[tool["id"].(string)] = tool["origin"]
		is.True(strings.Contains(tool["declaration"].(string), "args"))
	}
	is.Equal(found, map[string]any{"money:cost": "capability", "fruit:ripe": "registry capability"})
	_, got := client.execute("return [await mcp.money.cost({ item: 'pear', count: 2 }), await mcp.fruit.ripe({ days: 4 })]")
	is.Equal(got["result"], []any{6.0, true})
}

// Over plain HTTP to another machine everybody on the way reads the keys: pml says so, and works.
func TestPlainHTTPIsWarnedOf(t *testing.T) {
	is := is.New(t)
	for address, warned := range map[string]bool{"http://192.0.2.1:9": true, "http://gateway.example": true, "https://192.0.2.1:9": false,
		"http://localhost:9": false, "http://127.0.0.1:9": false, "http://[::1]:9": false, "": false} {
		w := newWorkspace(t, `{"servers": {}}`, "")
		w.env = append(w.env, "PML_API_KEY=pml_key", "PML_CLOUD_URL="+address)
		got := w.pml("", "run", "-e", "return 1")
		is.Equal(got.stdout, "1\n")
		is.Equal(strings.Contains(got.stderr, "your keys and data go there unencrypted; use https"), warned)
		is.True(!strings.Contains(got.stderr, "pml_key"))
	}
}
