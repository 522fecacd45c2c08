package shell_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/transport/builtin/internal/pipetest"
	"github.com/casys-ai/pml/transport/builtin/internal/root"
	"github.com/casys-ai/pml/transport/builtin/internal/tool"
	"github.com/casys-ai/pml/transport/builtin/shell"
)

type o = map[string]any

func serve(t *testing.T) (*pipetest.Client, string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("these commands are for a Unix shell")
	}
	is := is.New(t)
	ws, err := filepath.EvalSymlinks(t.TempDir())
	is.NoErr(err)
	is.NoErr(os.MkdirAll(filepath.Join(ws, "sub é"), 0o755))
	is.NoErr(os.Symlink("/", filepath.Join(ws, "away")))
	roots, err := root.Open(ws, nil, nil)
	is.NoErr(err)
	t.Cleanup(func() { _ = roots.Close() })
	return pipetest.Serve(t, func(in io.Reader, out io.Writer) error {
		return tool.Serve(context.Background(), "shell", shell.Tools(roots), in, out, io.Discard)
	}), ws
}

func TestExec(t *testing.T) {
	c, ws := serve(t)
	for _, test := range []struct {
		args           o
		stdout, stderr string
		code           float64
	}{
		{o{"command": "pwd"}, ws + "\n", "", 0},
		{o{"command": "pwd", "cwd": "sub é"}, ws + "/sub é\n", "", 0},
		{o{"command": "echo out; echo err >&2; exit 3"}, "out\n", "err\n", 3},
		{o{"command": "echo", "args": []any{"$HOME; *", "b"}}, "$HOME; * b\n", "", 0},
		{o{"command": "printf '%s' \"$A\"", "env": o{"A": "ä=1", "B": "2"}}, "ä=1", "", 0},
		{o{"command": "cat", "stdin": "über\n"}, "über\n", "", 0},
		{o{"command": "cat"}, "", "", 0},
		{o{"command": "exit 0", "stdin": strings.Repeat("x", 1<<20)}, "", "", 0},
		{o{"command": "printf 'a\\377b\\342\\202x'"}, "a\ufffdb\ufffdx", "", 0},
		{o{"command": "kill -TERM $$"}, "", "", 143},
		{o{"command": "true", "args": []any{}}, "", "", 0},
	} {
		is := is.New(t)
		answer := c.Call("exec", test.args)
		is.True(!answer.IsError)
		is.Equal(answer.Structured["stdout"], test.stdout)
		is.Equal(answer.Structured["stderr"], test.stderr)
		is.Equal(answer.Structured["exit_code"], test.code)
		is.True(strings.Contains(answer.Text, "exit code: "+strconv.Itoa(int(test.code))))
		is.True(strings.Contains(answer.Text, test.stdout) && strings.Contains(answer.Text, test.stderr))
	}
}

func TestErrors(t *testing.T) {
	c, _ := serve(t)
	for _, test := range []struct {
		args o
		text string
	}{
		{o{}, "MCP error -32602: Input validation error: Invalid arguments for tool exec: Invalid input: " +
			"expected string, received undefined at command"},
		{o{"command": "x", "timeout_ms": 0}, "Too small: expected number to be >=1 at timeout_ms"},
		{o{"command": "x", "env": o{"A": 1}}, "expected string, received number at env.A"},
		{o{"command": " "}, "command is empty"},
		{o{"command": "no-such-program", "args": []any{}}, "cannot start 'no-such-program': executable file not found"},
		{o{"command": "pwd", "cwd": "../"}, "PATH_OUTSIDE_WORKSPACE: "},
		{o{"command": "pwd", "cwd": "/"}, "PATH_OUTSIDE_WORKSPACE: "},
		{o{"command": "pwd", "cwd": "away"}, "PATH_OUTSIDE_WORKSPACE: "},
		{o{"command": "pwd", "cwd": "away/etc"}, "PATH_OUTSIDE_WORKSPACE: "},
		{o{"command": "pwd", "cwd": "nope"}, "ENOENT: no such file or directory, chdir '"},
	} {
		is := is.New(t)
		answer := c.Call("exec", test.args)
		is.True(answer.IsError)
		is.True(strings.Contains(answer.Text, test.text)) // answer.Text
	}
}

