package runtime

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/transport"
)

// An approval pins what was shown: not what the tool has become since, and not before it is written.
func TestApprovalPinsWhatWasShown(t *testing.T) {
	is := is.New(t)
	p := &pins{dir: t.TempDir()}
	saw := func(description string) string {
		tool := transport.ToolInfo{Name: "x", Description: description}
		_, err := p.check(ServerEntry{ServerConfig: transport.ServerConfig{Name: "s"}}, transport.ServerInfo{}, []transport.ToolInfo{tool})
		is.NoErr(err)
		return defined(tool).Integrity
	}
	pinned := func() (integrity string) {
		is.NoErr(p.change(func(lock *lockJSON) bool {
			integrity = lock.Servers["s"].Tools["x"].Integrity
			return false
		}))
		return integrity
	}
	first, shown, later := saw("one"), saw("two"), saw("three")
	is.NoErr(p.accept("s:x", shown))
	is.Equal(pinned(), first)
	held := filepath.Join(p.dir, lockFile+".new") // a folder stands where the file is to be written
	is.NoErr(os.Mkdir(held, 0o700))
	is.True(p.accept("s:x", later) != nil)
	is.NoErr(os.Remove(held))
	is.NoErr(p.accept("s:x", later))
	is.Equal(pinned(), later)
}
