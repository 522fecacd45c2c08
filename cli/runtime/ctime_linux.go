package runtime

import (
	"io/fs"
	"syscall"
)

// changeTime is when a file was changed in any way, which nobody can set.
func changeTime(info fs.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Ctim.Nano()
	}
	return 0
}
