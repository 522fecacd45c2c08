package filesystem

import (
	"io/fs"
	"syscall"
	"time"

	"github.com/casys-ai/pml/transport/builtin/internal/root"
)

// times gives the times of creation and last access.
func times(_ root.Place, info fs.FileInfo) (created, accessed time.Time) {
	data, ok := info.Sys().(*syscall.Win32FileAttributeData)
	if !ok {
		return info.ModTime(), info.ModTime()
	}
	return time.Unix(0, data.CreationTime.Nanoseconds()), time.Unix(0, data.LastAccessTime.Nanoseconds())
}
