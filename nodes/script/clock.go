package script

import (
	"encoding/binary"
	"time"
)

// clock is what a fragment sees of the time. What it has seen is told to the host as readings, so that the fragment can
// be executed again and see the same: pairs of uvarints, how often the clock was read since the reading before, and by
// how many microseconds it had moved on then. Reads that give the same time as the one before are counted only.
type clock struct {
	reads uint64 // since the last reading
	last  int64  // the last reading, in µs since 1970
	fresh []byte // readings that the host has not been told

	again []byte // readings of an earlier execution that are still to come
}

// now is the time to the millisecond, as Date sees it.
func (c *clock) now() time.Time {
	return time.UnixMilli(c.read(time.Millisecond) / 1000)
}

// read is the time in µs since 1970, as exact as grain.
func (c *clock) read(grain time.Duration) int64 {
	c.reads++
	if len(c.again) > 0 {
		return c.recall()
	}
	now := time.Now().Truncate(grain).UnixMicro()
	if now != c.last {
		c.note(now)
	}
	return now
}

// recall reads what was noted: each reading holds until the next one is due.
func (c *clock) recall() int64 {
	after, n := binary.Uvarint(c.again)
	if c.reads < after {
		return c.last
	}
	moved, m := binary.Varint(c.again[n:])
	c.again = c.again[n+m:]
	c.reads, c.last = 0, c.last+moved
	return c.last
}

func (c *clock) note(now int64) {
	c.fresh = binary.AppendUvarint(c.fresh, c.reads)
	c.fresh = binary.AppendVarint(c.fresh, now-c.last)
	c.reads, c.last = 0, now
}

// take gives the readings that the host has not been told, up to now.
func (c *clock) take() []byte {
	if c.reads > 0 && len(c.again) == 0 {
		c.note(c.last)
	}
	fresh := c.fresh
	c.fresh = nil
	return fresh
}

// tellClock tells the host what the clock has said.
func (r *realm) tellClock() {
	if fresh := r.clock.take(); fresh != nil {
		_ = r.c.out.write(header{Type: typeClock}, fresh)
	}
}
