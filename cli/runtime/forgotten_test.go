package runtime_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/transport"
)

// A gateway knows for 35 days what calls came to. A run that is taken up again after that asks about what may have been
// done, and does nothing twice; before, the gateway is asked.
func TestResumeWhenTheCloudHasForgotten(t *testing.T) {
	const tools = `{"servers": {"kv": {"tools": [{"name": "put", "effect": "write", "responses": [{"result": {"id": "{{id}}"}}]},
		{"name": "get", "effect": "read", "responses": [{"result": {"id": "{{id}}"}}]}]}}}`
	const alone = `await mcp.kv.put({ id: "a" }); return (await mcp.kv.get({ id: "b" })).id`
	const part = `const a = await mcp.kv.put({ id: "a" }); const b = await mcp.kv.put({ id: a.id + "b" }); return b.id`
	const loop = `let text = ""; for (const id of args.ids) text += (await mcp.kv.put({ id })).id; return text`
	for _, x := range []struct {
		name, program, want string
		whole               bool
		days                int
		asked               []string // the calls that are asked about, one after the other
		requests            int      // when it is taken up again
	}{
		{"young", alone, `"b"`, false, 33, nil, 1},
		{"young, in a part", part, `"ab"`, false, 33, nil, 1},
		{"old", alone, `"b"`, false, 36, []string{"n1"}, 1},
		{"old, in a part", part, `"ab"`, false, 36, []string{"n1", "n2"}, 0},
		{"old, in a loop", loop, `"xy"`, false, 36, []string{"n3[0].n4", "n3[1].n4"}, 0},
		{"old, and may have been sent as a whole", `for (const id of args.ids) { await mcp.kv.put({ id }); await mcp.kv.get({ id }) } return "xy"`,
			`"xy"`, true, 36, []string{"n2[0].n3", "n2[1].n3"}, 2},
	} {
		t.Run(x.name, func(t *testing.T) {
			is := is.New(t)
			cloud := newCloudSide(t, tools)
			dir := t.TempDir()
			cloud.cut = true
			first := cloud.client(t, tools, x.whole, keep(dir))
			_, out := execute(t, first, x.program, `{"ids": ["x", "y"]}`, runtime.PlanOptions{})
			is.Equal(out.Err.Code, nodes.CloudUnavailable)
			is.True(out.Resumable)

			cloud.cut, cloud.sent = false, nil
			later := func(c *runtime.Config) {
				c.Now = func() time.Time { return time.Now().AddDate(0, 0, x.days) }
			}
			s := cloud.client(t, tools, x.whole, keep(dir), later)
			id := out.RunID
			out = s.Resume(t.Context(), id, nil, runtime.RunOptions{})
			for _, path := range x.asked {
				is.True(out.Err != nil)
				is.Equal(len(out.Approvals), 1)
				q := out.Approvals[0]
				is.Equal([]any{q.Kind, q.Path}, []any{call.WhatHappened, path})
				is.Equal(q.Reason, "it may have been made before the run was interrupted, so long ago that the cloud has forgotten it")
				result := fmt.Sprintf(`{"id": %q}`, map[string]string{"n1": "a", "n2": "ab", "n3[0].n4": "x", "n3[1].n4": "y"}[path])
				out = s.Resume(t.Context(), id, []runtime.Decision{{ID: q.ID, Answer: call.Answer{Verdict: call.Succeeded, Result: result}}},
					runtime.RunOptions{})
			}
			is.Equal(render(out), x.want)
			is.Equal(len(cloud.sent), x.requests)
		})
	}
	is.New(t).True(transport.CloudMemory > 30*24*time.Hour)
}
