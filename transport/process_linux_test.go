package transport

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes"
)

// alive reports whether a process is there and no zombie.
func alive(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(data), ") Z ")
}

func TestCloseLeavesNothing(t *testing.T) {
	for _, kind := range []string{"call in flight", "server ignores all"} {
		t.Run(kind, func(t *testing.T) {
			is := is.New(t)
			b := newBench(t, strings.Replace(manyTools, `{"pageSize"`, `{"start":{"child":true},"pageSize"`, 1), nil)
			_, err := b.Call(t.Context(), "s", "echo", nil, nil)
			is.NoErr(err)
			pid, child := b.Status("s").PID, b.logged(t, "child")[0].Pid
			is.True(alive(pid) && alive(child))
			if kind == "server ignores all" {
				is.NoErr(syscall.Kill(pid, syscall.SIGSTOP))
			}
			var wg sync.WaitGroup
			sent := make(chan struct{})
			if kind == "call in flight" {
				wg.Go(func() {
					_, err := b.Call(context.Background(), "s", "slow", []byte(`{"ms":60000}`), func() { close(sent) })
					is.Equal(err.(*Error).Code, nodes.Cancelled)
				})
				<-sent
			}
			start := time.Now()
			b.Close()
			is.True(time.Since(start) < 4*time.Second)
			is.True(!alive(pid))   // the server
			is.True(!alive(child)) // its child
			wg.Wait()
			_, err = b.Call(t.Context(), "s", "echo", nil, nil)
			is.Equal(err.(*Error).Message, "the pool is closed")
		})
	}
}

func TestDescendantsOutsideTheGroup(t *testing.T) {
	is := is.New(t)
	const script = "setsid sleep 3600 & echo $! >&2; cat >/dev/null"
	shell := ServerConfig{Name: "sh", Command: "sh", Args: []string{"-c", script}}
	p := NewPool([]ServerConfig{shell}, PoolOptions{
		Environ: []string{"PATH=/usr/bin:/bin"}, Limits: Limits{StartTimeout: 500 * time.Millisecond},
	})
	defer p.Close()
	_, err := p.Tools(t.Context(), "sh")
	child, bad := strconv.Atoi(err.(*Error).Stderr)
	is.NoErr(bad)
	eventually(t, "the end of the child", func() bool { return !alive(child) })
}

func TestCrashTakesTheChildrenAlong(t *testing.T) {
	is := is.New(t)
	b := newBench(t, strings.Replace(manyTools, `{"pageSize"`, `{"start":{"child":true},"pageSize"`, 1), nil)
	_, err := b.Call(t.Context(), "s", "typed", []byte(`{"a":8}`), nil)
	is.Equal(err.(*Error).Message, `server "s" crashed (exit status 3)`)
	eventually(t, "the end of the child", func() bool { return !alive(b.logged(t, "child")[0].Pid) })
}

func TestKilledServer(t *testing.T) {
	is := is.New(t)
	b := newBench(t, manyTools, nil)
	_, err := b.Call(t.Context(), "s", "echo", nil, nil)
	is.NoErr(err)
	var wg sync.WaitGroup
	sent := make(chan struct{})
	wg.Go(func() {
		_, err := b.Call(context.Background(), "s", "slow", []byte(`{"ms":60000}`), func() { close(sent) })
		is.Equal(err.(*Error).Message, `server "s" crashed (signal: killed)`)
	})
	<-sent
	is.NoErr(syscall.Kill(b.Status("s").PID, syscall.SIGKILL))
	wg.Wait()
	_, err = b.Call(t.Context(), "s", "echo", nil, nil)
	is.NoErr(err)
}

func TestKilledParentLeavesNoServer(t *testing.T) {
	is := is.New(t)
	config := testServer(t, manyTools)
	cmd := exec.Command(config.Command, "-parent", config.Args[1])
	out, err := cmd.StdoutPipe()
	is.NoErr(err)
	is.NoErr(cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	is.NoErr(err)
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	is.NoErr(err)
	is.NoErr(syscall.Kill(pid, syscall.SIGSTOP)) // so that the end of its stdin is not enough
	time.Sleep(20 * time.Millisecond)
	is.True(alive(pid))
	is.NoErr(cmd.Process.Kill())
	_ = cmd.Wait()
	eventually(t, "the end of the server", func() bool { return !alive(pid) })
}

// TestServerThatDoesNotRead: the writer is stuck in a full pipe; calls still end in time, and so does Close.
func TestServerThatDoesNotRead(t *testing.T) {
	is := is.New(t)
	b := newBench(t, manyTools, func(o *PoolOptions) { o.Limits.CallTimeout = 200 * time.Millisecond })
	_, err := b.Call(t.Context(), "s", "echo", nil, nil)
	is.NoErr(err)
	is.NoErr(syscall.Kill(b.Status("s").PID, syscall.SIGSTOP))
	big := []byte(`{"x":"` + strings.Repeat("x", 1<<20) + `"}`)
	sent := 0
	_, err = b.Call(t.Context(), "s", "echo", big, func() { sent++ })
	is.Equal(err.(*Error).Code, nodes.RPCTimeout)
	is.Equal(sent, 1) // part of it is out
	_, err = b.Call(t.Context(), "s", "echo", nil, func() { sent++ })
	is.Equal(err.(*Error).Code, nodes.RPCTimeout)
	is.Equal(sent, 1) // none of it is out, and never will be
}
