package runtime

import (
	"context"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// host executes a host node.
func (r *runner) host(ctx context.Context, t engine.Task) ([]value.Value, error) {
	switch op := t.Node.Host; op {
	case nodes.HostNow:
		return one(value.Number(time.Now().UnixMilli())), nil
	case nodes.HostRandom:
		return one(value.Number(rand.Float64())), nil
	case nodes.HostSleep:
		return one(value.Undefined{}), sleep(ctx, t.In)
	default:
		r.logs.add(t.Path, string(op), message(t.In))
	}
	return one(value.Undefined{}), nil
}

func one(v value.Value) []value.Value { return []value.Value{v} }

// sleep waits as setTimeout does (HTML §8.6, with Node's limits: less than 1 ms or more than 2^31-1 counts as 1 ms).
func sleep(ctx context.Context, in []value.Value) error {
	ms := 1.0
	if len(in) > 0 {
		var err error
		if ms, err = value.ToNumber(in[0]); err != nil {
			return err
		}
	}
	if !(ms >= 1 && ms <= 1<<31-1) {
		ms = 1
	}
	timer := time.NewTimer(time.Duration(int64(ms)) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// message joins what console.log is given: strings as they are, the rest as Node shows it.
func message(in []value.Value) string {
	parts := make([]string, len(in))
	for i, v := range in {
		if s, ok := value.Force(v).(value.String); ok {
			parts[i] = string(s)
		} else {
			parts[i] = value.Inspect(v)
		}
	}
	return strings.Join(parts, " ")
}

// Log is one line that the program wrote to its console.
type Log struct {
	// Level is log, info, warn, error or debug.
	Level, Text string
}

// maxLogs is how many lines of a run are kept.
const maxLogs = 10_000

// logs keeps what the program writes, and passes it on.
type logs struct {
	mu   sync.Mutex
	list []Log
	next func(level, text string)
	book *book
}

// add takes a line that the task at path writes. What an earlier attempt has written is not said again.
func (l *logs) add(path, level, text string) {
	if !l.book.line(path, level, text) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.list) < maxLogs {
		l.list = append(l.list, Log{level, text})
	}
	if l.next != nil {
		l.next(level, text)
	}
}

func (l *logs) all() []Log {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.list
}
