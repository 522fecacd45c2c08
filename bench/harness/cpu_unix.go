//go:build unix

package harness

import (
	"syscall"
	"time"
)

// CPUTime is the processor time that this process has taken so far (getrusage(2)).
func CPUTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
