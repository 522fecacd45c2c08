package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// TestStdioTools: pml's own tools are listed and nothing else; the description of execute declares what can be called.
func TestStdioTools(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	c := w.stdio("{}", nil)
	names, execute := c.listed()
	is.Equal(names, []string{"cancel", "discover", "execute", "plan", "resume"})
	for _, want := range []string{"mcp.shop\n", "price({ item: string }): any", "mcp.audit\n"} {
		if !strings.Contains(execute, want) {
			t.Errorf("the description of execute lacks %q:\n%s", want, execute)
		}
	}
	is.True(!strings.Contains(execute, "ship")) // it is forbidden
	is.True(len(execute) <= 2048)               // clients cut there
	var hello struct{ Instructions string }
	is.NoErr(json.Unmarshal(c.hello, &hello))
	is.True(len(hello.Instructions) > 500 && len(hello.Instructions) <= 2048)
}

// TestStdioExecute: the shapes of answers, as text and as structured content.
func TestStdioExecute(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	c := w.stdio("{}", nil)
	r, got := c.execute(`console.log("hello"); return { price: await mcp.shop.price({ item: "a" }), n: -0 }`)
	is.True(strings.HasPrefix(got["run_id"].(string), "run_"))
	is.Equal(r.Content[0].Text, string(r.StructuredContent))
	delete(got, "run_id")
	is.Equal(got, map[string]any{"status": "success", "executed_locally": true,
		"result": map[string]any{"price": map[string]any{"item": "a", "eur": 3.0}, "n": 0.0},
		"logs":   []any{map[string]any{"level": "log", "text": "hello"}}})
	for _, name := range []string{"pml:execute", "pml_execute", "pml__execute", "mcp__pml__execute"} {
		is.Equal(c.call(name, map[string]any{"code": "return args.x", "args": `{"x": 5}`}).object(t)["result"], 5.0)
	}

	r, got = c.execute("await mcp.shop.buy({ item: 'a' });\n  await mcp.shop.price({ item: 'missing' })")
	is.True(r.IsError)
	is.Equal(got["status"], "error")
	failure := got["error"].(map[string]any)
	is.Equal(failure["code"], "TOOL_ERROR")
	is.Equal(failure["line"], 2.0)
	is.Equal(failure["source"], "   2 |   await mcp.shop.price({ item: 'missing' })\n     |         ^\n")
	is.Equal(got["done"], map[string]any{"calls": 1.0, "writes": []any{map[string]any{"tool": "shop:buy", "node": "n1"}}})
	is.True(strings.Contains(r.Content[1].Text, "before that: 1 call done, of them 1 write: shop:buy (n1)"))

	r, got = c.execute("mcp.shop.prise({}); mcp.shop.price({})")
	is.True(r.IsError)
	is.Equal(len(got["diagnostics"].([]any)), 2)
	is.True(strings.Contains(r.Content[1].Text, "hint: did you mean `price`?\n"))
	is.True(strings.Contains(r.Content[1].Text, "nothing was called\n"))

	for args, code := range map[string]string{
		`{}`: "EMPTY_CODE", `{"code": 1}`: "INVALID_ARGUMENTS", `{"code": "return 1", "args": [1]}`: "INVALID_ARGUMENTS",
	} {
		is.Equal(c.call("execute", json.RawMessage(args)).object(t)["error"].(map[string]any)["code"], code)
	}
}

