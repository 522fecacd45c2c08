package nodes_test

import (
	"fmt"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes"
)

func TestDependencies(t *testing.T) {
	is := is.New(t)
	d, err := nodes.NewDependencies([]nodes.Task{
		{ID: "report", DependsOn: []string{"sum", "names"}}, {ID: "read"}, {ID: "names", DependsOn: []string{"read"}},
		{ID: "sum", DependsOn: []string{"read", "names"}}})
	is.NoErr(err)
	is.Equal(d.Len(), 4)
	is.Equal(d.Order(), []int32{1, 2, 3, 0})
	is.Equal(d.Before(0), []int32{3, 2})
	is.Equal(d.After(1), []int32{2, 3})
	is.Equal(d.Task(3).ID, "sum")
	empty, err := nodes.NewDependencies(nil)
	is.NoErr(err)
	is.Equal(empty.Order(), []int32{})
}

func TestDependencyErrors(t *testing.T) {
	long := []nodes.Task{{ID: "t0", DependsOn: []string{"t19"}}}
	for i := range 19 {
		long = append(long, nodes.Task{ID: fmt.Sprint("t", i+1), DependsOn: []string{fmt.Sprint("t", i)}})
	}
	for name, c := range map[string]struct {
		tasks []nodes.Task
		want  string
	}{
		"all of them": {[]nodes.Task{{ID: "a"}, {ID: "b", DependsOn: []string{"x", "a", "y"}}, {ID: "a"}},
			"task 3 has the id \"a\", as task 1 has\n\"b\" waits for \"x\", which is not there\n\"b\" waits for \"y\", which is not there"},
		"itself": {[]nodes.Task{{ID: "a", DependsOn: []string{"a"}}}, "tasks wait for each other: a → a"},
		"two cycles, and what waits for one": {[]nodes.Task{{ID: "late", DependsOn: []string{"b"}}, {ID: "a", DependsOn: []string{"c"}},
			{ID: "b", DependsOn: []string{"a"}}, {ID: "c", DependsOn: []string{"b"}}, {ID: "d", DependsOn: []string{"e"}},
			{ID: "e", DependsOn: []string{"d"}}},
			"tasks wait for each other: b → c → a → b\ntasks wait for each other: d → e → d"},
		"long": {long, "tasks wait for each other: t0 → t1 → t2 → t3 → t4 → t5 → t6 → t7 → t8 → t9 → t10 → t11 → … 8 more → t0"},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			_, err := nodes.NewDependencies(c.tasks)
			is.Equal(err.Error(), c.want)
		})
	}
}
