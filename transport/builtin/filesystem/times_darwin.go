package filesystem

import (
	"io/fs"
	"syscall"
	"time"

	"github.com/casys-ai/pml/transport/builtin/internal/root"
)

// times gives the times of creation and last access.
func times(_ root.Place, info fs.FileInfo) (created, accessed time.Time) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return info.ModTime(), info.ModTime()
	}
	return time.Unix(stat.Birthtimespec.Unix()), time.Unix(stat.Atimespec.Unix())
}
