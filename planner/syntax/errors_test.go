package syntax

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/casys-ai/pml/nodes"
	"github.com/matryer/is"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the golden files")

// TestErrors compares what is said about each wrong program with testdata/errors.txtar.
func TestErrors(t *testing.T) {
	path := filepath.Join("testdata", "errors.txtar")
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(archive.Files); i += 2 {
		source := string(archive.Files[i].Data)
		got := rendered(t, source)
		if *update {
			archive.Files[i+1].Data = []byte(got)
		}
		if want := string(archive.Files[i+1].Data); got != want {
			t.Errorf("%s: got\n%swant\n%s", archive.Files[i].Name, got, want)
		}
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func rendered(t *testing.T, source string) string {
	_, diags := Parse(source)
	if len(diags) == 0 {
		t.Fatalf("no diagnostic for %q", source)
	}
	var b strings.Builder
	for _, d := range diags {
		b.WriteString(d.Render(source))
		if strings.Contains(d.Message, "program.ts") {
			t.Errorf("%q names a file", d.Message)
		}
	}
	return strings.ReplaceAll(b.String(), "\r", "")
}

func TestEmptyProgram(t *testing.T) {
	is := is.New(t)
	for _, source := range []string{"", "  \n", "// x", "```ts\n```", "async () => {}", "type X = 1", bom, ";;"} {
		_, diags := Parse(source)
		is.Equal(len(diags), 1)
		is.Equal(diags[0].Code, nodes.EmptyCode)
		is.True(diags[0].Hint != "" && diags[0].Pos.IsValid())
	}
}
