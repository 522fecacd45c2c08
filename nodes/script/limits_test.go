package script

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// tight are limits that tests reach quickly.
var tight = Limits{Memory: 128 << 20, CPU: 800 * time.Millisecond, Wall: 2500 * time.Millisecond, Output: 4 << 20,
	Source: 20 << 20}

// TestLimits runs what must end as an error, within seconds, with the host alive and the child gone.
func TestLimits(t *testing.T) {
	type want struct {
		code nodes.ErrorCode // of an *Error
		text string          // in the message
	}
	died := func(text string) want { return want{nodes.WorkerTerminated, text} }
	slow := want{nodes.ExecutionTimeout, "the script was ended"}
	memory := died("memory limit of 128 MB")
	js := func(text string) want { return want{"", text} }
	for _, c := range []struct {
		name, js string
		want     []want
	}{
		{"endless loop", "while (true) {}", []want{slow}},
		{"endless loop after await", "await null; for (;;) {}", []want{slow}},
		{"endless loop in a timer", "setTimeout(() => { for (;;) {} }, 1); await new Promise(() => {})", []want{slow}},
		{"repeat", "const a = []; for (;;) a.push('x'.repeat(2 ** 28) + a.length)", []want{memory}},
		{"concatenation", "let s = 'xxxxxxxx'; for (;;) s += s", []want{memory, slow}},
		{"growing array", "const a = []; for (;;) a.push({ n: a.length })", []want{memory}},
		{"array fill", "new Array(1e9).fill(0)", []want{memory, slow}},
		{"deep JSON", "return JSON.parse('['.repeat(1e7))", []want{js("RangeError"), js("SyntaxError"), memory,
			died("nests too deeply")}},
		{"deep stringify", "let o = {}; for (let i = 0; i < 1e6; i++) o = { o }; return JSON.stringify(o).length",
			[]want{js("RangeError"), memory, slow, died("nests too deeply")}},
		{"deep source", "return " + strings.Repeat("(", 1e6) + "1" + strings.Repeat(")", 1e6),
			[]want{died("nests too deeply"), memory}},
		{"deep array source", "return " + strings.Repeat("[", 2e5) + strings.Repeat("]", 2e5),
			[]want{died("nests too deeply"), memory, slow, {nodes.LimitExceeded, ""}, js("")}},
		{"recursion", "const f = () => f(); f()", []want{js("RangeError: Maximum call stack size exceeded")}},
		{"async recursion", "const f = async () => { await f() }; await f()", // goja unwinds in quadratic time
			[]want{js("RangeError: Maximum call stack size exceeded"), slow}},
		{"recursion through natives", "const f = () => [1].map(f); f()",
			[]want{js("RangeError: Maximum call stack size exceeded"), slow}},
		{"never settles", "await new Promise(() => {})", []want{{nodes.CodeError, "can never happen"}}},
		{"microtask loop", "const f = () => Promise.resolve().then(f); await f()", []want{slow, memory}},
		{"queueMicrotask loop", "const f = () => queueMicrotask(f); f(); await new Promise(() => {})", []want{slow}},
		{"regex", "return /(?=a)(a+)+$/.test('a'.repeat(40) + 'b')", []want{slow}},
		{"proxy prototype", "const p = new Proxy({}, {}); Object.setPrototypeOf(p, p); p.x",
			[]want{died("nests too deeply"), js("RangeError"), js("TypeError"), memory, slow}},
		{"proxy chain", "const o = {}; const p = new Proxy(o, {}); Object.setPrototypeOf(o, p); return p.x",
			[]want{died("nests too deeply"), js("RangeError"), js("TypeError"), memory, slow}},
		{"huge typed array", "return new Uint8Array(8 * 2 ** 30).length", []want{memory, js("RangeError")}},
		{"many typed arrays", "const a = []; for (;;) a.push(new Float64Array(1e6).fill(1))", []want{memory}},
		{"console flood", "for (;;) console.log('x'.repeat(1000))", []want{{nodes.LimitExceeded, "output limit"}}},
		{"empty console flood", "for (;;) console.log()", []want{{nodes.LimitExceeded, "output limit"}}},
		{"large result", "return 'x'.repeat(5e6)", []want{{nodes.LimitExceeded, "output limit"}}},
		{"large array result", "return new Array(1e9)", []want{{nodes.LimitExceeded, "output limit"}, memory}},
		{"large argument", "await mcp.t.echo('x'.repeat(5e6))", []want{{nodes.LimitExceeded, "output limit"}}},
		{"long sleep", "await new Promise((r) => setTimeout(r, 3600e3))", []want{{nodes.ExecutionTimeout, "ran for"}}},
		{"interval", "setInterval(() => {}, 50); await new Promise(() => {})",
			[]want{{nodes.ExecutionTimeout, "ran for"}}},
		{"bigint power", "return String(9n ** 99999999n).length", []want{slow, memory}},
		{"syntax", "return 1 +", []want{{nodes.ParseError, ""}}},
		{"escape from the function", "}); (async function () { return 1", []want{{nodes.ParseError, ""}}},
		{"eval", "return eval('1 + 1')", []want{js("EvalError: eval is not available")}},
		{"Function", "return new Function('return 1')()", []want{js("EvalError")}},
		{"Function by constructor", "return (() => {}).constructor('return 1')()", []want{js("EvalError")}},
		{"network", "return await fetch('http://x')", []want{js("fetch is not defined")}},
		{"fatal call", "await mcp.t.fatal()", []want{js("the engine gives up")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPool(t, tight, 0)
			r := acquire(t, p)
			began := time.Now()
			done, err := r.Execute(within(t, 15*time.Second), Fragment{JS: c.js, Program: false, Call: echo})
			took := time.Since(began)
			if err == nil {
				t.Fatalf("ended normally with %v", value.Inspect(done.Value))
			}
			t.Logf("%v after %s", err, took.Round(time.Millisecond))
			if took > 10*time.Second {
				t.Errorf("took %s", took)
			}
			var mine *Error
			code := nodes.ErrorCode("")
			if errors.As(err, &mine) {
				code = mine.Code
			}
			ok := false
			for _, w := range c.want {
				ok = ok || code == w.code && strings.Contains(err.Error(), w.text)
			}
			if !ok || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %s %q", code, err.Error())
			}
			r.Close()
			if alive(r.Pid()) {
				t.Errorf("the child is still there")
			}
		})
	}
}

