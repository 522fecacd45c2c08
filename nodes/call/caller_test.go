package call

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/policy"
	"github.com/casys-ai/pml/nodes/value"
)

// transport is a Transport that is a function.
type transport func(ctx context.Context, server, tool, args string) (Reply, error)

// Call implements Transport.
func (f transport) Call(ctx context.Context, server, tool string, args []byte, sent func()) (Reply, error) {
	sent()
	return f(ctx, server, tool, string(args))
}

// echo answers with what it is called with.
func echo(_ context.Context, server, tool, args string) (Reply, error) {
	return Reply{Content: []Block{{Type: "text", Text: server + " " + tool + " " + args}}}, nil
}

func rules(tb testing.TB, text string) policy.Rules {
	tb.Helper()
	r, err := policy.ParseRules([]byte(text))
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

const allow = `{"allow": ["*"]}`

func parseArgs(tb testing.TB, text string) value.Value {
	tb.Helper()
	if text == "" {
		return value.Undefined{}
	}
	v, err := value.ParseJSON(text)
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

func TestArguments(t *testing.T) {
	c := New(Options{Rules: rules(t, allow), Transport: transport(echo)})
	cyclic := value.NewObject(1)
	cyclic.Set("self", cyclic)
	odd := value.NewObject(2)
	odd.Set("u", value.Undefined{})
	odd.Set("n", value.Number(1))
	failed := &value.Error{Name: "ToolError", Message: "m", Props: odd}
	for _, x := range []struct {
		name string
		args value.Value
		want string
	}{
		{"none", nil, `"s t {}"`},
		{"undefined", value.Undefined{}, `"s t {}"`},
		{"object", parseArgs(t, `{"b":1,"a":[null]}`), `"s t {\"b\":1,\"a\":[null]}"`},
		{"lazy object", value.NewLazy([]byte(`{"a":1}`)), `"s t {\"a\":1}"`},
		{"undefined property", odd, `"s t {\"n\":1}"`},
		{"error object", failed, `"s t {\"n\":1}"`},
		{"null", value.Null{}, `throws ToolError: arguments must be an object {"code":"INVALID_ARGUMENTS","tool":"s:t"}`},
		{"array", value.NewArray(),
			`throws ToolError: arguments must be an object {"code":"INVALID_ARGUMENTS","tool":"s:t"}`},
		{"lazy array", value.NewLazy([]byte(`[1]`)),
			`throws ToolError: arguments must be an object {"code":"INVALID_ARGUMENTS","tool":"s:t"}`},
		{"string", value.String("x"),
			`throws ToolError: arguments must be an object {"code":"INVALID_ARGUMENTS","tool":"s:t"}`},
		{"cyclic", cyclic, "throws TypeError: Converting circular structure to JSON"},
	} {
		t.Run(x.name, func(t *testing.T) {
			got := show(c.Call(t.Context(), Request{Tool: &nodes.Tool{ID: "s:t"}, Args: x.args}))
			if !strings.HasPrefix(got, x.want) {
				t.Errorf("got  %s\nwant %s", got, x.want)
			}
		})
	}
}

// person answers questions and keeps them.
type person struct {
	answer Answer
	err    error
	asked  []Question
}

// Ask implements Asker.
func (p *person) Ask(_ context.Context, q Question) (Answer, error) {
	p.asked = append(p.asked, q)
	return p.answer, p.err
}

func TestPermissions(t *testing.T) {
	lost := errors.New("the terminal is gone")
	for _, x := range []struct {
		name, rules, args string
		asker             *person
		want              string
		reason            string
	}{
		{"allowed", allow, "", nil, `"s t {}"`, ""},
		{"denied", `{"deny": ["s:t"]}`, "", nil,
			`throws ToolError: s:t is forbidden by the rule "deny s:t" {"code":"PERMISSION_DENIED","tool":"s:t"}`, ""},
		{"denied by condition", `{"deny": [{"tool": "s", "when": "args.n > 1"}], "allow": ["*"]}`, `{"n":2}`, nil,
			`throws ToolError: s:t is forbidden by the rule "deny s when args.n > 1" {"code":"PERMISSION_DENIED","tool":"s:t"}`, ""},
		{"condition does not hold", `{"deny": [{"tool": "s", "when": "args.n > 1"}], "allow": ["*"]}`, `{"n":1}`, nil,
			`"s t {\"n\":1}"`, ""},
		{"nobody to ask", `{}`, "", nil, "fatal: s:t needs approval: no rule allows s:t (write)", ""},
		{"approved", `{}`, `{"a":1}`, &person{answer: Answer{Verdict: Approve}}, `"s t {\"a\":1}"`, "no rule allows s:t (write)"},
		{"asked by rule", `{"ask": ["s:*"]}`, "", &person{answer: Answer{Verdict: Approve}}, `"s t {}"`, `the rule "ask s:*" asks for it`},
		{"refused", `{}`, "", &person{}, `throws ToolError: s:t was not approved {"code":"APPROVAL_DENIED","tool":"s:t"}`,
			"no rule allows s:t (write)"},
		{"asking failed", `{}`, "", &person{err: lost}, "fatal: the terminal is gone", "no rule allows s:t (write)"},
	} {
		t.Run(x.name, func(t *testing.T) {
			is := is.New(t)
			c := New(Options{Rules: rules(t, x.rules), Transport: transport(echo)})
			r := Request{Tool: &nodes.Tool{ID: "s:t"}, Path: "n1", Args: parseArgs(t, x.args)}
			if x.asker != nil {
				r.Asker = x.asker
			}
			is.Equal(show(c.Call(t.Context(), r)), x.want)
			if x.asker != nil {
				is.Equal(len(x.asker.asked), 1)
				is.Equal(x.asker.asked[0].Reason, x.reason)
				is.Equal(x.asker.asked[0].Path, "n1")
			}
		})
	}
}

// A question's id is that of exactly one call.
func TestQuestionID(t *testing.T) {
	is := is.New(t)
	id := func(k Kind, path string, tool nodes.ToolID, args, reason string) string {
		return NewQuestion(k, path, tool, []byte(args), reason).ID
	}
	a := id(MayCall, "n1", "s:t", `{}`, "")
	is.Equal(a, id(MayCall, "n1", "s:t", `{}`, "other"))
	for _, b := range []string{id(MayCall, "n2", "s:t", `{}`, ""), id(MayCall, "n1", "s:u", `{}`, ""),
		id(MayCall, "n1", "s:t", `{"a":1}`, ""), id(MayCall, "n1s", ":t", `{}`, ""), id(NeedKey, "n1", "s:t", `{}`, "")} {
		is.True(a != b)
	}
}

func TestRoutes(t *testing.T) {
	is := is.New(t)
	tool := &nodes.Tool{ID: "s:t", Route: nodes.Server}
	c := New(Options{Rules: rules(t, allow), Transport: transport(echo)})
	is.Equal(show(c.Call(t.Context(), Request{Tool: tool})),
		`throws ToolError: Cloud mode requires PML_API_KEY {"code":"MISSING_API_KEY","tool":"s:t"}`)
	is.Equal(show(c.Call(t.Context(), Request{Tool: tool, Cloud: transport(echo)})), `"s t {}"`)
}

func TestTransportErrors(t *testing.T) {
	is := is.New(t)
	var answer error
	c := New(Options{Rules: rules(t, allow), Transport: transport(func(context.Context, string, string, string) (Reply,
		error) {
		return Reply{}, answer
	})})
	r := Request{Tool: &nodes.Tool{ID: "s:t"}}
	answer = &Fault{nodes.UnknownTool, "no such tool"}
	is.Equal(show(c.Call(t.Context(), r)), `throws ToolError: no such tool {"code":"UNKNOWN_TOOL","tool":"s:t"}`)
	answer = errors.New("broken pipe")
	is.Equal(show(c.Call(t.Context(), r)), `throws ToolError: broken pipe {"code":"SERVER_ERROR","tool":"s:t"}`)
}

func TestTimeoutAndCancellation(t *testing.T) {
	hang := transport(func(ctx context.Context, _, _, _ string) (Reply, error) {
		<-ctx.Done()
		return Reply{}, ctx.Err()
	})
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		c := New(Options{Rules: rules(t, allow), Transport: hang})
		r := Request{Tool: &nodes.Tool{ID: "s:t"}}
		start := time.Now()
		is.Equal(show(c.Call(t.Context(), r)),
			`throws ToolError: s:t did not answer within 30s {"code":"RPC_TIMEOUT","tool":"s:t"}`)
		is.Equal(time.Since(start), 30*time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := c.Call(ctx, r)
		is.True(errors.Is(err, context.DeadlineExceeded)) // fatal: the run is over
	})
}
