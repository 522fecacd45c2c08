package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	mcpclient "github.com/mark3labs/mcp-go/client"
	mcptransport "github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/matryer/is"
)

// sdk is an MCP client as others make them, with mcp-go, of a `pml stdio` that it has started.
type sdk struct {
	*mcpclient.Client
	tb  testing.TB
	cmd *exec.Cmd
}

// person answers forms; nil for a client that cannot ask its user.
type person func(ctx context.Context, form mcp.ElicitationRequest) (*mcp.ElicitationResult, error)

// Elicit implements mcpclient.ElicitationHandler.
func (p person) Elicit(ctx context.Context, form mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	return p(ctx, form)
}

func (w *workspace) sdk(p person) *sdk {
	w.tb.Helper()
	s := &sdk{tb: w.tb}
	pipe := mcptransport.NewStdioWithOptions(binary, nil, []string{"stdio"}, mcptransport.WithCommandFunc(
		func(context.Context, string, []string, []string) (*exec.Cmd, error) {
			s.cmd = w.command("stdio")
			return s.cmd, nil
		}))
	var options []mcpclient.ClientOption
	if p != nil {
		options = append(options, mcpclient.WithElicitationHandler(p))
	}
	s.Client = mcpclient.NewClient(pipe, options...)
	if err := s.Start(context.Background()); err != nil {
		w.tb.Fatal(err)
	}
	w.tb.Cleanup(func() { _ = s.Close() })
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = mcp.ProtocolVersion20250618
	if _, err := s.Initialize(w.tb.Context(), hello); err != nil {
		w.tb.Fatal(err)
	}
	return s
}

// tool calls a tool of pml and gives its structured content.
func (s *sdk) tool(ctx context.Context, name string, args any) (answered, error) {
	var r mcp.CallToolRequest
	r.Params.Name, r.Params.Arguments = name, args
	result, err := s.CallTool(ctx, r)
	if err != nil {
		return answered{}, err
	}
	text, err := json.Marshal(result.StructuredContent)
	if err != nil {
		return answered{}, err
	}
	var a answered
	return a, json.Unmarshal(text, &a)
}

// answered is what execute and resume answer, and `pml run --json` prints.
type answered struct {
	Status     string
	Result     string
	WorkflowID string `json:"workflow_id"`
	Approvals  []struct{ ID, Tool string }
}

