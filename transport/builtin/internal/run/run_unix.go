//go:build unix

package run

import (
	"errors"
	"os/exec"
	"syscall"
)

// group is the process group that a program leads.
type group struct{ id int }

func command(spec Spec) *exec.Cmd {
	if spec.Shell {
		return exec.Command("sh", "-c", spec.Command)
	}
	return exec.Command(spec.Command, spec.Args...)
}

func newGroup(cmd *exec.Cmd) *group {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return &group{}
}

func (g *group) started(cmd *exec.Cmd) { g.id = cmd.Process.Pid }

// kill ends every process of the group that is left.
func (g *group) kill() { _ = syscall.Kill(-g.id, syscall.SIGKILL) }

func (g *group) close() {}

func exitCode(cmd *exec.Cmd) int {
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return cmd.ProcessState.ExitCode()
}

// ignoreBrokenPipe forgives a program that does not read all of its standard input.
func ignoreBrokenPipe(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}
