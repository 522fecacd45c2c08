//go:build unix

package script

import (
	"os"
	"syscall"
	"time"
)

// kill ends the process and its group.
func kill(p *os.Process) {
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL)
	_ = p.Kill()
}

// killedBy reports whether a signal that we did not send ended the process, and its processor time.
func killedBy(s *os.ProcessState) (signal string, used time.Duration) {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		signal = w.Signal().String()
	}
	return signal, s.UserTime() + s.SystemTime()
}