// TestStdioResume: where the client cannot ask, execute answers with the open questions; resume goes on with the same run,
// in another process too; a second resume does no harm.
func TestStdioResume(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	c := w.stdio("{}", nil)
	waiting, got := c.execute("const a = await mcp.shop.buy({ item: 'a' }); return [a, await mcp.audit.refund({ of: a })]")
	is.True(!waiting.IsError)
	is.Equal(got["status"], "approval_required")
	id := got["workflow_id"].(string)
	asked := got["approvals"].([]any)[0].(map[string]any)
	is.Equal(asked["tool"], "audit:refund")
	is.Equal(asked["args"], map[string]any{"of": "bought a"})
	c.close()

	c = w.stdio("{}", nil)
	is.True(c.call("resume", map[string]any{"workflow_id": id, "decisions": []any{map[string]any{"id": "x",
		"decision": "approve"}}}).IsError)
	decided := map[string]any{"workflow_id": id, "decisions": []any{map[string]any{"id": asked["id"], "decision": "approve"}}}
	for range 2 {
		is.Equal(c.call("resume", decided).object(t)["result"], []any{"bought a", "refunded"})
	}
	is.Equal(c.call("resume", map[string]any{"workflow_id": "run_0"}).object(t)["error"].(map[string]any)["code"], "UNKNOWN_RUN")

	_, got = c.execute("await mcp.audit.refund({})")
	is.Equal(c.call("cancel", map[string]any{"workflow_id": got["workflow_id"]}).object(t)["status"], "cancelled")
	is.Equal(c.call("resume", map[string]any{"workflow_id": got["workflow_id"]}).object(t)["error"].(map[string]any)["code"], "CANCELLED")
}

// TestStdioElicit: a client that can ask its user is asked, about all calls that are ready at once.
func TestStdioElicit(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	replies := make(chan any, 3)
	forms := make(chan string, 3)
	c := w.stdio(`{"elicitation": {}}`, func(m message) any {
		forms <- string(m.Params)
		return <-replies
	})
	const two = `const out = await Promise.allSettled([mcp.audit.refund({ n: 1 }), mcp.audit.refund({ n: 2 })]);
		return out.map((x) => x.status)`
	replies <- map[string]any{"action": "accept", "content": map[string]any{"call_1": "approve", "call_2": "deny"}}
	_, got := c.execute(two)
	is.Equal(got["result"], []any{"fulfilled", "rejected"})
	form := <-forms
	is.True(strings.Contains(form, `\"n\": 1`) && strings.Contains(form, `\"n\": 2`)) // with their arguments
	replies <- map[string]any{"action": "decline"}
	_, got = c.execute(two)
	is.Equal(got["result"], []any{"rejected", "rejected"})
	replies <- map[string]any{"action": "cancel"}
	_, got = c.execute(two)
	is.Equal(got["status"], "approval_required") // it may be answered later
	is.Equal(len(got["approvals"].([]any)), 2)
	replies <- map[string]any{"action": "accept", "content": map[string]any{"call_1": "approve for this run", "call_2": "approve"}}
	_, got = c.execute("await mcp.audit.refund({ n: 1 }); return await mcp.audit.refund({ n: 2 })") // one form is enough
	is.Equal(got["result"], "refunded")
}

// TestStdioDirect: a tool of the project can be called by its id, and answers as it does without pml; rules hold.
func TestStdioDirect(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, `{"servers": {"shop": {"tools": [
		{"name": "look", "effect": "read", "responses": [{"content": [{"type": "text", "text": "a"},
			{"type": "image", "data": "aGk=", "mimeType": "image/png"}], "meta": {"k": 1}}]},
		{"name": "fail", "responses": [{"error": "no"}]},
		{"name": "pay", "responses": [{"result": "paid"}]},
		{"name": "steal", "responses": [{"result": "stolen"}]}]}}}`,
		`"permissions": {"allow": ["shop:look", "shop:fail"], "deny": ["shop:steal"]},
		 "expose": ["shop:fail", {"tool": "shop:look", "prefix": false}, "shop:steal"]`)
	c := w.stdio("{}", nil)
	names, _ := c.listed()
	is.Equal(names, []string{"cancel", "discover", "execute", "look", "plan", "resume", "shop_fail"})
	for _, name := range []string{"shop:look", "look"} {
		r := c.call(name, map[string]any{})
		is.Equal(len(r.Content), 2)
		is.Equal(r.Content[1].Data, "aGk=")
	}
	for _, name := range []string{"shop:fail", "shop_fail"} {
		r := c.call(name, map[string]any{})
		is.True(r.IsError)
		is.Equal(r.Content[0].Text, "no")
	}
	r := c.call("shop:pay", map[string]any{})
	is.True(r.IsError) // it did not do what it was called for
	is.Equal(r.object(t)["status"], "approval_required")
	_, reply := c.begin("tools/call", map[string]any{"name": "shop:steal"})
	is.True(strings.Contains(c.wait(reply).Error.Message, "not found"))
}

