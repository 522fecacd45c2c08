//go:build !unix

package harness

import "time"

// CPUTime is 0: the processor time is known on Unix only.
func CPUTime() time.Duration { return 0 }
