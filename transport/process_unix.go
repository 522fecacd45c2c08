//go:build unix

package transport

import (
	"os/exec"
	"syscall"
)

// job is what else holds a process together; a process group needs nothing.
type job struct{}

func (x *process) adopt() error { return nil }
func (x *process) release()     {}

// softKill and hardKill signal the process group, whose id is the pid of the process.
func (x *process) softKill() { _ = syscall.Kill(-x.pid, syscall.SIGTERM) }
func (x *process) hardKill() { _ = syscall.Kill(-x.pid, syscall.SIGKILL) }

// setGroup gives the command a process group of its own.
func setGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
