package transport

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// setAttributes gives the child a group of its own and kills it when the thread that started it ends; one that tidies up
// after itself is asked to end.
func setAttributes(cmd *exec.Cmd, tidies bool) {
	setGroup(cmd)
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	if tidies {
		cmd.SysProcAttr.Pdeathsig = syscall.SIGTERM
	}
}

// spawner starts processes on one thread that lives as long as the pool, because Pdeathsig is sent when the thread that
// started the child ends, not when its process does.
type spawner struct {
	work chan func()
	done chan struct{}
}

func newSpawner() *spawner {
	s := &spawner{work: make(chan func()), done: make(chan struct{})}
	go func() {
		defer close(s.done)
		runtime.LockOSThread() // and never unlock: the thread ends with the goroutine
		for f := range s.work {
			f()
		}
	}()
	return s
}

func (s *spawner) do(f func()) {
	done := make(chan struct{})
	s.work <- func() { defer close(done); f() }
	<-done
}

// close ends the thread; no child may be left.
func (s *spawner) close() {
	close(s.work)
	<-s.done
}

// awaitExit waits until the process has ended, and leaves it to be reaped, so that its pid stays its own meanwhile.
func awaitExit(pid int) bool {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return err == nil
		}
	}
}

// processTree is a list of processes that may have left the group of the one that started them.
type processTree []processStamp

// processStamp tells a process from a later one with the same pid.
type processStamp struct {
	pid   int
	start string
}

// descendants lists what the process has started, directly or not, as far as the parents still live.
func (x *process) descendants() processTree {
	children := map[int]processTree{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		if s, ok := readStat(name); ok {
			children[s.parent] = append(children[s.parent], s.processStamp)
		}
	}
	tree := processTree{}
	for todo := []int{x.pid}; len(todo) > 0; todo = todo[1:] {
		for _, child := range children[todo[0]] {
			tree = append(tree, child)
			todo = append(todo, child.pid)
		}
	}
	return tree
}

// kill ends those that are still the same processes, and waits a moment for them to be gone.
func (t processTree) kill() {
	for range 200 {
		if t = slices.DeleteFunc(t, processStamp.gone); len(t) == 0 {
			return
		}
		for _, p := range t {
			_ = syscall.Kill(p.pid, syscall.SIGKILL)
		}
		time.Sleep(time.Millisecond)
	}
}

func (p processStamp) gone() bool {
	stat, ok := readStat("/proc/" + strconv.Itoa(p.pid) + "/stat")
	return !ok || stat.start != p.start || stat.state == "Z" || stat.state == "X"
}

// procStat is what is used of /proc/PID/stat.
type procStat struct {
	processStamp
	state  string
	parent int
}

// readStat reads /proc/PID/stat: field 1 is the pid, 2 the name in parentheses, 3 the state, 4 the parent, 22 the start
// time (proc_pid_stat(5)).
func readStat(name string) (s procStat, ok bool) {
	data, err := os.ReadFile(name)
	before, after, found := strings.Cut(string(data), " (")
	if err != nil || !found {
		return s, false
	}
	fields := strings.Fields(after[strings.LastIndexByte(after, ')')+1:])
	if len(fields) < 20 {
		return s, false
	}
	s.pid, _ = strconv.Atoi(before)
	s.parent, _ = strconv.Atoi(fields[1])
	s.state, s.start = fields[0], fields[19]
	return s, true
}
