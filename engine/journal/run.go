package journal

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// Run is the journal of one run, open for writing by this process alone. It may be used from several goroutines.
type Run struct {
	ID string
	// State is what earlier attempts have written; it does not change any more.
	State

	log     *log
	lock    interface{ Unlock() error }
	secrets func() []Secret
	opened  time.Time     // with a monotonic clock
	before  time.Duration // from the beginning of the run to when it was opened
	encoder encoder       // of the record that is being written; the log's lock is held meanwhile
}

var _ engine.Journal = (*Run)(nil)

// Digest is what is kept of the arguments of a call, to tell whether another attempt makes the same one.
func Digest(args []byte) string {
	sum := sha256.Sum256(args)
	return string(sum[:12])
}

// when says by when a record must be in the file.
type when uint8

const (
	now  when = iota // before anything else happens
	soon             // before what is written now after it, and in two milliseconds at the latest
)

// write appends a record.
func (r *Run) write(k kind, by when, body func(e *encoder)) error {
	err := r.log.add(func(buf []byte) []byte {
		e := &r.encoder
		*e = encoder{buf: append(buf, byte(k)), secrets: r.secrets()}
		e.buf = binary.AppendUvarint(e.buf, uint64(max(0, (r.before+time.Since(r.opened)).Microseconds())))
		body(e)
		return e.buf
	})
	if err == nil && by == now {
		err = r.log.flush()
	}
	if err != nil {
		return unwritten(err)
	}
	if by == soon {
		r.log.soon()
	}
	return nil
}

// unwritten is what ends a run whose journal cannot be written.
func unwritten(err error) error {
	f := &engine.Failure{Code: nodes.InternalError, Message: err.Error(), Err: err,
		Hint: "what was done is kept: make room for the journal in .pml, and take the run up again"}
	var long *TooLong
	if errors.As(err, &long) {
		f.Code, f.Hint = nodes.LimitExceeded, "let the program ask for less at a time, or split it"
	}
	return f
}

// Recorded implements engine.Journal.
func (r *Run) Recorded() []int { return recorded(r.outcomes, func(o finished) int { return o.seq }) }

// Recall implements engine.Journal.
func (r *Run) Recall(path string, in []value.Value) (engine.Outcome, bool) {
	f, ok := r.outcomes[path]
	if !ok {
		return engine.Outcome{}, false
	}
	d := decoder{buf: f.body, secrets: r.secrets(), in: in}
	o := d.outcome()
	return o, d.err == nil
}

// Started implements engine.Journal. A call is written down when it leaves: see Leaving.
func (r *Run) Started(path string, n *nodes.Node, in []value.Value) error {
	if n.Kind == nodes.KindHost || n.Kind == nodes.KindCall {
		return nil
	}
	return r.write(kindStarted, soon, func(e *encoder) { e.text(path) })
}

// Leaving is written before a call leaves this process; of one that is repeatable, so that it does no harm to make it
// again, it need not be in the file by then. digest is that of its arguments.
func (r *Run) Leaving(path string, tool nodes.ToolID, digest string, repeatable bool) error {
	by := now
	if repeatable {
		by = soon
	}
	return r.write(kindLeaving, by, func(e *encoder) {
		e.text(path)
		e.text(string(tool))
		e.text(digest)
	})
}

// Finished implements engine.Journal.
func (r *Run) Finished(path string, in []value.Value, o engine.Outcome) error {
	return r.write(kindFinished, soon, func(e *encoder) {
		e.text(path)
		if len(in) > 0 && composite(o) {
			e.inputs(in)
		}
		e.outcome(&o)
	})
}

// Asked is written when a question is put to a person.
func (r *Run) Asked(q Question) error {
	return r.write(kindAsked, now, func(e *encoder) { e.question(&q) })
}

// Decided is written before an answer has any effect.
func (r *Run) Decided(d Decision) error {
	return r.write(kindDecided, now, func(e *encoder) { e.decision(&d) })
}

// Line is written for each line that the program writes to its console.
func (r *Run) Line(path, level, text string) error {
	return r.write(kindLine, soon, func(e *encoder) { e.text(path); e.strings(level, text) })
}

// Seeded is written when a script begins that has not begun before.
func (r *Run) Seeded(path string, seed []byte) error {
	return r.write(kindTold, now, func(e *encoder) { e.text(path); e.text(string(seed)) })
}

// Clock is written when a script has read the clock.
func (r *Run) Clock(path string, readings []byte) error {
	return r.write(kindClock, soon, func(e *encoder) { e.text(path); e.text(string(readings)) })
}

// Fired is written before a timer of a script fires.
func (r *Run) Fired(path string, fired []byte) error {
	return r.write(kindFired, soon, func(e *encoder) { e.text(path); e.text(string(fired)) })
}

// Park closes the journal of a run that waits for people, after worked of its time.
func (r *Run) Park(worked time.Duration) error {
	err := r.write(kindParked, soon, func(e *encoder) { e.number(int(worked.Milliseconds())) })
	return r.close(err, true)
}

// Lose closes the journal of a run that ended because the call at path could not be made: when the run is taken up again
// it is made as if for the first time.
func (r *Run) Lose(path string) error {
	err := r.write(kindLost, soon, func(e *encoder) { e.text(path) })
	return r.close(err, false)
}

// Conclude closes the journal of a run that is over.
func (r *Run) Conclude(end End) error {
	err := r.write(kindEnded, soon, func(e *encoder) { e.end(&end) })
	return r.close(err, false)
}

// Close closes the journal of a run that will be taken up again.
func (r *Run) Close() error { return r.close(nil, false) }

func (r *Run) close(err error, sync bool) error {
	if failed := r.log.close(sync); err == nil {
		err = failed
	}
	if failed := r.lock.Unlock(); err == nil {
		err = failed
	}
	return err
}

// recorded lists the Seq of outcomes that will be asked for: not those of the calls of a script that has ended.
func recorded[O any](outcomes map[string]O, seq func(O) int) []int {
	var list []int
	for path, o := range outcomes {
		script, _, nested := strings.Cut(path, "#")
		if _, ended := outcomes[script]; !nested || !ended {
			list = append(list, seq(o))
		}
	}
	slices.Sort(list)
	return list
}

// composite reports whether an outcome may hold something that the task has read.
func composite(o engine.Outcome) bool {
	list := o.Out
	switch {
	case o.Throw != nil:
		list = []value.Value{o.Throw.Value}
	case o.Return != nil:
		list = []value.Value{o.Return.Value}
	}
	return slices.ContainsFunc(list, func(v value.Value) bool {
		switch v.(type) {
		case *value.Array, *value.Object, *value.Error, *value.Lazy:
			return true
		}
		return false
	})
}
