//go:build !unix

package harness

import "time"

// The processor time is known on Unix only.
func cpuTime() time.Duration { return 0 }
