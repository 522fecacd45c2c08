package cli_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

// The seeds' scenario 4, and test cases 8, 9 and 11 of the tech-spec, with tools here and in the cloud in one program.
func TestMixedScenarios(t *testing.T) {
	is := is.New(t)
	c := startCloud(t, `{"servers": {"slow": {"tools": [{"name": "hang", "effect": "read", "responses": [{"fault": "hang"}]}]}}}`, "")
	w := c.client(newWorkspace(t, shop, `"limits": {"call": "300ms"}, "permissions": {"allow": ["json:*", "slow:*"],
		"deny": ["shop:ship"]}`))

	// approval: the call here waits for a person, the cloud's went on; taken up again it is made once
	var waiting struct {
		Status     string
		WorkflowID string `json:"workflow_id"`
		Approvals  []struct{ Tool string }
	}
	w.decode(w.pml("", "run", "--json", "--no-input", "-e", `const d = await mcp.json.parse({ data: '{"item":"pear"}' });
return await mcp.shop.buy({ item: d.item });`), &waiting)
	is.Equal(waiting.Status, "approval_required")
	is.Equal(waiting.Approvals[0].Tool, "shop:buy")
	is.Equal(len(c.sent()), 1)
	got := w.pml("", "runs", "resume", waiting.WorkflowID, "--approve", "all")
	is.Equal(got.stdout, "bought pear\n")
	is.Equal(len(c.sent()), 0) // nothing in the cloud is called again

	got = w.pml("", "run", "-e", `return await mcp.slow.hang()`) // rpc-timeout
	is.Equal(got.code, 5)
	is.True(strings.Contains(got.stderr, "RPC_TIMEOUT"))
	got = w.pml("", "run", "--timeout", "500ms", "-e", `await mcp.json.parse({ data: "{}" }); while (true) {}`) // sandbox-timeout
	is.Equal(got.code, 5)
	is.True(strings.Contains(got.stderr, "EXECUTION_TIMEOUT"))
	got = w.pml("", "run", "-e", `await mcp.json.parse({ data: "{}" }); return await mcp.shop.ship()`) // permission-denied
	is.True(strings.Contains(got.stderr, "PERMISSION_DENIED"))
	is.True(got.code != 0)
}
