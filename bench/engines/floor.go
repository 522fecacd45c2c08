package engines

import (
	"sync"

	"github.com/casys-ai/pml/bench/harness"
	"github.com/casys-ai/pml/bench/shapes"
	"github.com/casys-ai/pml/nodes/value"
)

// All are the engines of this module by name.
func All() map[string]harness.Engine {
	return map[string]harness.Engine{"pml": PML, "pml-first": First, "serial": Serial, "values": Values, "levels": Levels}
}

// Serial is the floor: one loop over the same arrays, with a counter a task and a list of what is ready, and nothing
// else: no values, no failures, no limit, no trace.
func Serial(g *shapes.DAG, w *harness.Work, _ int) (func() error, error) {
	degrees := g.Degrees()
	return func() error {
		left := append([]int32(nil), degrees...)
		ready := make([]int32, 0, g.Len())
		for i, d := range left {
			if d == 0 {
				ready = append(ready, int32(i))
			}
		}
		for k := 0; k < len(ready); k++ {
			i := ready[k]
			w.Do(i)
			for _, to := range g.After(i) {
				if left[to]--; left[to] == 0 {
					ready = append(ready, to)
				}
			}
		}
		return nil
	}, nil
}

// Values is Serial with what every engine for programs must do besides: each task is called with the values of those
// before it, and its own is kept for those behind it.
func Values(g *shapes.DAG, w *harness.Work, _ int) (func() error, error) {
	degrees, before := g.Degrees(), g.Reverse()
	eval := evaluator(w)
	return func() error {
		left := append([]int32(nil), degrees...)
		slots := make([]value.Value, g.Len())
		ready := make([]int32, 0, g.Len())
		for i, d := range left {
			if d == 0 {
				ready = append(ready, int32(i))
			}
		}
		var in []value.Value
		for k := 0; k < len(ready); k++ {
			i := ready[k]
			in = in[:0]
			for _, from := range before.After(i) {
				in = append(in, slots[from])
			}
			out, err := eval(i, in)
			if err != nil {
				return err
			}
			slots[i] = out[0]
			for _, to := range g.After(i) {
				if left[to]--; left[to] == 0 {
					ready = append(ready, to)
				}
			}
		}
		return nil
	}, nil
}

// evaluator makes what Values calls for a task, which is no more known beforehand than a Runner is.
func evaluator(w *harness.Work) func(i int32, in []value.Value) ([]value.Value, error) {
	nothing := []value.Value{value.Undefined{}}
	return func(i int32, _ []value.Value) ([]value.Value, error) {
		w.Do(i)
		return nothing, nil
	}
}

// Levels is what most workflow runners do: all tasks of a level at once, up to the limit, then the next level.
func Levels(g *shapes.DAG, w *harness.Work, limit int) (func() error, error) {
	levels := g.Levels()
	return func() error {
		for _, tasks := range levels {
			level(tasks, w, limit)
		}
		return nil
	}, nil
}

// level does the tasks of a level with up to limit goroutines, each of which takes the next.
func level(tasks []int32, w *harness.Work, limit int) {
	next := make(chan int32, len(tasks))
	for _, i := range tasks {
		next <- i
	}
	close(next)
	var all sync.WaitGroup
	for range min(limit, len(tasks)) {
		all.Go(func() {
			for i := range next {
				w.Do(i)
			}
		})
	}
	all.Wait()
}