func TestOutputIsCutWithAMark(t *testing.T) {
	is := is.New(t)
	c, _ := serve(t)
	answer := c.Call("exec", o{"command": "head -c 1048575 /dev/zero | tr '\\0' a; printf 'é%01000d' 0; echo e >&2"})
	text := answer.Structured["stdout"].(string)
	is.True(strings.HasSuffix(text, "aaa\n[… cut: 1002 bytes more]"))
	is.Equal(answer.Structured["stderr"], "e\n")
}

// alive says whether a process runs. A zombie does not.
func alive(pid string) bool {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return false
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(after, "Z")
}

// childOf waits until a command has written the id of its child.
func childOf(t *testing.T, ws string) string {
	t.Helper()
	for range 500 {
		if data, err := os.ReadFile(filepath.Join(ws, "pid")); err == nil && strings.HasSuffix(string(data), "\n") {
			return strings.TrimSpace(string(data))
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the command wrote no pid")
	return ""
}

func gone(t *testing.T, pid string) {
	t.Helper()
	for range 300 {
		if !alive(pid) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %s is still alive", pid)
}

const withChild = "sleep 100 & echo $! > pid.tmp; mv pid.tmp pid; echo begun; wait"

func needProc(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("looks into /proc")
	}
}

func TestTimeoutKillsChildren(t *testing.T) {
	needProc(t)
	is := is.New(t)
	c, ws := serve(t)
	answer := c.Call("exec", o{"command": withChild, "timeout_ms": 300})
	is.True(!answer.IsError)
	is.Equal(answer.Structured["timed_out"], true)
	is.Equal(answer.Structured["exit_code"], 137.0)
	is.Equal(answer.Structured["stdout"], "begun\n")
	is.True(strings.Contains(answer.Text, "timed out after 300ms"))
	gone(t, childOf(t, ws))
}

func TestCancelKillsChildren(t *testing.T) {
	needProc(t)
	c, ws := serve(t)
	id := c.Send("exec", o{"command": withChild})
	pid := childOf(t, ws)
	c.Cancel(id)
	gone(t, pid)
}

func TestEndOfInputKillsChildren(t *testing.T) {
	needProc(t)
	var pid string
	t.Run("server", func(t *testing.T) {
		c, ws := serve(t)
		c.Send("exec", o{"command": withChild})
		pid = childOf(t, ws)
	})
	gone(t, pid)
}

func TestBackgroundProcessesEndWithTheCommand(t *testing.T) {
	needProc(t)
	is := is.New(t)
	c, ws := serve(t)
	begin := time.Now()
	answer := c.Call("exec", o{"command": "sleep 100 & echo $! > pid; echo done"})
	is.Equal(answer.Structured["stdout"], "done\n")
	is.Equal(answer.Structured["exit_code"], 0.0)
	is.True(time.Since(begin) < 10*time.Second)
	gone(t, childOf(t, ws))
}

func TestParallel(t *testing.T) {
	is := is.New(t)
	c, _ := serve(t)
	slow := c.Send("exec", o{"command": "sleep 0.5; echo slow"})
	var ids []int
	for i := range 63 {
		ids = append(ids, c.Send("exec", o{"command": "echo " + strconv.Itoa(i)}))
	}
	first := 1 << 30
	for i, id := range ids {
		answer := c.Wait(id)
		is.Equal(answer.Structured["stdout"], strconv.Itoa(i)+"\n")
		first = min(first, answer.Order)
	}
	is.True(c.Wait(slow).Order > first)
}
