package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/bench/cloud"
	"github.com/casys-ai/pml/bench/harness"
	"github.com/casys-ai/pml/bench/programs"
	"github.com/casys-ai/pml/bench/shapes"
	"github.com/casys-ai/pml/bench/table"
	"github.com/casys-ai/pml/fixtures/testserver"
	"github.com/casys-ai/pml/nodes/script"
)

// TestMain makes the test binary what cmd/pmlbench is: it starts itself.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "job":
			exit(Child(os.Stdin, os.Stdout))
		case "testserver":
			os.Exit(testserver.Main(os.Args[2:]))
		case "script-child":
			exit(script.Serve(os.Stdin, os.Stdout))
		}
	}
	os.Exit(m.Run())
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func options(t *testing.T) Options {
	self, err := os.Executable()
	is.New(t).NoErr(err)
	return Options{Self: []string{self, "job"}, MaxNodes: 1000, Runs: 1}
}

// TestWrite measures a little, in processes of their own, and writes all files.
func TestWrite(t *testing.T) {
	is := is.New(t)
	o := options(t)
	o.Only = "noop pml:"
	var told []string
	r, err := Run(t.Context(), o, func(s string) { told = append(told, s) })
	is.NoErr(err)
	is.Equal(told, []string{"noop: pml: layered 1000, noop"})
	is.Equal(len(r.Sections), 1)
	result := r.Sections[0].Results[0]
	is.Equal(result.Err, "")
	is.True(result.Wall > 0 && result.Tasks > 0 && result.Tasks <= result.Wall)

	dir := t.TempDir()
	is.NoErr(r.Write(dir))
	for name, part := range map[string]string{
		"README.md": "| layered 1000", "results.json": `"engine": "pml"`, "chart-noop.svg": "</svg>",
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		is.NoErr(err)
		is.True(strings.Contains(string(text), part)) // the file has what was measured
	}
}

// TestPrograms runs every program natively, as a script and in Node.
func TestPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	is := is.New(t)
	self, err := os.Executable()
	is.NoErr(err)
	list, err := programs.Measure(t.Context(), programs.Options{Self: []string{self}, Runs: 1})
	is.NoErr(err)
	is.Equal(len(list), len(programs.Shapes()))
	for _, r := range list {
		is.True(r.Native > 0 && r.Script > 0 && r.Plan > 0 && r.Cold > r.FirstCall)
	}
}

// TestCloud counts the requests of every program in every way; how long they take is no test.
func TestCloud(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED with -short: waits for a slow network")
	}
	is := is.New(t)
	self, err := os.Executable()
	is.NoErr(err)
	r, err := cloud.Run(t.Context(), cloud.Options{Self: []string{self}, Runs: 1}, func(string) {})
	is.NoErr(err)
	requests := map[string][]int{}
	for _, x := range r.Results {
		requests[x.Program] = append(requests[x.Program], x.Requests)
		is.True(x.Time >= cloud.RoundTrip)
	}
	is.Equal(requests, map[string][]int{"chain of 8 server calls": {1, 8}, "6 server calls in 2 groups, with local calls": {2, 6},
		"loop of 10 server calls, over what is local": {1, 10}})
	is.True(strings.Contains(r.Text(), "| chain of 8 server calls"))
}

func TestWants(t *testing.T) {
	is := is.New(t)
	for _, c := range []struct {
		only, section, name string
		want                bool
	}{
		{"", "noop", "pml: chain 1000, noop", true},
		{"noop", "noop", "pml: chain 1000, noop", true},
		{"noop", "shapes", "pml: chain 1000, noop", false},
		{"shapes chain", "shapes", "pml: chain 1000, noop", true},
		{"shapes chain", "shapes", "pml: tree 1000, noop", false},
		{"conc", "shapes", "conc: tree 1000, noop", true},
		{"programs", "noop", "pml: chain 1000, noop", false},
		{"programs", "programs", "programs", true},
		{"cloud", "programs", "programs", false},
		{"cloud", "cloud", "cloud", true},
	} {
		is.Equal(Options{Only: c.only}.Wants(c.section, c.name), c.want)
	}
}

func TestTables(t *testing.T) {
	is := is.New(t)
	s := &Section{Says: "ns a task."}
	for engine, wall := range map[string]time.Duration{"pml": 50_000, "conc": 300_000} {
		j := harness.Job{Engine: engine, Graph: shapes.Spec{Shape: shapes.Tree, Nodes: 1000}, Work: harness.Noop}
		s.Results = append(s.Results, harness.Result{Job: j, Wall: wall, Tasks: wall / 2, Allocs: 1500})
	}
	text := s.text()
	is.True(strings.Contains(text, "6.00×"))  // conc beside pml
	is.True(strings.Contains(text, "1.500"))  // allocations a task
	is.True(!strings.Contains(text, "error")) // nothing failed
	small := &table.Table{Head: []string{"a", "µ"}, Rows: [][]string{{"long name", "1"}, {"b"}}}
	is.Equal(small.String(), "| a         |   µ |\n|-----------|----:|\n| long name |   1 |\n| b         |     |\n")
}

// TestChildFails shows what becomes of a job that cannot be measured.
func TestChildFails(t *testing.T) {
	is := is.New(t)
	r, err := harness.Spawn(context.Background(), options(t).Self, harness.Job{Engine: "none"})
	is.NoErr(err)
	is.True(strings.Contains(r.Err, `no engine "none"`))
}
