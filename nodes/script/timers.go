package script

import (
	"container/heap"
	"encoding/binary"
)

// firing is that a timer fired: which of the fragment's, and after how many results of calls. A fragment that is executed
// again does not wait for a timer that fired before: it fires when as many results have come, and others not before.
type firing struct{ timer, told int }

// appendTo writes a firing as two uvarints.
func (f firing) appendTo(b []byte) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(f.timer)), uint64(f.told))
}

func firings(b []byte) (list []firing) {
	for len(b) > 0 {
		timer, n := binary.Uvarint(b)
		if n <= 0 {
			return list
		}
		told, m := binary.Uvarint(b[n:])
		if m <= 0 {
			return list
		}
		list, b = append(list, firing{int(timer), int(told)}), b[n+m:]
	}
	return list
}

// tellTimer tells the host that a timer is about to fire. One that is due at once fires at once again.
func (r *realm) tellTimer(t *timer) {
	if r.tells && !t.soonly && t.id > r.firstID {
		_ = r.c.out.write(header{Type: typeTimer, ID: t.id - r.firstID, Told: r.told})
	}
}

// recalling reports whether timers that fired before are still to fire again.
func (r *realm) recalling() bool { return len(r.fired) > 0 }

// due is the timer that fires next as it did before, if its time has come.
func (r *realm) due() *timer {
	if !r.recalling() || r.told < r.fired[0].told {
		return nil
	}
	if t := r.byID[r.firstID+r.fired[0].timer]; t != nil && t.place >= 0 && !t.when.IsZero() {
		return t
	}
	return nil
}

// fireAgain fires the timer that fired next before; others have to wait.
func (r *realm) fireAgain() (any bool) {
	for t := r.due(); t != nil && r.uncaught == nil; t = r.due() {
		r.fired = r.fired[1:]
		heap.Remove(&r.timers, t.place)
		if t.every == 0 {
			delete(r.byID, t.id)
		}
		r.fire(t)
		r.repeat(t)
		any = true
	}
	return any
}

// diverged gives up what was, when nothing can bring it about any more.
func (r *realm) diverged() bool {
	if !r.recalling() || len(r.calls) > 0 {
		return false
	}
	r.fired = nil
	return true
}
