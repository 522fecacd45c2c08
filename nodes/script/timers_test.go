package script

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes/value"
)

// TestTimersAgain: a fragment that is executed again does not wait for the timers that fired, and they fire at the same
// place among the results; what had not fired is waited for.
func TestTimersAgain(t *testing.T) {
	pool := newPool(t, Limits{}, 0)
	for _, c := range []struct {
		name, js, result string
		answers          time.Duration // how long a call takes the first time
	}{
		{"one after the other", `for (let i = 0; i < 3; i++) await new Promise((f) => setTimeout(f, 200)); return "done"`, "done", 0},
		{"the timer was first", `return await Promise.race([mcp.s.t({}).then(() => "call"),
			new Promise((f) => setTimeout(() => f("timer"), 150))]);`, "timer", 500 * time.Millisecond},
		{"the call was first", `return await Promise.race([mcp.s.t({}).then(() => "call"),
			new Promise((f) => setTimeout(() => f("timer"), 400))]);`, "call", 0},
		{"interval", `let n = 0; await new Promise((f) => { const id = setInterval(() => { if (++n == 3) { clearInterval(id); f(); } }, 150); });
			return "" + n;`, "3", 0},
		{"among others", `const order = []; setTimeout(() => order.push("a"), 250); setTimeout(() => order.push("b"), 120);
			await new Promise((f) => setTimeout(f, 300)); await new Promise((f) => setTimeout(f, 0)); return order.join();`, "b,a", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			told := Told{Seed: []byte("0123456789abcdef0123456789abcdef"), Epoch: 12345}
			execute := func(told Told, answers time.Duration) (result string, fired []byte, took time.Duration) {
				realm := acquire(t, pool)
				from := time.Now()
				done, err := realm.Execute(context.Background(), Fragment{Told: told, JS: c.js,
					Timer: func(b []byte) { fired = append(fired, b...) },
					Call: func(context.Context, int, string, string, []byte) (value.Value, error) {
						time.Sleep(answers)
						return value.Null{}, nil
					}})
				is.NoErr(err)
				return strings.Trim(value.Inspect(done.Value), "'"), fired, time.Since(from)
			}
			result, fired, first := execute(told, c.answers)
			is.Equal(result, c.result)
			told.Timers = fired
			again, more, took := execute(told, 0)
			is.Equal(again, c.result)
			if len(fired) > 0 {
				is.True(took < first/2) // nothing is slept again
				is.Equal(len(more), 0)
			}
		})
	}
}

// TestTimersOfAnother: what cannot come about again is given up.
func TestTimersOfAnother(t *testing.T) {
	is := is.New(t)
	realm := acquire(t, newPool(t, Limits{}, 0))
	told := Told{Seed: []byte("0123456789abcdef0123456789abcdef"), Timers: firing{7, 3}.appendTo(nil)}
	done, err := realm.Execute(context.Background(), Fragment{Told: told,
		JS: `await new Promise((f) => setTimeout(f, 20)); return 1`})
	is.NoErr(err)
	is.Equal(done.Value, value.Number(1))
}