// refunds lists the ids of the refunds that the server has been asked for, sorted.
func (w *workspace) refunds() (ids []int) {
	data, _ := os.ReadFile(w.path("audit.jsonl"))
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		var e struct {
			Event, Tool string
			Args        struct{ ID int }
		}
		if json.Unmarshal(s.Bytes(), &e) == nil && e.Event == "start" && e.Tool == "refund" {
			ids = append(ids, e.Args.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// The ways to be asked. Each runs twoRefunds and answers its questions in order: none for a person who sends them away.
var ways = map[string]func(w *workspace, decisions []string) answered{
	"terminal": func(w *workspace, decisions []string) answered {
		var keys []string
		for _, d := range decisions {
			keys = append(keys, map[string]string{"approve": "y", "deny": "n"}[d])
		}
		code, out, _ := w.atTerminal(keys, "run", "-e", twoRefunds)
		if code == 3 {
			return answered{Status: "approval_required", WorkflowID: w.newest()}
		}
		return answered{Status: "success", Result: strings.TrimSpace(out)}
	},
	"elicitation": func(w *workspace, decisions []string) answered {
		s := w.sdk(func(context.Context, mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
			reply := &mcp.ElicitationResult{}
			if reply.Action = mcp.ElicitationResponseActionCancel; decisions != nil {
				reply.Action = mcp.ElicitationResponseActionAccept
				reply.Content = map[string]any{"call_1": decisions[0], "call_2": decisions[1]}
			}
			return reply, nil
		})
		return s.must("execute", map[string]any{"code": twoRefunds})
	},
	"elicitation fails": func(w *workspace, decisions []string) answered {
		s := w.sdk(func(context.Context, mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
			return nil, errors.New("the form timed out")
		})
		return s.decide(s.must("execute", map[string]any{"code": twoRefunds}), decisions)
	},
	"resume": func(w *workspace, decisions []string) answered {
		s := w.sdk(nil)
		return s.decide(s.must("execute", map[string]any{"code": twoRefunds}), decisions)
	},
}

func (s *sdk) must(name string, args any) answered {
	s.tb.Helper()
	a, err := s.tool(s.tb.Context(), name, args)
	if err != nil {
		s.tb.Fatal(err)
	}
	return a
}

// decide resumes a run that waits with a decision for each of its questions.
func (s *sdk) decide(a answered, decisions []string) answered {
	s.tb.Helper()
	if a.Status != "approval_required" || len(a.Approvals) != 2 {
		s.tb.Fatalf("not what waits for two answers: %+v", a)
	}
	if decisions == nil {
		return a
	}
	var list []any
	for i, d := range decisions {
		list = append(list, map[string]any{"id": a.Approvals[i].ID, "decision": d})
	}
	return s.must("resume", map[string]any{"workflow_id": a.WorkflowID, "decisions": list})
}

// TestWaysToAsk: however a person is asked, the same answers lead to the same end, and to the same calls of the server.
func TestWaysToAsk(t *testing.T) {
	for _, c := range []struct {
		name      string
		decisions []string
		result    string
		refunds   []int
	}{
		{"approve", []string{"approve", "approve"}, "refunded refunded", []int{1, 2}},
		{"deny", []string{"deny", "deny"}, "APPROVAL_DENIED APPROVAL_DENIED", nil},
		{"the first", []string{"approve", "deny"}, "refunded APPROVAL_DENIED", []int{1}},
		{"the second", []string{"deny", "approve"}, "APPROVAL_DENIED refunded", []int{2}},
		{"nobody answers", nil, "", nil},
	} {
		for name, ask := range ways {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				is := is.New(t)
				w := newWorkspace(t, shop, allowShop)
				got := ask(w, c.decisions)
				is.Equal(got.Result, c.result)
				is.Equal(w.refunds(), c.refunds)
				if c.decisions != nil {
					is.Equal(got.Status, "success")
					return
				}
				is.Equal(got.Status, "approval_required") // what nobody answers now can be answered later
				later := w.pml("", "runs", "resume", got.WorkflowID, "--approve", "all")
				is.Equal(later.stdout, "refunded refunded\n")
				is.Equal(w.refunds(), []int{1, 2})
			})
		}
	}
}

// boughtThenTwo does something before it asks.
const boughtThenTwo = `await mcp.shop.buy({ item: "a" }); ` + twoRefunds

// TestClientGoes: a client that gives up, or is gone while the form is open, loses nothing: no process is left, what was
// done stays done, and the run is taken up again.
func TestClientGoes(t *testing.T) {
	for name, leave := range map[string]func(s *sdk, forget context.CancelFunc){
		"its patience ends": func(s *sdk, forget context.CancelFunc) { forget() },
		"its pipe ends":     func(s *sdk, _ context.CancelFunc) { _ = s.Close() },
		"pml is killed":     func(s *sdk, _ context.CancelFunc) { _ = s.cmd.Process.Kill() },
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			w := newWorkspace(t, shop, allowShop)
			shown := make(chan bool, 1)
			s := w.sdk(func(ctx context.Context, _ mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
				shown <- true
				<-t.Context().Done()
				return nil, t.Context().Err()
			})
			ctx, forget := context.WithCancel(t.Context())
			defer forget()
			ended := make(chan error, 1)
			go func() {
				_, err := s.tool(ctx, "execute", map[string]any{"code": boughtThenTwo})
				ended <- err
			}()
			<-shown
			family := descendants(s.cmd.Process.Pid)
			is.True(len(family) > 0)
			leave(s, forget)
			is.True(<-ended != nil)
			if name == "its patience ends" {
				later, err := s.tool(t.Context(), "execute", map[string]any{"code": `return "still there"`})
				is.NoErr(err)
				is.Equal(later.Result, "still there")
				_ = s.Close()
			}
			for _, p := range family {
				waitUntil(t, func() bool { return !p.alive() })
			}
			is.Equal(w.refunds(), nil)
			run := ""
			for line := range strings.Lines(w.pml("", "runs", "list").stdout) {
				if strings.Contains(line, "interrupted") || strings.Contains(line, "approval_required") {
					run, _, _ = strings.Cut(line, " ")
				}
			}
			got := w.pml("", "runs", "resume", run, "--no-input", "--json")
			is.Equal(got.code, 3) // the questions are the same
			is.Equal(w.pml("", "runs", "resume", run, "--approve", "all").stdout, "refunded refunded\n")
			is.Equal(w.refunds(), []int{1, 2})
			is.Equal(strings.Count(string(w.bytes("shop.jsonl")), `"tool":"buy"`), 2) // its start and its end: once
		})
	}
}

// waitUntil waits until something holds, for ten seconds at most.
func waitUntil(t *testing.T, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it does not come about")
		}
	}
}
