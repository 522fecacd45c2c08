package runtime_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/nodes/policy"
	"github.com/casys-ai/pml/transport"
)

// person answers every question alike, after a while, and keeps them.
type person struct {
	answer call.Answer
	after  time.Duration
	mu     sync.Mutex
	asked  []call.Question
}

// Ask implements call.Asker.
func (p *person) Ask(_ context.Context, q call.Question) (call.Answer, error) {
	p.mu.Lock()
	p.asked = append(p.asked, q)
	p.mu.Unlock()
	time.Sleep(p.after)
	return p.answer, nil
}

func noRules(c *runtime.Config) { c.Rules = policy.Rules{} }

const asksTwice = `const a = await mcp.db.append({ key: "a", value: 1 });
const b = await mcp.db.append({ key: "a", value: 2 });
return b.length - a.length;`

func plan(tb testing.TB, s *runtime.Session, source string, o runtime.PlanOptions) *runtime.Planned {
	tb.Helper()
	p, err := s.Plan(tb.Context(), source, o)
	if err != nil {
		tb.Fatal(err)
	}
	if p.Failed() {
		tb.Fatal(p.Diagnostics)
	}
	return p
}

func TestApprovals(t *testing.T) {
	s := open(t, fileTools, noRules)
	for _, script := range []bool{false, true} {
		p := plan(t, s, asksTwice, runtime.PlanOptions{Script: script})
		t.Run("nobody to ask", func(t *testing.T) {
			is := is.New(t)
			out := s.Run(t.Context(), p, nil, runtime.RunOptions{})
			is.True(out.Err != nil)
			is.Equal(out.Err.Code, nodes.ApprovalRequired)
			is.Equal(out.Err.Tool, nodes.ToolID("db:append"))
		})
		t.Run("approved", func(t *testing.T) {
			is := is.New(t)
			yes := &person{answer: call.Answer{Verdict: call.Approve}}
			out := s.Run(t.Context(), p, nil, runtime.RunOptions{Asker: yes})
			is.Equal(render(out), "1")
			is.Equal(len(yes.asked), 2)
			is.Equal(string(yes.asked[0].Args), `{"key":"a","value":1}`)
			is.True(yes.asked[0].ID != yes.asked[1].ID)
		})
		t.Run("refused", func(t *testing.T) {
			is := is.New(t)
			out := s.Run(t.Context(), p, nil, runtime.RunOptions{Asker: &person{}})
			is.True(out.Err != nil)
			is.Equal(out.Err.Code, nodes.ApprovalDenied)
			is.Equal(len(out.ToolFailures), 1)
		})
	}
}

// The time of a run stands still while a person is asked, and only then.
func TestRunTime(t *testing.T) {
	s := open(t, `{"servers": {"db": {"tools": [{"name": "append", "behaviour": "kv_append"}, {"name": "sleep", "behaviour": "sleep"}]}}}`, noRules)
	for _, script := range []bool{false, true} {
		is := is.New(t)
		slow := &person{answer: call.Answer{Verdict: call.Approve}, after: 300 * time.Millisecond}
		limit := runtime.RunOptions{Asker: slow, Timeout: 400 * time.Millisecond}
		out := s.Run(t.Context(), plan(t, s, asksTwice, runtime.PlanOptions{Script: script}), nil, limit)
		is.Equal(render(out), "1")
		is.True(out.Duration > 600*time.Millisecond)

		p := plan(t, s, `await mcp.db.sleep({ ms: 5000 });`, runtime.PlanOptions{Script: script})
		out = s.Run(t.Context(), p, nil, runtime.RunOptions{Asker: &person{answer: call.Answer{Verdict: call.Approve}},
			Timeout: 200 * time.Millisecond})
		is.Equal(render(out), "EXECUTION_TIMEOUT: the run exceeded its time limit")
		is.True(out.Duration < 2*time.Second)
	}
}