// TestStdioExposeTaken: a tool that would take the name of another is not listed, and that is said.
func TestStdioExposeTaken(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, `{"servers": {"a": {"tools": [{"name": "plan", "responses": [{"result": "mine"}]},
		{"name": "odd", "inputSchema": {"type": "object", "properties": {"x": {"type": "object", "x-mcp-header": 7}}},
			"responses": [{"result": "odd"}]}]}}}`,
		`"permissions": {"allow": ["*"]}, "expose": [{"tool": "a:plan", "prefix": false}]`)
	c := w.stdio("{}", nil)
	names, _ := c.listed()
	is.Equal(names, []string{"cancel", "discover", "execute", "plan", "resume"})
	c.note(method("notifications/message", "that name is taken"))
	is.Equal(c.call("a:plan", nil).Content[0].Text, "mine")
	_, got := c.execute("return await mcp.a.odd({})")
	is.Equal(got["result"], "odd")
}

// TestStdioMedia: images in a result reach the client as images, wherever they are; other blocks too.
func TestStdioMedia(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, `{"servers": {"cam": {"tools": [{"name": "shot", "effect": "read", "responses": [{"content": [
		{"type": "text", "text": "here"}, {"type": "image", "data": "aGk=", "mimeType": "image/png"},
		{"type": "resource_link", "uri": "file:///x", "name": "x"},
		{"type": "resource", "resource": {"uri": "file:///y", "blob": "Ynk="}}]}]}]}}}`, `"permissions": {"allow": ["*"]}`)
	c := w.stdio("{}", nil)
	r, got := c.execute("const a = await mcp.cam.shot({}); return { deep: [a], n: 1 }")
	is.Equal(len(r.Content), 4)
	is.Equal(r.Content[1].Type, "image")
	is.Equal(r.Content[1].Data, "aGk=")
	is.Equal(r.Content[1].MIMEType, "image/png")
	is.Equal(r.Content[2].Type, "resource_link")
	is.Equal(r.Content[3].Type, "resource")
	blocks := got["result"].(map[string]any)["deep"].([]any)[0].([]any)
	is.Equal(blocks[1], map[string]any{"type": "image", "mimeType": "image/png", "content_block": 1.0})
	is.True(!strings.Contains(r.Content[0].Text, "aGk=") && !strings.Contains(r.Content[0].Text, "Ynk="))
}

// TestStdioLongResult: a result that is too long is cut with a mark, and can be read in pieces and by programs.
func TestStdioLongResult(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, `{"tools": [{"name": "big", "behaviour": "big", "effect": "read"}]}`,
		`"permissions": {"allow": ["*"]}, "limits": {"resultKB": 1}`)
	c := w.stdio("{}", nil)
	const size = 20 << 20
	_, got := c.execute(fmt.Sprintf("return await mcp.test.big({ bytes: %d })", size))
	is.Equal(len(got["result"].(string)), 1024)
	cut := got["truncated"].(map[string]any)
	is.Equal(cut["bytes"], float64(size))
	is.Equal(cut["shown"], 1024.0)
	var piece struct{ Contents []struct{ Text string } }
	uri := fmt.Sprintf("%s?from=%d&length=100", cut["resource"], size-7)
	is.NoErr(json.Unmarshal(c.request("resources/read", map[string]any{"uri": uri}), &piece))
	is.Equal(len(piece.Contents[0].Text), 7)
	_, got = c.execute(fmt.Sprintf("return (await mcp.filesystem.read_text_file({ path: %q })).length", cut["file"]))
	is.Equal(got["result"], float64(size))
	_, got = c.execute("return 'é'.repeat(600)") // 1,200 bytes: no half character
	is.Equal(got["result"], strings.Repeat("é", 512))
	entries, err := os.ReadDir(w.path(".pml/results"))
	is.NoErr(err)
	is.Equal(len(entries), 2)
}

