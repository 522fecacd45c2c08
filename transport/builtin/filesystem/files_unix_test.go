//go:build unix

package filesystem_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/matryer/is"
)

func TestPipesAreRefused(t *testing.T) {
	is := is.New(t)
	ws := sample(t)
	is.NoErr(syscall.Mkfifo(filepath.Join(ws, "pipe"), 0o644))
	answer := serve(t, ws).Call("read_text_file", o{"path": "pipe"})
	is.True(answer.IsError && strings.HasPrefix(answer.Text, "EINVAL: not a regular file"))
}