func TestCallTimeoutCanBeCaught(t *testing.T) {
	s := open(t, `{"tools": [{"name": "sleep", "behaviour": "sleep"}]}`, func(c *runtime.Config) {
		c.Limits.Call = 100 * time.Millisecond
	})
	for _, script := range []bool{false, true} {
		got, out := execute(t, s,
			`try { await mcp.test.sleep({ ms: 3000 }); } catch (e) { return e.code + ": " + e.message; }`, "",
			runtime.PlanOptions{Script: script})
		is.New(t).Equal(got, `"RPC_TIMEOUT: test:sleep did not answer within 100ms"`)
		is.New(t).Equal(len(out.ToolFailures), 1)
	}
}

// A server that takes two calls at a time takes six of 30 ms in no less than 90 ms; waiting does not count as the call's.
func TestServerLimit(t *testing.T) {
	s := open(t, `{"tools": [{"name": "sleep", "behaviour": "sleep"}]}`, func(c *runtime.Config) {
		c.Servers[0].InFlight, c.Limits.Call = 2, 5*time.Second
	})
	for _, script := range []bool{false, true} {
		got, out := execute(t, s,
			`const all = await Promise.all([1, 2, 3, 4, 5, 6].map(() => mcp.test.sleep({ ms: 30 }))); return all.length;`, "",
			runtime.PlanOptions{Script: script})
		is.New(t).Equal(got, "6")
		is.New(t).True(out.Duration >= 90*time.Millisecond)
	}
}

func TestCallLimit(t *testing.T) {
	s := open(t, fileTools, func(c *runtime.Config) { c.Limits.Calls = 3 })
	for _, script := range []bool{false, true} {
		got, _ := execute(t, s, `for (const v of [1, 2, 3, 4]) await mcp.db.append({ key: "l", value: v });`, "",
			runtime.PlanOptions{Script: script})
		is.New(t).Equal(got, "LIMIT_EXCEEDED: the run made more than 3 tool calls")
	}
}

func TestCancel(t *testing.T) {
	s := open(t, `{"tools": [{"name": "sleep", "behaviour": "sleep"}]}`)
	for _, script := range []bool{false, true} {
		is := is.New(t)
		p := plan(t, s, `await mcp.test.sleep({ ms: 5000 });`, runtime.PlanOptions{Script: script})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel)
		out := s.Run(ctx, p, nil, runtime.RunOptions{})
		is.True(out.Err != nil)
		is.Equal(out.Err.Code, nodes.Cancelled)
		is.True(out.Duration < 2*time.Second)
	}
}

func TestLogs(t *testing.T) {
	s := open(t, fileTools)
	for _, script := range []bool{false, true} {
		_, out := execute(t, s, `console.log("a", 1, { b: [2] }); console.error("bad"); return 1;`, "",
			runtime.PlanOptions{Script: script})
		is.New(t).Equal(out.Logs, []runtime.Log{{Level: "log", Text: "a 1 { b: [ 2 ] }"}, {Level: "error", Text: "bad"}})
	}
}

// A server that does not start is reported for itself; the others work.
func TestServerThatDoesNotStart(t *testing.T) {
	is := is.New(t)
	s := open(t, fileTools, func(c *runtime.Config) {
		c.Servers = append(c.Servers, runtime.ServerEntry{ServerConfig: transport.ServerConfig{Name: "zero",
			Command: "/does/not/exist"}})
	})
	tools, errs := s.Tools(t.Context())
	is.Equal(len(tools), 3)
	is.Equal(len(errs), 1)
	is.True(errs["zero"] != nil)
	got, _ := execute(t, s, `return await mcp.fs.read_file({ path: "a" });`, "", runtime.PlanOptions{})
	is.Equal(got, `"content of a"`)
	p, err := s.Plan(t.Context(), `return await mcp.zero.x({});`, runtime.PlanOptions{})
	is.NoErr(err)
	is.True(p.Failed())
	is.Equal(p.Diagnostics[0].Code, nodes.ServerError)
}

// Only the servers that a program names are started.
func TestServersStartOnDemand(t *testing.T) {
	is := is.New(t)
	log := filepath.Join(t.TempDir(), "log")
	s := open(t, fileTools, func(c *runtime.Config) {
		for i := range c.Servers {
			c.Servers[i].Args = append(c.Servers[i].Args, "-log", log+c.Servers[i].Name)
		}
	})
	_, _ = execute(t, s, `return await mcp.fs.read_file({ path: "a" });`, "", runtime.PlanOptions{})
	is.Equal(len(processes(t, log+"fs")), 1)
	_, err := os.Stat(log + "db")
	is.True(os.IsNotExist(err))
}

