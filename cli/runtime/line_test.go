package runtime

import (
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
)

// Requests leave in the order of their places, however their goroutines are scheduled.
func TestLineOrder(t *testing.T) {
	is := is.New(t)
	var l line
	var mu sync.Mutex
	var left []int
	var all sync.WaitGroup
	for _, k := range rand.Perm(200) {
		all.Go(func() {
			p := l.at(k)
			defer p.pass()
			if p.wait(t.Context()) == nil {
				mu.Lock()
				left = append(left, k)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	for i, k := range left {
		is.Equal(i, k)
	}
	is.Equal(len(l.turns)+len(l.passed), 0)
}

// One that cannot leave does not hold up the others for long.
func TestLinePatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		var l line
		start := time.Now()
		is.NoErr(l.at(1).wait(t.Context()))
		is.Equal(time.Since(start), patience)
	})
}
