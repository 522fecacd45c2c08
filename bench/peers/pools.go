package main

import (
	"sync/atomic"

	"github.com/alitto/pond/v2"
	"github.com/sourcegraph/conc/pool"

	"github.com/casys-ai/pml/bench/harness"
	"github.com/casys-ai/pml/bench/shapes"
)

// counted executes a graph on a pool: a counter a task, and whoever brings it to zero sends the task to submit. The
// queue of ready tasks stands outside of the pool, for a task that submits to its own full pool would wait for ever.
func counted(g *shapes.DAG, w *harness.Work, submit func(func())) {
	degrees := g.Degrees()
	left := make([]atomic.Int32, g.Len())
	ready := make(chan int32, g.Len())
	for i, d := range degrees {
		left[i].Store(d)
		if d == 0 {
			ready <- int32(i)
		}
	}
	var ended atomic.Int32
	for i := range ready {
		submit(func() {
			w.Do(i)
			for _, to := range g.After(i) {
				if left[to].Add(-1) == 0 {
					ready <- to
				}
			}
			if int(ended.Add(1)) == g.Len() {
				close(ready)
			}
		})
	}
}

// concPool is a sourcegraph/conc pool with counters.
func concPool(g *shapes.DAG, w *harness.Work, limit int) (func() error, error) {
	return func() error {
		p := pool.New().WithMaxGoroutines(limit)
		counted(g, w, p.Go)
		p.Wait()
		return nil
	}, nil
}

// pondPool is an alitto/pond pool with counters.
func pondPool(g *shapes.DAG, w *harness.Work, limit int) (func() error, error) {
	return func() (err error) {
		p := pond.NewPool(limit)
		counted(g, w, func(f func()) {
			if e := p.Go(f); e != nil {
				err = e
			}
		})
		p.StopAndWait()
		return err
	}, nil
}
