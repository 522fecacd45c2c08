package engines

import (
	"github.com/casys-ai/pml/bench/harness"
	"github.com/casys-ai/pml/bench/shapes"
	"github.com/casys-ai/pml/nodes"
)

// build makes nodes.Dependencies of a list of tasks with string ids.
func build(g *shapes.DAG, w *harness.Work) func() error {
	ids, before := g.IDs(), g.Reverse()
	tasks := make([]nodes.Task, g.Len())
	for i := range tasks {
		tasks[i].ID = ids[i]
		for _, b := range before.After(int32(i)) {
			tasks[i].DependsOn = append(tasks[i].DependsOn, ids[b])
		}
	}
	return func() error {
		d, err := nodes.NewDependencies(tasks)
		if err != nil {
			return err
		}
		for _, i := range d.Order() {
			w.Do(i)
		}
		return nil
	}
}
