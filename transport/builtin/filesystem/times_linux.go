package filesystem

import (
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/casys-ai/pml/transport/builtin/internal/root"
)

// times gives the times of creation and last access. The creation time needs statx; where the file system has none
// the time of the last status change stands in, as in Node. The file is opened as a mere path, which needs no
// permission to read and does not touch the access time.
func times(place root.Place, info fs.FileInfo) (created, accessed time.Time) {
	created, accessed = info.ModTime(), info.ModTime()
	file, err := place.Dir.OpenFile(place.Rel, os.O_RDONLY|unix.O_PATH, 0)
	if err != nil {
		return created, accessed
	}
	defer file.Close()
	var stat unix.Statx_t
	mask := unix.STATX_BTIME | unix.STATX_ATIME | unix.STATX_CTIME
	if err := unix.Statx(int(file.Fd()), "", unix.AT_EMPTY_PATH, mask, &stat); err != nil {
		return created, accessed
	}
	created = moment(stat.Ctime)
	if stat.Mask&unix.STATX_BTIME != 0 {
		created = moment(stat.Btime)
	}
	return created, moment(stat.Atime)
}

func moment(t unix.StatxTimestamp) time.Time { return time.Unix(t.Sec, int64(t.Nsec)) }
