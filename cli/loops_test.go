package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// desk is a server of the gateway with lists, reads and writes.
const desk = `{"servers": {"desk": {"tools": [
	{"name": "list", "effect": "read", "responses": [{"result": {"items": [{"id": "a", "ok": true}, {"id": "b"}, {"id": "c", "ok": true}]}}]},
	{"name": "page", "effect": "read", "responses": [{"when": {"page": 3}, "result": {"items": [3]}}, {"result": {"items": [1], "more": true}}]},
	{"name": "get", "effect": "read", "responses": [{"result": {"name": "name of {{id}}"}}]},
	{"name": "file", "effect": "write", "responses": [{"when": {"id": "bad"}, "error": "no room for {{id}}"}, {"result": {"filed": "{{id}}"}}]}]}}}`

// Loops, maps and branches whose calls are all server ones cost one request, however often they go round; what is local
// stays here, and a call that a rule looks at is sent by itself.
func TestLoopsAreOneRequest(t *testing.T) {
	c := startCloud(t, desk, "")
	w := newWorkspace(t, `{"servers": {}}`, `"permissions": {"allow": ["desk:*", "filesystem:*"]}`)
	w.write("list.json", `[{"id": "x", "secret": "s1"}, {"id": "y", "secret": "s2"}, {"id": "z", "secret": "s3"}]`)
	c.client(w)
	const list = `const mine = JSON.parse(await mcp.filesystem.read_text_file({ path: "list.json" })); `
	for _, x := range []struct {
		name, program, want string
		requests            int
	}{
		{"a map over a list of this machine", list + `const got = await Promise.all(mine.map(async (m) => {
			const r = await mcp.desk.get({ id: m.id }); const f = await mcp.desk.file({ id: r.name }); return m.secret + " " + f.filed; }));
			return got`, `["s1nameofx","s2nameofy","s3nameofz"]`, 1},
		{"a loop that writes, in order", list + `let got = ""; for (const m of mine) {
			const r = await mcp.desk.file({ id: m.id }); got += r.filed } return [got, mine.length]`, `["xyz",3]`, 1},
		{"a loop over what the server lists, with a branch", `const l = await mcp.desk.list({}); let n = 0;
			for (const i of l.items) { if (i.ok) { await mcp.desk.file({ id: i.id }); n++ } }
			await mcp.filesystem.write_file({ path: "n.txt", content: String(n) }); return n`, `2`, 1},
		{"pages until there are no more", `const all = []; let page = 1; while (true) { const r = await mcp.desk.page({ page });
			all.push(...r.items); if (!r.more) break; page++ }
			await mcp.filesystem.write_file({ path: "n.txt", content: all.join() }); return all`, `[1,1,3]`, 1},
		{"a loop that ends in an error", list + `try { for (const id of ["x", "bad", "z"]) await mcp.desk.file({ id }) } catch (e) {
			return [e.message, mine.length] }`, `["noroomforbad",3]`, 1},
		{"none to go round", list + `const none = mine.filter((m) => m.none); for (const m of none) await mcp.desk.file({ id: m.id });
			return none`, `[]`, 0},
	} {
		t.Run(x.name, func(t *testing.T) {
			is := is.New(t)
			c.sent()
			got := w.pml("", "run", "-e", x.program)
			is.Equal(got.stderr, "")
			is.Equal(strings.Join(strings.Fields(got.stdout), ""), x.want)
			sent := c.sent()
			is.Equal(len(sent), x.requests)
			for _, body := range sent {
				is.True(!strings.Contains(parcelText(body), "s1") && !strings.Contains(parcelText(body), "secret"))
			}
		})
	}
	is := is.New(t)
	writes := filed(t, c)
	is.Equal(writes, []string{"a", "bad", "c", "name of x", "name of y", "name of z", "x", "x", "y", "z"})
	w.write(".pml.json", `{"permissions": {"allow": ["filesystem:*", {"tool": "desk:*", "when": "args.id != 'y'"}]}}`)
	got := w.pml("", "run", "--no-input", "-e", list+`for (const m of mine) await mcp.desk.file({ id: m.id })`)
	is.Equal(got.code, 3) // it asks about the second
	is.Equal(len(c.sent()), 1)
}

