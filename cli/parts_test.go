package cli_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// chain is a program of so many server calls, each of which needs the one before.
func chain(n int) string {
	var b strings.Builder
	b.WriteString("let x = { value: 1 };\n")
	for range n {
		b.WriteString("x = await mcp.math.evaluate({ expression: `x * ${x.value > 3 ? 2 : 3}`, variables: { x: x.value } });\n")
	}
	b.WriteString("return x.value;")
	return b.String()
}

// A chain of 8 server calls costs one request.
func TestChainIsOneRequest(t *testing.T) {
	is := is.New(t)
	c := startCloud(t, `{"servers": {}}`, "")
	w := c.client(newWorkspace(t, `{"servers": {}}`, `"permissions": {"allow": ["math:*"]}`))
	got := w.pml("", "run", "-e", chain(8))
	is.Equal(got.stderr, "")
	is.Equal(got.stdout, "576\n")
	is.Equal(len(c.sent()), 1)
}

// twoGroups has six server calls in two groups that have nothing to do with each other, between local ones.
const twoGroups = `const text = await mcp.filesystem.read_text_file({ path: "secret.txt" });
const n = Number(text.split(" ")[0]);
const a1 = await mcp.math.evaluate({ expression: "n + 1", variables: { n } });
const a2 = await mcp.math.evaluate({ expression: "n * 2", variables: { n: a1.value } });
const a3 = await mcp.math.round({ number: a2.value / 3 });
const b1 = await mcp.crypto.hash({ text: "b" });
const b2 = await mcp.crypto.hash({ text: b1.slice(0, 8) });
const b3 = await mcp.crypto.encode({ text: b2 });
await mcp.filesystem.write_file({ path: "out.txt", content: b3 });
return [a3.value, b3.length];`

// Six server calls in two groups that have nothing to do with each other cost two requests, both under way at once; call
// by call they cost six. What is local stays here.
func TestTwoGroupsAreTwoRequests(t *testing.T) {
	is := is.New(t)
	c := startCloud(t, `{"servers": {}}`, "")
	w := newWorkspace(t, `{"servers": {}}`, `"permissions": {"allow": ["math:*", "crypto:*", "filesystem:*"]}`)
	w.write("secret.txt", "7 unsent words")
	var both barrier
	both.need(2)
	c.pass = func(_ int, w http.ResponseWriter, r *http.Request, next http.Handler) {
		both.wait() // neither is answered before both are here
		next.ServeHTTP(w, r)
	}
	got := c.client(w).pml("", "plan", "-e", twoGroups)
	is.True(strings.Contains(got.stdout, "2 requests to the cloud in 1 round trip"))
	is.True(strings.Contains(got.stdout, "server, with n3"))
	is.Equal(len(c.sent()), 0)
	got = w.pml("", "run", "-e", twoGroups)
	is.Equal(got.stderr, "")
	is.Equal(strings.Join(strings.Fields(got.stdout), ""), "[5,88]")
	sent := c.sent()
	is.Equal(len(sent), 2)
	for _, body := range sent {
		is.True(!strings.Contains(body, "unsent") && !strings.Contains(body, "secret.txt"))
	}
	// The same, where a rule looks at the arguments of each call, so that none is allowed beforehand.
	w.write(".pml.json", `{"permissions": {"allow": [{"tool": "*", "when": "len(args) > 0"}]}}`)
	c.pass = nil
	got = w.pml("", "run", "-e", twoGroups)
	is.Equal(strings.Join(strings.Fields(got.stdout), ""), "[5,88]")
	is.Equal(len(c.sent()), 6)
}
