package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes"
)

const manyTools = `{"pageSize":2,"tools":[
 {"name":"echo","behaviour":"echo","title":"Echo","description":"says it again","_meta":{"k":1}},
 {"name":"slow","behaviour":"sleep"},
 {"name":"set","behaviour":"kv_set"},{"name":"get","behaviour":"kv_get"},
 {"name":"big","behaviour":"big"},{"name":"env","behaviour":"env"},
 {"name":"client","behaviour":"client"},{"name":"notify","behaviour":"notify"},
 {"name":"typed","outputSchema":{"type":"object"},"responses":[
  {"when":{"a":1},"structured":{"n":1.0,"s":"é"},"meta":{"m":true}},
  {"when":{"a":2},"error":"it is {{a}}"},
  {"when":{"a":3},"content":[{"type":"image","data":"AA==","mimeType":"image/png"},{"type":"text","text":"t"}]},
  {"when":{"a":4},"rpcError":{"code":-32603,"message":"broken inside","data":{"x":1}}},
  {"when":{"a":5},"rpcError":{"code":-32602,"message":"a must be a string"}},
  {"when":{"a":6},"fault":"garbage","result":"after garbage"},
  {"when":{"a":7},"fault":"hang"},
  {"when":{"a":8},"fault":"crash"},
  {"result":"plain"}]}]}`

func TestCall(t *testing.T) {
	b := newBench(t, manyTools, nil)
	for _, c := range []struct{ name, args, want string }{
		{"structured", `{"a":1}`, `text="{\"n\":1.0,\"s\":\"é\"}" structured={"n":1.0,"s":"é"} meta={"m":true}`},
		{"isError", `{"a":2}`, `text="it is 2" isError`},
		{"blocks", `{"a":3}`, `image={"type":"image","data":"AA==","mimeType":"image/png"} text="t"`},
		{"rpc error", `{"a":4}`, `TOOL_ERROR -32603 broken inside {"x":1}`},
		{"invalid arguments", `{"a":5}`, `INVALID_ARGUMENTS -32602 a must be a string `},
		{"garbage first", `{"a":6}`, `text="after garbage"`},
		{"line breaks", "{\n\"a\":\r\n2}", `text="it is 2" isError`},
		{"nil", ``, `text="plain"`},
		{"null", ` null `, `text="plain"`},
		{"array", `[1]`, `INVALID_ARGUMENTS 0 arguments must be a JSON object, not "[1]" `},
		{"two objects", `{}{}`, `INVALID_ARGUMENTS 0 arguments must be a JSON object, not "{}{}" `},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			sent := 0
			r, err := b.Call(t.Context(), "s", "typed", []byte(c.args), func() { sent++ })
			is.Equal(describe(r, err), c.want)
			is.Equal(sent == 1, !strings.Contains(c.want, "must be a JSON object")) // sent once, if at all
		})
	}
	is := is.New(t)
	_, err := b.Call(t.Context(), "s", "nope", nil, nil)
	is.Equal(describe(nil, err), "UNKNOWN_TOOL -32602 Unknown tool: nope ")
	_, err = b.Call(t.Context(), "t", "x", nil, nil)
	is.Equal(describe(nil, err), `UNKNOWN_TOOL 0 there is no server "t" `)
	is.Equal(err.(*Error).Hint, "configured: gone, s")
	is.Equal(b.Status("s").Starts, 1)
	is.Equal(b.Status("s").Garbage, 1)
	eventually(t, "a warning of the garbage", func() bool {
		return strings.Contains(b.out.String(), "this is not JSON")
	})
}

func describe(r *Result, err error) string {
	var e *Error
	if errors.As(err, &e) {
		return fmt.Sprintf("%s %d %s %s", e.Code, e.RPCCode, e.Message, e.Data)
	}
	var parts []string
	for _, c := range r.Content {
		if c.Type == "text" {
			parts = append(parts, fmt.Sprintf("text=%q", c.Text))
		} else {
			parts = append(parts, c.Type+"="+string(c.Raw))
		}
	}
	if r.Structured != nil {
		parts = append(parts, "structured="+string(r.Structured))
	}
	if r.Meta != nil {
		parts = append(parts, "meta="+string(r.Meta))
	}
	if r.IsError {
		parts = append(parts, "isError")
	}
	return strings.Join(parts, " ")
}

