package journal

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// TestWindow: what is put is in the file at once, as others read it; the room behind is given back in the end.
func TestWindow(t *testing.T) {
	is := is.New(t)
	s := NewStore(t.TempDir(), Limits{}, nil)
	r := write(t, s, "run_1")
	if r.log.window == nil {
		t.Skip("the file system of the temporary folder cannot map files: windows are NOT tested")
	}
	text := value.String(strings.Repeat("x", 300<<10)) // several windows
	for n := range 5 {
		is.NoErr(r.Finished(string(rune('a'+n)), nil, engine.Outcome{Seq: n + 2, Out: []value.Value{text}}))
		info, err := s.Read("run_1")
		is.NoErr(err)
		is.True(info.done(string(rune('a' + n))))
		is.Equal(info.Size, r.log.size)
	}
	path := s.file("run_1")
	before, err := os.Stat(path)
	is.NoErr(err)
	size := r.log.size
	is.True(before.Size() > size)
	is.NoErr(r.Close())
	after, err := os.Stat(path)
	is.NoErr(err)
	is.Equal(after.Size(), size)
}

// TestTornWindow: a process that is killed while it puts a record leaves the room behind it, and the record torn at any
// byte.
func TestTornWindow(t *testing.T) {
	is := is.New(t)
	s := NewStore(t.TempDir(), Limits{}, nil)
	is.NoErr(write(t, s, "run_1").Close())
	path := s.file("run_1")
	whole, err := os.ReadFile(path)
	is.NoErr(err)
	last := len(whole)
	for at, next := len(magic), 0; at < len(whole); at = next {
		_, next = record(whole, at)
		last = at
	}
	for size := last; size < len(whole); size++ {
		if put := size - last; put > 0 && put < 8 {
			continue // the first eight bytes are one store
		}
		is.NoErr(os.WriteFile(path, append(whole[:size:size], make([]byte, leastRoom)...), 0o600))
		r, err := s.Open("run_1")
		is.NoErr(err)
		is.Equal(len(r.Lines), 0) // the last record is a line
		is.NoErr(r.Line("n4", "log", "again"))
		is.NoErr(r.Close())
	}
}

// TestNotBegun: a process that is killed before the first record has begun no run.
func TestNotBegun(t *testing.T) {
	is := is.New(t)
	s := NewStore(t.TempDir(), Limits{}, nil)
	is.NoErr(write(t, s, "run_1").Close())
	for _, text := range []string{"", magic, magic + string(make([]byte, leastRoom))} {
		is.NoErr(os.WriteFile(s.file("run_1"), []byte(text), 0o600))
		_, err := s.Open("run_1")
		var unknown *Error
		is.True(errors.As(err, &unknown))
		is.Equal(unknown.Code, nodes.UnknownRun)
		list, err := s.List()
		is.NoErr(err)
		is.Equal(len(list), 0)
	}
}

// TestFullDisk: a window that cannot be had ends in an error, and leaves what is there as it is.
func TestFullDisk(t *testing.T) {
	is := is.New(t)
	s := NewStore(t.TempDir(), Limits{}, nil)
	r := write(t, s, "run_1")
	if r.log.window == nil {
		t.Skip("the file system of the temporary folder cannot map files: windows are NOT tested")
	}
	whole := r.log.window.file
	r.log.window.file, _ = os.Open(whole.Name()) // one that cannot be written stands for a disk that is full
	text := value.String(strings.Repeat("x", 100<<10))
	err := r.Finished("n9", nil, engine.Outcome{Seq: 2, Out: []value.Value{text}})
	is.True(err != nil && strings.Contains(err.Error(), "truncate"))
	is.True(r.Line("n4", "log", "later") != nil) // and nothing is written behind the gap
	r.log.window.file = whole
	is.True(r.Close() != nil)
	info, err := s.Read("run_1")
	is.NoErr(err)
	is.True(!info.done("n9") && info.done("n1"))
}

// TestFault: memory that cannot be written, as on a disk that is full, ends the run with an error.
func TestFault(t *testing.T) {
	is := is.New(t)
	s := NewStore(t.TempDir(), Limits{}, nil)
	r := write(t, s, "run_1")
	if r.log.window == nil {
		t.Skip("the file system of the temporary folder cannot map files: windows are NOT tested")
	}
	is.NoErr(os.Truncate(s.file("run_1"), 0)) // behind the end of a file there is nothing to write to
	err := r.Line("n4", "log", "hello")
	is.True(err != nil && strings.Contains(err.Error(), "the disk is full"))
	is.True(r.Line("n4", "log", "again") != nil)
	is.True(r.Close() != nil)
}

// TestWithoutWindow: a file system that cannot map files is written to.
func TestWithoutWindow(t *testing.T) {
	is := is.New(t)
	s := NewStore(t.TempDir(), Limits{}, nil)
	r, err := s.Create("run_1", begin())
	is.NoErr(err)
	if r.log.window != nil {
		is.NoErr(r.log.window.close())
		_, err := r.log.file.Seek(0, 2)
		is.NoErr(err)
		r.log.window = nil
	}
	is.NoErr(r.Leaving("n1", "s:t", Digest([]byte("{}")), false))
	info, err := s.Read("run_1")
	is.NoErr(err)
	is.True(info.Uncertain("n1")) // before the request leaves
	is.NoErr(r.Line("n4", "log", "hello"))
	is.NoErr(r.Close())
	info, err = s.Read("run_1")
	is.NoErr(err)
	is.Equal(info.Lines, []Line{{"n4", "log", "hello"}})
}
