package cli_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

func TestBench(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, `{"servers": {}}`, "")
	f := w.pml("", "bench", "--max", "1000", "--runs", "1", "noop", "pml:")
	is.Equal(f.code, 0)
	is.True(strings.Contains(f.stdout, "| layered 1000 |"))
	is.Equal(f.stderr, "noop: pml: layered 1000, noop\n")

	var report struct {
		Sections []struct {
			ID      string
			Results []struct{ Wall int }
		}
	}
	w.decode(w.pml("", "bench", "--max", "1000", "--runs", "1", "--json", "noop", "serial"), &report)
	is.Equal(report.Sections[0].ID, "noop")
	is.True(report.Sections[0].Results[0].Wall > 0)
}

func TestBenchOfNothing(t *testing.T) {
	is := is.New(t)
	f := newWorkspace(t, `{"servers": {}}`, "").pml("", "bench", "nothing")
	is.Equal(f.code, 2)
	is.True(strings.Contains(f.stderr, `no figure has "nothing" in its name`))
	is.True(strings.Contains(f.stderr, "the sections are noop, shuffled, shapes"))
}