// Close leaves no process behind, even in the middle of a run.
func TestCloseEndsEverything(t *testing.T) {
	is := is.New(t)
	log := filepath.Join(t.TempDir(), "log")
	s := open(t, `{"tools": [{"name": "sleep", "behaviour": "sleep"}]}`, func(c *runtime.Config) {
		c.Servers[0].Args = append(c.Servers[0].Args, "-log", log)
	})
	p := plan(t, s, `await mcp.test.sleep({ ms: 5000 });`, runtime.PlanOptions{Script: true})
	done := make(chan *runtime.Outcome)
	go func() { done <- s.Run(context.Background(), p, nil, runtime.RunOptions{}) }()
	time.Sleep(200 * time.Millisecond)
	s.Close()
	is.Equal((<-done).Err.Code, nodes.Cancelled)
	for _, pid := range processes(t, log) {
		_, err := os.Stat(filepath.Join("/proc", pid))
		is.True(os.IsNotExist(err))
	}
	_, err := s.Plan(t.Context(), "return 1", runtime.PlanOptions{})
	is.Equal(err, runtime.ErrClosed)
	is.True(s.Run(t.Context(), p, nil, runtime.RunOptions{}).Err != nil)
}

// processes are the ids in a test server's log.
func processes(tb testing.TB, file string) []string {
	tb.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	var pids []string
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var e struct {
			Event string
			Pid   json.Number
		}
		if json.Unmarshal([]byte(line), &e) == nil && e.Event == "process" {
			pids = append(pids, e.Pid.String())
		}
	}
	return pids
}

// The built-in servers are this binary; a JSON file's content is its text.
func TestBuiltIn(t *testing.T) {
	dir := t.TempDir()
	s := open(t, fileTools, func(c *runtime.Config) {
		c.Workspace = dir
		c.Servers = append(c.Servers, runtime.ServerEntry{ServerConfig: transport.ServerConfig{Name: "filesystem"},
			BuiltIn: true})
	})
	for _, script := range []bool{false, true} {
		got, _ := execute(t, s, `await mcp.filesystem.write_file({ path: "a.json", content: '{"a":1}' });
return await mcp.filesystem.read_text_file({ path: "a.json" });`, "", runtime.PlanOptions{Script: script})
		is.New(t).Equal(got, `"{\"a\":1}"`)
	}
	is := is.New(t)
	p := plan(t, s, `return await mcp.filesystem.read_text_file({ path: "a.json" });`, runtime.PlanOptions{})
	tool := p.Catalog.Tool("filesystem:read_text_file")
	is.Equal(tool.Origin, "built-in")
	is.Equal(tool.Effect, nodes.Read)
	is.True(tool.TextResult)
}

func TestRoutesToTheCloudNeedAKey(t *testing.T) {
	s := open(t, fileTools, func(c *runtime.Config) { c.Routes = map[string]string{"db:get": "cloud"} })
	got, out := execute(t, s, "\nreturn await mcp.db.get({ key: \"x\" });", "", runtime.PlanOptions{})
	is := is.New(t)
	is.Equal(got, "ToolError: Cloud mode requires PML_API_KEY\ncode: MISSING_API_KEY\ntool: db:get")
	is.Equal(out.Err.Code, nodes.MissingAPIKey)
	is.Equal(out.Err.Pos.Line, 2)
}

func TestSpans(t *testing.T) {
	is := is.New(t)
	s := open(t, fileTools)
	_, out := execute(t, s, programs[2].source, "", runtime.PlanOptions{})
	var paths []string
	for _, span := range out.Spans {
		paths = append(paths, span.Path)
		is.True(!span.End.Before(span.Start))
	}
	is.Equal(len(paths), 3)
	is.Equal(out.Spans[0].Tool, nodes.ToolID("fs:read_file"))
}