// TestStdioDiscover: what has to do with a query comes first, with its declaration; results of tools that declare none
// are declared as they were seen, from one session to the next.
func TestStdioDiscover(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	c := w.stdio("{}", nil)
	got := c.call("discover", map[string]any{"query": "what does an item cost, its price?", "limit": 1})
	tools := got.object(t)["tools"].([]any)
	is.Equal(len(tools), 1)
	is.Equal(tools[0], map[string]any{"id": "shop:price", "call": "mcp.shop.price", "effect": "read", "route": "client",
		"permission": "allow", "origin": "custom",
		"declaration": "/** Price of an item. */\nprice(args: {\n  item: string;\n}): Promise<any>;"})
	c.execute("return await mcp.shop.price({ item: 'secret value' })")
	declared := func(c *client) string {
		r := c.call("discover", map[string]any{"query": "price", "limit": 1})
		return r.object(t)["tools"].([]any)[0].(map[string]any)["declaration"].(string)
	}
	is.True(strings.HasSuffix(declared(c), "Promise<{ eur: number; item: string }>;"))
	c.close()
	is.True(strings.HasSuffix(declared(w.stdio("{}", nil)), "Promise<{ eur: number; item: string }>;"))
	kept, err := os.ReadFile(w.path(".pml/shapes.json"))
	is.NoErr(err)
	is.True(!strings.Contains(string(kept), "secret"))
}

// TestStdioCancel: a client that takes a call back gets no answer, and the server hears of it; so does who asks by id.
func TestStdioCancel(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	c := w.stdio("{}", nil)
	params := map[string]any{"name": "execute", "arguments": map[string]any{"code": "await mcp.shop.hang({})"},
		"_meta": map[string]any{"progressToken": "mine"}}
	_, reply := c.begin("tools/call", params)
	told := c.note(method("notifications/progress", "shop:hang"))
	var progress struct{ Message, ProgressToken string }
	is.NoErr(json.Unmarshal(told.Params, &progress))
	is.Equal(progress.ProgressToken, "mine")
	run, _, _ := strings.Cut(progress.Message, ":")
	is.Equal(c.call("cancel", map[string]any{"workflow_id": run}).object(t)["status"], "cancelled")
	is.Equal(c.result(c.wait(reply).Result).object(t)["error"].(map[string]any)["code"], "CANCELLED")

	id, reply := c.begin("tools/call", params)
	c.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": map[string]any{"requestId": id}})
	_, got := c.execute("return 1") // it goes on
	is.Equal(got["result"], 1.0)
	is.Equal(c.call("cancel", map[string]any{"run_id": got["run_id"]}).object(t)["status"], "success") // it was over
	unknown := c.call("cancel", map[string]any{"run_id": "run_0"}).object(t)
	is.Equal(unknown["error"].(map[string]any)["code"], "UNKNOWN_RUN")
	select {
	case m := <-reply:
		t.Errorf("a call that was taken back is answered: %s", m.Result)
	default:
	}
}

// TestStdioEnds: when standard input ends, so do runs under way, and the servers.
func TestStdioEnds(t *testing.T) {
	w := newWorkspace(t, shop, allowShop)
	log := w.path("log")
	w.write(".pml.json", fmt.Sprintf(`{"mcpServers": {"shop": {"command": %q,
		"args": ["testserver", "-config", %q, "-server", "shop", "-log", %q]}}, "permissions": {"allow": ["*"]}}`,
		self(t), w.path("tools.json"), log))
	c := w.stdio("{}", nil)
	c.begin("tools/call", map[string]any{"name": "execute", "arguments": map[string]any{"code": "await mcp.shop.hang({})"}})
	await(t, log, "start hang", 1)
	c.close() // it ends by itself
	await(t, log, "exit ", 1)
}

