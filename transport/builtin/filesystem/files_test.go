package filesystem_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/transport/builtin/filesystem"
	"github.com/casys-ai/pml/transport/builtin/internal/pipetest"
	"github.com/casys-ai/pml/transport/builtin/internal/root"
	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

func TestOutsideIsRefused(t *testing.T) {
	is := is.New(t)
	ws := sample(t)
	c := serve(t, ws)
	for _, path := range []string{"../outside/secret", "/etc/passwd", "out", "outabs", "outd/secret",
		"d/../../outside/secret", "a\x00b", "~/nothing"} {
		for name, args := range map[string]o{
			"read_text_file": {"path": path}, "read_media_file": {"path": path}, "list_directory": {"path": path},
			"write_file": {"path": path, "content": "x"}, "edit_file": {"path": path, "edits": []any{}},
			"create_directory": {"path": path}, "get_file_info": {"path": path}, "directory_tree": {"path": path},
			"move_file": {"source": path, "destination": "got"}, "search_files": {"path": path, "pattern": "*"},
			"list_directory_with_sizes": {"path": path},
		} {
			answer := c.Call(name, args)
			is.True(answer.IsError) // name, path
			is.True(strings.HasPrefix(answer.Text, "PATH_OUTSIDE_WORKSPACE: "))
			is.True(strings.Contains(answer.Text, ws))
		}
		answer := c.Call("move_file", o{"source": "a.txt", "destination": path + "2"})
		is.True(answer.IsError || path == "out" || path == "outabs") // "out2" is a new name inside
	}
	secret, err := os.ReadFile(filepath.Join(ws, "../outside/secret"))
	is.NoErr(err)
	is.Equal(string(secret), "secret")
}

func TestReadManySaysOutsidePerFile(t *testing.T) {
	is := is.New(t)
	answer := serve(t, sample(t)).Call("read_multiple_files", o{"paths": []any{"../x", "d/n.txt"}})
	is.True(!answer.IsError)
	is.True(strings.HasPrefix(answer.Text, "../x: Error - PATH_OUTSIDE_WORKSPACE: "))
	is.True(strings.HasSuffix(answer.Text, "\n---\nd/n.txt:\nno newline\n"))
	is.Equal(answer.Structured["content"], answer.Text)
}

func TestExtraRoots(t *testing.T) {
	is := is.New(t)
	ws := sample(t)
	outside := filepath.Join(filepath.Dir(ws), "outside")
	writable := t.TempDir()
	roots, err := root.Open(ws, []string{"../outside"}, []string{writable})
	is.NoErr(err)
	defer roots.Close()
	c := pipetest.Serve(t, func(in io.Reader, out io.Writer) error {
		return tool.Serve(context.Background(), "filesystem", filesystem.Tools(roots), in, out, io.Discard)
	})
	is.Equal(c.Call("read_text_file", o{"path": filepath.Join(outside, "secret")}).Text, "secret")
	is.Equal(c.Call("read_text_file", o{"path": "out"}).Text, "secret") // the link leads to a root
	answer := c.Call("write_file", o{"path": filepath.Join(outside, "secret"), "content": "x"})
	is.True(answer.IsError && strings.HasPrefix(answer.Text, "PATH_OUTSIDE_WORKSPACE: "))
	is.True(strings.Contains(answer.Text, "may be read but not written"))
	is.True(!c.Call("move_file", o{"source": "a.txt", "destination": filepath.Join(writable, "b.txt")}).IsError)
	text, err := os.ReadFile(filepath.Join(writable, "b.txt"))
	is.NoErr(err)
	is.Equal(string(text), "one\ntwo\nthree\n")
	answer = c.Call("move_file", o{"source": "d", "destination": filepath.Join(writable, "d")})
	is.True(strings.HasPrefix(answer.Text, "EXDEV: "))
}

func TestWriteKeepsModeAndLeavesNothing(t *testing.T) {
	is := is.New(t)
	ws := sample(t)
	c := serve(t, ws)
	is.NoErr(os.WriteFile(filepath.Join(ws, "run.sh"), []byte("x"), 0o755))
	is.NoErr(os.Chmod(filepath.Join(ws, "run.sh"), 0o750))
	is.True(!c.Call("write_file", o{"path": "run.sh", "content": "y"}).IsError)
	info, err := os.Stat(filepath.Join(ws, "run.sh"))
	is.NoErr(err)
	is.Equal(info.Mode().Perm(), os.FileMode(0o750))
	is.Equal(c.Call("write_file", o{"path": "d", "content": "x"}).Text,
		"EISDIR: illegal operation on a directory, open '"+ws+"/d'")
	left, err := filepath.Glob(filepath.Join(ws, "*.tmp"))
	is.NoErr(err)
	is.Equal(len(left), 0)
}