func TestManyInFlight(t *testing.T) {
	is := is.New(t)
	b := newBench(t, manyTools, nil)
	_, err := b.Tools(t.Context(), "s")
	is.NoErr(err)
	var wg sync.WaitGroup
	start := time.Now()
	for i := range 64 {
		wg.Go(func() {
			args := fmt.Sprintf(`{"ms":100,"i":%d}`, i)
			if _, err := b.Call(context.Background(), "s", "slow", []byte(args), nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	took := time.Since(start)
	is.True(took < 2*time.Second) // 64 × 100 ms ran side by side
	is.Equal(b.Status("s").Starts, 1)
}

func TestSentInOrder(t *testing.T) {
	is := is.New(t)
	b := newBench(t, manyTools, nil)
	_, err := b.Tools(t.Context(), "s")
	is.NoErr(err)
	var order []int
	var wg sync.WaitGroup
	for i := range 20 {
		sent := make(chan struct{})
		wg.Go(func() {
			args := fmt.Sprintf(`{"key":"k","value":%d}`, i)
			_, err := b.Call(context.Background(), "s", "set", []byte(args), func() {
				order = append(order, i) // the writer is one goroutine
				close(sent)
			})
			if err != nil {
				t.Error(err)
			}
		})
		<-sent
	}
	wg.Wait()
	starts := b.logged(t, "start")
	is.Equal(len(starts), 20)
	for i, e := range starts {
		var a struct{ Value int }
		is.NoErr(json.Unmarshal(e.Args, &a))
		is.Equal(a.Value, i)
		is.Equal(order[i], i)
	}
}

func TestCancelReachesTheServer(t *testing.T) {
	is := is.New(t)
	b := newBench(t, manyTools, nil)
	ctx, cancel := context.WithCancel(t.Context())
	sent := 0
	start := time.Now()
	_, err := b.Call(ctx, "s", "slow", []byte(`{"ms":20000}`), func() { sent++; cancel() })
	is.True(time.Since(start) < 5*time.Second)
	is.Equal(describe(nil, err), "CANCELLED 0 call cancelled ")
	is.True(errors.Is(err, context.Canceled))
	is.Equal(sent, 1)
	eventually(t, "the notification in the server's log", func() bool { return len(b.logged(t, "cancelled")) == 1 })
	is.Equal(b.logged(t, "cancelled")[0].ID, b.logged(t, "start")[0].ID)
	is.Equal(len(b.logged(t, "end")), 0)

	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = b.Call(cancelled, "s", "echo", nil, nil)
	is.Equal(err.(*Error).Code, nodes.Cancelled)
}

func TestTimeout(t *testing.T) {
	is := is.New(t)
	b := newBench(t, manyTools, func(o *PoolOptions) { o.Limits.CallTimeout = 300 * time.Millisecond })
	_, err := b.Call(t.Context(), "s", "typed", []byte(`{"a":7}`), nil)
	is.Equal(describe(nil, err), `RPC_TIMEOUT 0 server "s" did not answer within 300ms `)
	eventually(t, "the notification", func() bool { return len(b.logged(t, "cancelled")) == 1 })

	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = b.Call(ctx, "s", "typed", []byte(`{"a":7}`), nil)
	is.Equal(describe(nil, err), `RPC_TIMEOUT 0 server "s" did not answer in time `)

	_, err = b.Call(t.Context(), "s", "echo", nil, nil) // the server is still the same
	is.NoErr(err)
	is.Equal(b.Status("s").Starts, 1)
}

func TestBothWays(t *testing.T) {
	is := is.New(t)
	changed := make(chan string, 8)
	b := newBench(t, manyTools, func(o *PoolOptions) {
		o.Client.Root = "/work space"
		o.Events.ToolsChanged = func(server string) { changed <- server }
	})
	ask := func(method string) string {
		r, err := b.Call(t.Context(), "s", "client", []byte(`{"method":"`+method+`"}`), nil)
		is.NoErr(err)
		return r.Content[0].Text
	}
	is.Equal(ask("ping"), `{}`)
	is.Equal(ask("roots/list"), `{"roots":[{"uri":"file:///work%20space","name":"workspace"}]}`)
	is.True(strings.Contains(ask("sampling/createMessage"), `"code":-32601`))
	is.True(strings.Contains(ask("elicitation/create"), `"code":-32601`))

	_, err := b.Call(t.Context(), "s", "notify", []byte(`{"method":"notifications/tools/list_changed","params":{}}`), nil)
	is.NoErr(err)
	is.Equal(<-changed, "s")

	_, err = b.Call(t.Context(), "s", "notify",
		[]byte(`{"method":"notifications/message","params":{"level":"error","data":"disk is full"}}`), nil)
	is.NoErr(err)
	eventually(t, "the log message", func() bool { return strings.Contains(b.out.String(), "disk is full") })

	var got []Progress
	_, err = b.Do(t.Context(), "s", Request{
		Tool: "notify", Meta: []byte(`{"x":1}`), Progress: func(p Progress) { got = append(got, p) },
		Args: []byte(`{"method":"notifications/progress","params":{"progressToken":"PROGRESS_TOKEN","progress":3,
			"total":10,"message":"reading"}}`),
	})
	is.NoErr(err)
	is.Equal(got, []Progress{{3, 10, "reading"}})
}

func TestEnvironmentIsMinimal(t *testing.T) {
	is := is.New(t)
	b := newBench(t, manyTools, nil)
	r, err := b.Call(t.Context(), "s", "env", nil, nil)
	is.NoErr(err)
	is.Equal(r.Content[0].Text, `{"GORACE":"atexit_sleep_ms=0","HOME":"/h","LC_ALL":"C","OWN":"1","PATH":"/usr/bin:/bin"}`)
}
