package executor

import (
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/planner"
)

// oneServer has a tool that reads.
type oneServer struct{}

var read = &nodes.Tool{ID: "fs:read", Effect: nodes.Read, Permission: nodes.Allow}

func (oneServer) Servers() []string                   { return []string{"fs"} }
func (oneServer) Tools(string) ([]*nodes.Tool, error) { return []*nodes.Tool{read}, nil }
func (oneServer) Tool(id nodes.ToolID) *nodes.Tool {
	return map[nodes.ToolID]*nodes.Tool{read.ID: read}[id]
}

// TestDag: tasks wait for tasks alone, whatever lies between them, and are a graph for whoever reads them.
func TestDag(t *testing.T) {
	is := is.New(t)
	g, diags := planner.Parse(`const list = await mcp.fs.read({ path: "list" });
const names = list.trim().split("\\n");
const texts = await Promise.all(names.map((n) => mcp.fs.read({ path: n })));
let last = "";
if (texts.length > 3) last = await mcp.fs.read({ path: texts[3] });
const other = await mcp.fs.read({ path: "other" });
return await mcp.fs.read({ path: last + texts.join() });
`).Plan(oneServer{}, planner.Options{})
	is.Equal(len(diags), 0)
	var tasks []nodes.Task
	waits := [][]string{}
	for _, task := range dagOf(g).Tasks {
		tasks = append(tasks, nodes.Task{ID: task.ID, DependsOn: task.DependsOn})
		waits = append(waits, task.DependsOn)
	}
	d, err := nodes.NewDependencies(tasks)
	is.NoErr(err)
	is.Equal(d.Order(), []int32{0, 3, 1, 2, 4})
	is.Equal(waits, [][]string{nil, {"n1"}, {tasks[1].ID}, nil, {tasks[2].ID, tasks[1].ID}})
}