func TestBigFiles(t *testing.T) {
	is := is.New(t)
	ws := sample(t)
	c := serve(t, ws)
	is.NoErr(os.WriteFile(filepath.Join(ws, "big"), []byte("first\n"), 0o644))
	is.NoErr(os.Truncate(filepath.Join(ws, "big"), filesystem.Limit+1))
	answer := c.Call("read_text_file", o{"path": "big"})
	is.True(answer.IsError && strings.HasPrefix(answer.Text, "EFBIG: file too large, read '"))
	is.Equal(c.Call("read_text_file", o{"path": "big", "head": 1}).Text, "first")
	is.NoErr(os.WriteFile(filepath.Join(ws, "ok"), []byte(strings.Repeat("é", 4<<20)), 0o644))
	is.Equal(len(c.Call("read_text_file", o{"path": "ok"}).Text), 8<<20)
}

func TestEditRefusesWhatIsNotText(t *testing.T) {
	is := is.New(t)
	c := serve(t, sample(t))
	answer := c.Call("edit_file", o{"path": "bad.bin", "edits": []any{o{"oldText": "x", "newText": "y"}}})
	is.True(answer.IsError && strings.HasPrefix(answer.Text, "EINVAL: not UTF-8 text"))
}

func TestParallelReadsAnswerOutOfOrder(t *testing.T) {
	is := is.New(t)
	ws := sample(t)
	c := serve(t, ws)
	is.NoErr(os.WriteFile(filepath.Join(ws, "slow"), []byte(strings.Repeat("\"\\\n", 5<<20)), 0o644))
	slow := c.Send("read_text_file", o{"path": "slow"})
	var ids []int
	for i := range 63 {
		name := fmt.Sprintf("f%d", i)
		is.NoErr(os.WriteFile(filepath.Join(ws, name), []byte(name), 0o644))
		ids = append(ids, c.Send("read_text_file", o{"path": name}))
	}
	first := 1 << 30
	for i, id := range ids {
		answer := c.Wait(id)
		is.Equal(answer.Text, fmt.Sprintf("f%d", i))
		first = min(first, answer.Order)
	}
	is.True(first < c.Wait(slow).Order) // a quick read does not wait for a slow one
}

func TestDanglingLinks(t *testing.T) {
	is := is.New(t)
	ws := sample(t)
	c := serve(t, ws)
	is.NoErr(os.Symlink("new.txt", filepath.Join(ws, "inside")))
	is.NoErr(os.Symlink("../outside/new", filepath.Join(ws, "away")))
	is.NoErr(os.Symlink("loop", filepath.Join(ws, "loop")))
	is.Equal(c.Call("read_text_file", o{"path": "inside"}).Text,
		"ENOENT: no such file or directory, open '"+ws+"/new.txt'")
	is.True(!c.Call("write_file", o{"path": "inside", "content": "x"}).IsError)
	is.Equal(c.Call("read_text_file", o{"path": "new.txt"}).Text, "x")
	is.True(strings.HasPrefix(c.Call("write_file", o{"path": "away", "content": "x"}).Text, "PATH_OUTSIDE_WORKSPACE: "))
	is.True(c.Call("read_text_file", o{"path": "loop"}).IsError)
}

func TestHintsAreComplete(t *testing.T) {
	is := is.New(t)
	c := serve(t, sample(t))
	raw := string(c.Wait(c.Request("tools/list", o{})).Raw)
	is.Equal(strings.Count(raw, `"openWorldHint":false`), 14)
	is.Equal(strings.Count(raw, `"readOnlyHint":`), 14)
	is.Equal(strings.Count(raw, `"destructiveHint":`), 14)
	is.Equal(strings.Count(raw, `"idempotentHint":`), 14)
}

func TestFileInfo(t *testing.T) {
	is := is.New(t)
	ws := sample(t)
	is.NoErr(os.Chmod(filepath.Join(ws, "a.txt"), 0o640))
	answer := serve(t, ws).Call("get_file_info", o{"path": "in"})
	is.True(strings.HasPrefix(answer.Text, "size: 14\ncreated: "))
	is.True(strings.HasSuffix(answer.Text, "\nisDirectory: false\nisFile: true\npermissions: 640"))
	line := strings.Split(answer.Text, "\n")[2]
	_, err := time.Parse("modified: Mon Jan 02 2006 15:04:05 GMT-0700", strings.Split(line, " (")[0])
	is.NoErr(err)
}
