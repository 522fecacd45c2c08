package main

import (
	"strconv"

	gotaskflow "github.com/noneback/go-taskflow"

	"github.com/casys-ai/pml/bench/harness"
	"github.com/casys-ai/pml/bench/shapes"
)

// goTaskflow is noneback/go-taskflow as its own benchmarks use it: the flow is built once and run again and again.
func goTaskflow(g *shapes.DAG, w *harness.Work, limit int) (func() error, error) {
	flow := gotaskflow.NewTaskFlow("bench")
	tasks := make([]*gotaskflow.Task, g.Len())
	for i := range tasks {
		tasks[i] = flow.NewTask(strconv.Itoa(i), func() { w.Do(int32(i)) })
	}
	for i, t := range tasks {
		for _, to := range g.After(int32(i)) {
			t.Precede(tasks[to])
		}
	}
	executor := gotaskflow.NewExecutor(uint(limit))
	return func() error {
		executor.Run(flow).Wait()
		return nil
	}, nil
}
