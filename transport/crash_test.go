package transport

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes"
)

func TestMissingExecutable(t *testing.T) {
	is := is.New(t)
	b := newBench(t, manyTools, nil)
	_, err := b.Tools(t.Context(), "gone")
	e := err.(*Error)
	is.Equal(e.Code, nodes.ServerError)
	is.Equal(e.Message, `server "gone" cannot be started: no-such-command: executable file not found in $PATH`)
	is.Equal(e.Hint,
		`is "no-such-command" installed and in PATH? check "command" (and "cwd") of "gone" in the configuration`)
	_, err = b.Call(t.Context(), "s", "echo", nil, nil)
	is.NoErr(err) // the others work
}

func TestCrashAndRestart(t *testing.T) {
	is := is.New(t)
	b := newBench(t, strings.Replace(manyTools, `{"pageSize"`, `{"start":{"stderr":"last words\n"},"pageSize"`, 1), nil)
	var wg sync.WaitGroup
	var sideErr error
	sent := make(chan struct{})
	wg.Go(func() {
		_, sideErr = b.Call(context.Background(), "s", "slow", []byte(`{"ms":60000}`), func() { close(sent) })
	})
	<-sent
	_, err := b.Call(t.Context(), "s", "typed", []byte(`{"a":8}`), nil)
	is.Equal(describe(nil, err), `SERVER_ERROR 0 server "s" crashed (exit status 3) `)
	is.Equal(err.(*Error).Stderr, "last words")
	is.Equal(err.(*Error).Tool, "typed")
	wg.Wait()
	is.Equal(sideErr.(*Error).Tool, "slow") // both calls in flight ended
	r, err := b.Call(t.Context(), "s", "echo", []byte(`{"again":1}`), nil)
	is.NoErr(err)
	is.Equal(r.Content[0].Text, `{"again":1}`)
	is.Equal(b.Status("s").Starts, 2)
}

func TestCrashLimit(t *testing.T) {
	is := is.New(t)
	b := newBench(t, manyTools, nil)
	for range 3 {
		_, err := b.Call(t.Context(), "s", "typed", []byte(`{"a":8}`), nil)
		is.Equal(err.(*Error).Message, `server "s" crashed (exit status 3)`)
	}
	_, err := b.Call(t.Context(), "s", "echo", nil, nil)
	is.Equal(err.(*Error).Message,
		`server "s" crashed 3 times within 10s and is not restarted for now; last: server "s" crashed (exit status 3)`)
	is.Equal(b.Status("s").Starts, 3)

	s := b.servers["s"]
	s.mu.Lock()
	is.True(s.tooManyCrashes(time.Now().Add(11*time.Second)) == nil) // the window passes
	s.mu.Unlock()
	_, err = b.Call(t.Context(), "s", "echo", nil, nil)
	is.NoErr(err)
}

func TestStartFaults(t *testing.T) {
	quick := func(o *PoolOptions) { o.Limits.StartTimeout = 500 * time.Millisecond }
	for _, c := range []struct{ name, start, message, stderr string }{
		{"crash", `{"fault":"crash","stderr":"no licence\n"}`, `server "s" ended while starting (exit status 3)`,
			"no licence"},
		{"hang", `{"fault":"hang","stderr":"waiting"}`, `server "s" did not answer initialize within 500ms`, "waiting"},
		{"garbage", `{"fault":"hang","stdout":"Welcome!\n"}`, `server "s" did not answer initialize within 500ms; ` +
			`it printed on stdout: "Welcome!"`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			b := newBench(t, `{"tools":[],"start":`+c.start+`}`, quick)
			_, err := b.Tools(t.Context(), "s")
			e := err.(*Error)
			is.Equal(e.Code, nodes.ServerError)
			is.Equal(e.Message, c.message)
			is.Equal(e.Stderr, c.stderr)
			is.True(e.Hint != "")
		})
	}
}

func TestGarbageAtStartIsTolerated(t *testing.T) {
	is := is.New(t)
	b := newBench(t, `{"tools":[{"name":"a"}],"start":{"stdout":"Hello\n\n{\"level\":30}\n","delayMs":50}}`, nil)
	tools, err := b.Tools(t.Context(), "s")
	is.NoErr(err)
	is.Equal(len(tools), 1)
	is.Equal(b.Status("s").Garbage, 1) // a JSON object is not garbage, just no answer
}

func TestOneStartForAll(t *testing.T) {
	is := is.New(t)
	b := newBench(t, strings.Replace(manyTools, `{"pageSize"`, `{"start":{"delayMs":100},"pageSize"`, 1), nil)
	impatient, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, err := b.Call(impatient, "s", "echo", nil, nil) // whoever came first gives up; the start goes on
	is.Equal(err.(*Error).Code, nodes.RPCTimeout)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := b.Call(context.Background(), "s", "echo", nil, nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	is.Equal(b.Status("s").Starts, 1)
}

func TestMessageTooLarge(t *testing.T) {
	is := is.New(t)
	b := newBench(t, manyTools, func(o *PoolOptions) { o.Limits.MaxMessage = 100_000 })
	_, err := b.Call(t.Context(), "s", "big", []byte(`{"bytes":200000}`), nil)
	is.Equal(describe(nil, err), `LIMIT_EXCEEDED 0 server "s" sent a message of more than 100000 bytes; it was restarted `)
	r, err := b.Call(t.Context(), "s", "big", []byte(`{"bytes":90000}`), nil)
	is.NoErr(err)
	is.Equal(len(r.Content[0].Text), 90000)
	is.Equal(b.Status("s").Starts, 2)
}
