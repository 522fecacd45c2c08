package main

import (
	"context"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/casys-ai/pml/bench/harness"
	"github.com/casys-ai/pml/bench/shapes"
)

// errGroup is what one writes by hand: a goroutine a task, which waits until those before it have closed their
// channels, and takes a place of a semaphore if tasks take time.
func errGroup(g *shapes.DAG, w *harness.Work, limit int) (func() error, error) {
	before := g.Reverse()
	return func() error {
		done := make([]chan struct{}, g.Len())
		for i := range done {
			done[i] = make(chan struct{})
		}
		places := semaphore.NewWeighted(int64(limit))
		var all errgroup.Group
		for i := range done {
			all.Go(func() error {
				defer close(done[i])
				for _, p := range before.After(int32(i)) {
					<-done[p]
				}
				return do(w, int32(i), places)
			})
		}
		return all.Wait()
	}, nil
}

// do does a task, with a place of the semaphore if the task takes time.
func do(w *harness.Work, i int32, places *semaphore.Weighted) error {
	if w.Kind() == harness.Noop {
		w.Do(i)
		return nil
	}
	if err := places.Acquire(context.Background(), 1); err != nil {
		return err
	}
	defer places.Release(1)
	w.Do(i)
	return nil
}
