//go:build unix && !linux

package script

import (
	"os"

	"golang.org/x/sys/unix"
)

// confine gives up what the process could do to others. Memory and processor time are watched by the process itself
// and by the host.
func confine(Limits) error {
	for _, resource := range []int{unix.RLIMIT_CORE, unix.RLIMIT_FSIZE} {
		if err := unix.Setrlimit(resource, &unix.Rlimit{}); err != nil {
			return os.NewSyscallError("setrlimit", err)
		}
	}
	return nil
}
