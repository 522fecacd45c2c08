package harness

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/bench/shapes"
)

// inOrder does all tasks one after the other; change says how often each is done.
func inOrder(change func(i int32) int) Engine {
	return func(g *shapes.DAG, w *Work, _ int) (func() error, error) {
		return func() error {
			for i := range int32(g.Len()) {
				for range change(i) {
					w.Do(i)
				}
			}
			return nil
		}, nil
	}
}

func backwards(g *shapes.DAG, w *Work, _ int) (func() error, error) {
	return func() error {
		for i := g.Len() - 1; i >= 0; i-- {
			w.Do(int32(i))
		}
		return nil
	}, nil
}

func panics(*shapes.DAG, *Work, int) (func() error, error) {
	return func() error { panic("lost") }, nil
}

func fails(*shapes.DAG, *Work, int) (func() error, error) { return nil, errors.New("too large") }

// TestMeasureChecks shows that an engine that does not do its work gets no figure.
func TestMeasureChecks(t *testing.T) {
	engines := map[string]Engine{
		"good":      inOrder(func(int32) int { return 1 }),
		"twice":     inOrder(func(i int32) int { return 1 + int(i)/99 }),
		"skips":     inOrder(func(i int32) int { return 1 - int(i)/99 }),
		"backwards": backwards,
		"panics":    panics,
		"fails":     fails,
	}
	for name, want := range map[string]string{
		"good": "", "twice": "task 99 ran twice", "skips": "task 99 did not run",
		"backwards": "task 99 began before 98 had ended", "panics": "panic: lost", "fails": "too large",
		"unknown": `there is no engine "unknown"`,
	} {
		for _, work := range []string{Noop, Spin} {
			is := is.New(t)
			j := Job{Engine: name, Graph: shapes.Spec{Shape: shapes.Chain, Nodes: 100}, Work: work, Runs: 2}
			in, err := json.Marshal(j)
			is.NoErr(err)
			var out bytes.Buffer
			is.NoErr(Serve(bytes.NewReader(in), &out, engines))
			var r Result
			is.NoErr(json.Unmarshal(out.Bytes(), &r))
			is.True(strings.Contains(r.Err, want) && (want != "" || r.Err == ""))
			is.Equal(r.Wall > 0, want == "")
		}
	}
}