// The connection is cut in the midst of a loop: what was done is not done again, and the rest is done once.
func TestConnectionCutMidLoop(t *testing.T) {
	is := is.New(t)
	c := startCloud(t, ledger, "")
	w := newWorkspace(t, `{"servers": {}}`, `"permissions": {"allow": ["ledger:*", "filesystem:*"]}`)
	w.write("items", "a b c d")
	wire := newWire(t, strings.TrimPrefix(c.url, "http://"), "notifications/progress")
	w.env = append(w.env, "PML_API_KEY="+c.key, "PML_CLOUD_URL=http://"+wire.Addr().String())
	got := w.pml("", "run", "-e", `const text = await mcp.filesystem.read_text_file({ path: "items" });
const out = []; for (const item of text.split(" ")) { const r = await mcp.ledger.wait({ item }); out.push(r.booked); } return out.join("")`)
	is.Equal(got.stdout+got.stderr, "abcd\n")
	is.Equal(bookings(t, c), []string{"a", "b", "c", "d"})
	is.Equal(wire.cuts.Load(), int64(1))
}

// A run makes no more calls than it may, also where a loop is executed elsewhere.
func TestLimitOfCallsInLoops(t *testing.T) {
	is := is.New(t)
	c := startCloud(t, ledger, "")
	w := c.client(newWorkspace(t, `{"servers": {}}`, `"limits": {"calls": 3}, "permissions": {"allow": ["ledger:*"]}`))
	got := w.pml("", "run", "-e", `for (const item of ["a", "b", "c", "d", "e"]) await mcp.ledger.book({ item })`)
	is.True(got.code != 0 && strings.Contains(got.stderr, "LIMIT_EXCEEDED"))
	is.Equal(bookings(t, c), []string{"a", "b", "c"})
}

// A gateway that does not understand parts of this kind gets the calls one by one.
func TestPartThatIsRefused(t *testing.T) {
	is := is.New(t)
	c := startCloud(t, ledger, "")
	w := c.client(newWorkspace(t, `{"servers": {}}`, `"limits": {"calls": 99}, "permissions": {"allow": ["ledger:*"]}`))
	c.pass = func(n int, rw http.ResponseWriter, r *http.Request, next http.Handler) {
		if n == 0 {
			var asked struct{ ID int }
			body, _ := io.ReadAll(r.Body)
			_ = json.Unmarshal(body, &asked)
			rw.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(rw, `{"jsonrpc":"2.0","id":%d,"result":{"isError":true,"content":[{"type":"text","text":"version"}],`+
				`"_meta":{"pml/error":{"code":"INVALID_ARGUMENTS"}}}}`, asked.ID)
			return
		}
		next.ServeHTTP(rw, r)
	}
	got := w.pml("", "run", "-e", `for (const item of ["a", "b", "c"]) await mcp.ledger.book({ item }); return 1`)
	is.Equal(got.stdout+got.stderr, "1\n")
	is.Equal(bookings(t, c), []string{"a", "b", "c"})
	is.Equal(len(c.sent()), 4)
}

// parcelText is what a request holds, a part in the clear.
func parcelText(body string) string {
	var m struct {
		Params struct{ Arguments struct{ Part []byte } }
	}
	var p struct{ Values []byte }
	_ = json.Unmarshal([]byte(body), &m)
	_ = json.Unmarshal(m.Params.Arguments.Part, &p)
	return body + string(m.Params.Arguments.Part) + string(p.Values)
}

// filed are the ids that were filed, sorted.
func filed(t *testing.T, c *cloud) (ids []string) {
	t.Helper()
	for line := range strings.Lines(string(c.home.bytes("desk.jsonl"))) {
		var e struct {
			Event, Tool string
			Args        struct{ ID string }
		}
		if json.Unmarshal([]byte(line), &e) == nil && e.Event == "start" && e.Tool == "file" {
			ids = append(ids, e.Args.ID)
		}
	}
	slices.Sort(ids)
	return ids
}