// TestStdioRelays: progress, log messages and changed tools of servers reach the client.
func TestStdioRelays(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, `{"tools": [{"name": "tell", "behaviour": "notify"}]}`, `"permissions": {"allow": ["*"]}`)
	c := w.stdio("{}", nil)
	c.listed()
	tell := func(method, params string) {
		c.request("tools/call", map[string]any{"name": "test:tell", "_meta": map[string]any{"progressToken": 7},
			"arguments": map[string]any{"method": method, "params": json.RawMessage(params)}})
	}
	tell("notifications/progress", `{"progressToken": "PROGRESS_TOKEN", "progress": 3, "total": 4, "message": "soon"}`)
	is.Equal(string(c.note(method("notifications/progress", "soon")).Params),
		`{"message":"soon","progress":3,"progressToken":7,"total":4}`)
	tell("notifications/message", `{"level": "warning", "logger": "x", "data": "careful"}`)
	is.Equal(string(c.note(method("notifications/message", "careful")).Params),
		`{"data":"server: careful","level":"warning","logger":"test"}`)
	c.request("logging/setLevel", map[string]any{"level": "error"})
	tell("notifications/message", `{"level": "warning", "data": "quiet"}`)
	tell("notifications/message", `{"level": "error", "data": "loud"}`)
	c.note(method("notifications/message", "loud"))
	for _, m := range c.notes {
		is.True(!strings.Contains(string(m.Params), "quiet"))
	}
}

// TestStdioServersFail: one that does not start is named, the others work; so does a bad tool.
func TestStdioServersFail(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, `{"servers": {
		"good": {"tools": [{"name": "a", "effect": "read", "responses": [{"result": "fine"}]}],
			"rawTools": [{"name": "bad", "inputSchema": 7}]},
		"dead": {"start": {"fault": "crash"}, "tools": []}}}`, `"permissions": {"allow": ["*"]}`)
	c := w.stdio("{}", nil)
	_, got := c.execute("return await mcp.good.a({})")
	is.Equal(got["result"], "fine")
	_, execute := c.listed()
	is.True(strings.Contains(execute, "mcp.good\n  a(): "))
	r := c.call("discover", map[string]any{"query": "anything"})
	is.True(strings.Contains(r.object(t)["unavailable"].(map[string]any)["dead"].(string), `server "dead"`))
	r, _ = c.execute("await mcp.dead.x({})")
	is.True(r.IsError)
	is.True(strings.Contains(r.Content[1].Text, `server "dead"`))
	c.note(method("notifications/message", "dead"))
}

// TestStdioCloud: tools of the cloud are declared, found and called as those of this machine are.
func TestStdioCloud(t *testing.T) {
	is := is.New(t)
	cloud := startCloud(t, `{"servers": {}}`, "")
	w := cloud.client(newWorkspace(t, shop, `"permissions": {"allow": ["*"]}`))
	c := w.stdio("{}", nil)
	_, got := c.execute(`return (await mcp.math.sum({ numbers: [1, 2] })).value`)
	is.Equal(got["result"], 3.0)
	r := c.call("discover", map[string]any{"query": "math sum", "limit": 1})
	found := r.object(t)["tools"].([]any)[0].(map[string]any)
	is.Equal(found["id"], "math:sum")
	is.Equal(found["route"], "server")
	c.note(method("notifications/tools/list_changed", ""))
	_, execute := c.listed()
	is.True(strings.Contains(execute, "mcp.math\n") && strings.Contains(execute, "mcp.shop\n"))
	is.True(len(execute) <= 2048)
}
