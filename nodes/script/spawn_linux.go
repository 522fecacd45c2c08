package script

import "syscall"

// sysProcAttr puts the child in a process group of its own, and lets it die with the thread that starts it.
func sysProcAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
