package script

import (
	"os"
	"syscall"
	"time"
)

// sysProcAttr hides the child's console window.
func sysProcAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{HideWindow: true} }

// kill ends the process.
func kill(p *os.Process) { _ = p.Kill() }

// killedBy gives the processor time of the process.
func killedBy(s *os.ProcessState) (signal string, used time.Duration) {
	return "", s.UserTime() + s.SystemTime()
}
