package script

import (
	"context"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes/value"
)

// TestToldAgain: a fragment that is executed again with what it was told makes the same calls, whatever time it is.
func TestToldAgain(t *testing.T) {
	is := is.New(t)
	pool := newPool(t, Limits{}, 0)
	told := Told{Seed: []byte("0123456789abcdef0123456789abcdef"), Epoch: 12345}
	execute := func(told Told) (calls []string, clock []byte) {
		_, err := acquire(t, pool).Execute(context.Background(), Fragment{Told: told,
			JS: `for (let i = 0; i < 3; i++) {
				const from = Date.now(), now = performance.now();
				while (Date.now() < from + 3) {}
				await mcp.s.t({ from, now, to: Date.now(), again: Date.now(), r: Math.random(), id: crypto.randomUUID() });
			}`,
			Clock: func(readings []byte) { clock = append(clock, readings...) },
			Call: func(_ context.Context, _ int, _, _ string, args []byte) (value.Value, error) {
				calls = append(calls, string(args))
				return value.Null{}, nil
			}})
		is.NoErr(err)
		return calls, clock
	}
	first, clock := execute(told)
	told.Clock = clock
	again, more := execute(told)
	is.Equal(again, first)
	is.Equal(len(more), 0)
	told.Clock = nil
	other, _ := execute(told)
	is.True(other[0] != first[0])
}

// TestResting: a fragment that was asked to report says so when only results can bring anything about.
func TestResting(t *testing.T) {
	is := is.New(t)
	realm := acquire(t, newPool(t, Limits{}, 0))
	type count struct{ made, told int }
	var seen []count
	release := make(chan struct{})
	_, err := realm.Execute(context.Background(), Fragment{
		JS: `const slow = mcp.s.slow({}); await mcp.s.quick({}); await new Promise((f) => setTimeout(f, 5)); await slow;`,
		Resting: func(made, told int) {
			if seen = append(seen, count{made, told}); told == 1 {
				close(release)
			}
		},
		Call: func(_ context.Context, _ int, _, tool string, _ []byte) (value.Value, error) {
			if tool == "slow" {
				is.NoErr(realm.Report())
				<-release
			}
			return value.Null{}, nil
		}})
	is.NoErr(err)
	is.Equal(seen[len(seen)-1], count{2, 1})
}
