package runtime

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/matryer/is"
)

// A run of many calls does not hold up a short one, and the calls of one run keep their order.
func TestSeatsAreSharedRunByRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		s, long, short := newSeats(2), &runner{}, &runner{}
		var order []string
		call := func(run *runner, name string) {
			go func() {
				is.NoErr(s.take(t.Context(), run, func() {}))
				order = append(order, name)
			}()
			synctest.Wait()
		}
		for k := range 5 {
			call(long, fmt.Sprint("long ", k))
		}
		call(short, "short 0")
		call(short, "short 1")
		is.Equal(order, []string{"long 0", "long 1"})
		for range 7 {
			s.leave()
			synctest.Wait()
		}
		is.Equal(order, []string{"long 0", "long 1", "long 2", "short 0", "long 3", "short 1", "long 4"})
		is.Equal(s.free, 2)
		is.Equal(len(s.lines), 0)
	})
}

// A call that is no longer wanted leaves the line, and loses no place.
func TestSeatsOfCancelledCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		s, run := newSeats(1), &runner{}
		is.NoErr(s.take(t.Context(), run, func() { t.Error("a place was free") }))
		ctx, cancel := context.WithCancel(t.Context())
		said := false
		go func() { is.Equal(s.take(ctx, run, func() { said = true }), context.Canceled) }()
		synctest.Wait()
		is.True(said)
		cancel()
		synctest.Wait()
		is.Equal(len(s.lines), 0)
		s.leave()
		is.Equal(s.free, 1)

		granted := s.join(run)
		is.Equal(granted, nil)
		granted = s.join(run)
		s.leave() // it is granted before it is withdrawn
		s.withdraw(run, granted)
		is.Equal(s.free, 1)
	})
}