// TestCancel ends a run from outside.
func TestCancel(t *testing.T) {
	p := newPool(t, Limits{}, 1)
	for name, js := range map[string]string{
		"busy": "for (;;) {}", "idle": "await new Promise((r) => setTimeout(r, 1e6))",
		"native": "return 'x'.repeat(2 ** 28).replaceAll('x', 'yy').length", "call": "await mcp.t.slow({ ms: 1e6 })"} {
		t.Run(name, func(t *testing.T) {
			r := acquire(t, p)
			ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
			defer cancel()
			began := time.Now()
			_, err := r.Execute(ctx, Fragment{JS: js, Call: echo})
			if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 2*time.Second {
				t.Errorf("got %v after %s", err, time.Since(began))
			}
			if _, again := r.Execute(context.Background(), Fragment{JS: "return 1"}); again == nil {
				t.Errorf("the realm is still usable")
			}
			if alive(r.Pid()) {
				t.Errorf("the child is still there")
			}
		})
	}
}

// TestOrphan: a child whose host closes its stdin exits, even in the middle of a loop.
func TestOrphan(t *testing.T) {
	p := newPool(t, Limits{}, 0)
	r := acquire(t, p)
	go func() { _, _ = r.Execute(context.Background(), Fragment{JS: "for (;;) {}"}) }()
	time.Sleep(100 * time.Millisecond)
	_ = r.p.stdin.Close()
	select {
	case <-r.p.gone:
	case <-time.After(3 * time.Second):
		t.Error("the child runs on")
	}
}

// TestNothingLeft: when pool and realms are closed, every goroutine has ended.
func TestNothingLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	p := NewPool(Options{Command: []string{exe(), childArg}, Warm: 2})
	var realms []*Realm
	for range 4 {
		r, err := p.Acquire(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Execute(context.Background(), Fragment{JS: "mcp.t.echo(1); return 1", Call: echo}); err != nil {
			t.Fatal(err)
		}
		realms = append(realms, r)
	}
	for _, r := range realms {
		r.Close()
		if alive(r.Pid()) {
			t.Errorf("child %d is still there", r.Pid())
		}
	}
	p.Close()
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// TestWallClockStands: it does not count what tools take.
func TestWallClockStands(t *testing.T) {
	r := acquire(t, newPool(t, Limits{Wall: 300 * time.Millisecond}, 0))
	_, err := r.Execute(within(t, 10*time.Second), Fragment{Call: echo,
		JS: "await mcp.t.slow({ ms: 500 }); await mcp.t.slow({ ms: 500 }); return 1"})
	if err != nil {
		t.Error(err)
	}
}

// TestNoRights: the child has no environment but the time zone and cannot open files or start processes.
func TestNoRights(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("Linux only")
	}
	r := acquire(t, newPool(t, Limits{}, 0))
	env, files := rights(t, r.Pid())
	if env != "TZ=UTC\x00" {
		t.Errorf("environment %q", env)
	}
	for _, line := range []string{"Max open files            0 ", "Max core file size        0 "} {
		if !strings.Contains(files, line) {
			t.Errorf("no %q in\n%s", line, files)
		}
	}
}
