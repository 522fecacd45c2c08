package script

import (
	"runtime/metrics"
	"time"
)

// How the watchdog looks at the child.
const (
	watchEvery = 20 * time.Millisecond
	// graceTime is how long the realm has to stop once it was told to; native work cannot be interrupted.
	graceTime = 500 * time.Millisecond
)

// stopReason is the value of an interrupt: the kind of execution_complete to report.
type stopReason string

// watch samples memory and processor time until stop is called. Over a limit, it interrupts the realm, and if that does
// not help it ends the process.
func (c *child) watch() (stop func()) {
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				c.look(done)
			}
		}
	}()
	return func() { close(done) }
}

func (c *child) look(done <-chan struct{}) {
	if c.busy.Load()%2 == 0 {
		return
	}
	reason := c.overLimit()
	if reason == "" {
		return
	}
	run := c.busy.Load()
	c.realm.stop(reason)
	select {
	case <-done:
	case <-time.After(graceTime):
		if c.busy.Load() == run && c.overLimit() != "" {
			c.die(string(reason) + " limit")
		}
	}
}

// overLimit names the limit that the process is over, if any.
func (c *child) overLimit() stopReason {
	if heapBytes() > uint64(c.limits.Memory) {
		return kindMemory
	}
	if used, ok := cpuTime(); ok && used > c.limits.CPU {
		return kindCPU
	}
	return ""
}

func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
