package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"
)

// TestInterrupt: a run that is interrupted while a tool, a shell command and a script are at work ends with 130, soon,
// and leaves no process.
func TestInterrupt(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		t.Run(fmt.Sprintf("json=%t", asJSON), func(t *testing.T) {
			is := is.New(t)
			w := newWorkspace(t, shop, allowShop)
			cmd := w.command("run", "--yes", "-e", `const t = ["shell"][0];
const a = mcp[t].exec({ command: "sleep 60" });
await Promise.all([a, mcp.shop.hang({})]);`, fmt.Sprintf("--json=%t", asJSON))
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			is.NoErr(cmd.Start())
			family := waitForFamily(t, cmd.Process.Pid)
			is.NoErr(cmd.Process.Signal(syscall.SIGINT))
			began := time.Now()
			_ = cmd.Wait()
			is.Equal(cmd.ProcessState.ExitCode(), 130)
			is.True(time.Since(began) < 5*time.Second)
			said := errs.String()
			if asJSON {
				said = out.String()
			}
			is.True(strings.Contains(said, "CANCELLED"))
			for _, p := range family {
				is.True(!p.alive()) // a process was left behind
			}
		})
	}
}

// TestYesStays: what --yes has approved stays approved when the run is taken up again; what is forbidden stays forbidden.
func TestYesStays(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	cmd := w.command("run", "--yes", "-e", `await mcp.audit.refund({ id: 1 });
await mcp.shop.wait({ ms: 1500 });
return await mcp.audit.refund({ id: 2 })`)
	is.NoErr(cmd.Start())
	waitUntil(t, func() bool { return strings.Contains(string(w.bytes("shop.jsonl")), `"start"`) })
	is.NoErr(cmd.Process.Kill())
	_ = cmd.Wait()
	is.Equal(w.refunds(), []int{1})
	got := w.pml("", "runs", "resume", w.newest(), "--no-input")
	is.Equal(got.stdout, "refunded\n")
	is.Equal(w.refunds(), []int{1, 2})
	is.True(strings.Contains(string(w.bytes(".pml/audit.jsonl")), `"by":"--yes"`))
}

// process is a process with the time of its start, so that its id can be used again.
type process struct {
	pid   int
	start string
}

func (p process) alive() bool {
	_, start := stat(p.pid)
	return start == p.start
}

// waitForFamily waits until the sleep and the servers run, and returns all descendants.
func waitForFamily(t *testing.T, pid int) []process {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		family := descendants(pid)
		if len(family) >= 3 && hasSleep(family) {
			time.Sleep(200 * time.Millisecond) // let the other call be under way
			return descendants(pid)
		}
	}
	t.Fatal("the run did not get to work")
	return nil
}

func hasSleep(family []process) bool {
	for _, p := range family {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.pid))
		if strings.HasPrefix(string(line), "sleep\x0060") {
			return true
		}
	}
	return false
}

// descendants lists the processes below pid.
func descendants(pid int) (found []process) {
	parents := map[int][]process{}
	paths, _ := filepath.Glob("/proc/[0-9]*")
	for _, path := range paths {
		child, _ := strconv.Atoi(filepath.Base(path))
		if parent, start := stat(child); start != "" {
			parents[parent] = append(parents[parent], process{child, start})
		}
	}
	for _, p := range parents[pid] {
		found = append(append(found, p), descendants(p.pid)...)
	}
	return found
}

// stat gives the parent of a process and the time of its start; "" if there is no such process, or only its remains.
func stat(pid int) (parent int, start string) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, ""
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 20 || fields[0] == "Z" {
		return 0, ""
	}
	parent, _ = strconv.Atoi(fields[1])
	return parent, fields[19]
}
