package script

import (
	"fmt"
	"os"
	"syscall"
	"testing"
)

func exe() string { return os.Args[0] }

// alive reports whether a process of ours exists.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && p.Signal(syscall.Signal(0)) == nil
}

// rights reads what Linux says about a process.
func rights(t *testing.T, pid int) (env, limits string) {
	t.Helper()
	e, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		t.Fatal(err)
	}
	l, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", pid))
	if err != nil {
		t.Fatal(err)
	}
	return string(e), string(l)
}
